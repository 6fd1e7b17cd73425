import iconv from 'iconv-lite'
import type { Reread, Shown } from '../text/reread.ts'
import { isBareVocabulary, isKnownName, isNumbered, isVocabulary } from './vocabulary.ts'

/** The text of quoted-printable, in the character set that a parameter names. */
function quotedPrintable(text: string, parameters: readonly string[]): string {
  const escaped = Buffer.from(text).toString('latin1')
  const bytes = Buffer.from(
    escaped.replace(/=([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  )
  const charset = parameters
    .find(parameter => /^charset=/i.test(parameter))
    ?.slice(8)
    .replaceAll('"', '')
  if (charset && iconv.encodingExists(charset) && !/^utf-?8$/i.test(charset)) return iconv.decode(bytes, charset)
  const unicode = bytes.toString()
  return unicode.includes('\ufffd') ? iconv.decode(bytes, 'cp1252') : unicode
}

/** The text of a value: a line end or a character that a backslash stands before; nothing else of programs' strings is undone. */
const plain = (text: string) =>
  text.replace(/\\([\s\S])/g, (both, letter: string) => {
    if (letter.toLowerCase() === 'n') return '\n'
    return 'rtux'.includes(letter) ? both : letter
  })

/** What a circumflex stands for in a parameter with the letter behind it. */
const raised = (both: string) => ({ '^n': '\n', "^'": '"' })[both] ?? '^'

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

/** A parameter: its name, its value, and whether that is no text. */
function parameterOf(parameter: string): { name: string; value: string; isFixed: boolean } {
  const at = parameter.indexOf('=')
  const value = parameter.slice(at + 1)
  if (at < 0) return { name: '', value, isFixed: isBareVocabulary(value) }
  const name = parameter.slice(0, at)
  return { name, value, isFixed: isVocabulary(value.replaceAll('"', ''), name, 'parameter') }
}

/** Where the words of the formats stand in a line without folds: names, and values that only they make up. */
function* fixedIn(line: string): Generator<[number, number]> {
  const at = valueAt(line)
  const [head = '', ...parameters] = line.slice(0, Math.max(0, at - 1)).split(';')
  const name = head.slice(head.lastIndexOf('.') + 1)
  if (isKnownName(name, 'property')) yield [head.length - name.length, head.length]
  let from = head.length
  for (const parameter of parameters) {
    from++
    const { name: key, value, isFixed } = parameterOf(parameter)
    if (isKnownName(key, 'parameter')) yield [from, from + key.length]
    if (isFixed) yield [from + parameter.length - value.length, from + parameter.length]
    from += parameter.length
  }
  if (at > 0 && isVocabulary(line.slice(at), name, 'property')) yield [at, line.length]
}

/** The same as places in the source, whose lines are folded. */
function* fixedPlaces(source: string): Generator<[number, number]> {
  for (const { index, 0: folded } of source.matchAll(/(?:[^\r\n]|(?:\r\n?|\n)[ \t])+/g)) {
    const pieces = folded.split(/((?:\r\n?|\n)[ \t])/)
    const offsets: number[] = []
    let at = index
    pieces.forEach((piece, n) => {
      if (n % 2 === 0) for (let i = 0; i < piece.length; i++) offsets.push(at + i)
      at += piece.length
    })
    for (const [start, end] of fixedIn(pieces.filter((_, n) => n % 2 === 0).join('')))
      if (end > start) yield [offsets[start]!, offsets[end - 1]! + 1]
  }
}

/** Reads calendars and cards line by line, as RFC 5545 and RFC 6350 tell: unfolded, each a name, parameters and a value. */
export function rereadLines(source: string): Reread {
  const shown: Shown[] = []
  const hidden: string[] = []
  const lines = source.replace(/(?:\r\n?|\n)[ \t]/g, '').split(/\r\n?|\n/)
  for (let index = 0; index < lines.length; index++) {
    let line = lines[index]!
    const at = valueAt(line)
    const [name = '', ...parameters] = line.slice(0, Math.max(0, at - 1)).split(';')
    if (!/^[a-z0-9.-]+$/i.test(name)) {
      shown.push({ text: plain(line) })
      continue
    }
    const bare = name.slice(name.lastIndexOf('.') + 1)
    const group = name.slice(0, -bare.length - 1)
    if (!isNumbered(group)) hidden.push(group)
    if (!isKnownName(bare, 'property')) hidden.push(bare)
    for (const parameter of parameters) {
      const { name: key, value, isFixed } = parameterOf(parameter)
      if (!isKnownName(key, 'parameter')) hidden.push(key)
      if (!isFixed) hidden.push(value.replace(/\^[n'^]/g, raised))
    }
    const isQuoted = parameters.some(parameter => /^(?:encoding=)?"?quoted-printable"?$/i.test(parameter))
    if (isQuoted) {
      const first = index
      while (lines[index]!.endsWith('=') && index + 1 < lines.length) index++
      line = [...lines.slice(first, index).map(each => each.slice(0, -1)), lines[index]].join('')
    }
    const value = line.slice(at)
    if (isVocabulary(value, bare, 'property')) continue
    if (/^(?:begin|end)$/i.test(name)) hidden.push(value)
    else if (!isQuoted && /^(?:.*\.)?(?:uid|related-to)$/i.test(name)) hidden.push(plain(value))
    else {
      const texts = /^(?:.*\.)?(?:n|adr|org)$/i.test(name) ? componentsOf(value) : [value]
      for (const text of texts) shown.push({ text: isQuoted ? quotedPrintable(text, parameters) : plain(text) })
    }
  }
  return { shown, hidden, fixed: () => fixedPlaces(source) }
}
