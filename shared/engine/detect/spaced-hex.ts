import { textOf } from '../formats/text/code-encoding.ts'
import { type Code, type Codes, codesBySearch } from './code-search.ts'

/** Digits of a byte, and the sign behind them. */
const width = 3
/** Fewest bytes: fewer are numbers, or a time. */
const fewest = 6
const run = new RegExp(
  String.raw`(?<![\da-f])[\da-f]{2}([ :-])[\da-f]{2}(?:\1[\da-f]{2}){${fewest - 2},}(?![\da-f])`,
  'giy',
)
/** Numbers have no letters, and nearly all texts have some in hexadecimal. */
const hasLetter = /[a-f]/i

/** A 1 for each digit, a 2 for each sign that may stand between two bytes. */
const kinds = new Uint8Array(0x10000)
for (const digit of '0123456789abcdefABCDEF') kinds[digit.charCodeAt(0)] = 1
for (const sign of ' :-') kinds[sign.charCodeAt(0)] = 2

/** Characters that are looked at together, and from one of such places to the next: each run holds all of one. */
const looked = 5
const step = fewest * width - 1 - looked + 1

/** Whether all characters that end at a place may be of a run; in most texts few are. */
function mayBeIn(text: string, at: number): boolean {
  for (let back = 0; back < looked; back++) if (kinds[text.charCodeAt(at - back)] === 0) return false
  return true
}

/** Where a sign stands among the characters that end at a place. */
function signIn(text: string, at: number): number {
  for (let sign = at; sign > at - width; sign--) if (kinds[text.charCodeAt(sign)] === 2) return sign
  return -1
}

/** Where the bytes begin that a sign stands behind, from a place on. */
function startOf(text: string, sign: number, from: number): number {
  const isByte = (at: number) => kinds[text.charCodeAt(at)] === 1 && kinds[text.charCodeAt(at + 1)] === 1
  const code = text.charCodeAt(sign)
  let start = sign + 1
  while (start - width >= from && text.charCodeAt(start - 1) === code && isByte(start - width)) start -= width
  return start
}

/** Bytes in front of a text that may be something else: the end of a time or of a number of a line. */
const mostBefore = 1

/** What the bytes say that begin at a place, or nearly there; or only where they end. */
function readAt(text: string, start: number): { end: number; code?: Code } {
  let end = start
  for (let at = start; at <= start + mostBefore * width; at += width) {
    run.lastIndex = at
    if (!run.test(text)) continue
    end = run.lastIndex
    const written = text.slice(at, end)
    const said = hasLetter.test(written) ? textOf(Buffer.from(written.replace(/[ :-]/g, ''), 'hex')) : undefined
    if (said !== undefined) return { end, code: { start: at, end, text: said } }
  }
  return { end }
}

/**
 * Finds the texts in hexadecimal whose bytes have a blank, a colon or a hyphen between them, as dumps, certificates and programs
 * write them: `4a 6f 6e 61 73 20`.
 */
export const spacedHex = (text: string): Codes =>
  codesBySearch(text.length, from => {
    for (let at = from + looked - 1; at < text.length; at += step) {
      const sign = mayBeIn(text, at) ? signIn(text, at) : -1
      if (sign < from) continue
      const { end, code } = readAt(text, startOf(text, sign, from))
      if (code) return code
      // The next one may begin with the last byte of this one.
      at = Math.max(at, end - width + looked - 1 - step)
    }
    return undefined
  })
