import { alphabetOf, encodingOf, isText } from './code-encoding.ts'
import { readWrapped } from './wrapped-codes.ts'

/** A stretch of a text that is a text in base64: what it says, and how to write it so again. */
export type CodedText = { start: number; end: number; text: string; encode: (text: string) => string }

/** Characters of the shortest stretch that is looked at. */
export const shortestCode = 12

const stretches = /(?:(?<![\w+/%\\-])|(?<=%[\da-f]{2}|\\[nrt]))(?:[\w+-]|\\?\/){12,}(?:={1,2}|(?:%3d){1,2})?/gi

/** The texts that a text holds in base64, as scripts, trackers and tokens of log-ins write them, of either alphabet. */
export function codedTextsIn(text: string): CodedText[] {
  const found: CodedText[] = []
  for (const { index, 0: stretch } of text.matchAll(stretches)) {
    if (index < (found.at(-1)?.end ?? 0)) continue
    // Tokens of log-ins are such texts with full stops between them, and never padded.
    const isPart = text[index - 1] === '.' || text[index + stretch.length] === '.'
    const coded = readLines(text, index, stretch) ?? readStretch(stretch, index, isPart)
    if (coded) found.push(coded)
  }
  return found
}

function readLines(text: string, start: number, stretch: string): CodedText | undefined {
  const wrapped = stretch.includes('\\') ? undefined : readWrapped(text, start, start + stretch.length)
  return wrapped && { start, ...wrapped }
}

/** Parts of an address before it that may stand in front of it. */
const mostParts = 8

/** The text that a stretch is from one of its slashes on, as it may be the end of an address. */
function readStretch(stretch: string, start: number, isPart: boolean): CodedText | undefined {
  const end = start + stretch.length
  let from = 0
  for (let part = 0; part < mostParts && stretch.length - from >= shortestCode; part++) {
    const coded = readCode(stretch.slice(from), isPart)
    if (coded) return { ...coded, start: start + from, end }
    const slash = stretch.indexOf('/', from)
    if (slash < 0) return undefined
    from = slash + 1
  }
  return undefined
}

/** The text that is all of a stretch. */
export function readCode(written: string, isPart: boolean): Pick<CodedText, 'text' | 'encode'> | undefined {
  const [padding = ''] = /(?:=|%3d)*$/i.exec(written)!
  const isEscaped = written.includes('\\')
  const code = written.slice(0, written.length - padding.length).replaceAll('\\', '')
  const alphabet = alphabetOf(code)
  // Most are told from texts by their beginning.
  const encoding = encodingOf(Buffer.from(code.slice(0, shortestCode), 'base64'))
  if (encoding === undefined) return undefined
  const bytes = Buffer.from(code, 'base64')
  if (!isText(bytes, encoding) || bytes.toString(alphabet).replace(/=+$/, '') !== code) return undefined
  const isPadded = padding !== '' || (code.length % 4 === 0 && alphabet === 'base64' && !isPart)
  const encode = (out: string) => {
    const whole = Buffer.from(out, encoding).toString(alphabet).replace(/=+$/, '')
    const end = isPadded ? '='.repeat(-whole.length & 3) : ''
    return (
      (isEscaped ? whole.replaceAll('/', '\\/') : whole) + (padding.startsWith('%') ? encodeURIComponent(end) : end)
    )
  }
  return { text: bytes.toString(encoding), encode }
}
