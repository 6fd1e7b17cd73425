import { fromBytes } from '../byte-cells.ts'
import type { Format, FormatContext, Input, OpenFile, Segment } from '../format.ts'
import { nestedSegments } from '../nested.ts'
import { batches, type Draft } from '../patch.ts'
import { looksLikePackage } from '../zip/head.ts'
import { closePackage, type Part } from './package.ts'
import { type PartContent, readPart } from './part.ts'
import { readPiece } from './sheet.ts'
import { columnsOf, openWorkbook, otherParts, sheetTexts, type Workbook, workbookColumns } from './workbook.ts'
import { addressDrafts } from './write.ts'
import { writeWorkbook } from './write-workbook.ts'

/** Excel workbooks, rows streamed. Everything in them but the cells of visible sheets is a hidden place. */
export const xlsx: Format = {
  id: 'xlsx',
  type: 'TABLE',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  // What cells hold is carried over to the hidden places here: there may be millions of values.
  propagates: false,
  keepsText: false,
  matches: (head, name) => looksLikePackage(head, name, 'xl/', xlsx.extensions),
  names: async (input, context) => ({ columns: await workbookColumns(input, context), whole: true }),
  open,
  verify: async (output, expected, context) =>
    (await import('./verify-workbook.ts')).verifyWorkbook(output, expected, context),
}

async function open(input: Input, context: FormatContext): Promise<OpenFile> {
  const book = await openWorkbook(input, context)
  const contents = readContents(book, context)
  return {
    choices: { columns: columnsOf(book) },
    async *segments() {
      for (const sheet of book.sheets) {
        yield* hiddenSegments(contents.get(sheet.part)!.drafts)
        let after = 0
        for await (const bytes of sheetTexts(sheet, book, context)) {
          const { asked, last } = readPiece(fromBytes(bytes), after, sheet.context)
          after = last
          yield asked.map(({ segment }) => segment)
        }
      }
      for (const part of otherParts(book)) {
        yield* hiddenSegments([...(contents.get(part)?.drafts ?? []), ...addressDrafts(part)])
        if (part.nested !== undefined) yield* nestedSegments(part.nested, part.name, false)
      }
    },
    write: (output, edit, escalations) => {
      const emptied = new Set(escalations.map(step => (step.kind === 'drop' ? step.part : '')))
      return writeWorkbook({ book, contents, emptied, context }, output, edit)
    },
    close: () => closePackage(book.opened),
  }
}

function* hiddenSegments(drafts: readonly Draft[]): Generator<Segment[]> {
  for (const batch of batches(drafts)) yield batch.map(({ segment }) => segment)
}

/** Reads every part but the rows of sheets. No text of theirs counts as visible: the cells are what is compared. */
function readContents(book: Workbook, context: FormatContext): Map<Part, PartContent> {
  const names = new Set<string>()
  const contents = new Map<Part, PartContent>()
  const read = (part: Part, source: string, page?: number) => {
    const place = { kind: 'body' as const, part: part.name, ...(page === undefined ? {} : { page }) }
    const content = readPart(source, { place, depth: context.limits.depth, gone: part.gone, names })
    for (const { segment } of content.drafts) segment.visible = false
    contents.set(part, content)
  }
  for (const { part, frame, context: sheet } of book.sheets) read(part, frame.head + frame.tail, sheet.place.page)
  for (const part of otherParts(book)) if (part.content === 'xml') read(part, part.source!.text)
  return contents
}
