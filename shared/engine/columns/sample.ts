import type { Column } from '../detect/entity-model.ts'
import { EngineError } from '../errors.ts'
import type { Format, FormatContext, Input } from '../formats/format.ts'

/** Bytes that a sample is taken from where a table may come in chunks: each of them has so much of its beginning. */
const beginning = 512 * 1024
/** Cells that are looked at, and values that are kept of each column. */
const maxCells = 20_000
const maxValues = 256

/** The beginning of a file up to the end of a line, as a file. */
async function beginningOf(input: Input): Promise<Input> {
  if (input.size <= beginning) return input
  const bytes = await input.read(0, beginning)
  const size = bytes.lastIndexOf(0x0a) + 1 || beginning
  return {
    ...input,
    size,
    read: (start, end) => input.read(start, Math.min(end, size)),
    stream: (start = 0, end = size) => input.stream(start, Math.min(end, size)),
  }
}

type Columns = Map<string, { name: string; values: string[]; beside: string[] }>

/**
 * The first values of each column of a table, without its name where that stands among them. They are the same for the table and for every chunk of it, so that all of
 * its cells are judged alike.
 */
export async function sampleColumns(
  format: Format,
  whole: Input,
  context: FormatContext,
): Promise<ReadonlyMap<string, Column>> {
  const columns: Columns = new Map()
  const input = format.split || format.borders ? await beginningOf(whole) : whole
  try {
    await readColumns(columns, format, input, context)
  } catch (error) {
    // What can't be read is told where all of it is read; a quote may end behind the beginning.
    if (!(error instanceof EngineError)) throw error
  }
  return columns
}

/** Adds the first values of each column of a table. Throws an {@link EngineError} where the file can't be read so far. */
export async function readColumns(columns: Columns, format: Format, input: Input, context: FormatContext) {
  const names = [...columns.keys()]
  let cells = 0
  const file = await format.open(input, { ...context, range: undefined })
  try {
    for await (const batch of file.segments()) {
      for (const { text, place, heading } of batch) {
        if (place.kind !== 'cell' || place.column === undefined) continue
        cells++
        const column = columns.get(place.column) ?? { name: place.column, values: [], beside: names }
        if (!columns.has(place.column)) names.push(place.column)
        columns.set(place.column, column)
        if (heading !== undefined) column.name = heading
        const isValue = text.trim() !== '' && text.trim() !== place.column
        if (column.values.length < maxValues && isValue) column.values.push(text)
      }
      if (cells >= maxCells) break
      context.signal.throwIfAborted()
    }
  } finally {
    await file.close()
  }
}
