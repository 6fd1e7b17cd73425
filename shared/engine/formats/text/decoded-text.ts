import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { EngineError } from '../../errors.ts'
import { refuseShifts } from './encoding.ts'
import { looksLikeUtf16, strayZeros } from './first-bytes.ts'
import { legacyText } from './legacy-text.ts'

/** The text of a file and the way back to its bytes. */
export type DecodedText = {
  text: string
  /** Whether every character can be written; otherwise replacements use the format's own escapes. */
  unicode: boolean
  /** The encoding, where nothing but the bytes told it: replaced letters may have been what told it. */
  told?: string
  encode(text: string): Uint8Array
}

/**
 * Decodes a file: byte order mark, then an explicit `encoding`, then UTF-16 without a mark, then what the file says of itself
 * (but not that it is Western where it is UTF-8), then strict UTF-8, then the likeliest of the older encodings. Throws `corrupt_file` where writing the text back would not
 * give the same bytes or the text is UTF-8 in parts only, and `unsupported_format` for ISO-2022 and for many zero bytes.
 */
export function decodeText(bytes: Buffer, options: Record<string, unknown>, declared?: string): DecodedText {
  const marked = byMark(bytes)
  const asked = typeof options.encoding === 'string' ? options.encoding : undefined
  if (!marked && !asked && isAscii(bytes)) refuseShifts(bytes)
  const known = marked ?? asked ?? looksLikeUtf16(bytes)
  if (!known && !isAscii(bytes) && /^(?:iso[-_]?8859-15?|latin-?1|windows-1252)$/i.test(declared ?? '')) {
    // Letters that are UTF-8 throughout are those of no Western text: whoever saved the file has not changed what it says of itself.
    if (isUtf8(bytes)) return { text: bytes.toString('utf8'), unicode: false, encode: out => Buffer.from(out, 'utf8') }
    if (!/15$/.test(declared!)) return { text: decodeWestern(bytes), unicode: false, encode: encodeWestern }
  }
  for (const { label, isTold } of known ? [{ label: known }] : candidates(bytes, declared)) {
    if (label === undefined || !iconv.encodingExists(label)) continue
    const isAsciiOnly = label.toLowerCase() === 'us-ascii'
    const name = isAsciiOnly ? 'utf-8' : label
    if (!known && !/^(?:utf-?(?:16|32)|ucs|binary)/i.test(name)) refuseZeros(bytes)
    // Bytes that are valid UTF-8 are those that their text would be written as.
    if (/^utf-?8$/i.test(name) && isUtf8(bytes))
      return {
        text: bytes.toString('utf8'),
        unicode: !isAsciiOnly || !isAscii(bytes),
        encode: out => Buffer.from(out, 'utf8'),
      }
    const unicode = /^utf-?(8|16|32)/i.test(name)
    const encode = (out: string) => iconv.encode(out, name, { addBOM: false })
    if (isAscii(bytes) && holdsAscii(name))
      return {
        text: bytes.toString('latin1'),
        unicode,
        encode: out => (/^[\0-\x7f]*$/.test(out) ? Buffer.from(out, 'latin1') : encode(out)),
      }
    const text = iconv.decode(bytes, name, { stripBOM: false })
    if (encode(text).equals(bytes)) return { text, unicode, ...(isTold && { told: name }), encode }
  }
  throw new EngineError('corrupt_file', 'The text is in no encoding that can be written back unchanged')
}

/** Refuses bytes many of which are zero, as of UTF-16, where they are told to be in another encoding: nothing would be found in them. */
function refuseZeros(bytes: Buffer): void {
  let zeros = 0
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) zeros++
  if (zeros > Math.max(strayZeros, bytes.length / 100))
    throw new EngineError('unsupported_format', 'The text has many zero bytes, as in UTF-16; save it as UTF-8')
}

type Candidate = { label: string | undefined; isTold?: boolean }

function* candidates(bytes: Buffer, declared: string | undefined): Generator<Candidate> {
  yield { label: declared }
  yield { label: 'utf-8' }
  const text = legacyText()
  text.push(bytes, 0)
  yield { label: text.encoding(), isTold: true }
}

/** Windows-1252 as browsers read it, also where a page calls it Latin-1: bytes without a letter in it stand for themselves. */
const decodeWestern = (bytes: Buffer): string =>
  iconv.decode(bytes, 'windows-1252').replaceAll('\ufffd', (_, at) => String.fromCharCode(bytes[at]!))

function encodeWestern(text: string): Buffer {
  const bytes = iconv.encode(text, 'windows-1252')
  for (const { index } of text.matchAll(/[\x81\x8d\x8f\x90\x9d]/g)) bytes[index] = text.charCodeAt(index)
  return bytes
}

const ascii = Buffer.from(Uint8Array.from({ length: 0x80 }, (_, code) => code))

/** Whether ASCII stands for itself in an encoding, which is soon told of a file that has nothing else. */
const holdsAscii = (name: string): boolean =>
  iconv.decode(ascii, name, { stripBOM: false }) === ascii.toString('latin1') &&
  iconv.encode(ascii.toString('latin1'), name, { addBOM: false }).equals(ascii)

function byMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  return undefined
}
