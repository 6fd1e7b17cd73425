import { isNumberSeries } from '../formats/text/number-series.ts'
import { escapeAt, hiddenForms, plainForms, unescaped } from './encodings.ts'
import { buildSearch, type Pattern } from './search.ts'

/** Which of the values stand in the bytes, by their index. */
export type Found = {
  /** Those that stand there as they are, in UTF-8 or Latin-1. */
  plain: Set<number>
  /** Those that stand there in UTF-16, hexadecimal, base64 or with characters escaped; plain ones may be among them. */
  hidden: Set<number>
}

/**
 * Looks for values in the bytes of a file or of one of its parts, given in order and in pieces of any size. What is
 * compressed must be given decompressed as well.
 */
export type ByteScan = {
  push(bytes: Uint8Array): void
  /** Begins another part: nothing is found across the border. */
  next(): void
  found(): Found
}

/** A 1 for each byte that a pattern takes as a character. */
const bytesOf = (pattern: RegExp) =>
  Uint8Array.from({ length: 256 }, (_, byte) => Number(pattern.test(String.fromCharCode(byte))))

/** What escapes begin with, and what comes next in any of them: few of the other marks are an escape. */
const escapes: [code: number, mayFollow: Uint8Array][] = [
  [0x25, bytesOf(/[0-9A-Fa-f]/)],
  [0x5c, bytesOf(/[\s\S]/)],
  [0x26, bytesOf(/[#A-Za-z]/)],
  [0x3d, bytesOf(/[0-9A-Fa-f\r\n]/)],
]
const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Characters of base64, base64url and hexadecimal text. */
const isCode = bytesOf(/[A-Za-z0-9+/_=-]/)
/** What parts lines of it: their ends, and what stands in front of them. */
const parts = bytesOf(/[\r\n\t >]/)
/** Fewest such characters before a line end that may be in the middle of encoded text. */
const shortestLine = 16

/** Bytes that are looked at in one go: few enough for their text to be made where V8 keeps what soon goes. */
const maxAtOnce = 64 * 1024

/** The stretches around escapes, wide enough that every value with an escape in it lies in one of them. */
function aroundEscapes(piece: Buffer, reach: number): [number, number][] {
  let text: string | undefined
  const places: number[] = []
  for (const [code, mayFollow] of escapes) {
    for (let at = piece.indexOf(code); at >= 0; at = piece.indexOf(code, at + 1)) {
      if (mayFollow[piece[at + 1]!] !== 1) continue
      text ??= piece.toString('latin1')
      if (escapeAt(text, at)) places.push(at)
    }
  }
  const stretches: [number, number][] = []
  for (const at of places.sort((a, b) => a - b)) {
    const last = stretches.at(-1)
    if (last && at - reach <= last[1]) last[1] = at + reach
    else stretches.push([Math.max(0, at - reach), at + reach])
  }
  return stretches
}

/** Encoded text that is broken into lines, as in mail, certificates and YAML, without what parts the lines. */
function* joinedLines(piece: Buffer, reach: number): Generator<Uint8Array> {
  let done = 0
  for (let at = piece.indexOf(lineFeed); at >= 0; at = piece.indexOf(lineFeed, at + 1)) {
    if (at < done) continue
    let start = piece[at - 1] === carriageReturn ? at - 1 : at
    const lineEnd = start
    while (start > 0 && lineEnd - start < shortestLine && isCode[piece[start - 1]!] === 1) start--
    if (lineEnd - start < shortestLine) continue
    const belongs = (byte: number | undefined) => byte !== undefined && (isCode[byte] === 1 || parts[byte] === 1)
    while (start > 0 && at - start < reach && belongs(piece[start - 1])) start--
    let end = at + 1
    while (end - at < reach && belongs(piece[end])) end++
    done = end
    yield piece.subarray(start, end).filter(byte => parts[byte] !== 1)
  }
}

const isHex = bytesOf(/[\dA-Fa-f]/)
/** What may stand between two bytes in hexadecimal. */
const between = bytesOf(/[ :-]/)
const blank = 0x20
/** Fewest bytes of which a hidden form is looked for in hexadecimal. */
const fewestPairs = 6

const isInPairs = bytesOf(/[\dA-Fa-f :-]/)

/**
 * Hexadecimal with a sign between each two bytes, or two blanks, as dumps have it, without the signs. Numbers that count up are
 * left out, whatever one stands in front of them.
 */
function* joinedPairs(piece: Buffer): Generator<Uint8Array> {
  const isPair = (at: number) => isHex[piece[at]!] === 1 && isHex[piece[at + 1]!] === 1
  const gapBehind = (end: number, sign: number) => {
    if (piece[end] !== sign) return 0
    const gap = sign === blank && piece[end + 1] === blank ? 2 : 1
    return isPair(end + gap) ? gap : 0
  }
  const gapBefore = (start: number, sign: number) => {
    if (piece[start - 1] !== sign) return 0
    const gap = sign === blank && piece[start - 2] === blank ? 2 : 1
    return isPair(start - gap - 2) ? gap : 0
  }
  const begins = (at: number) => isPair(at) && between[piece[at + 2]!] === 1 && gapBehind(at + 2, piece[at + 2]!) > 0
  // From each of so many places in a row to the last, one of the first bytes of a run that is long enough begins within four.
  const step = 3 * (fewestPairs - 2)
  for (let at = 0; at < piece.length; at += step) {
    // Wherever it begins, these two are of it; in most texts they are not.
    if (isInPairs[piece[at + 3]!] !== 1 || isInPairs[piece[at + 4]!] !== 1) continue
    let found = at
    while (found < at + 4 && !begins(found)) found++
    if (found === at + 4) continue
    const sign = piece[found + 2]!
    let start = found
    for (let gap = gapBefore(start, sign); gap > 0; gap = gapBefore(start, sign)) start -= gap + 2
    let end = found + 2
    for (let gap = gapBehind(end, sign); gap > 0; gap = gapBehind(end, sign)) end += gap + 2
    const pairs = piece.subarray(start, end).filter(byte => isHex[byte] === 1)
    const whole = Buffer.from(pairs).toString('latin1', 0, isHex[piece[end]!] === 1 ? pairs.length - 2 : pairs.length)
    if (!isNumberSeries(whole) && !isNumberSeries(whole.slice(2))) yield pairs
    at = Math.max(at, end - 2 - step)
  }
}

/** Starts a scan for `values`; those with fewer than four bytes in a form are not looked for in that form. */
export function byteScan(values: readonly string[]): ByteScan {
  const { length } = values
  // A hidden form counts as another value, so that one pass finds both.
  const patterns: Pattern[] = values.flatMap((text, value) => [
    ...plainForms(text).map(bytes => ({ bytes, value })),
    ...hiddenForms(text).map(bytes => ({ bytes, value: value + length })),
  ])
  const search = buildSearch(patterns)
  const found: Found = { plain: new Set(), hidden: new Set() }
  // An escaped character takes up to ten bytes (&#x1F600;), a line break inside of base64 two in 64.
  const reach = Math.max(64, search.longest * 10)
  /** The end of what was searched last, in front of room for what comes next. */
  let joined: Buffer = Buffer.alloc(0)
  let kept = 0

  const asIs = (value: number) => {
    if (value < length) found.plain.add(value)
    else found.hidden.add(value - length)
    return undefined
  }
  const resolved = (value: number) => {
    found.hidden.add(value % length)
    return undefined
  }

  const inLines = (value: number) => (value < length ? undefined : asIs(value))
  const lookInLines = (piece: Buffer) => {
    for (const joined of joinedLines(piece, reach)) search.run(joined, inLines)
  }

  const look = (bytes: Uint8Array) => {
    if (joined.length < kept + bytes.length) {
      const more = Buffer.alloc((kept + bytes.length) * 2)
      joined.copy(more, 0, 0, kept)
      joined = more
    }
    joined.set(bytes, kept)
    const piece = joined.subarray(0, kept + bytes.length)
    search.run(piece, asIs)
    for (const [start, end] of aroundEscapes(piece, reach)) {
      const text = Buffer.from(unescaped(piece.toString('latin1', start, end)), 'latin1')
      search.run(text, resolved)
      lookInLines(text)
    }
    lookInLines(piece)
    for (const joined of joinedPairs(piece)) search.run(joined, inLines)
    kept = Math.min(reach, piece.length)
    joined.copyWithin(0, piece.length - kept, piece.length)
  }

  return {
    push(bytes) {
      if (length === 0) return
      for (let at = 0; at < bytes.length; at += maxAtOnce) look(bytes.subarray(at, at + maxAtOnce))
    },
    next() {
      kept = 0
    },
    found: () => found,
  }
}
