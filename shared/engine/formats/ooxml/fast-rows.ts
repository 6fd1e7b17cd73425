import { type ByteCells, toBytes } from '../cells/utf8-cells.ts'
import { afterBlanks, decodedBytes, encodedBytes } from '../cells/utf8-xml.ts'
import type { Reading } from '../format.ts'
import { escaped } from './escapes.ts'
import { takeRoom } from './shared-strings.ts'
import { dateNumber, maskedText, numberText, readingsOf, type SheetContext } from './sheet.ts'
import { writtenSerial } from './styles.ts'

/** The cells with a text in some whole rows, in lists with one entry each. Texts and offsets are those of UTF-8 bytes. */
export type ByteRows = {
  /** Number of the last row, from 1; and the least and the greatest, as rows may stand in any order. */
  last: number
  least: number
  most: number
  texts: string[]
  /** Numbers from 1. */
  rows: number[]
  columns: number[]
  starts: number[]
  /** Where the content of the start tag of a cell ends: at its `>`. */
  tags: number[]
  ends: number[]
  /** The shared string that a cell shows, or -1. */
  shared: number[]
  /** How people may see dates and times. */
  readings: Map<number, readonly Reading[]>
}

/** A start tag: where it ends and where the values of some attributes begin, 0 for those that it has not. */
type Tag = { end: number; empty: boolean; r: number; s: number; t: number }

const [quote, letterE, letterB, letterD, letterN, letterS] = [34, 101, 98, 100, 110, 115]

const isName = (code: number) =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 58 || code === 46 || (code >= 48 && code <= 57)

/** Reads a start tag from the end of its name on; false where it is not written the usual way. */
function readTag(bytes: string, from: number, tag: Tag): boolean {
  tag.r = tag.s = tag.t = 0
  for (let at = from; ; ) {
    const code = bytes.charCodeAt(at)
    tag.empty = code === 47
    if (tag.empty) at++
    tag.end = at + 1
    if (tag.empty || code === 62) return bytes.charCodeAt(at) === 62
    if (code !== 32) return false
    const name = ++at
    while (isName(bytes.charCodeAt(at))) at++
    if (at === name) continue
    if (bytes.charCodeAt(at) !== 61 || bytes.charCodeAt(at + 1) !== quote) return false
    const value = at + 2
    if (at - name === 1) {
      const letter = bytes.charCodeAt(name)
      if (letter === 114) tag.r = value
      else if (letter === letterS) tag.s = value
      else if (letter === 116) tag.t = value
    }
    for (at = value; bytes.charCodeAt(at) !== quote; at++) {
      const inside = bytes.charCodeAt(at)
      if (!(inside >= 32) || inside === 60 || inside === 38) return false
    }
    at++
  }
}

/** The whole number whose digits stand here. */
function numberAt(bytes: string, from: number): number {
  let value = 0
  for (let at = from; ; at++) {
    const digit = bytes.charCodeAt(at) - 48
    if (!(digit >= 0 && digit <= 9)) return value
    value = value * 10 + digit
  }
}

/** The column, from 1, whose letters stand here; 0 if there are none. */
function columnAt(bytes: string, from: number): number {
  let column = 0
  for (let at = from; ; at++) {
    const letter = bytes.charCodeAt(at) - 64
    if (!(letter >= 1 && letter <= 26)) return column
    column = column * 26 + letter
  }
}

/**
 * Reads whole rows the way programs write them: values and plain texts, no formulas, no extensions.
 * Gives nothing for rows written in any other way.
 */
export function readByteRows(bytes: string, after: number, context: SheetContext): ByteRows | undefined {
  const lists = { texts: [], rows: [], columns: [], starts: [], tags: [], ends: [], shared: [] }
  const found: ByteRows = { last: after, least: Number.POSITIVE_INFINITY, most: 0, ...lists, readings: new Map() }
  const tag: Tag = { end: 0, empty: false, r: 0, s: 0, t: 0 }
  if (context.prefix !== '') return undefined
  for (let at = 0; at < bytes.length; ) {
    at = afterBlanks(bytes, at)
    if (at === bytes.length) break
    if (!bytes.startsWith('<row', at) || !readTag(bytes, at + 4, tag)) return undefined
    found.last = tag.r === 0 ? found.last + 1 : numberAt(bytes, tag.r)
    found.least = Math.min(found.least, found.last)
    found.most = Math.max(found.most, found.last)
    at = tag.end
    if (tag.empty) continue
    let column = 0
    while (bytes.startsWith('<c', at)) {
      if (!readTag(bytes, at + 2, tag)) return undefined
      column = (tag.r === 0 ? 0 : columnAt(bytes, tag.r)) || column + 1
      const end = tag.empty ? tag.end : readCell(bytes, at, tag, column, context, found)
      if (end === 0) return undefined
      at = end
    }
    at = afterBlanks(bytes, at)
    if (!bytes.startsWith('</row>', at)) return undefined
    at += 6
  }
  return found
}

/** The texts of the cells of rows, and where they stand. */
export function byteCells(
  { texts, rows, columns, readings }: ByteRows,
  { place, header, visible }: SheetContext,
): ByteCells {
  const column = (index: number) => header[columns[index]!] ?? String(columns[index])
  return {
    texts,
    column,
    place: index => ({ ...place, kind: 'cell', row: rows[index]!, column: column(index) }),
    readings,
    visible,
  }
}

/** A number as a cell holds it; nothing of any other cell. */
export function rawNumber(bytes: string, { shared, starts, tags, ends }: ByteRows, index: number): string | undefined {
  const tag = bytes.slice(starts[index]!, tags[index]!)
  if (shared[index] !== -1 || (tag.includes(' t="') && !tag.includes(' t="n"'))) return undefined
  return bytes.slice(tags[index]! + 4, ends[index]! - 8)
}

function noteReadings(
  { readings, texts }: ByteRows,
  serial: number | undefined,
  style: number,
  text: string,
  context: SheetContext,
): void {
  const own = readingsOf(serial, style, text, context)
  if (own) readings.set(texts.length, own)
}

/** Reads a cell after its start tag. Gives where it ends, or 0. */
function readCell(
  bytes: string,
  start: number,
  tag: Tag,
  column: number,
  context: SheetContext,
  found: ByteRows,
): number {
  const { end: from, t, s } = tag
  let text: string | undefined
  let shared = -1
  let end: number
  if (bytes.startsWith('<v>', from)) {
    const to = bytes.indexOf('<', from + 3)
    if (!bytes.startsWith('</v></c>', to)) return 0
    end = to + 8
    const kind = t === 0 ? letterN : bytes.charCodeAt(t + 1) === quote ? bytes.charCodeAt(t) : 0
    if (kind === letterB || kind === letterE) return end
    text = decodedBytes(bytes, from + 3, to)
    if (text.includes('_x')) return 0
    if (kind === letterS && text !== '') {
      shared = Number(text)
      const plain = context.strings === undefined ? '' : context.strings.plain(shared)
      if (plain === undefined) return 0
      text = toBytes(takeRoom(context.room, plain))
    } else if (kind === letterN && text !== '') {
      const style = s === 0 ? 0 : numberAt(bytes, s)
      if (maskedText(text, style, context) !== undefined) return 0
      const number = Number(text)
      text = numberText(text, style, context)
      noteReadings(found, number, style, text, context)
    } else if (kind === letterD)
      noteReadings(found, writtenSerial(text, context.from1904), s === 0 ? 0 : numberAt(bytes, s), text, context)
  } else if (bytes.startsWith('<is><t', from)) {
    const rest = bytes.startsWith(' xml:space="preserve"', from + 6) ? from + 27 : from + 6
    if (bytes.charCodeAt(rest) !== 62) return 0
    const to = bytes.indexOf('<', rest)
    if (!bytes.startsWith('</t></is></c>', to)) return 0
    end = to + 13
    text = decodedBytes(bytes, rest + 1, to)
    if (text.includes('_x')) return 0
  } else return bytes.startsWith('</c>', from) ? from + 4 : 0
  found.texts.push(text)
  found.rows.push(found.last)
  found.columns.push(column)
  found.starts.push(start)
  found.tags.push(from - 1)
  found.ends.push(end)
  found.shared.push(shared)
  return end
}

/** Writes rows with the new texts of some cells, in order, and notes which shared strings are still shown. */
export function writeByteRows(
  bytes: string,
  rows: ByteRows,
  changed: ReadonlyMap<number, string>,
  context: SheetContext,
): string {
  const { starts, tags, ends, shared } = rows
  const { strings } = context
  if (strings !== undefined)
    shared.forEach((item, index) => {
      if (item >= 0 && !changed.has(index)) strings.keep(item)
    })
  let out = ''
  let done = 0
  for (const [index, text] of changed) {
    const attributes = bytes.slice(starts[index]! + 2, tags[index]).replace(/ (?:t|cm|vm)="[^"]*"/g, '')
    const isNumber = rawNumber(bytes, rows, index) !== undefined
    const style = isNumber ? Number(/ s="(\d+)"/.exec(attributes)?.[1] ?? 0) : -1
    const serial = dateNumber(text, style, context)
    out += `${bytes.slice(done, starts[index])}<c${attributes}`
    out +=
      serial === undefined
        ? ` t="inlineStr"><is><t xml:space="preserve">${encodedBytes(escaped(text))}</t></is></c>`
        : `><v>${serial}</v></c>`
    done = ends[index]!
  }
  return out + bytes.slice(done)
}
