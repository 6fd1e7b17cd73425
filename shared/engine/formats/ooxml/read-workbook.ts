import { cellSegments, fromBytes } from '../cells/utf8-cells.ts'
import { embeddedSegments } from '../container/embedded-files.ts'
import type { FormatContext, Input, OpenFile, Segment } from '../format.ts'
import { batches, type TextNode } from '../text/text-nodes.ts'
import { cellNames } from './cell-names.ts'
import { Dependents } from './dependents.ts'
import { byteCells, readByteRows } from './fast-rows.ts'
import { closePackage, type Part } from './package.ts'
import type { PartContent } from './part-state.ts'
import { readPiece } from './sheet.ts'
import { columnsOf, openWorkbook, otherParts, sheetTexts, type Workbook } from './workbook.ts'
import { addressNodes } from './write.ts'
import { knownInWorkbook, writeWorkbook } from './write-workbook.ts'
import { readPart } from './xml-part.ts'

/** Opens a workbook; see `Format.open`. */
export async function openXlsx(input: Input, context: FormatContext): Promise<OpenFile> {
  const book = await openWorkbook(input, context)
  const contents = readContents(book, context)
  const names = cellNames(book)
  const depending = new Dependents(names)
  let known: ReturnType<typeof knownInWorkbook> | undefined
  return {
    choices: { columns: columnsOf(book) },
    async *segments() {
      for (const sheet of book.sheets) {
        yield* hiddenSegments(contents.get(sheet.part)!.nodes)
        let after = 0
        for await (const bytes of sheetTexts(sheet, book, context)) {
          const rows = readByteRows(bytes, after, sheet.context)
          if (rows) {
            yield cellSegments(byteCells(rows, sheet.context))
            after = rows.last
            continue
          }
          const { asked, last } = readPiece(fromBytes(bytes), after, sheet.context)
          after = last
          yield asked.map(({ segment }) => segment)
        }
      }
      for (const { part } of book.sheets) yield* hiddenSegments(addressNodes(part, book.opened.sheetNames))
      for (const part of otherParts(book)) {
        yield* hiddenSegments([...(contents.get(part)?.nodes ?? []), ...addressNodes(part, book.opened.sheetNames)])
        if (part.nested !== undefined) yield* embeddedSegments(part.nested, part.name, false)
      }
    },
    write: async (output, edit, escalations) => {
      const emptied = new Set(escalations.map(step => (step.kind === 'drop' ? step.part : '')))
      known ??= knownInWorkbook({ book, contents })
      return writeWorkbook({ book, contents, known: await known, names, depending, emptied, context }, output, edit)
    },
    close: () => closePackage(book.opened),
  }
}

function* hiddenSegments(nodes: readonly TextNode[]): Generator<Segment[]> {
  for (const batch of batches(nodes)) yield batch.map(({ segment }) => segment)
}

/** Reads every part but the rows of sheets. No text of theirs counts as visible: the cells are what is compared. */
function readContents(book: Workbook, context: FormatContext): Map<Part, PartContent> {
  const contents = new Map<Part, PartContent>()
  const read = (part: Part, source: string, page?: number) => {
    const place = { kind: 'body' as const, part: part.name, ...(page === undefined ? {} : { page }) }
    const sheets = book.opened.sheetNames
    const content = readPart(source, { place, depth: context.limits.depth, gone: part.gone, sheets })
    for (const { segment } of content.nodes) segment.visible = false
    contents.set(part, content)
  }
  for (const { part, frame, context: sheet } of book.sheets) read(part, frame.head + frame.tail, sheet.place.page)
  for (const part of otherParts(book)) if (part.content === 'xml') read(part, part.source!.text)
  return contents
}
