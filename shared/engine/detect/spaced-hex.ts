import { textOf } from '../formats/text/code-encoding.ts'
import { isNumberSeries } from '../formats/text/number-series.ts'
import { type Code, type Codes, codesBySearch } from './code-search.ts'

/** Digits of a byte, and the sign behind them. */
const width = 3
/** Fewest bytes: fewer are numbers, or a time. */
const fewest = 6
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

const isDigit = (text: string, at: number) => kinds[text.charCodeAt(at)] === 1
const isByte = (text: string, at: number) => isDigit(text, at) && isDigit(text, at + 1)
const blank = 0x20

/** Signs that stand between a byte that ends at a place and the next: two blanks may. None where no byte follows. */
function gapBehind(text: string, end: number, code: number): number {
  if (text.charCodeAt(end) !== code) return 0
  const gap = code === blank && text.charCodeAt(end + 1) === blank ? 2 : 1
  return isByte(text, end + gap) ? gap : 0
}

/** Where the bytes begin that a sign stands behind, from a place on. */
function startOf(text: string, sign: number, from: number): number {
  const code = text.charCodeAt(sign)
  let start = sign + 1
  if (code === blank && text.charCodeAt(start) === blank) start++
  for (;;) {
    const gap = code === blank && text.charCodeAt(start - 2) === blank ? 2 : 1
    const before = start - gap - 2
    if (before < from || text.charCodeAt(start - 1) !== code || !isByte(text, before)) return start
    start = before
  }
}

/** Bytes in front of a text that may be something else: the end of a time or of a number of a line. */
const mostBefore = 1

/** Where the last of the bytes ends that begin at a place, of which a longer number is none; nothing where they are few. */
function endOf(text: string, start: number, code: number): number | undefined {
  if (isDigit(text, start - 1)) return undefined
  let end = start + 2
  let before = start
  let bytes = 1
  for (let gap = gapBehind(text, end, code); gap > 0; gap = gapBehind(text, end, code)) {
    before = end
    end += gap + 2
    bytes++
  }
  if (isDigit(text, end)) {
    end = before
    bytes--
  }
  return bytes < fewest ? undefined : end
}

/** What the bytes say that begin at a place, or nearly there; or only where they end. */
function readAt(text: string, start: number, code: number): { end: number; code?: Code } {
  let end = start
  let at = start
  for (let before = 0; before <= mostBefore; before++) {
    const found = endOf(text, at, code)
    if (found !== undefined) {
      end = found
      const digits = text.slice(at, end).replace(/[ :-]/g, '')
      const said = isNumberSeries(digits) ? undefined : textOf(Buffer.from(digits, 'hex'))
      if (said !== undefined) return { end, code: { start: at, end, text: said } }
    }
    at += 2 + gapBehind(text, at + 2, code)
  }
  return { end }
}

/**
 * Finds the texts in hexadecimal whose bytes have a blank, a colon or a hyphen between them, as dumps, certificates and programs
 * write them: `4a 6f 6e 61 73 20`. Numbers that count up are none.
 */
export const spacedHex = (text: string): Codes =>
  codesBySearch(text.length, from => {
    for (let at = from + looked - 1; at < text.length; at += step) {
      const sign = mayBeIn(text, at) ? signIn(text, at) : -1
      if (sign < from) continue
      const { end, code } = readAt(text, startOf(text, sign, from), text.charCodeAt(sign))
      if (code) return code
      // The next one may begin with the last byte of this one.
      at = Math.max(at, end - width + looked - 1 - step)
    }
    return undefined
  })
