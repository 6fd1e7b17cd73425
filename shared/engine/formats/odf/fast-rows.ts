import { fromBytes, toBytes } from '../cells/utf8-cells.ts'
import { afterBlanks, decodedBytes, encodedBytes } from '../cells/utf8-xml.ts'
import { createShapes, learnShape, readShaped, type Shapes } from './fast-shapes.ts'
import { cut, noRows, type OdsRows } from './found-rows.ts'
import { encodeText, linesOf } from './text.ts'
import { attributeAction, valueAttributes } from './vocabulary.ts'

/** A start tag that says nothing which has to be asked about but, in a cell, values. */
type Tag = { name: string; empty: boolean; repeated: number; values: string[] }

/**
 * A start tag that was read before, by how it is written; nothing for one that is left to the XML scanner. That of a value
 * is written as `source` up to the value and as `rest` behind it. `next` are those that came after it last.
 */
type KnownTag = { source: string; rest?: string; tag: Tag | undefined; next: (KnownTag | undefined)[] }

/** Start tags that were read before, by how they are written, and the last one; and how rows were written. */
export type Tags = { known: Map<string, KnownTag>; last: KnownTag; shapes: Shapes }

/** No tags yet. */
export const createTags = (): Tags => ({
  known: new Map(),
  last: { source: '', tag: undefined, next: [] },
  shapes: createShapes(),
})

/** Tags remembered at most; those of cells with a number differ from each other. */
const maxTags = 10_000

const tagParts = /^<(table:table-row|table:(?:covered-)?table-cell|text:p)((?: \w+:[\w.-]+="[^"<&]*")*) ?(\/?)>$/
const attributes = / (\w+):([\w.-]+)="([^"]*)"/g
const known = new Set(['table', 'office', 'text', 'calcext'])

/** Reads a start tag as programs write it; nothing for any other. */
function readTag(source: string): Tag | undefined {
  const match = tagParts.exec(source)
  if (match === null) return undefined
  const [, name, rest, slash] = match
  const tag: Tag = { name: name!, empty: slash !== '', repeated: 1, values: [] }
  const isCell = name!.endsWith('cell')
  for (const [, prefix, local, value] of rest!.matchAll(attributes)) {
    const attribute = `${prefix}:${local}`
    if (!known.has(prefix!) || attribute === 'table:formula') return undefined
    if (isCell && valueAttributes.test(attribute)) tag.values.push(value!)
    else if (attributeAction(name!, attribute, value!) !== 'keep') return undefined
    if (attribute === (isCell ? 'table:number-columns-repeated' : 'table:number-rows-repeated'))
      tag.repeated = Number(value)
  }
  return tag
}

/** Reads the start tag at an offset; first as one of those that came after the last one before. */
function tagAt(bytes: string, at: number, tags: Tags): { tag: Tag; end: number } | undefined {
  const { next } = tags.last
  for (const guess of next) {
    if (guess === undefined || !bytes.startsWith(guess.source, at)) continue
    const found = guess.rest === undefined ? at + guess.source.length : valueEnd(bytes, at, guess)
    if (found === 0) continue
    tags.last = guess
    return guess.tag && taken(bytes, at, found, guess)
  }
  const end = bytes.indexOf('>', at) + 1
  const known = knownTag(bytes.slice(at, end), tags)
  if (known !== next[0]) tags.last.next = [known, next[0]]
  tags.last = known
  return known.tag && taken(bytes, at, end, known)
}

/** Where a start tag with a value ends, if it is this one; otherwise 0. */
function valueEnd(bytes: string, at: number, { source, rest }: KnownTag): number {
  const to = bytes.indexOf('"', at + source.length)
  if (to < 0 || !bytes.startsWith(rest!, to)) return 0
  for (let inside = at + source.length; inside < to; inside++) if (bytes.charCodeAt(inside) === 62) return 0
  return to + rest!.length
}

/** The tag as it stands there, with its value. */
function taken(bytes: string, at: number, end: number, { source, rest, tag }: KnownTag) {
  if (rest === undefined) return { tag: tag!, end }
  const value = bytes.slice(at + source.length, end - rest.length)
  if (tag!.values.filter(other => other === '').length !== 1 || /[<&]/.test(value)) return undefined
  return { tag: { ...tag!, values: tag!.values.map(other => (other === '' ? value : other)) }, end }
}

const copyOf = (bytes: string) => Buffer.from(bytes, 'latin1').toString('latin1')

/** A start tag by how it is written; one with a value as what it is without it, as that is the same for many cells. */
function knownTag(source: string, { known }: Tags): KnownTag {
  const from = source.indexOf('value="') + 7
  const to = from > 7 ? source.indexOf('"', from) : -1
  const frame = from > 7 ? source.slice(0, from) + source.slice(to) : source
  const before = known.get(frame)
  if (before) return before
  // Copies: a slice would keep the whole text that it was taken from.
  const parts =
    from > 7 ? { source: copyOf(source.slice(0, from)), rest: copyOf(source.slice(to)) } : { source: copyOf(source) }
  const made: KnownTag = { ...parts, tag: readTag(frame), next: [] }
  if (known.size < maxTags) known.set(copyOf(frame), made)
  return made
}

/**
 * Reads whole rows from an offset on as long as they are written the way programs write them: values and plain
 * paragraphs, no formulas, links, remarks or drawings. Stops before the first row that is not. `view` has the same bytes.
 */
export function readOdsRows(bytes: string, view: Uint8Array, from: number, after: number, tags: Tags): OdsRows {
  const found = noRows(from, after)
  while (found.end < bytes.length) {
    const texts = found.texts.length
    const cells = found.cellStarts.length
    const undo = () => cut(found, texts, cells)
    const start = afterBlanks(bytes, found.end)
    let end = readShaped(tags.shapes, bytes, view, start, found, undo)
    if (end === 0) {
      end = readRow(bytes, start, tags, found)
      if (end > 0) learnShape(tags.shapes, bytes, start, end, found, cells)
    }
    if (end === 0) {
      undo()
      break
    }
    found.end = afterBlanks(bytes, end)
  }
  return found
}

/** Reads a row. Gives where it ends, or 0. */
function readRow(bytes: string, from: number, tags: Tags, found: OdsRows): number {
  const row = tagAt(bytes, from, tags)
  if (row === undefined || row.tag.name !== 'table:table-row') return 0
  const repeats = row.tag.repeated
  const number = found.last + repeats
  let at = row.end
  let column = 1
  if (!row.tag.empty) {
    for (;;) {
      at = afterBlanks(bytes, at)
      if (bytes.startsWith('</table:table-row>', at)) break
      const cell = tagAt(bytes, at, tags)
      if (cell === undefined || !cell.tag.name.endsWith('cell')) return 0
      const first = found.texts.length
      const end = readCell(bytes, cell.tag, cell.end, found)
      if (end === 0) return 0
      if (found.texts.length > first) {
        found.cellStarts.push(at)
        found.tagEnds.push(cell.end)
        found.cellEnds.push(end)
        found.firsts.push(first)
        found.rows.push(number)
        found.repeats.push(repeats)
        found.columns.push(column)
      }
      column += cell.tag.repeated
      at = end
    }
    at += '</table:table-row>'.length
  }
  found.last = number
  return at
}

/** Whether a text shows nothing. */
const isBlank = (bytes: string) => !/[!-~]/.test(bytes) && !/\S/.test(fromBytes(bytes))

/** What a stretch of character data is: blanks that collapse and numbered characters are left to the XML scanner. */
function kindOf(bytes: string, from: number, to: number): 'plain' | 'encoded' | 'blank' | 'unusual' {
  let isEncoded = false
  let isShown = false
  let before = 0
  for (let at = from; at < to; at++) {
    const code = bytes.charCodeAt(at)
    if (code < 32 || (code === 32 && before === 32)) return 'unusual'
    if (code === 38) {
      if (bytes.charCodeAt(at + 1) === 35) return 'unusual'
      isEncoded = true
    }
    if (code > 32 && code < 128) isShown = true
    before = code
  }
  if (isShown) return isEncoded ? 'encoded' : 'plain'
  return isBlank(bytes.slice(from, to)) ? 'blank' : 'plain'
}

/** Reads a cell after its start tag: first its values, but those that are its text, then its paragraphs as lines of one text. */
function readCell(bytes: string, { name, empty, values }: Tag, from: number, found: OdsRows): number {
  const { texts, cells, starts, ends } = found
  const cell = found.cellStarts.length
  const first = texts.length
  /** Blank lines behind the last text, which belong to it once another follows. */
  let blanks = ''
  let at = from
  while (!empty) {
    if (bytes.charCodeAt(at + 1) === 47) {
      if (!bytes.startsWith(name, at + 2) || bytes.charCodeAt(at + 2 + name.length) !== 62) return 0
      break
    }
    const start = bytes.startsWith('<text:p>', at) ? at + 8 : plainParagraph(bytes, at)
    if (start === 0) return 0
    const to = bytes.indexOf('<', start)
    if (!bytes.startsWith('</text:p>', to)) return 0
    at = to + 9
    const kind = kindOf(bytes, start, to)
    if (kind === 'unusual') return 0
    const text = kind === 'encoded' ? decodedBytes(bytes, start, to) : bytes.slice(start, to)
    if (texts.length > first) {
      blanks += `\n${text}`
      if (kind === 'blank') continue
      texts[first] += blanks
      ends[first] = to
      blanks = ''
    } else if (kind !== 'blank') {
      texts.push(text)
      cells.push(cell)
      starts.push(start)
      ends.push(to)
    }
  }
  if (values.length > 0) {
    const shown =
      texts.length > first
        ? linesOf(texts[first]!)
            .filter(line => !isBlank(line))
            .join('\n')
        : ''
    const others = values.filter(value => value !== shown && !isBlank(value))
    if (others.length > 0) {
      texts.splice(first, 0, ...others)
      cells.splice(first, 0, ...others.map(() => cell))
      starts.splice(first, 0, ...others.map(() => -1))
      ends.splice(first, 0, ...others.map(() => -1))
    }
  }
  return empty ? from : at + name.length + 3
}

/** The end of the start tag of a paragraph that has a style and nothing else; 0 for any other. */
function plainParagraph(bytes: string, at: number): number {
  const style = '<text:p text:style-name="P'
  if (!bytes.startsWith(style, at)) return 0
  let end = at + style.length
  while (bytes.charCodeAt(end) >= 48 && bytes.charCodeAt(end) <= 57) end++
  return bytes.startsWith('">', end) ? end + 2 : 0
}

const encoded = (bytes: string) => {
  const text = encodedBytes(bytes)
  return /\t|\n| {2}/.test(text) ? toBytes(encodeText(fromBytes(bytes))) : text
}

/** A text in place of those between two offsets: where these are paragraphs, each of its lines is one. */
function encodedLines(bytes: string, start: number, end: number, text: string): string {
  const border = bytes.indexOf('</text:p>', start)
  if (border < 0 || border >= end) return encoded(text)
  return text
    .split('\n')
    .map(encoded)
    .join(bytes.slice(border, bytes.indexOf('>', border + '</text:p>'.length) + 1))
}

/** The start tag of a cell that has become a text. */
function textTag(tag: string): string {
  if (tag === '<table:table-cell office:value-type="string">') return tag
  return tag
    .replace(/ (?:office:(?:(?:date-|time-|boolean-|string-)?value|currency)|table:formula)="[^"]*"/g, '')
    .replace(/( (?:office|calcext):value-type=")[^"]*/g, '$1string')
}

/** Writes the rows with the new texts of some cells, in order. */
export function writeOdsRows(bytes: string, from: number, rows: OdsRows, changed: ReadonlyMap<number, string>): string {
  let out = ''
  let done = from
  let last = -1
  for (const [index, text] of changed) {
    const cell = rows.cells[index]!
    if (cell !== last) {
      const start = rows.cellStarts[cell]!
      out += bytes.slice(done, start)
      done = rows.tagEnds[cell]!
      out += textTag(bytes.slice(start, done))
      last = cell
    }
    if (rows.starts[index]! < 0) continue
    const [start, end] = [rows.starts[index]!, rows.ends[index]!]
    out += bytes.slice(done, start) + encodedLines(bytes, start, end, text)
    done = end
  }
  return out + bytes.slice(done, rows.end)
}

/** The lines that the cells show in the end, by cell, with the index of each text: a changed cell has no values any more. */
export function* shownTexts(rows: OdsRows, changed: ReadonlyMap<number, string>): Generator<[number, string]> {
  const touched = new Set<number>()
  for (const index of changed.keys()) touched.add(rows.cells[index]!)
  for (let index = 0; index < rows.texts.length; index++) {
    const isValue = rows.starts[index]! < 0
    if (isValue && touched.has(rows.cells[index]!)) continue
    for (const line of linesOf(changed.get(index) ?? rows.texts[index]!)) if (!isBlank(line)) yield [index, line]
  }
}

/** The texts of the cell of a text, by their indexes. */
export function* textsBeside({ cells, texts }: OdsRows, index: number): Generator<number> {
  const cell = cells[index]!
  let from = index
  while (cells[from - 1] === cell) from--
  for (let at = from; at < texts.length && cells[at] === cell; at++) yield at
}
