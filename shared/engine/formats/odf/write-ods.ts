import { EngineError } from '../../errors.ts'
import { pushAll } from '../../lists.ts'
import type { Edit, Editor, OpenFile, Output, WriteReport } from '../format.ts'
import { Dependents } from '../ooxml/dependents.ts'
import { earlyTexts } from '../ooxml/early-texts.ts'
import { knownInHidden } from '../ooxml/known-values.ts'
import { finishReport, startReport } from '../report.ts'
import { batches, editTextNodes, type Patch, patchesOf, splice, type TextNode } from '../text/text-nodes.ts'
import { cellNames } from './cell-names.ts'
import { editRows, type RowEditing } from './slow-rows.ts'
import { contentName, markLength, runsOf, type Spreadsheet } from './spreadsheet.ts'
import { beginPackage, endPackage, writeFile } from './write.ts'

/**
 * Makes the writer of a spreadsheet. Values replaced in cells are known to every further attempt to write it, so that
 * what stands before the cells is completed by what they hold.
 */
export function createWriter(book: Spreadsheet): OpenFile['write'] {
  const { opened, frame, content } = book
  const others = opened.parts.flatMap(part => part.content?.nodes ?? [])
  const known = knownInHidden([...content.nodes, ...others].map(({ segment }) => segment.text))
  const depending = new Dependents(cellNames(frame, content))
  return (output, edit, escalations) => {
    const emptied = escalations.some(step => step.kind === 'drop' && step.part === contentName)
    return writeSpreadsheet(book, output, edit, { known, depending, emptied })
  }
}

async function writeSpreadsheet(
  book: Spreadsheet,
  output: Output,
  edit: Editor,
  { known, depending, emptied }: Pick<RowEditing, 'known' | 'depending' | 'emptied'>,
): Promise<WriteReport> {
  const { opened } = book
  const report = startReport()
  const dropped = new Map(opened.dropped)
  const drop = (what: string, count: number) => void dropped.set(what, (dropped.get(what) ?? 0) + count)
  for (const [what, count] of book.content.dropped) drop(what, count)
  const asked: Editor = async batch => {
    const edits = await edit(batch)
    return batch.map((segment, index) => known.complete(segment, edits[index] ?? []))
  }
  const early = earlyTexts(known)
  depending.begin()
  const zip = await beginPackage(opened, output)
  // The tables first, so that what their cells held is known when the other parts are written.
  const ordered = [book.part, ...opened.parts.filter(part => part !== book.part)]
  for (const part of ordered) {
    const { name, source, content } = part
    if (part === book.part) await zip.add(name, contentPieces(book, { edit, known, depending, early, emptied, drop }))
    else if (source !== undefined && content !== undefined) {
      const patches = await editTextNodes(content.nodes, asked)
      await zip.add(name, source.encode(splice(source.text, [...content.cleaning, ...patches])))
    } else await writeFile(zip, opened, part, edit, report, false)
  }
  if (early.areUnfinished() || depending.areUnfinished()) report.unfinished = true
  await endPackage(zip, opened)
  if (emptied) report.warnings.push('Hidden texts and formulas of cells were taken out as a whole')
  return finishReport(report, dropped)
}

/** The new content: the frame with its patches, and in place of each mark the rows that stood there. */
async function* contentPieces(book: Spreadsheet, editing: RowEditing): AsyncGenerator<Buffer> {
  const { frame, content, tables } = book
  const ruled = new Map<TextNode, Edit[]>()
  for (const batch of batches(content.nodes)) {
    const edits = await editing.edit(batch.map(({ segment }) => segment))
    batch.forEach((node, index) => {
      ruled.set(node, edits[index] ?? [])
      // Programs call styles of pages after sheets.
      const { text, place } = node.segment
      if (place.kind !== 'name') return
      for (const { start, end, text: by } of edits[index] ?? []) editing.known.note(text.slice(start, end), by)
    })
  }
  let patches: Patch[] = []
  let noted = -1
  let at = 0
  /** The changes of a stretch of the frame, completed by what is known by now. */
  const within = (start: number, end: number): Patch[] => {
    if (noted !== editing.known.size()) {
      noted = editing.known.size()
      patches = content.nodes.flatMap(node =>
        patchesOf(node, editing.known.complete(node.segment, ruled.get(node) ?? [])),
      )
      pushAll(patches, content.cleaning)
    }
    const own = patches.filter(patch => patch.start >= start && patch.start < end)
    return own.map(patch => ({ ...patch, start: patch.start - start, end: patch.end - start }))
  }
  /** The frame from where it was left up to an offset. */
  const frameTo = (end: number): Buffer => {
    const start = at
    at = end
    const moved = editing.early.patches(() => within(start, end))
    if (moved.some(patch => patch.end > end - start))
      throw new EngineError('internal', 'A change reaches into the rows')
    return Buffer.from(splice(frame.text.slice(start, end), moved))
  }
  let current = -1
  let page = 0
  let row = 0
  for await (const { run, ...rows } of runsOf(book)) {
    const table = tables[run]!
    if (run !== current) {
      yield frameTo(frame.holes[run]!.at)
      at += markLength(frame)
      current = run
      if (table.page !== page) row = 0
      page = table.page
    }
    const { pieces, last } = await editRows(rows, row, table, editing)
    row = last
    yield* pieces
  }
  yield frameTo(frame.text.length)
}
