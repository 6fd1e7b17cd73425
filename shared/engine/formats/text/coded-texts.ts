import { isUtf8 } from 'node:buffer'

/** A stretch of a text that is a text in base64: what it says, and how to write it so again. */
export type CodedText = { start: number; end: number; text: string; encode: (text: string) => string }

/** Characters of the shortest stretch that is looked at. */
export const shortestCode = 12

const stretches = /(?:(?<![\w+/%\\-])|(?<=%[\da-f]{2}|\\[nrt]))(?:[\w+-]|\\?\/){12,}(?:={1,2}|(?:%3d){1,2})?/gi
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/

/** The texts that a text holds in base64, as scripts, trackers and tokens of log-ins write them, of either alphabet. */
export function codedTextsIn(text: string): CodedText[] {
  const found: CodedText[] = []
  for (const { index, 0: stretch } of text.matchAll(stretches)) {
    // Tokens of log-ins are such texts with full stops between them, and never padded.
    const isPart = text[index - 1] === '.' || text[index + stretch.length] === '.'
    const coded = readStretch(stretch, index, isPart)
    if (coded) found.push(coded)
  }
  return found
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
  const alphabet = /[-_]/.test(code) ? 'base64url' : 'base64'
  // Most are told from texts by their beginning.
  if (!isText(Buffer.from(code.slice(0, shortestCode), 'base64'), true)) return undefined
  const bytes = Buffer.from(code, 'base64')
  if (!isText(bytes) || bytes.toString(alphabet).replace(/=+$/, '') !== code) return undefined
  const isPadded = padding !== '' || (code.length % 4 === 0 && alphabet === 'base64' && !isPart)
  const encode = (out: string) => {
    const whole = Buffer.from(out).toString(alphabet).replace(/=+$/, '')
    const end = isPadded ? '='.repeat(-whole.length & 3) : ''
    return (
      (isEscaped ? whole.replaceAll('/', '\\/') : whole) + (padding.startsWith('%') ? encodeURIComponent(end) : end)
    )
  }
  return { text: bytes.toString('utf8'), encode }
}

/** Whether bytes are those of a text, the last character of which may be cut. */
function isText(bytes: Buffer, mayBeCut = false): boolean {
  const cuts = mayBeCut ? [0, 1, 2, 3] : [0]
  return cuts.some(cut => isUtf8(bytes.subarray(0, bytes.length - cut))) && !controls.test(bytes.toString('latin1'))
}
