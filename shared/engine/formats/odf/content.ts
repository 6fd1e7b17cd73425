import { EngineError } from '../../errors.ts'
import { fromBytes } from '../cells/utf8-cells.ts'
import { afterBlanks } from '../cells/utf8-xml.ts'
import { wholeCharacters } from '../ooxml/sheet-rows.ts'

/** A run of rows that was taken out of the frame: where its mark stands there, and its first rows, to find a header in. */
export type Hole = { at: number; first: string }

/** The content of a spreadsheet with a mark, an empty row, in place of every run of rows; and how long its stretches are. */
export type ContentFrame = { text: string; holes: Hole[]; prefix: string; lengths: StretchLength[] }

/** Of a stretch, in bytes. */
type StretchLength = { rows: boolean; length: number }

/** A stretch of the content: whole rows, all of one run, or what stands between two runs. UTF-8 bytes read as characters. */
type Stretch = { rows: boolean; bytes: string; prefix: string }

/** Rows are handed out in texts of about this many characters. */
const pieceLength = 256 * 1024

/** A row, and a tag outside of the rows, are never longer than this. */
const longest = 64 * 1024 * 1024

/** Characters of the first rows of a run that are kept, and of those of all runs together. */
const sample = { run: 64 * 1024, all: 16 * 1024 * 1024 }

const rowOpening = /<((?:[A-Za-z_][\w.-]*:)?)table-row(?=[\s/>])/g
const startTag = /<[\w.:-]+(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*(\/?)>/y

/** The mark of a run of rows. */
export const markOf = (prefix: string) => `<${prefix}table-row/>`

/** Whether a tag begins with a character: the character is looked for, as it is far rarer than tags. */
function hasMark(text: string, mark: string): boolean {
  let at = text.indexOf(mark)
  while (at >= 0 && text.charCodeAt(at - 1) !== 60) at = text.indexOf(mark, at + 1)
  return at >= 0
}

/** The same text with blanks in place of what is no markup though it may look so, and where the first such thing is cut off. */
export function masked(text: string): { text: string; whole: number } {
  if (!hasMark(text, '!') && !hasMark(text, '?')) return { text, whole: text.length }
  const plain = text.replace(/<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>/g, found =>
    ' '.repeat(found.length),
  )
  const cut = plain.search(/<[!?]/)
  return { text: plain, whole: cut < 0 ? text.length : cut }
}

/** The same for a row that begins right there, holds no row and is written the usual way; 0 for any other. */
function usualRowEnd(text: string, from: number, open: string, close: string): number {
  if (!text.startsWith(open, from)) return 0
  const name = from + open.length
  const tag = text.indexOf('>', name)
  const isPlain = tag === name || (text.charCodeAt(tag - 1) === 34 && text.charCodeAt(tag - 2) !== 61)
  if (!isPlain || (tag > name && text.charCodeAt(name) !== 32)) return 0
  const end = text.indexOf(close, tag)
  if (end < 0 || text.charCodeAt(end + close.length) !== 62) return 0
  const next = text.indexOf(open, tag)
  return next >= 0 && next < end ? 0 : end + close.length + 1
}

/** Where the row ends that begins at an offset, blanks before it aside; -1 if it is not all there. */
export function rowEnd(text: string, whole: number, from: number, prefix: string): number {
  const open = `<${prefix}table-row`
  const close = `</${prefix}table-row`
  const usual = usualRowEnd(text, from, open, close)
  if (usual > 0) return usual > whole ? -1 : usual
  let depth = 0
  for (let at = from; ; ) {
    const next = text.indexOf(open, at)
    const end = text.indexOf(close, at)
    const opens = next >= 0 && (end < 0 || next < end)
    const tag = opens ? next : end
    if (tag < 0) return -1
    at = tag + (opens ? open : close).length
    if (at >= whole) return -1
    if (!/[\s/>]/.test(text[at]!)) continue
    if (opens) {
      startTag.lastIndex = tag
      const match = startTag.exec(text)
      if (match === null) {
        // Cut off, or no tag at all, which the XML reader refuses.
        const stop = text.indexOf('>', at)
        if (stop < 0 || stop >= whole) return -1
        at = stop + 1
        depth++
        continue
      }
      at = startTag.lastIndex
      if (match[1] === '') depth++
    } else {
      at = text.indexOf('>', at) + 1
      if (at === 0) return -1
      depth--
    }
    if (depth <= 0) return at > whole ? -1 : at
  }
}

/** Where so many whole rows end as make a piece, or as there are; `over` if something else than a row follows. */
function wholeRows(
  text: string,
  whole: number,
  from: number,
  prefix: string,
  last: boolean,
): { end: number; over: boolean } {
  const open = `<${prefix}table-row`
  let end = from
  while (end - from < pieceLength) {
    const start = afterBlanks(text, end)
    // A remark between rows, which is blank here, belongs to them as blanks do.
    if (start >= whole) return { end: last ? text.length : end, over: false }
    if (!text.startsWith(open, start) || !/[\s/>]/.test(text[start + open.length] ?? ' ')) {
      const cutOff = !last && text.length - start <= open.length
      return { end: cutOff ? end : start, over: !cutOff }
    }
    const next = rowEnd(text, whole, start, prefix)
    if (next < 0) return { end, over: false }
    end = next
  }
  return { end, over: false }
}

function tooLong(): EngineError {
  return new EngineError('limit_exceeded', 'A row or a tag of the spreadsheet is too long')
}

/**
 * Splits the content of a spreadsheet into runs of rows and what stands between them. Where a run begins and ends does
 * not depend on the pieces in which the bytes come. Throws `corrupt_file` or `limit_exceeded`.
 */
export async function* stretches(stream: AsyncIterable<Buffer>): AsyncGenerator<Stretch> {
  let text = ''
  let prefix = ''
  let inRows = false
  function* take(last: boolean): Generator<Stretch> {
    const { text: plain, whole } = masked(text)
    let from = 0
    const stretch = (to: number): Stretch => {
      const bytes = text.slice(from, to)
      from = to
      return { rows: inRows, bytes, prefix }
    }
    for (;;) {
      if (!inRows) {
        rowOpening.lastIndex = from
        const found = rowOpening.exec(plain)
        const starts = found !== null && found.index < whole
        // A tag may begin in this piece and end in the next.
        const open = plain.lastIndexOf('<', whole)
        const cut = starts ? found.index : last || open < from ? text.length : open
        if (cut > from) yield stretch(cut)
        if (!starts) break
        prefix = found[1]!
        inRows = true
      }
      const { end, over } = wholeRows(plain, whole, from, prefix, last)
      const rest = end - from < pieceLength && !over
      if (end > from) yield stretch(end)
      if (over) inRows = false
      else if (rest) break
    }
    text = text.slice(from)
  }
  for await (const bytes of wholeCharacters(stream)) {
    text += bytes.toString('latin1')
    if (text.length < pieceLength) continue
    yield* take(false)
    if (text.length > longest) throw tooLong()
  }
  yield* take(true)
  if (text !== '') throw new EngineError('corrupt_file', 'A row of the spreadsheet ends too early')
}

/** The same stretches as they were found before, of which the lengths are known. */
export async function* sameStretches(
  stream: AsyncIterable<Buffer>,
  lengths: readonly StretchLength[],
): AsyncGenerator<{ rows: boolean; bytes: Buffer }> {
  let pieces: Buffer[] = []
  let waiting = 0
  let next = 0
  for await (const piece of wholeCharacters(stream)) {
    pieces.push(piece)
    waiting += piece.length
    if (next < lengths.length && waiting < lengths[next]!.length) continue
    let bytes = Buffer.concat(pieces)
    for (; next < lengths.length && lengths[next]!.length <= bytes.length; next++) {
      const { rows, length } = lengths[next]!
      yield { rows, bytes: bytes.subarray(0, length) }
      bytes = bytes.subarray(length)
    }
    pieces = [bytes]
    waiting = bytes.length
  }
}

/** Reads the content of a spreadsheet through once and keeps all but its rows. */
export async function readContentFrame(stream: AsyncIterable<Buffer>): Promise<ContentFrame> {
  const frame: string[] = []
  const holes: Hole[] = []
  const lengths: StretchLength[] = []
  let length = 0
  let sampled = 0
  let prefix: string | undefined
  let inRun = false
  for await (const stretch of stretches(stream)) {
    lengths.push({ rows: stretch.rows, length: stretch.bytes.length })
    if (!stretch.rows) {
      inRun = false
      const text = fromBytes(copyOf(stretch.bytes))
      frame.push(text)
      length += text.length
      if (length > longest)
        throw new EngineError('limit_exceeded', 'There is too much content outside the rows of the spreadsheet')
      continue
    }
    prefix ??= stretch.prefix
    if (stretch.prefix !== prefix)
      throw new EngineError('corrupt_file', 'The rows of the spreadsheet are written in two ways')
    if (!inRun) {
      holes.push({ at: length, first: '' })
      frame.push(markOf(prefix))
      length += markOf(prefix).length
    }
    inRun = true
    const hole = holes.at(-1)!
    if (hole.first !== '' || sampled > sample.all) continue
    hole.first = firstRows(stretch.bytes, prefix)
    sampled += hole.first.length
  }
  return { text: frame.join(''), holes, prefix: prefix ?? '', lengths }
}

/** Whole rows from the beginning of a text, in a copy that does not hold on to all of it. */
function firstRows(bytes: string, prefix: string): string {
  const { text, whole } = masked(bytes)
  let end = 0
  while (end < Math.min(sample.run, whole)) {
    const next = rowEnd(text, whole, end, prefix)
    if (next < 0) break
    end = next
  }
  return copyOf(bytes.slice(0, end))
}

/** A slice of a long text keeps the whole of it in memory; its copy does not. */
const copyOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString('latin1')
