import { withoutMarks } from '../../detect/normalise.ts'
import { EngineError } from '../../errors.ts'
import { embeddedSegments } from '../container/embedded-files.ts'
import { detectHeader } from '../csv/dialect.ts'
import type { FormatContext, Input, OpenFile, Segment } from '../format.ts'
import { batches } from '../text/text-nodes.ts'
import { scanXml } from '../xml/scan.ts'
import { decodeXml } from '../xml/text.ts'
import { type ContentFrame, readContentFrame } from './content.ts'
import { createTags } from './fast-rows.ts'
import { closeOdf, type OdfPackage, openOdf, referencesOf } from './package.ts'
import type { OdfContent } from './part-state.ts'
import { spreadCells } from './repeats.ts'
import { readSlowRows, type TableContext } from './slow-rows.ts'
import { contentName, runsOf, type Spreadsheet } from './spreadsheet.ts'
import { odfNamespaces } from './vocabulary.ts'
import { readOdfPart } from './xml-part.ts'

/** Opens an OpenDocument spreadsheet; see `Format.open`. */
export async function openOds(input: Input, context: FormatContext): Promise<OpenFile> {
  const opened = await openOdf(input, context, contentName)
  try {
    const book = await readSpreadsheet(opened, context)
    const columns = new Set(book.tables.flatMap(table => table?.header.filter(name => name !== undefined) ?? []))
    const { createWriter } = await import('./write-ods.ts')
    const write = createWriter(book)
    return {
      choices: { columns: [...columns] },
      segments: () => segmentsOf(book),
      write,
      close: () => closeOdf(opened),
    }
  } catch (error) {
    await closeOdf(opened)
    throw error
  }
}

async function readSpreadsheet(opened: OdfPackage, context: FormatContext): Promise<Spreadsheet> {
  const part = opened.parts.find(({ streamed }) => streamed)!
  const frame = await readContentFrame(opened.zip.stream(contentName))
  const references = referencesOf(part, opened)
  const { sheetNames: sheets, raised } = opened
  const shared = { part: contentName, depth: context.limits.depth, references, sheets, raised }
  const content = readOdfPart(frame.text, shared)
  if (content.tables > context.limits.pages) throw new EngineError('limit_exceeded', 'There are too many tables')
  for (const { nodes } of [content, ...opened.parts.flatMap(other => other.content ?? [])])
    for (const { segment } of nodes) {
      const { kind, part: name } = segment.place
      segment.visible = false
      if (kind === 'cell') segment.place = { kind: 'body', part: name }
    }
  const { declarations, usual } = namespacesOf(frame)
  const { prefix } = frame
  const common = { ...shared, raised: content.raised, prefix, usual, declarations, tags: createTags() }
  const pages = frame.holes.map(({ at }) => content.emptyRows.get(at))
  const headers = new Map<number, readonly (string | undefined)[]>()
  const tables = pages.map((page, index): TableContext | undefined => {
    if (page === undefined) return undefined
    if (!headers.has(page)) {
      const runs = frame.holes.filter((_, run) => run >= index && pages[run] === page)
      const first = { ...common, page, header: [] }
      headers.set(page, headerOf(runs.map(run => run.first).join(''), first, context.options.header))
    }
    return { ...common, page, header: headers.get(page)! }
  })
  return { opened, part, frame, content, tables, context }
}

/** The declarations of all namespaces of a part, and whether their prefixes are the usual ones. */
function namespacesOf({ text, prefix }: ContentFrame): { declarations: string; usual: boolean } {
  const declared = new Map<string, string>()
  scanXml(text, {
    open(_name, _start, _end, _empty, attributes) {
      for (const { name, value } of attributes) {
        if (!/^xmlns(?::|$)/.test(name)) continue
        if ((declared.get(name) ?? value) !== value)
          throw new EngineError('corrupt_file', 'The spreadsheet uses one prefix for two namespaces')
        declared.set(name, value)
      }
    },
    close() {},
    text() {},
  })
  const stands = (known: string) => odfNamespaces.get(decodeXml(declared.get(`xmlns:${known}`) ?? '')) === known
  return {
    declarations: [...declared].map(([name, value]) => ` ${name}="${value.replaceAll('"', '&quot;')}"`).join(''),
    usual:
      prefix === 'table:' &&
      ['table', 'office', 'text'].every(stands) &&
      (stands('calcext') || !declared.has('xmlns:calcext')),
  }
}

/** Rows that are looked at to tell whether the first names the columns. */
const sampleRows = 50

/** Names of the columns by number from 1, where the first row with texts holds names; otherwise none. */
function headerOf(bytes: string, table: TableContext, asked: unknown): readonly (string | undefined)[] {
  if (asked === false) return []
  const { content } = readSlowRows(spreadCells(bytes, bytes.length * 16 + 65_536), 0, table)
  const rows = new Map<number, Map<string, string>>()
  for (const { paragraphs } of content.cells) {
    const { text, place } = paragraphs[0]?.segment ?? { text: '', place: undefined }
    if (place === undefined) continue
    const row = rows.get(place.row!) ?? new Map<string, string>()
    rows.set(place.row!, row)
    if (!row.has(place.column!)) row.set(place.column!, withoutMarks(text))
    if (rows.size > sampleRows) break
  }
  const [first] = rows.values()
  const columns = [...(first?.keys() ?? [])]
  const records = [...rows.values()].slice(0, sampleRows).map(row => columns.map(column => row.get(column) ?? ''))
  if (asked !== true && !detectHeader(records)) return []
  const header: (string | undefined)[] = []
  for (const column of columns) header[Number(column)] = first!.get(column)!.trim() || undefined
  return header
}

async function* segmentsOf(book: Spreadsheet): AsyncGenerator<Segment[]> {
  const { opened, content, tables } = book
  const hidden = function* (own: OdfContent | undefined) {
    for (const batch of batches(own?.nodes ?? [])) yield batch.map(({ segment }) => segment)
  }
  yield* hidden(content)
  let page = 0
  let row = 0
  for await (const { run, text } of runsOf(book)) {
    const table = tables[run]!
    if (table.page !== page) row = 0
    page = table.page
    const read = readSlowRows(text, row, table).content
    row = read.row
    yield* hidden(read)
  }
  for (const { content: own, nested, name } of opened.parts) {
    yield* hidden(own)
    if (nested !== undefined) yield* embeddedSegments(nested, name, false)
  }
}
