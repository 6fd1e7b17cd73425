import { withoutMarks } from '../../detect/normalise.ts'
import { pushAll } from '../../lists.ts'
import { editByteCells, fromBytes } from '../cells/utf8-cells.ts'
import { embeddedSegments } from '../container/embedded-files.ts'
import type { Edit, Editor, FormatContext, Output, Reading, Segment, WriteReport } from '../format.ts'
import { applyEdits } from '../plain/write.ts'
import { finishReport, startReport } from '../report.ts'
import { batches, editTextNodes, type Patch, patchesOf, splice, type TextNode } from '../text/text-nodes.ts'
import { type ZipWriter, zipWriter } from '../zip/write.ts'
import { withoutOutdatedPoints } from './chart-points.ts'
import { type Dependents, results } from './dependents.ts'
import { type EarlyTexts, earlyTexts } from './early-texts.ts'
import { byteCells, rawNumber, readByteRows, writeByteRows } from './fast-rows.ts'
import { type KnownInHidden, knownInHidden } from './known-values.ts'
import type { Part } from './package.ts'
import type { PartContent } from './part-state.ts'
import type { CellNames } from './references.ts'
import { lastRow } from './references.ts'
import {
  heldTexts,
  outdatedCells,
  readPiece,
  type SheetContext,
  type SheetPiece,
  sheetWriter,
  shownLater,
} from './sheet.ts'
import { serialNumber } from './styles.ts'
import { type TableHeaders, tableHeaders } from './table-headers.ts'
import { otherParts, type Sheet, sheetTexts, type Workbook } from './workbook.ts'
import { addressNodes, writeInner, writeRelationships, writeTypes } from './write.ts'

/**
 * What a workbook is written from. `emptied` names the parts whose hidden texts and formulas must go altogether; `known` is
 * what earlier attempts to write it replaced in cells, `names` what its formulas call cells, and `depending` what depends on these.
 */
export type WorkbookParts = {
  book: Workbook
  contents: ReadonlyMap<Part, PartContent>
  known: KnownInHidden
  names: CellNames
  depending: Dependents
  emptied: ReadonlySet<string>
  context: FormatContext
}

/** Starts noting what is replaced in the cells of a workbook and stands in its hidden places too. */
export async function knownInWorkbook({ book, contents }: Pick<WorkbookParts, 'book' | 'contents'>) {
  const nodes = [...contents.values()].flatMap(({ nodes: own }) => own)
  const addresses = [...book.opened.parts.values()].flatMap(part => addressNodes(part, book.opened.sheetNames))
  const texts = [...nodes, ...addresses].map(({ segment }) => segment.text)
  return knownInHidden([...texts, ...(await nestedTexts(otherParts(book)))])
}

/** Writes a workbook: sheets first, so that what their cells held is known when the other parts are written. */
export async function writeWorkbook(parts: WorkbookParts, output: Output, edit: Editor): Promise<WriteReport> {
  const { book, contents, known, names, depending, emptied } = parts
  const { opened, sheets, strings } = book
  const report = startReport()
  const dropped = new Map(opened.dropped)
  const count = (what: string, number: number) => void dropped.set(what, (dropped.get(what) ?? 0) + number)
  for (const { dropped: own } of contents.values()) for (const [what, number] of own) count(what, number)
  const others = otherParts(book)
  const asked: Editor = async batch => {
    const edits = await edit(batch)
    return batch.map((segment, index) => completed(segment, edits[index] ?? [], known, emptied))
  }
  depending.begin()
  const tables = tableHeaders(book)
  const zip = zipWriter(output)
  await writeTypes(opened, zip)
  const early = earlyTexts(known)
  for (const sheet of sheets)
    await writeSheet(sheet, parts, { edit, tables, early, zip, report: what => count(what, 1) })
  if (early.areUnfinished() || depending.areUnfinished()) report.unfinished = true
  for (const { part } of sheets) await writeRelationships(part, opened, asked, zip)
  for (const part of others) {
    const content = contents.get(part)
    if (content !== undefined) {
      const patches = await editTextNodes(content.nodes, asked)
      if (part.kind === 'chart') pushAll(patches, withoutOutdatedPoints(part.source!.text, patches, names, depending))
      const written = splice(part.source!.text, [...content.cleaning, ...patches])
      const agreeing = tables.agreeing(part, written, what => count(what, 1))
      const computes = part.entry === opened.main && dropped.has(results)
      await zip.add(part.name, part.source!.encode(computes ? computedAnew(agreeing) : agreeing))
    } else if (part.content === 'streamed' && strings !== undefined) {
      await zip.add(part.name, strings.write())
      if (strings.unused() > 0) count('unused strings', strings.unused())
    }
    await writeRelationships(part, opened, asked, zip)
    await writeInner(part, opened, asked, zip, report, false)
  }
  await zip.end()
  if (emptied.size > 0) report.warnings.push('Hidden texts and formulas of some parts were taken out as a whole')
  return finishReport(report, dropped)
}

/** A list of sheets that asks programs to compute all formulas when they open the file. */
function computedAnew(source: string): string {
  const ends = [...source.matchAll(/<(\/?)((?:[\w.-]+:)?)(?:sheets|functionGroups|definedNames)(?:\s[^<>]*?)?(\/?)>/g)]
  const last = ends.findLast(([, closes, , isEmpty]) => closes !== '' || isEmpty !== '')!
  const at = last.index + last[0].length
  return `${source.slice(0, at)}<${last[2]}calcPr fullCalcOnLoad="1"/>${source.slice(at)}`
}

/** The texts of pictures and of documents in the workbook. */
async function nestedTexts(parts: readonly Part[]): Promise<string[]> {
  const texts: string[] = []
  for (const { nested, name } of parts)
    if (nested !== undefined)
      for await (const batch of embeddedSegments(nested, name, false)) for (const { text } of batch) texts.push(text)
  return texts
}

/** The edits of a hidden segment and those that values known from cells ask for; all of it in a part that is emptied. */
function completed(
  segment: Segment,
  edits: readonly Edit[],
  known: KnownInHidden,
  emptied: ReadonlySet<string>,
): Edit[] {
  if (!emptied.has(segment.place.part ?? '')) return known.complete(segment, edits)
  return [{ start: 0, end: segment.text.length, text: '' }]
}

/** What takes the place of a number that was replaced: another date where it is one. */
const asNumber = (edited: string, { from1904 }: SheetContext) => {
  const text = withoutMarks(edited)
  return String(serialNumber(text, from1904) ?? text)
}

/** What the sheets are written with. */
type SheetWriting = {
  edit: Editor
  tables: TableHeaders
  early: EarlyTexts
  zip: ZipWriter
  report(what: string): void
}

/** Digits of a day and a month: hidden places may hold one with fewer for something else. */
const fewestDigits = 4

/** Notes how people saw a date that is replaced; a year or a time alone may be meant otherwise in hidden places. */
function noteReadings(known: KnownInHidden, readings: readonly Reading[] = [], by: string): void {
  for (const { text, isDay } of readings)
    if (isDay && text.replace(/\D/g, '').length >= fewestDigits) known.note(text, by)
}

/** Notes what is replaced in cells of a piece. Gives the same for the formulas near to them, in which it is looked for as well. */
function noteReplaced(
  { asked }: SheetPiece,
  edits: readonly Edit[][],
  context: SheetContext,
  known: KnownInHidden,
): KnownInHidden {
  const near = knownInHidden(asked.flatMap(({ segment, node }) => (node === undefined ? [] : segment.text)))
  asked.forEach(({ cell, segment, node, masked }, index) => {
    const changes = edits[index] ?? []
    if (changes.length === 0) return
    // What charts show of it is the number.
    if (masked) known.note(cell.value!, changes[0]!.text)
    if (node === undefined && cell.type === 'n' && cell.value !== undefined) {
      const number = asNumber(applyEdits(segment.text, changes), context)
      known.noteNumber(cell.value, number)
      near.noteNumber(cell.value, number)
    }
    for (const { start, end, text } of changes) {
      const value = withoutMarks(segment.text.slice(start, end))
      known.note(value, text)
      if (node === undefined) near.note(value, text)
    }
    for (const noting of [known, near]) {
      noteReadings(noting, segment.readings, changes[0]!.text)
      if (node === undefined) noting.noteForms(withoutMarks(segment.text), changes[0]!.text)
    }
  })
  return near
}

async function writeSheet(
  sheet: Sheet,
  { book, contents, known, depending, emptied, context }: WorkbookParts,
  { edit, tables, early, zip, report }: SheetWriting,
): Promise<void> {
  const { part, frame } = sheet
  const { nodes, cleaning } = contents.get(part)!
  const ruled = new Map<TextNode, Edit[]>()
  for (const batch of batches(nodes)) {
    const edits = await edit(batch.map(({ segment }) => segment))
    batch.forEach((node, index) => void ruled.set(node, edits[index] ?? []))
  }
  const finished = () =>
    nodes.flatMap(node => patchesOf(node, completed(node.segment, ruled.get(node) ?? [], known, emptied)))
  const cut = frame.head.length
  const within = (patches: Patch[], from: number, to: number) =>
    patches
      .filter(({ start }) => start >= from && start < to)
      .map(({ start, end, text }) => ({ start: start - from, end: end - from, text }))

  async function* texts(): AsyncGenerator<Buffer> {
    yield Buffer.from(
      splice(
        frame.head,
        early.patches(() => within([...cleaning, ...finished()], 0, cut)),
      ),
    )
    const own = { ...sheet, context: { ...sheet.context, withoutFormulas: emptied.has(part.name) } }
    const { ordinal } = own.context
    const write = sheetWriter(own.context, report)
    let after = 0
    for await (const bytes of sheetTexts(own, book, context)) {
      const rows = readByteRows(bytes, after, own.context)
      if (rows !== undefined && !depending.fillsRows(ordinal, rows.least, rows.most)) {
        after = rows.last
        const changed = await editByteCells(edit, byteCells(rows, own.context), known.note)
        for (const [index, text] of changed) {
          const [row, column] = [rows.rows[index]!, rows.columns[index]!]
          depending.replaced(ordinal, row, column)
          const raw = rawNumber(bytes, rows, index)
          if (raw !== undefined) known.noteNumber(raw, asNumber(fromBytes(text), own.context))
          noteReadings(known, rows.readings.get(index), fromBytes(text))
          known.noteForms(fromBytes(rows.texts[index]!), fromBytes(text))
          tables.note(part, row, column, fromBytes(text))
        }
        depending.settle(ordinal, after)
        yield Buffer.from(writeByteRows(bytes, rows, changed, own.context), 'latin1')
        continue
      }
      const piece = readPiece(fromBytes(bytes), after, own.context)
      if (depending.fillsRows(ordinal, piece.least, piece.most)) shownLater(piece, own.context)
      after = piece.last
      const edits = await edit(piece.asked.map(({ segment }) => segment))
      const near = noteReplaced(piece, edits, own.context, known)
      piece.asked.forEach(({ cell, segment, node }, index) => {
        const changes = edits[index] ?? []
        if (changes.length > 0 && node === undefined)
          tables.note(part, segment.place.row!, cell.column, withoutMarks(applyEdits(segment.text, changes)))
      })
      const completed = piece.asked.map(({ segment, node }, index) => {
        const own = edits[index] ?? []
        return node === undefined ? own : near.complete(segment, early.formula(segment, own))
      })
      const outdated = outdatedCells(piece, completed, own.context, depending)
      edit.show?.(heldTexts(piece, edits, own.context, outdated))
      yield Buffer.from(write(piece, completed, outdated))
    }
    depending.settle(ordinal, lastRow)
    const last = early.patches(() => within([...cleaning, ...finished()], cut, Number.POSITIVE_INFINITY))
    yield Buffer.from(splice(frame.tail, last))
  }
  await zip.add(part.name, texts())
}
