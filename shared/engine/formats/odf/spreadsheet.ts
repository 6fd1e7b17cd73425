import type { FormatContext } from '../format.ts'
import { type ContentFrame, markOf, sameStretches } from './content.ts'
import { type Rows, rowsOf } from './found-rows.ts'
import type { OdfPackage, OdfPart } from './package.ts'
import type { OdfContent } from './part-state.ts'
import { spreadCells } from './repeats.ts'
import type { TableContext } from './slow-rows.ts'

/** The part with the tables. */
export const contentName = 'content.xml'

/** An opened spreadsheet, all but its rows in memory. */
export type Spreadsheet = {
  opened: OdfPackage
  part: OdfPart
  frame: ContentFrame
  /** What the frame holds. */
  content: OdfContent
  /** By run of rows: how it is read; nothing for one that stands in what is left out. */
  tables: (TableContext | undefined)[]
  context: FormatContext
}

/** The rows of each run in pieces, neighbours that are equal each on their own; what is left out is passed over. */
export async function* runsOf({ opened, frame, tables, context }: Spreadsheet): AsyncGenerator<Rows & { run: number }> {
  let run = -1
  let inRun = false
  let room = context.limits.inflatedBytes
  for await (const { rows, bytes } of sameStretches(opened.zip.stream(contentName), frame.lengths)) {
    context.signal.throwIfAborted()
    if (rows && !inRun) run++
    inRun = rows
    if (!rows || tables[run] === undefined) continue
    const text = bytes.toString('latin1')
    const spread = spreadCells(text, room)
    room -= spread.length - bytes.length
    yield { run, ...(spread === text ? { text, bytes } : rowsOf(spread)) }
  }
}

/** A frame's text between two marks. */
export const markLength = ({ prefix }: ContentFrame) => markOf(prefix).length
