import { withoutMarks } from '../../detect/normalise.ts'
import { pushAll } from '../../lists.ts'
import type { Edit, Place, Reading, Segment } from '../format.ts'
import type { SheetNames } from '../office/sheet-names.ts'
import { nameWording } from '../office/wording.ts'
import { applyEdits } from '../plain/write.ts'
import { type Patch, patchesOf, splice, type TextNode } from '../text/text-nodes.ts'
import { dateReadings } from './date-readings.ts'
import { type Dependents, results } from './dependents.ts'
import { encodeString, unescaped } from './escapes.ts'
import { formulaRuns, makesText } from './formulas.ts'
import { maskedNumber } from './number-masks.ts'
import { cleanItem } from './rich.ts'
import { type RichText, type Room, richText, type SharedStrings, takeRoom } from './shared-strings.ts'
import { type RawCell, type RawRow, readRows } from './slow-rows.ts'
import { isoDate, isShownAsDate, type NumberStyles, serialNumber, writtenSerial } from './styles.ts'

/** What the cells of a sheet are read with. */
export type SheetContext = {
  place: Place
  visible: boolean
  /** Its place among all sheets, from 1. */
  ordinal: number
  prefix: string
  strings: SharedStrings | undefined
  /** What the cells of the sheet may yet show of them. */
  room: Room
  numbers: NumberStyles
  from1904: boolean
  sheets: SheetNames
  /** Names of the columns, by number from 1. */
  header: string[]
  /** Whether every formula is replaced by its value. */
  withoutFormulas: boolean
}

/**
 * What is asked about a cell: its text, which may be a number `masked` by its style, and each text of its formula, which may
 * not stay without some of them.
 */
type Asked = { cell: RawCell; segment: Segment; node?: TextNode; needed?: boolean; masked?: boolean }

/** A text of whole rows and what stands in it; `last` is the number of the last row. */
export type SheetPiece = {
  text: string
  asked: Asked[]
  cells: RawCell[]
  rows: RawRow[]
  last: number
  /** The least and the greatest number of a row, as rows may stand in any order. */
  least: number
  most: number
}

const external = /\[\d+\]/

/** Reads a text of whole rows that come after the row of a number. */
export function readPiece(text: string, after: number, context: SheetContext): SheetPiece {
  let number = after
  let [least, most] = [Number.POSITIVE_INFINITY, 0]
  const asked: Asked[] = []
  const cells: RawCell[] = []
  const rows = readRows(text, context.prefix, number)
  for (const row of rows) {
    number = row.number
    least = Math.min(least, number)
    most = Math.max(most, number)
    for (const cell of row.cells) {
      cells.push(cell)
      const column = context.header[cell.column] ?? String(cell.column)
      const place: Place = { ...context.place, kind: 'cell', row: row.number, column }
      const shown = markedText(cell, context)
      if (shown !== undefined) {
        const segment: Segment = { text: shown, place, visible: context.visible }
        const readings = readingsOf(serialOf(cell, context), cell.style, shown, context)
        if (readings) segment.readings = readings
        asked.push({ cell, segment, masked: isMasked(cell, context) })
      }
      const { formula } = cell
      if (formula === undefined || formula.text === '' || context.withoutFormulas || external.test(formula.text))
        continue
      for (const run of formulaRuns(formula.text, formula.textStart, context.sheets)) {
        const segment: Segment = {
          text: run.text,
          place: { ...place, kind: 'attribute' },
          visible: false,
          wording: nameWording(run.text),
        }
        asked.push({ cell, segment, node: { segment, runs: [run] }, needed: run.number })
      }
    }
  }
  const piece = { text, asked, cells, rows, last: number, least, most }
  const changesLater = asked.some(({ masked }) => masked) || cells.some(({ formula }) => formula !== undefined)
  if (changesLater) shownLater(piece, context)
  return piece
}

/** Marks the cells of a piece as ones of which only writing tells what they show. */
export function shownLater({ asked }: SheetPiece, { visible }: SheetContext): void {
  for (const { segment, node } of asked) if (visible && node === undefined) segment.later = true
}

/**
 * Notes which cells of a piece are replaced and what its formulas refer to. Gives the cells whose results depend on one that is
 * replaced: they go, and programs compute them anew.
 */
export function outdatedCells(
  { asked, rows, last, least, most }: SheetPiece,
  edits: readonly Edit[][],
  { ordinal }: SheetContext,
  depending: Dependents,
): Set<RawCell> {
  const edited = new Set<RawCell>()
  asked.forEach(({ cell, node }, index) => {
    if (node === undefined && (edits[index] ?? []).length > 0) edited.add(cell)
  })
  for (const { number, cells } of rows)
    for (const cell of cells) {
      if (edited.has(cell)) depending.replaced(ordinal, number, cell.column)
      if (cell.formula !== undefined) depending.formula(ordinal, number, cell.column, cell.formula)
    }
  depending.settle(ordinal, last)
  const outdated = new Set<RawCell>()
  const hasFilled = depending.fillsRows(ordinal, least, most)
  for (const { number, cells } of rows)
    for (const cell of cells) {
      if (edited.has(cell) || (cell.value === undefined && cell.inline === undefined)) continue
      const isFound =
        cell.formula === undefined
          ? hasFilled && depending.fills(ordinal, number, cell.column)
          : depending.has(ordinal, number, cell.column)
      if (isFound) outdated.add(cell)
    }
  return outdated
}

/**
 * What the cells of a piece hold in the end, in order, where not all of that is what rules were given: a number that is shown
 * through a mask stays a number unless it is edited.
 */
export function heldTexts(
  { asked }: SheetPiece,
  edits: readonly Edit[][],
  context: SheetContext,
  outdated: ReadonlySet<RawCell>,
): { place: Place; text: string }[] {
  return asked.flatMap(({ cell, segment, masked }, index) => {
    const own = edits[index] ?? []
    if (!segment.later || outdated.has(cell)) return []
    const isNumber = masked && own.length === 0
    const text = isNumber ? numberText(cell.value!, cell.style, context) : applyEdits(segment.text, own)
    return [{ place: segment.place, text }]
  })
}

/** What a cell shows, as far as rules can look at it; nothing for logical values and errors. */
export function cellText(cell: RawCell, context: SheetContext): string | undefined {
  const text = markedText(cell, context)
  return text && withoutMarks(text)
}

/** The same with marks around what is raised, as rules read it. */
function markedText(cell: RawCell, context: SheetContext): string | undefined {
  const { strings, prefix, room } = context
  const { type, value, inline, style } = cell
  if (inline !== undefined) return richText(cleanItem(inline, prefix), prefix).text
  if (value === undefined || type === 'b' || type === 'e') return undefined
  if (value === '') return ''
  if (type === 's') return takeRoom(room, strings?.text(Number(value)) ?? '')
  return type === 'n' ? (maskedText(value, style, context) ?? numberText(value, style, context)) : unescaped(value)
}

const isNumber = ({ type, value, inline }: RawCell) => type === 'n' && inline === undefined && !!value

const isMasked = (cell: RawCell, context: SheetContext): boolean =>
  isNumber(cell) && maskedText(cell.value!, cell.style, context) !== undefined

/** The number of a cell, also of one that has a date written out; nothing of others. */
function serialOf(cell: RawCell, context: SheetContext): number | undefined {
  if (cell.type === 'd' && cell.value !== undefined) return writtenSerial(cell.value, context.from1904)
  return isNumber(cell) ? Number(cell.value) : undefined
}

/** How people may see a date or a time, in place of what rules are given for it; nothing where they see the same. */
export function readingsOf(
  serial: number | undefined,
  style: number,
  text: string,
  { numbers, from1904 }: SheetContext,
): readonly Reading[] | undefined {
  const forms = numbers.forms[style]
  if (serial === undefined || !forms || forms.length === 0 || !isShownAsDate(serial, from1904)) return undefined
  const readings = dateReadings(forms, serial, from1904, text)
  return readings.length > 0 ? readings : undefined
}

/** What a mask of its style shows of a number, with marks; nothing without one. */
export function maskedText(value: string, style: number, { numbers }: SheetContext): string | undefined {
  const mask = numbers.masks[style]
  return mask && maskedNumber(value, mask)
}

/** A number of a cell as verification reads it: as a date by its style, or as it is written. */
export function numberText(value: string, style: number, { numbers, from1904 }: SheetContext): string {
  if (numbers.dates[style]) return isoDate(Number(value), from1904) ?? value
  // Programs write long whole numbers with an exponent that nobody sees.
  return /^-?\d+(?:\.\d+)?E\+?\d+$/i.test(value) && Number.isSafeInteger(Number(value)) ? String(Number(value)) : value
}

/**
 * Writes pieces with their edits; remembers across pieces which shared formulas have gone. A formula may not stay where a
 * program would show by it what was replaced, or what no rule has seen. `report` is told what is left out.
 */
export function sheetWriter(
  context: SheetContext,
  report: (what: string) => void,
): (piece: SheetPiece, edits: readonly Edit[][], outdated: ReadonlySet<RawCell>) => string {
  const goneFormulas = new Set<string>()
  const textFormulas = new Set<string>()
  return ({ text, asked, cells, rows, most }, edits, outdated) => {
    const changed = new Map<RawCell, Edit[]>()
    const patches: Patch[] = []
    const spoilt = new Set<RawCell>()
    asked.forEach(({ cell, node, needed }, index) => {
      const own = edits[index] ?? []
      if (own.length === 0) return
      if (needed) spoilt.add(cell)
      if (node === undefined) changed.set(cell, own)
      else pushAll(patches, patchesOf(node, own))
    })
    const cover = coverage(rows, most, changed)
    for (const cell of cells) {
      const own = changed.get(cell)
      const { formula } = cell
      const { shared } = formula ?? {}
      const orphan = shared !== undefined && goneFormulas.has(shared)
      if (shared !== undefined && formula?.master && makesText(formula.text)) textFormulas.add(shared)
      const unread = cell.value === undefined || (cell.value === '' && cell.type !== 'str')
      const untold = formula !== undefined && unread && (textFormulas.has(shared ?? '') || makesText(formula.text))
      if (untold) report('formulas without a value')
      const spoils = own !== undefined || spoilt.has(cell) || untold || cover(cell)
      const goes = formula !== undefined && (orphan || spoils || context.withoutFormulas || external.test(formula.text))
      if (goes && shared !== undefined && formula?.master) goneFormulas.add(shared)
      if (own !== undefined) patches.push({ start: cell.start, end: cell.end, text: changedCell(cell, own, context) })
      else if (outdated.has(cell)) {
        report(results)
        patches.push(...withoutResult(cell, goes, context))
      } else {
        if (goes) patches.push({ start: formula.start, end: formula.end, text: '' })
        if (goes && formula.covers) patches.push(...withoutMetadata(text, cell))
        if (cell.type === 's' && cell.value) context.strings?.keep(Number(cell.value))
        const plain = cell.inline === undefined ? undefined : cleanItem(cell.inline, context.prefix)
        if (plain !== cell.inline) {
          const start = text.indexOf(cell.inline!, cell.start)
          patches.push({ start, end: start + cell.inline!.length, text: plain! })
        }
      }
    }
    return splice(text, patches)
  }
}

/** A cell without its result, and without its formula where that goes. */
function withoutResult({ start, end, attributes, formula }: RawCell, goes: boolean, { prefix }: SheetContext): Patch[] {
  if (formula === undefined || goes) {
    const kept = attributes.replace(/\s(?:t|cm|vm)=(?:"[^"]*"|'[^']*')/g, '')
    return [{ start, end, text: `<${prefix}c${kept}/>` }]
  }
  const kept = attributes.replace(/\s(?:t|vm)=(?:"[^"]*"|'[^']*')/g, '')
  return [
    { start, end: formula.start, text: `<${prefix}c${kept}>` },
    { start: formula.end, end, text: `</${prefix}c>` },
  ]
}

/** What marks a cell as the first of several that one formula fills goes with the formula. */
function withoutMetadata(text: string, cell: RawCell): Patch[] {
  const tag = /^<[\w.:-]+(?:\s+[\w:.]+="[^"<]*")*/.exec(text.slice(cell.start, cell.end))?.[0] ?? ''
  const mark = /\scm="[^"]*"/.exec(tag)
  return mark === null
    ? []
    : [{ start: cell.start + mark.index, end: cell.start + mark.index + mark[0].length, text: '' }]
}

/** Tells of a cell whether its formula covers one that has changed, or that is not in these rows. */
function coverage(
  rows: readonly RawRow[],
  most: number,
  changed: ReadonlyMap<RawCell, unknown>,
): (cell: RawCell) => boolean {
  const rowOf = new Map<RawCell, number>()
  if (rows.some(({ cells }) => cells.some(({ formula }) => formula?.covers)))
    for (const { number, cells } of rows) for (const cell of cells) rowOf.set(cell, number)
  return cell => {
    const covers = cell.formula?.covers
    if (covers === undefined) return false
    if (covers.row > most) return true
    const first = rowOf.get(cell)!
    for (const { number, cells } of rows)
      if (number >= first && number <= covers.row)
        for (const other of cells)
          if (other.column >= cell.column && other.column <= covers.column && changed.has(other)) return true
    return false
  }
}

const editedText = (cell: RawCell, edits: readonly Edit[], context: SheetContext) =>
  withoutMarks(applyEdits(markedText(cell, context) ?? '', edits))

/** The number of a date that stands in place of another: it stays a date. Nothing where either is none. */
export const dateNumber = (text: string, style: number, { numbers, from1904 }: SheetContext): number | undefined =>
  numbers.dates[style] ? serialNumber(text, from1904) : undefined

/** A cell whose text has changed holds it itself: what other cells share with it stays theirs. */
function changedCell(cell: RawCell, edits: readonly Edit[], context: SheetContext): string {
  const { prefix, strings } = context
  const attributes = cell.attributes.replace(/\s(?:t|cm|vm)=(?:"[^"]*"|'[^']*')/g, '')
  const serial =
    cell.type === 'n' && cell.inline === undefined && dateNumber(editedText(cell, edits, context), cell.style, context)
  if (typeof serial === 'number') return `<${prefix}c${attributes}><${prefix}v>${serial}</${prefix}v></${prefix}c>`
  let rich: RichText | undefined
  if (cell.inline !== undefined) rich = richText(cleanItem(cell.inline, prefix), prefix)
  else if (cell.type === 's' && cell.value) rich = strings?.rich(Number(cell.value))
  const open = `<${prefix}t xml:space="preserve">`
  let content: string
  // Strings may be shared under another prefix than that of the sheet.
  if (rich !== undefined && rich.runs.length > 0 && rich.prefix === prefix) {
    const node: TextNode = { segment: { text: rich.text, place: context.place, visible: true }, runs: rich.runs }
    content = splice(rich.source, patchesOf(node, edits)).replaceAll(`<${prefix}t>`, open)
  } else content = `${open}${encodeString(editedText(cell, edits, context))}</${prefix}t>`
  return `<${prefix}c${attributes} t="inlineStr"><${prefix}is>${content}</${prefix}is></${prefix}c>`
}
