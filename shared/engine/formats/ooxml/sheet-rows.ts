import { isUtf8 } from 'node:buffer'
import { EngineError } from '../../errors.ts'

/** A worksheet without its rows, and how its elements are called. */
export type SheetFrame = {
  /** Everything up to and with `<sheetData>`. */
  head: string
  /** Everything from `</sheetData>` on; empty where the sheet has no rows and `sheetData` is an empty element. */
  tail: string
  /** Prefix of its elements with the colon, or nothing. */
  prefix: string
  /** The first rows, to find the header in. */
  first: string
}

/** Rows longer than this are no rows. */
const longestRow = 64 * 1024 * 1024

/** Rows are handed out in texts of about this many characters. */
const pieceLength = 256 * 1024

const opening = /<((?:[A-Za-z_][\w.-]*:)?)sheetData(?:\s[^<>]*?)?(\/?)>/

/** The text of a UTF-8 part of a package in pieces. Throws `corrupt_file` on any other encoding. */
export async function* decodedText(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const bytes of wholeCharacters(stream)) yield bytes.toString('utf8')
}

/** The bytes of a UTF-8 part in pieces of whole characters. Throws `corrupt_file` on any other encoding. */
export async function* wholeCharacters(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0)
  let first = true
  for await (const piece of stream) {
    if (first && (piece[0] === 0xff || piece[0] === 0xfe)) throw damaged()
    first = false
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
    // A character cut in two is looked at with the next piece.
    let whole = bytes.length
    while (whole > bytes.length - 4 && whole > 0 && (bytes[whole - 1]! & 0xc0) === 0x80) whole--
    if (whole > 0 && bytes[whole - 1]! >= 0xc0) whole--
    else whole = bytes.length
    const text = bytes.subarray(0, whole)
    if (!isUtf8(text)) throw damaged()
    yield text
    rest = Buffer.from(bytes.subarray(whole))
  }
  // Whole characters were handed out already.
  if (rest.length > 0) throw damaged()
}

function damaged(): EngineError {
  return new EngineError('corrupt_file', 'A worksheet is not valid UTF-8')
}

/**
 * Reads a worksheet through once and keeps all but its rows. A sheet without `sheetData` has them nowhere. With `start`
 * it is read no further than the first rows.
 */
export async function readFrame(stream: AsyncIterable<Buffer>, start = false): Promise<SheetFrame> {
  const frame: SheetFrame = { head: '', tail: '', prefix: '', first: '' }
  let text = ''
  let state: 'head' | 'rows' | 'tail' = 'head'
  let closing = ''
  for await (const piece of decodedText(stream)) {
    text += piece
    if (state === 'head') {
      const match = opening.exec(text)
      if (match === null) {
        if (text.length > longestRow) throw new EngineError('limit_exceeded', 'The head of a worksheet is too large')
        continue
      }
      frame.prefix = match[1]!
      closing = `</${frame.prefix}sheetData>`
      frame.head = text.slice(0, match.index + match[0].length)
      text = text.slice(frame.head.length)
      state = match[2] === '/' ? 'tail' : 'rows'
    }
    if (state !== 'rows') continue
    const end = text.indexOf(closing)
    // The mark of the end may begin in this piece and end in the next.
    const passed = end < 0 ? Math.max(0, text.length - closing.length) : end
    if (frame.first.length < pieceLength) frame.first += text.slice(0, passed)
    text = text.slice(passed)
    if (end >= 0) state = 'tail'
    if (start && (state === 'tail' || frame.first.length >= pieceLength)) return frame
  }
  if (state === 'rows') throw new EngineError('corrupt_file', 'A worksheet ends too early')
  if (state === 'head') return { ...frame, head: text }
  return { ...frame, tail: text }
}

/** The rows of a worksheet in order, in texts of UTF-8 bytes, read as characters, that each hold whole rows. */
export async function* rowTexts(stream: AsyncIterable<Buffer>, frame: SheetFrame): AsyncGenerator<string> {
  const { prefix, head } = frame
  if (!frame.tail.startsWith(`</${prefix}sheetData`)) return
  const rowEnd = `</${prefix}row>`
  const closing = `</${prefix}sheetData>`
  let skip = Buffer.byteLength(head)
  let text = ''
  for await (const bytes of wholeCharacters(stream)) {
    const piece = bytes.toString('latin1')
    text += skip > 0 ? piece.slice(skip) : piece
    skip = Math.max(0, skip - piece.length)
    if (text.length < pieceLength) continue
    const end = text.indexOf(closing)
    if (end >= 0) {
      text = text.slice(0, end)
      break
    }
    const cut = text.lastIndexOf(rowEnd)
    if (cut < 0) {
      if (text.length > longestRow) throw new EngineError('limit_exceeded', 'A row of a worksheet is too long')
      continue
    }
    yield text.slice(0, cut + rowEnd.length)
    text = text.slice(cut + rowEnd.length)
  }
  const end = text.indexOf(closing)
  const rest = end < 0 ? text : text.slice(0, end)
  if (/\S/.test(rest)) yield rest
}
