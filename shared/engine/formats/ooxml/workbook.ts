import { EngineError } from '../../errors.ts'
import { detectHeader } from '../csv/dialect.ts'
import type { FormatContext, Input, Place } from '../format.ts'
import { scanNamed } from '../xml/names.ts'
import { decodeXml } from '../xml/text.ts'
import { decodeString } from './escapes.ts'
import { officeNamespaces } from './namespaces.ts'
import { closePackage, type OfficePackage, openPackage, type Part } from './package.ts'
import { readSharedStrings, roomFor, type SharedStrings } from './shared-strings.ts'
import { cellText, type SheetContext } from './sheet.ts'
import { decodedText, readFrame, rowTexts, type SheetFrame } from './sheet-rows.ts'
import { readRows } from './slow-rows.ts'
import { type NumberStyles, noStyles, numberStyles } from './styles.ts'

/** A worksheet, all but its rows in memory. */
export type Sheet = { part: Part; title: string; frame: SheetFrame; context: SheetContext }

/** An opened workbook. Sheets are in the order in which they are shown. */
export type Workbook = { opened: OfficePackage; sheets: Sheet[]; strings: SharedStrings | undefined }

/** A package whose sheets are known, nothing of them read. */
export type ListedWorkbook = {
  opened: OfficePackage
  sheets: { part: Part; title: string; place: Place; visible: boolean }[]
  strings: Part | undefined
  numbers: NumberStyles
  from1904: boolean
}

const ways = { streamed: ['worksheet', 'sharedStrings'], embedded: true, maker: true }

/** Opens a workbook: every part but the rows and the shared strings' text is read as a whole. */
export async function openWorkbook(input: Input, context: FormatContext): Promise<Workbook> {
  const listed = await listWorkbook(input, context)
  try {
    return await readWorkbook(listed, context)
  } catch (error) {
    await closePackage(listed.opened)
    throw error
  }
}

/** Opens a workbook and reads neither its sheets nor its shared strings. */
export async function listWorkbook(input: Input, context: FormatContext): Promise<ListedWorkbook> {
  const opened = await openPackage(input, context, ways)
  try {
    return listSheets(opened, context)
  } catch (error) {
    await closePackage(opened)
    throw error
  }
}

function listSheets(opened: OfficePackage, context: FormatContext): ListedWorkbook {
  const parts = [...opened.parts.values()]
  const main = opened.parts.get(opened.main)!
  const listed = listedSheets(main)
  if (listed.length > context.limits.pages) throw new EngineError('limit_exceeded', 'The workbook has too many sheets')
  const styles = parts.find(({ kind }) => kind === 'styles')?.source
  const order = new Map(listed.map(({ name, title, hidden }, index) => [name, { page: index + 1, title, hidden }]))
  const sheets = parts
    .filter(({ kind }) => kind === 'worksheet')
    .map(part => {
      const known = order.get(part.entry)
      const page = known === undefined ? {} : { page: known.page }
      const place = { kind: 'cell' as const, part: part.name, ...page }
      return { part, title: known?.title ?? '', place, visible: known?.hidden === false }
    })
  const pageOf = ({ place }: { place: Place }) => place.page ?? Number.POSITIVE_INFINITY
  return {
    opened,
    sheets: sheets.sort((a, b) => pageOf(a) - pageOf(b)),
    strings: parts.find(({ kind }) => kind === 'sharedStrings'),
    numbers: styles === undefined ? noStyles() : numberStyles(styles.text),
    from1904: /<(?:\w+:)?workbookPr\s[^>]*\bdate1904="(?:1|true)"/.test(main.source!.text),
  }
}

/** Strings that are read for the names of columns: programs number them in the order of the cells. */
const firstStrings = 100_000

/** The names of the columns of all sheets, of which only the first rows are read. Throws as `openWorkbook` does. */
export async function workbookColumns(input: Input, context: FormatContext): Promise<string[]> {
  const listed = await listWorkbook(input, context)
  try {
    return columnsOf(await readWorkbook(listed, context, true))
  } finally {
    await closePackage(listed.opened)
  }
}

/** The names of the columns of all sheets. */
export function columnsOf({ sheets }: Workbook): string[] {
  return [...new Set(sheets.flatMap(({ context: { header } }) => header.filter(name => name !== undefined)))]
}

async function readWorkbook(book: ListedWorkbook, context: FormatContext, start = false): Promise<Workbook> {
  const { opened, numbers, from1904 } = book
  const strings =
    book.strings &&
    (await readSharedStrings(decodedText(opened.zip.stream(book.strings.entry)), start ? firstStrings : undefined))
  const sizes = new Map(opened.zip.entries.map(({ name, size }) => [name, size]))
  const sheets: Sheet[] = []
  for (const { part, title, place, visible } of book.sheets) {
    context.signal.throwIfAborted()
    const frame = await readFrame(opened.zip.stream(part.entry), start)
    const { prefix } = frame
    const room = roomFor(sizes.get(part.entry)!, book.sheets.length)
    const reading = { prefix, strings, numbers, from1904, sheets: opened.sheetNames }
    const sheet = { ...reading, room, place, visible, ordinal: sheets.length + 1, header: [], withoutFormulas: false }
    sheets.push({ part, title, frame, context: { ...sheet, header: headerOf(frame, sheet, context.options.header) } })
  }
  return { opened, sheets, strings }
}

/** Rows that are looked at to tell whether the first names the columns. */
const sampleRows = 50

/** Names of the columns by number from 1, where the first row holds names; otherwise none. */
function headerOf(frame: SheetFrame, context: SheetContext, asked: unknown): string[] {
  const rowEnd = `</${frame.prefix}row>`
  const end = frame.first.lastIndexOf(rowEnd)
  if (end < 0 || asked === false) return []
  const rows = readRows(frame.first.slice(0, end + rowEnd.length), frame.prefix, 0).slice(0, sampleRows)
  const columns = (rows[0]?.cells ?? []).map(({ column }) => column)
  const records = rows.map(({ cells }) => {
    const texts = new Map(cells.map(cell => [cell.column, cellText(cell, context) ?? '']))
    return columns.map(column => texts.get(column) ?? '')
  })
  if (asked !== true && !detectHeader(records)) return []
  const header: string[] = []
  columns.forEach((column, index) => {
    const name = records[0]![index]!.trim()
    if (name !== '') header[column] = name
  })
  return header
}

/** The sheets that a workbook lists, by the names of their parts. */
function listedSheets(main: Part): { name: string; title: string; hidden: boolean }[] {
  const targets = new Map(main.relationships.map(({ id, target }) => [id, target]))
  const sheets: { name: string; title: string; hidden: boolean }[] = []
  scanNamed(
    main.source!.text,
    officeNamespaces,
    {
      open(name, _start, _end, _empty, attributes) {
        if (name !== 's:sheet') return
        const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)?.value
        const target = targets.get(decodeXml(value('r:id') ?? ''))
        const state = value('state')
        const hidden = state === 'hidden' || state === 'veryHidden'
        if (target !== undefined) sheets.push({ name: target, title: decodeString(value('name') ?? ''), hidden })
      },
      close() {},
      text() {},
    },
    1024,
  )
  return sheets
}

/** The parts that are no sheets, in the order in which they are read and written: after the sheets. */
export function otherParts({ opened, sheets }: { opened: OfficePackage; sheets: readonly { part: Part }[] }): Part[] {
  const own = new Set(sheets.map(({ part }) => part))
  return [opened.root, ...opened.parts.values()].filter(part => !own.has(part))
}

/** The rows of a sheet in texts of UTF-8 bytes, read as characters, that each hold whole rows. */
export async function* sheetTexts(
  { part, frame, context: { room } }: Sheet,
  { opened }: Workbook,
  { signal }: FormatContext,
): AsyncGenerator<string> {
  room.left = room.whole
  for await (const text of rowTexts(opened.zip.stream(part.entry), frame)) {
    signal.throwIfAborted()
    yield text
  }
}
