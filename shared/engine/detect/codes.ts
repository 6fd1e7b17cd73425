import { gunzipSync, inflateSync } from 'node:zlib'
import { bareFilesIn } from '../formats/container/file-address.ts'
import { encodingOf, textOf } from '../formats/text/code-encoding.ts'
import { readCode } from '../formats/text/coded-texts.ts'
import { readWrapped } from '../formats/text/wrapped-codes.ts'
import { type Code, type Codes, codesBySearch } from './code-search.ts'
import { mailCodes } from './mail-codes.ts'
import { paddedCodes } from './padded-codes.ts'
import { spacedHex } from './spaced-hex.ts'

/** Places from one on in order, which are asked for in order: -1 where there is none. */
export type Places = (from: number) => number

/** Characters of the shortest stretch that is read: shorter ones are words. */
export const shortestCode = 16
/** Characters of the longest. */
const longest = 1024 * 1024
/** Parts of a token, header, content and signature (RFC 7515), or five of one that is encrypted (RFC 7516); and of an address. */
const mostParts = 5
/** How the header of a token begins: `{"`. */
const tokenStart = 'eyJ'

const [slash, lastOfToken, percent, backslash, zero, hexSign] = [...'/J%\\0x'].map(character => character.charCodeAt(0))

/**
 * A 1 for each character of base64 and base64url, a 2 where a code may begin at or behind it in a run of them, and what each
 * stands for.
 */
const kinds = new Uint8Array(0x10000)
const sixBits = new Uint8Array(128)
for (const alphabet of ['+/', '-_'])
  [...`ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789${alphabet}`].forEach((character, value) => {
    const code = character.charCodeAt(0)
    kinds[code] = code === slash || code === lastOfToken ? 2 : 1
    sixBits[code] = value
  })

/** What each digit of hexadecimal stands for; all other characters more than a byte. */
const fourBits = new Uint16Array(0x10000).fill(0x100)
for (let value = 0; value < 16; value++)
  for (const digit of [value.toString(16), value.toString(16).toUpperCase()]) fourBits[digit.charCodeAt(0)] = value

/** For each byte of UTF-8 how many follow it in a character; those that begin none, and controls, have -1. */
const following = Int8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x80) return (byte < 0x20 && ![9, 10, 13].includes(byte)) || byte === 0x7f ? -1 : 0
  return byte < 0xc2 || byte > 0xf4 ? -1 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
})

/** Whether bytes from a place on may be the first of a text in UTF-8: those of nearly all names and numbers are not. */
function mayBeText(bytes: Uint8Array, start: number): boolean {
  let expected = 0
  let bits = 0
  for (let index = 0; index < shortestCode; index++) {
    bits = ((bits << 6) | sixBits[bytes[start + index]!]!) & 0xffff
    // From the second character of four on each completes a byte.
    if (index % 4 === 0) continue
    const byte = (bits >> (6 - 2 * (index % 4))) & 0xff
    if (expected > 0 !== (byte >= 0x80 && byte < 0xc0)) return false
    expected = expected > 0 ? expected - 1 : following[byte]!
    if (expected < 0) return false
  }
  return true
}

/** Whether they may be those of a text in UTF-16: the upper half of its first character tells of most that are none. */
function mayBeWide(bytes: Uint8Array, start: number): boolean {
  const upper = ((sixBits[bytes[start + 1]!]! & 0xf) << 4) | (sixBits[bytes[start + 2]!]! >> 2)
  if (upper > 6 && upper !== 0xfe) return false
  const written = String.fromCharCode(...bytes.subarray(start, start + shortestCode))
  return encodingOf(Buffer.from(written, 'base64')) === 'utf16le'
}

/** Whether they may be those of a text in hexadecimal, in UTF-8 or UTF-16: nearly no numbers are. */
function mayBeHex(bytes: Uint8Array, start: number): boolean {
  let expected = 0
  let isWide = true
  for (let at = start; at < start + shortestCode; at += 4) {
    const one = (fourBits[bytes[at]!]! << 4) | fourBits[bytes[at + 1]!]!
    const other = (fourBits[bytes[at + 2]!]! << 4) | fourBits[bytes[at + 3]!]!
    if ((one | other) > 0xff) return false
    // Every second byte of a text in UTF-16 is the upper half of a character, or of its mark.
    isWide &&= other <= 6 || (at === start && other === 0xfe)
    expected = expectedBehind(expectedBehind(expected, one), other)
    if (expected < 0 && !isWide) return false
  }
  return true
}

/** How many bytes of a character of UTF-8 follow another byte where so many were expected; -1 from what is no UTF-8 on. */
function expectedBehind(expected: number, byte: number): number {
  const follows = byte >= 0x80 && byte < 0xc0
  if (expected < 0 || expected > 0 !== follows) return -1
  return follows ? expected - 1 : following[byte]!
}

/** Whether bytes from a place on may be the first of a text in base64 or hexadecimal, or of one that is packed. */
const mayBegin = (bytes: Uint8Array, start: number): boolean =>
  mayBeHex(bytes, start) || mayBeText(bytes, start) || packedStarts.includes(bytes[start]!) || mayBeWide(bytes, start)

/** The characters that a stretch begins with, so many as the shortest has. */
const first = new Uint8Array(shortestCode)

function firstOf(text: string, start: number): Uint8Array {
  for (let index = 0; index < shortestCode; index++) first[index] = text.charCodeAt(start + index)
  return first
}

/** Whether a run of such characters that begins at a place is of the shortest length and no code, as nearly all long numbers are. */
export const isNoCode = (bytes: Uint8Array, start: number): boolean =>
  start >= 0 && kinds[bytes[start + shortestCode]!] === 0 && !mayBegin(bytes, start)

/** Where a run of such characters ends, and the first places in it where a code may begin, but for its own beginning. */
type Run = { end: number; begins: number[] | undefined }

function runAt(text: string, start: number): Run {
  let end = start
  let begins: number[] | undefined
  for (; ; end++) {
    const code = text.charCodeAt(end)
    const kind = kinds[code]
    if (kind === 1) continue
    if (kind !== 2) break
    const isBegun = code === slash || text.startsWith(tokenStart, end - 2)
    if (!isBegun || (begins?.length ?? 0) >= (code === slash ? mostParts : 2 * mostParts)) continue
    begins ??= []
    begins.push(code === slash ? end + 1 : end - 2)
  }
  if (text.charCodeAt(start + 1) === hexSign && text.charCodeAt(start) === zero) begins = [start + 2, ...(begins ?? [])]
  // Behind the rest of an escape: `%3D`, `\\n`.
  const before = text.charCodeAt(start - 1)
  if (before === percent || before === backslash) begins = [start + (before === percent ? 2 : 1), ...(begins ?? [])]
  return { end, begins }
}

/** What a run says from one of the places on where a code may begin in it. */
function readRun(text: string, start: number, { end, begins }: Run): Code | undefined {
  if (end - start > longest) return undefined
  let code = readFrom(text, start, end)
  if (begins !== undefined) for (const from of begins) code ??= readFrom(text, from, end)
  return code
}

function readFrom(text: string, start: number, end: number): Code | undefined {
  if (end - start < shortestCode) return undefined
  const begun = firstOf(text, start)
  if (!mayBegin(begun, 0)) return undefined
  const other = (mayBeHex(begun, 0) ? readHex(text, start, end) : undefined) ?? readPacked(text, start, end)
  if (other !== undefined) return { start, end, text: other }
  if (!(mayBeText(begun, 0) || mayBeWide(begun, 0))) return undefined
  const written = text.slice(start, end)
  // A file, which the format of the text cares for.
  if (bareFilesIn(written)[0]?.start === 0) return undefined
  const wrapped = readWrapped(text, start, end)
  if (wrapped) return { start, end: wrapped.end, text: wrapped.text }
  const said = readCode(written, true)?.text ?? readPartly(written)
  return said === undefined ? undefined : { start, end, text: said }
}

/** What bytes in hexadecimal say, as dumps of databases have them; nothing where they are no text. */
function readHex(text: string, start: number, end: number): string | undefined {
  const written = text.slice(start, end)
  if (written.length % 2 === 1 || !/^[\da-f]+$/i.test(written)) return undefined
  return textOf(Buffer.from(written, 'hex'))
}

/** How base64 begins of what zlib and gzip have packed. */
const packed = /(?:e(?:J[w-z]|A[E-H]|N[o-r]|F[4-7])|H4sI)/y
const packedStarts = ['e', 'H'].map(character => character.charCodeAt(0))

/** What a packed text says. */
function readPacked(text: string, start: number, end: number): string | undefined {
  if (!packedStarts.includes(text.charCodeAt(start))) return undefined
  packed.lastIndex = start
  if (!packed.test(text)) return undefined
  const bytes = Buffer.from(text.slice(start, end), 'base64')
  const unpack = text[start] === 'H' ? gunzipSync : inflateSync
  try {
    return textOf(unpack(bytes, { maxOutputLength: longest }))
  } catch {
    return undefined
  }
}

/** Fewest signs among so many bytes that are text: others are of another encoding than UTF-8, or of what stands around a text. */
const fewestSigns = 7 / 8

/** What bytes say that begin with a text and are most of one. */
function readPartly(written: string): string | undefined {
  const bytes = Buffer.from(written, 'base64').toString('latin1')
  const signs = bytes.match(/[\t\n\r\x20-\x7e\xa0-\xff]+/g) ?? []
  return signs.reduce((sum, { length }) => sum + length, 0) < bytes.length * fewestSigns ? undefined : signs.join(' ')
}

/** A code with the rest of the token that begins with it, or with what pads it. */
function whole(source: string, code: Code): Code {
  let { end, text } = code
  if (source.startsWith(tokenStart, code.start))
    for (let part = 1; part < mostParts && source[end] === '.'; part++) {
      const run = runAt(source, end + 1)
      if (run.end === end + 1 && source[run.end] !== '.') break
      const code = readRun(source, end + 1, run)
      text += code?.text ?? ''
      end = code?.end ?? run.end
    }
  for (let pad = 0; pad < 2 && source[end] === '='; pad++) end++
  return { start: code.start, end, text }
}

/** Where the first run of such characters begins that is long enough, from a place on that none crosses; -1 where none does. */
function runFrom(text: string, from: number): number {
  const { length } = text
  let start = from
  // From its end backwards: of words, most characters are passed over.
  for (let at = start + shortestCode - 1; at < length; ) {
    if (kinds[text.charCodeAt(at)] === 0) {
      start = at + 1
      at += shortestCode
    } else if (at-- === start) return start
  }
  return -1
}

/** Where runs of such characters begin that are long enough. */
export const runsIn =
  (text: string): Places =>
  from =>
    runFrom(text, from)

/** Finds those of one run in turn: the first that begins at a place or behind it, for places in order. */
const codesOfRuns = (source: string, runs: Places): Codes =>
  codesBySearch(source.length, from => {
    let searched = from
    for (let start = runs(searched); start >= 0; start = runs(searched)) {
      const run = runAt(source, start)
      searched = run.end
      const code = readRun(source, start, run)
      if (code) return whole(source, code)
    }
    return undefined
  })

/** Finds the codes of a text in turn: the first that begins at a place or behind it, for places in order. */
export function codesIn(source: string, runs = runsIn(source)): Codes {
  const all = [codesOfRuns(source, runs), spacedHex(source), paddedCodes(source), mailCodes(source)]
  return from => {
    let first: Code | undefined
    for (const next of all) {
      const code = next(from)
      if (code && (first === undefined || code.start < first.start)) first = code
    }
    return first
  }
}
