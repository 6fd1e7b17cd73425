import type { Reread, Shown } from '../text/reread.ts'

const quotedPrintable = (text: string) =>
  Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString()

/** Characters behind a backslash that stand for something else than themselves. */
const plain = (text: string) =>
  text.replace(/\\([\s\S])/g, (_, letter: string) => (letter.toLowerCase() === 'n' ? '\n' : letter))

/** The components of a structured value. */
function componentsOf(value: string): string[] {
  const texts = ['']
  for (const piece of value.match(/\\[\s\S]?|;|[^\\;]+/g) ?? []) {
    if (piece === ';') texts.push('')
    else texts[texts.length - 1] += piece
  }
  return texts
}

/** Where the value of a line begins, behind the first colon outside of quotes; 0 where there is none. */
function valueAt(line: string): number {
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isQuoted = !isQuoted
    else if (line[at] === ':' && !isQuoted) return at + 1
  }
  return 0
}

/** Reads calendars and cards line by line, as RFC 5545 and RFC 6350 tell: unfolded, each a name, parameters and a value. */
export function rereadLines(source: string): Reread {
  const shown: Shown[] = []
  const hidden: string[] = []
  const lines = source.replace(/\r?\n[ \t]/g, '').split(/\r?\n/)
  for (let index = 0; index < lines.length; index++) {
    let line = lines[index]!
    const at = valueAt(line)
    const [name = '', ...parameters] = line.slice(0, Math.max(0, at - 1)).split(';')
    if (!/^[a-z0-9.-]+$/i.test(name)) {
      shown.push({ text: plain(line) })
      continue
    }
    for (const parameter of parameters) hidden.push(parameter)
    const isQuoted = parameters.some(parameter => /^(?:encoding=)?quoted-printable$/i.test(parameter))
    while (isQuoted && line.endsWith('=') && index + 1 < lines.length) line = line.slice(0, -1) + lines[++index]
    const value = line.slice(at)
    if (/^(?:begin|end|version)$/i.test(name)) hidden.push(value)
    else if (!isQuoted && /^(?:.*\.)?(?:uid|related-to)$/i.test(name)) hidden.push(plain(value))
    else {
      const texts = /^(?:.*\.)?(?:n|adr|org)$/i.test(name) ? componentsOf(value) : [value]
      for (const text of texts) shown.push({ text: isQuoted ? quotedPrintable(text) : plain(text) })
    }
  }
  return { shown, hidden }
}
