import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { EngineError } from '../../errors.ts'
import type { FormatContext, Input } from '../format.ts'
import { byteOrderMark, looksLikeUtf16 } from './first-bytes.ts'
import { isSeparator } from './foreign-lines.ts'
import { legacyText } from './legacy-text.ts'

/** How the text of a file is stored. */
export type Encoding = {
  /** Name of the encoding, as `iconv-lite` knows it. */
  name: string
  /** Byte order mark at the beginning, kept as it is. */
  bom: Uint8Array
}

const noMark = new Uint8Array()

/** Bytes at the end that begin a UTF-8 sequence without ending it. */
function unfinished(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

const shift = Buffer.from('\x1b$')

/** Bytes at the end that may begin an escape of ISO-2022. */
const unfinishedShift = (bytes: Uint8Array): number =>
  bytes.at(-1) === 0x1b ? 1 : shift.equals(bytes.subarray(-2)) ? 2 : 0

/**
 * Refuses text in ISO-2022, which is ASCII by its bytes: behind an escape these stand for characters of East Asian scripts,
 * until another one comes. No part of it can be changed by itself.
 */
export function refuseShifts(bytes: Uint8Array): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = view.indexOf(shift); at >= 0; at = view.indexOf(shift, at + 1))
    if ('@AB()'.includes(String.fromCharCode(view[at + 2] ?? 0)))
      throw new EngineError('unsupported_format', 'Texts in ISO-2022 are not supported; save as UTF-8')
}

/** Files up to this size are read whole to tell their encoding, bytes; of larger ones so many windows of this size. */
const readWhole = 4 * 1024 ** 3
const windows = 256
const windowBytes = 64 * 1024

type Piece = { bytes: Uint8Array; at: number }

/** Where the first character of a window surely begins: behind a separator, or of UTF-8 at least where a character does. */
function firstWhole(bytes: Uint8Array): number {
  const separator = bytes.findIndex(isSeparator)
  if (separator >= 0) return separator + 1
  let begin = 0
  while (begin < 3 && (bytes[begin]! & 0xc0) === 0x80) begin++
  return begin
}

/** Windows here and there, without the characters cut at their ends: whoever reads on refuses what is wrong elsewhere. */
async function* windowsOf(input: Input): AsyncIterable<Piece> {
  for (let n = 0; n < windows; n++) {
    const at = Math.floor(((input.size - windowBytes) * n) / (windows - 1))
    const bytes = await input.read(at, at + windowBytes)
    const begin = n === 0 ? 0 : firstWhole(bytes)
    const end = bytes.findLastIndex(isSeparator) + 1
    yield { bytes: bytes.subarray(begin, end > begin ? end : bytes.length - unfinished(bytes)), at: at + begin }
  }
}

/** The bytes of the input, not cut within a character of UTF-8 or an escape; of a very large one, windows. */
async function* piecesOf(input: Input): AsyncIterable<Piece> {
  if (input.size > readWhole) return yield* windowsOf(input)
  let rest: Uint8Array = noMark
  let at = 0
  for await (const piece of input.stream()) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    const whole = bytes.subarray(0, bytes.length - Math.max(unfinished(bytes), unfinishedShift(bytes)))
    yield { bytes: whole, at }
    at += whole.length
    rest = new Uint8Array(bytes.subarray(whole.length))
  }
  if (rest.length > 0) yield { bytes: rest, at }
}

async function isWholeUtf8(input: Input, signal: AbortSignal): Promise<boolean> {
  for await (const { bytes } of piecesOf(input)) {
    signal.throwIfAborted()
    refuseShifts(bytes)
    if (!isUtf8(bytes)) return false
  }
  return true
}

/** Encodings in which what a byte means depends on what stands far before it: parts can't be changed by themselves. */
const isStateful = (name: string) => /2022|utf-?7|hz/.test(name)

/**
 * Finds out the encoding: the option `encoding`, a byte order mark, UTF-16 without a mark, all of it being UTF-8, else the
 * likeliest of the older ones. Throws `invalid_workflow` for an option that names no encoding that can be edited,
 * `unsupported_format` for ISO-2022, and `corrupt_file` for a text that is UTF-8 in parts only.
 */
export async function detectEncoding(input: Input, { options, signal }: FormatContext): Promise<Encoding> {
  const head = await input.read(0, 64 * 1024)
  const mark = byteOrderMark(head)
  if (typeof options.encoding === 'string') {
    const name = options.encoding.toLowerCase()
    if (!iconv.encodingExists(name) || isStateful(name)) {
      throw new EngineError('invalid_workflow', 'The option encoding names an encoding that the service cannot write')
    }
    return { name, bom: mark?.name === name ? mark.bom : noMark }
  }
  if (mark) return mark
  const wide = looksLikeUtf16(head)
  if (wide) return { name: wide, bom: noMark }
  if (await isWholeUtf8(input, signal)) return { name: 'utf-8', bom: noMark }
  const text = legacyText()
  for await (const { bytes, at } of piecesOf(input)) {
    signal.throwIfAborted()
    text.push(bytes, at)
  }
  return { name: text.encoding(), bom: noMark }
}

/** Turns bytes, in order and in pieces, into text, and refuses (`corrupt_file`) what would not come back the same. */
export type Decoder = { decode(bytes: Uint8Array): string; end(): string }

function damaged(name: string) {
  return new EngineError(
    'corrupt_file',
    `The file has bytes that are not ${name}; set another encoding with the option encoding`,
  )
}

function utf8Decoder(): Decoder {
  let rest: Uint8Array = noMark
  return {
    decode(piece) {
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      if (isAscii(view)) {
        rest = noMark
        return view.toString('latin1')
      }
      const tail = unfinished(view)
      const whole = view.subarray(0, view.length - tail)
      if (!isUtf8(whole)) throw damaged('utf-8')
      rest = new Uint8Array(view.subarray(view.length - tail))
      return whole.toString('utf8')
    },
    end() {
      if (rest.length > 0) throw damaged('utf-8')
      return ''
    },
  }
}

/** Decodes and encodes again, so that what the table of the encoding can't hold is noticed. */
function checkedDecoder(name: string): Decoder {
  const decoder = iconv.getDecoder(name, { stripBOM: false })
  const encoder = iconv.getEncoder(name, { addBOM: false })
  /** Bytes read that no character has come of yet. */
  let ahead = Buffer.alloc(0)
  const check = (text: string, more: Uint8Array, last: boolean) => {
    const again = Buffer.concat([encoder.write(text), (last && encoder.end()) || Buffer.alloc(0)])
    const expected = Buffer.concat([ahead, more])
    if (!expected.subarray(0, again.length).equals(again)) throw damaged(name)
    ahead = expected.subarray(again.length)
    if (last && ahead.length > 0) throw damaged(name)
    return text
  }
  return {
    decode: bytes => check(decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)), bytes, false),
    end: () => check(decoder.end() ?? '', noMark, true),
  }
}

/** Starts decoding; the byte order mark must have been taken off. */
export const startDecoding = ({ name }: Encoding): Decoder =>
  name === 'utf-8' || name === 'utf8' ? utf8Decoder() : checkedDecoder(name)

/** Text as bytes of the encoding; throws `invalid_workflow` when the encoding has no form for one of its characters. */
export function encode(text: string, { name }: Encoding): Uint8Array {
  if (name === 'utf-8' || name === 'utf8') return Buffer.from(text, 'utf8')
  const bytes = iconv.encode(text, name, { addBOM: false })
  if (iconv.decode(bytes, name, { stripBOM: false }) !== text) {
    throw new EngineError('invalid_workflow', `A replacement has characters that the file's encoding (${name}) lacks`)
  }
  return bytes
}
