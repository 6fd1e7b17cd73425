import { isUtf8 } from 'node:buffer'
import { EngineError } from '../../errors.ts'
import { withoutFunctions } from '../ooxml/formulas.ts'
import { parseXml, type XmlEvents } from '../xml/verify-parser.ts'
import { blanksOf, collapsed } from './verify-blanks.ts'
import { createShapeReader } from './verify-shapes.ts'
import { plain, shownBy, valueName } from './verify-shown.ts'
import { asides, attributeAction, formulaAttributes, odfNamespaces } from './vocabulary.ts'

/** What a second reader of spreadsheets tells about the content. */
export type ContentListener = {
  /** The values of a cell that are not its text, and its paragraphs. */
  cell(texts: readonly string[]): void
  /** The same of several cells, as texts are digested: UTF-8, each ended by 0xFF. Valid until the next call. */
  cells(texts: Uint8Array): void
  /** A text that no cell shows. */
  hidden(text: string): void
  /** What should have been left out was found. */
  forbidden(): void
}

type Row = { cells: string[][]; hidden: string[]; forbidden: boolean }

const outside = /^(?:office:annotation|dc:creator|dc:date)$/

const canonical = (uri: string, local: string) => `${odfNamespaces.get(uri) ?? '?'}:${local}`

/** Reads rows with a streaming parser that shares no code with the one that wrote them. */
function parseRows(source: string): Row {
  const result: Row = { cells: [], hidden: [], forbidden: false }
  type Level = { paragraph: boolean; cell: { values: string[]; texts: string[] } | undefined; at: number }
  const open: Level[] = []
  const all: { values: string[]; texts: string[] }[] = []
  const forbid = () => {
    result.forbidden = true
  }
  const add = (text: string) => {
    const { paragraph, cell, at } = open.at(-1)!
    if (paragraph) cell!.texts[at] += collapsed(text)
    else if (/\S/.test(text)) result.hidden.push(text)
  }
  const onOpen: XmlEvents['open'] = (_written, attributes, name) => {
    const outer = open.at(-1)
    const level: Level = { paragraph: outer?.paragraph ?? false, cell: outer?.cell, at: outer?.at ?? -1 }
    if (/^table:(?:covered-)?table-cell$/.test(name)) {
      level.cell = { values: [], texts: [] }
      level.paragraph = false
      all.push(level.cell)
    } else if (name === 'text:p' || name === 'text:h') {
      level.paragraph = level.cell !== undefined
      if (level.cell) level.at = level.cell.texts.push('') - 1
    } else if (outside.test(name)) {
      level.cell = undefined
      level.paragraph = false
    } else if (asides.has(name)) level.paragraph = false
    open.push(level)
    const { cell, at, paragraph } = level
    if (/^(?:text|table):(?:tracked-changes|change|change-start|change-end)$|^office:(?:scripts|meta)$/.test(name))
      forbid()
    for (const { name: written, canonical: full, value } of attributes) {
      if (/^xmlns(?::|$)/.test(written)) continue
      if (/table-cell$/.test(name) && valueName.test(full)) cell!.values.push(value)
      else if (formulaAttributes.has(full)) result.hidden.push(withoutFunctions(value))
      else if (attributeAction(name, full, value) === 'text') result.hidden.push(value)
    }
    if (paragraph) cell!.texts[at] += blanksOf(name, attributes)
  }
  parseXml(
    source,
    { canonical, open: onOpen, close: () => void open.pop(), text: add, comment: forbid, doctype: forbid },
    'The rows of the output are not well-formed',
  )
  result.cells = all.map(({ values, texts }) => shownBy(values, texts))
  return result
}

/** A start tag of simple rows: what it opens, its values, and whether it is its own end. */
type SimpleTag = { name: string; values: string[]; empty: boolean }
type SimpleTags = Map<string, SimpleTag | undefined>

const simpleParts =
  /^<(table:table-row|table:(?:covered-)?table-cell|text:p)((?: (?:table|office|calcext|text):[\w-]+="[^"<>&]*")*)(\/?)>$/

/** Text from its UTF-8 bytes read as characters. */
const decoded = (bytes: string) => Buffer.from(bytes, 'latin1').toString()

function simpleTag(source: string): SimpleTag | undefined {
  const match = simpleParts.exec(source)
  if (match === null) return undefined
  const [, element, attributes, slash] = match
  const values: string[] = []
  for (const [, name, value] of attributes!.matchAll(/ ([\w:-]+)="([^"]*)"/g)) {
    if (element!.endsWith('cell') && valueName.test(name!)) values.push(decoded(value!))
    else if (name === 'table:formula' || attributeAction(element!, name!, decoded(value!)) !== 'keep') return undefined
  }
  return { name: element!, values, empty: slash === '/' }
}

/** The start tag from an offset to the next `>`; one with a single number in it is known by all but the number. */
function tagOf(text: string, open: number, close: number, tags: SimpleTags): SimpleTag | undefined {
  let source = text.slice(open, close)
  let number: string | undefined
  const at = source.indexOf(' office:value="')
  if (at >= 0) {
    const from = at + 15
    const to = source.indexOf('"', from)
    number = source.slice(from, to)
    if (/^-?[\d.]+$/.test(number)) source = source.slice(0, from) + source.slice(to)
    else number = undefined
  }
  let tag = tags.get(source)
  if (tag === undefined && !tags.has(source)) {
    tag = simpleTag(source)
    if (tags.size < 10_000) tags.set(source, tag)
  }
  if (tag === undefined || number === undefined) return tag
  if (tag.values.filter(value => value === '').length !== 1) return undefined
  return { ...tag, values: tag.values.map(value => value || number) }
}

/** Start tags without a value as they stood last, by their place in a row: most rows are like the one before. */
type LastTags = { source: string; tag: SimpleTag }[]

/** The start tag at an offset and where it ends. */
function tagAt(
  text: string,
  open: number,
  place: number,
  tags: SimpleTags,
  last: LastTags,
): [SimpleTag | undefined, number] {
  const before = last[place]
  if (before && text.startsWith(before.source, open)) return [before.tag, open + before.source.length]
  const close = text.indexOf('>', open) + 1
  const tag = tagOf(text, open, close, tags)
  if (tag?.values.length === 0 && place < mostPlaces)
    last[place] = { source: Buffer.from(text.slice(open, close), 'latin1').toString('latin1'), tag }
  return [tag, close]
}

/** Places in a row at which the last start tag is kept. */
const mostPlaces = 1000

/** Reads a row, in UTF-8 bytes as characters, that holds values and plain paragraphs only. Gives where it ends, or 0 for any other. */
function simpleRow(text: string, start: number, tags: SimpleTags, last: LastTags, cells: string[][]): number {
  const [row, behind] = tagAt(text, start, 0, tags, last)
  let at = behind
  if (row?.name !== 'table:table-row') return 0
  if (row.empty) return at
  for (let place = 1; ; place++) {
    while (text.charCodeAt(at) === 10 || text.charCodeAt(at) === 32) at++
    if (text.startsWith('</table:table-row>', at)) return at + 18
    const [cell, end] = tagAt(text, at, place, tags, last)
    if (cell === undefined || !cell.name.endsWith('table-cell')) return 0
    at = end
    if (cell.empty && cell.values.length === 0) continue
    const texts: string[] = []
    while (!cell.empty) {
      if (text.startsWith('</table:', at) && text.startsWith(cell.name, at + 2)) {
        at += cell.name.length + 3
        break
      }
      const isBare = text.startsWith('<text:p>', at)
      const from = isBare ? at + 8 : text.indexOf('>', at) + 1
      if (!isBare && tagOf(text, at, from, tags)?.name !== 'text:p') return 0
      const to = text.indexOf('<', from)
      if (!text.startsWith('</text:p>', to)) return 0
      const raw = text.slice(from, to)
      if (odd.test(raw)) return 0
      texts.push(plain(decoded(raw)))
      at = to + 9
    }
    cells.push(shownBy(cell.values, texts))
  }
}

const odd = /[\t\n\r]| {2}|&#/

const rowStart = /<((?:[\w.-]+:)?)table-row(?=[\s/>])/g
const longestRow = 64 * 1024 * 1024

/** Where the row ends that begins at an offset, -1 if it is not all there; rows in rows are counted. */
function endOfRow(text: string, start: number, prefix: string): number {
  const tags = new RegExp(`<(/?)${prefix}table-row(?=[\\s/>])(?:[^>"']|"[^"]*"|'[^']*')*>`, 'g')
  let depth = 0
  for (tags.lastIndex = start; ; ) {
    const tag = tags.exec(text)
    if (tag === null) return -1
    if (tag[1] === '/') depth--
    else if (!tag[0].endsWith('/>')) depth++
    if (depth <= 0) return tags.lastIndex
  }
}

/** Reads the content of a spreadsheet as it comes: pieces in order, each all that was not read of the one before and more. */
function createReader(to: ContentListener) {
  const tags: SimpleTags = new Map()
  const last: LastTags = []
  const shapes = createShapeReader()
  let around = ''
  const slow = (rows: string) => {
    const declared = new Set(
      [...around.matchAll(/\sxmlns(?::[\w.-]+)?\s*=\s*(?:"[^"]*"|'[^']*')/g)].map(([all]) => all),
    )
    const { cells, hidden, forbidden } = parseRows(`<rows${[...declared].join('')}>${decoded(rows)}</rows>`)
    for (const cell of cells) to.cell(cell)
    for (const one of hidden) to.hidden(one)
    if (forbidden) to.forbidden()
  }
  const passOver = (between: string) => {
    if (/\S/.test(between)) around += around === '' ? between.replace(/^\ufeff/, '') : between
  }
  /** Reads whole rows and what is between them; gives how many bytes that were. */
  const read = (bytes: Buffer, isEnd: boolean): number => {
    let text: string | undefined
    let at = 0
    let waiting = ''
    for (;;) {
      const known = waiting === '' ? shapes.read(bytes, at) : 0
      if (known > 0) {
        at = known
        continue
      }
      to.cells(shapes.take())
      text ??= bytes.toString('latin1')
      rowStart.lastIndex = at
      const found = rowStart.exec(text)
      const start = found?.index ?? (isEnd ? text.length : Math.max(at, text.lastIndexOf('<')))
      passOver(decoded(text.slice(at, start)))
      at = start
      if (found === null) break
      const cells: string[][] = []
      const simple = found[1] === 'table:' ? simpleRow(text, start, tags, last, cells) : 0
      const end = simple > 0 ? simple : endOfRow(text, start, found[1]!)
      if (end < 0) break
      if (simple > 0) shapes.learn(text.slice(start, end))
      else waiting += text.slice(start, end)
      if (waiting !== '' && (simple > 0 || waiting.length > 65_536)) {
        slow(waiting)
        waiting = ''
      }
      if (simple > 0) for (const cell of cells) to.cell(cell)
      at = end
    }
    if (waiting !== '') slow(waiting)
    return at
  }
  return { read, around: () => around }
}

/** Bytes that are read at once, or more where a row is longer. */
const readAtOnce = 256 * 1024

/** Reads the content of a spreadsheet row by row and gives what stands around the rows. Throws `corrupt_file`. */
export async function rereadContent(stream: AsyncIterable<Buffer>, to: ContentListener): Promise<string> {
  const reader = createReader(to)
  const read = (bytes: Buffer, isEnd: boolean) => {
    if (!isUtf8(bytes)) throw new EngineError('corrupt_file', 'The rows of the output are not in UTF-8')
    return reader.read(bytes, isEnd)
  }
  let pieces: Buffer[] = []
  let length = 0
  let enough = readAtOnce
  for await (const piece of stream) {
    pieces.push(piece)
    length += piece.length
    if (length < enough) continue
    const bytes = Buffer.concat(pieces)
    // Up to the end of a tag, so that no character is cut.
    const rest = bytes.subarray(read(bytes.subarray(0, bytes.lastIndexOf('>') + 1), false))
    pieces = [rest]
    length = rest.length
    if (length > longestRow) throw new EngineError('corrupt_file', 'A row of the output has no end')
    // Twice as much each time, so that a long row isn't read again and again.
    enough = Math.max(readAtOnce, Math.min(length * 2, longestRow + 1))
  }
  const bytes = Buffer.concat(pieces)
  if (read(bytes, true) < bytes.length) throw new EngineError('corrupt_file', 'A row of the output ends too early')
  return reader.around()
}
