import { withoutMarks } from '../../detect/normalise.ts'
import { pushAll } from '../../lists.ts'
import { type ByteCells, editByteCells, fromBytes } from '../cells/utf8-cells.ts'
import type { Edit, Editor, Place, Segment } from '../format.ts'
import { type Dependents, results } from '../ooxml/dependents.ts'
import type { EarlyTexts } from '../ooxml/early-texts.ts'
import { type KnownInHidden, knownInHidden } from '../ooxml/known-values.ts'
import { applyEdits } from '../plain/write.ts'
import { type Patch, patchesOf, splice, type TextNode } from '../text/text-nodes.ts'
import { masked, rowEnd } from './content.ts'
import { readOdsRows, shownTexts, type Tags, textsBeside, writeOdsRows } from './fast-rows.ts'
import type { OdsRows, Rows } from './found-rows.ts'
import type { OdfCell, OdfContent, OdfPartContext } from './part-state.ts'
import { linesOf } from './text.ts'
import { readOdfPart } from './xml-part.ts'

/** What the rows of a table are read with. */
export type TableContext = OdfPartContext & {
  page: number
  /** Prefix of the elements of tables with the colon, or nothing. */
  prefix: string
  /** Whether the prefixes are those that programs write, so that rows can be read as bytes. */
  usual: boolean
  /** Declarations of all namespaces of the part. */
  declarations: string
  /** Names of the columns, by number from 1. */
  header: readonly (string | undefined)[]
  tags: Tags
}

/** What rows are edited with. */
export type RowEditing = {
  edit: Editor
  known: KnownInHidden
  /** Which cells were replaced, and which depend on one of them. */
  depending: Dependents
  early: EarlyTexts
  /** Whether every formula and every text of the rows that no cell shows goes as a whole. */
  emptied: boolean
  drop(what: string, count: number): void
}

/** Rows that are read by the XML scanner at once, while others than those keep coming. */
const maxSlowRows = 256

const shows = (text: string) => /\S/.test(text)
const formula = /\s[\w.-]+:formula\s*=\s*(?:"[^"<]*"|'[^'<]*')/g
const cellTag = /<[\w.:-]*table-cell(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?>/g

/** Rows without their formulas, which are then shown by their values. */
const withoutFormulas = (rows: string) => rows.replace(cellTag, tag => tag.replace(formula, ''))

/** Reads rows by the XML scanner: offsets are those of `source`, whose root, a table around them, is no part of them. */
export function readSlowRows(
  bytes: string,
  after: number,
  context: TableContext,
): { source: string; lead: number; trail: number; content: OdfContent } {
  const { prefix, declarations, page, header } = context
  const before = `<${prefix}table${declarations}>`
  const end = `</${prefix}table>`
  const source = `${before}${fromBytes(bytes)}${end}`
  const content = readOdfPart(source, context, { page, row: after })
  const named = (place: Place): Place => ({ ...place, column: header[Number(place.column)] ?? place.column })
  for (const { segment } of content.nodes) segment.visible = false
  const texts = new Set(content.nodes)
  // A number that is the text of its cell is asked about once, as that text.
  const spare = new Set<TextNode>()
  for (const cell of content.cells) {
    cell.paragraphs = cell.paragraphs.filter(node => texts.has(node))
    const shown = cell.paragraphs
      .flatMap(({ segment }) => linesOf(withoutMarks(segment.text)))
      .filter(shows)
      .join('\n')
    for (const node of cell.values) if (node.segment.text === shown) spare.add(node)
    cell.values = cell.values.filter(node => !spare.has(node))
    for (const { segment } of [...cell.values, ...cell.paragraphs])
      Object.assign(segment, { visible: true, later: true, place: named(segment.place) })
  }
  content.nodes = content.nodes.filter(node => !spare.has(node))
  return { source, lead: before.length, trail: end.length, content }
}

function byteCells({ texts, cells, starts, rows, repeats, columns }: OdsRows, context: TableContext): ByteCells {
  const { part, page, header } = context
  const column = (index: number) => {
    const number = columns[cells[index]!]!
    return header[number] ?? String(number)
  }
  const place = (index: number): Place => {
    const cell = cells[index]!
    const kind = starts[index]! < 0 ? 'attribute' : 'cell'
    const times = repeats[cell]! > 1 ? { rows: repeats[cell]! } : {}
    return { kind, part, page, row: rows[cell]!, ...times, column: column(index) }
  }
  return { texts, column, place, visible: true, later: true }
}

/** Edits some whole rows that come after a row; gives what becomes of them and the number of the last. */
export async function editRows(
  { text: bytes, bytes: view }: Rows,
  after: number,
  context: TableContext,
  editing: RowEditing,
): Promise<{ pieces: Buffer[]; last: number }> {
  const pieces: Buffer[] = []
  let plain: ReturnType<typeof masked> | undefined
  let last = after
  let slow = 1
  for (let at = 0; at < bytes.length; ) {
    const rows = context.usual ? readOdsRows(bytes, view, at, last, context.tags) : undefined
    if (rows !== undefined && rows.end > at && !editing.depending.fillsRows(context.page, last + 1, rows.last)) {
      pieces.push(Buffer.from(await editFastRows(bytes, at, rows, context, editing), 'latin1'))
      if (rows.last - last > maxSlowRows / 8) slow = 1
      at = rows.end
      last = rows.last
      continue
    }
    plain ??= masked(bytes)
    let end = at
    for (let count = 0; count < slow; count++) {
      const next = end < plain.whole ? rowEnd(plain.text, plain.whole, end, context.prefix) : -1
      end = next < 0 ? bytes.length : next
    }
    slow = Math.min(maxSlowRows, slow * 2)
    const written = await editSlowRows(bytes.slice(at, end), last, context, editing)
    pieces.push(Buffer.from(written.text))
    at = end
    last = written.last
  }
  return { pieces, last }
}

/** Whether a value is one of its own cell: one without a digit is a word of all such cells, as that of a currency. */
const isOwnValue = (value: string) => /\d/.test(value)

/** What cells become, with that of a value where only this was found: its cell shows it in another form. */
function withShown(rows: OdsRows, changed: Map<number, string>, known: KnownInHidden): Map<number, string> {
  const more = new Map<number, string>()
  for (const [index, text] of changed) {
    if (rows.starts[index]! >= 0 || !isOwnValue(rows.texts[index]!)) continue
    const shown = [...textsBeside(rows, index)].filter(other => rows.starts[other]! >= 0)
    if (shown.some(other => changed.has(other))) continue
    for (const other of shown) {
      known.note(fromBytes(rows.texts[other]!), fromBytes(text))
      more.set(other, text)
    }
  }
  return more.size === 0 ? changed : new Map([...changed, ...more].sort(([a], [b]) => a - b))
}

/** The same of a cell that is read by the XML scanner. */
function editShown(
  { values, paragraphs }: OdfCell,
  edits: Map<TextNode, Edit[]>,
  known: readonly KnownInHidden[],
): void {
  const isEdited = (node: TextNode) => edits.get(node)!.length > 0
  const value = values.find(node => isOwnValue(node.segment.text) && isEdited(node))
  if (value === undefined || paragraphs.some(isEdited)) return
  paragraphs.forEach((node, at) => {
    const { text } = node.segment
    const by = at === 0 ? applyEdits(value.segment.text, edits.get(value)!) : ''
    for (const noting of known) noting.note(withoutMarks(text), by)
    edits.set(node, [{ start: 0, end: text.length, text: by }])
  })
}

/** Notes what charts, conditions and formulas hold of a text or, with `isValue`, of a value of a cell that is replaced. */
function noteForms(known: KnownInHidden, text: string, isValue: boolean, by: string) {
  if (isValue && isOwnValue(text)) known.note(text, by)
  known.noteForms(text, by)
}

async function editFastRows(
  bytes: string,
  from: number,
  rows: OdsRows,
  context: TableContext,
  { edit, known, depending }: RowEditing,
): Promise<string> {
  const cells = byteCells(rows, context)
  const changed = withShown(rows, await editByteCells(edit, cells, known.note), known)
  for (const [index, text] of changed)
    for (const other of textsBeside(rows, index))
      noteForms(known, fromBytes(rows.texts[other]!), rows.starts[other]! < 0, fromBytes(text))
  for (const index of changed.keys()) {
    const cell = rows.cells[index]!
    const last = rows.rows[cell]!
    depending.replaced(context.page, last - rows.repeats[cell]! + 1, rows.columns[cell]!, last)
  }
  depending.settle(context.page, rows.last)
  const shown = shownTexts(rows, changed)
  if (edit.cells !== undefined) {
    let texts = ''
    for (const [, text] of shown) texts += `${text}\u00ff`
    edit.cells.show(Buffer.from(texts, 'latin1'))
  } else edit.show?.([...shown].map(([index, text]) => ({ place: cells.place(index), text: fromBytes(text) })))
  return writeOdsRows(bytes, from, rows, changed)
}

async function editSlowRows(
  bytes: string,
  after: number,
  context: TableContext,
  { edit, known, depending, early, emptied, drop }: RowEditing,
): Promise<{ text: string; last: number }> {
  const { source, lead, trail, content } = readSlowRows(bytes, after, context)
  for (const [what, count] of content.dropped) drop(what, count)
  const [own, others] = [true, false].map(cells =>
    content.nodes.filter(({ segment }) => (segment.later === true) === cells),
  )
  const edits = new Map<TextNode, Edit[]>()
  const near = knownInHidden(others!.map(({ segment }) => segment.text))
  const ask = async (nodes: readonly TextNode[], take: (segment: Segment, found: Edit[]) => Edit[]) => {
    if (nodes.length === 0) return
    const found = await edit(nodes.map(({ segment }) => segment))
    nodes.forEach((node, index) => void edits.set(node, take(node.segment, found[index] ?? [])))
  }
  await ask(own!, ({ text }, found) => {
    for (const { start, end, text: by } of found)
      for (const { note } of [known, near]) note(withoutMarks(text.slice(start, end)), by)
    return found
  })
  for (const cell of content.cells) {
    editShown(cell, edits, [known, near])
    const { values, paragraphs } = cell
    const by = [...paragraphs, ...values].flatMap(node => edits.get(node)!)[0]?.text
    if (by === undefined) continue
    for (const noting of [known, near]) {
      for (const { segment } of values) noteForms(noting, segment.text, true, by)
      for (const { segment } of paragraphs) noteForms(noting, withoutMarks(segment.text), false, by)
    }
  }
  await ask(others!, (segment, found) =>
    emptied
      ? [{ start: 0, end: segment.text.length, text: '' }]
      : near.complete(segment, early.formula(segment, found)),
  )
  const isTouched = ({ values, paragraphs }: OdfCell) =>
    [...values, ...paragraphs].some(node => edits.get(node)!.length > 0)
  const outdated = outdatedCells(content, isTouched, context.page, depending)
  const patches: Patch[] = []
  for (const cell of outdated) {
    drop(results, 1)
    patches.push(...withoutResult(cell))
  }
  const shown: { place: Place; text: string }[] = []
  for (const cell of content.cells) {
    if (outdated.has(cell)) continue
    const { values, paragraphs } = cell
    const nodes = [...values, ...paragraphs]
    const touched = isTouched(cell)
    for (const node of touched ? paragraphs : nodes) {
      const text = applyEdits(node.segment.text, edits.get(node)!)
      for (const line of linesOf(text)) if (shows(line)) shown.push({ place: node.segment.place, text: line })
    }
  }
  edit.show?.(shown)
  for (const [node, found] of edits) pushAll(patches, patchesOf(node, found))
  const text = splice(source, [...content.cleaning, ...patches])
  const written = text.slice(lead, text.length - trail)
  return { text: emptied ? withoutFormulas(written) : written, last: content.row }
}

/** Notes which cells are replaced and what formulas refer to; gives the cells whose results depend on one that is replaced. */
function outdatedCells(
  { cells, row: last }: OdfContent,
  isTouched: (cell: OdfCell) => boolean,
  page: number,
  depending: Dependents,
): Set<OdfCell> {
  for (const cell of cells) {
    if (isTouched(cell)) depending.replaced(page, cell.row, cell.column, cell.last)
    if (cell.formula !== undefined) depending.formula(page, cell.row, cell.column, cell.formula)
  }
  depending.settle(page, last)
  const isOutdated = (cell: OdfCell) => {
    if (isTouched(cell) || (cell.withoutValues.length === 0 && cell.paragraphs.length === 0)) return false
    const { row, last: end, column, formula } = cell
    return formula === undefined ? depending.fills(page, row, column, end) : depending.has(page, row, column)
  }
  return new Set(cells.filter(isOutdated))
}

/** What takes the result out of a cell: programs compute it anew. */
function withoutResult({ paragraphs, starts, ends, withoutValues }: OdfCell): Patch[] {
  const texts = paragraphs.flatMap(node => {
    const [start, end] = [starts.get(node), ends.get(node)]
    return start === undefined || end === undefined ? [] : [{ start, end, text: '' }]
  })
  return [...withoutValues, ...texts]
}
