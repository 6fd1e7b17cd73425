import { isUtf8 } from 'node:buffer'
import { EngineError } from '../../errors.ts'
import { holdsFile } from '../container/file-address.ts'
import type { Editor, FormatContext, Input, OpenFile, Output } from '../format.ts'
import { checkRangeEnd, headerEnd, inspectTable, isFast, scanTable, type Table } from './read.ts'
import { batches, segmentsOf, writeSegments } from './segments.ts'
import { createSplicer, joinCells } from './write.ts'

/** Writes a table with many cells at once; answers where in the file it had to stop, if anywhere, and counts formulas. */
async function writeJoined(
  input: Input,
  output: Output,
  cells: NonNullable<Editor['cells']>,
  table: Table,
  context: FormatContext,
  begin: number,
): Promise<{ rest?: number; formulas: number }> {
  let formulas = 0
  const splicer = createSplicer(table.dialect)
  const range = { start: begin, end: context.range?.end ?? input.size }
  for await (const { bytes, scan, start } of scanTable(input, table, { ...context, range })) {
    if (scan === 'fence') return { rest: start, formulas }
    const joined = joinCells(scan, table.columns)
    if (holdsFile(joined.bytes)) return { rest: start, formulas }
    if (!joined.ascii && !isUtf8(bytes.subarray(0, scan.consumed))) {
      throw new EngineError(
        'corrupt_file',
        'The file has bytes that are not utf-8; set another encoding with the option encoding',
      )
    }
    const result = splicer(bytes, scan, await cells.edit(joined))
    cells.show(result.shown)
    formulas += result.formulas
    await output.write(result.output)
  }
  return { formulas }
}

export async function openTable(input: Input, context: FormatContext, preferred: string): Promise<OpenFile> {
  const { limits, range } = context
  if (input.size === 0) throw new EngineError('corrupt_file', 'The file is empty')
  if (input.size > limits.bytes)
    throw new EngineError('limit_exceeded', `The file is larger than ${limits.bytes} bytes`)
  const table = await inspectTable(input, context, preferred)
  await checkRangeEnd(input, table, context)
  const { encoding, dialect } = table
  // Only the chunk that holds the beginning of the file holds the header.
  const header = table.header && !range?.start
  return {
    choices: {
      encoding: encoding.name,
      delimiter: dialect.delimiter,
      quote: dialect.quote,
      escape: dialect.escapeWith,
      header,
      columns: table.columns,
    },
    async *segments() {
      for await (const batch of batches(input, table, context)) yield* segmentsOf(batch, table, header)
    },
    async write(output, edit) {
      if (encoding.bom.length > 0 && !range?.start) await output.write(encoding.bom)
      const end = range?.end ?? input.size
      const slowly = async (start: number, stop: number, named: boolean) => {
        const parts = batches(input, table, { ...context, range: { start, end: stop } })
        return writeSegments(output, edit, parts, table, named)
      }
      const report = (formulas: number, alike: boolean) => {
        const warnings = alike ? ['Columns that had different names are called the same now'] : []
        return { dropped: [], rasterised: [], formulas, warnings }
      }
      if (!edit.cells || !isFast(table)) {
        const { formulas, alike } = await slowly(range?.start ?? 0, end, header)
        return report(formulas, alike)
      }
      // The header names the columns, and rules for columns look at values only.
      const begin = header ? Math.min(end, await headerEnd(input, table)) : (range?.start ?? 0)
      const { formulas: first, alike } = header ? await slowly(0, begin, true) : { formulas: 0, alike: false }
      if (begin === end) return report(first, alike)
      const joined = await writeJoined(input, output, edit.cells, table, context, begin)
      const rest = joined.rest === undefined ? 0 : (await slowly(joined.rest, end, false)).formulas
      return report(first + joined.formulas + rest, alike)
    },
    async close() {},
  }
}

/** Bytes in which the header row is looked for; which encoding it is in may depend on what follows. */
const beginning = 1024 * 1024

export async function firstNames(input: Input, context: FormatContext, delimiter: string) {
  const size = Math.min(input.size, beginning)
  const start = { ...input, size, stream: (from = 0, to = size) => input.stream(from, Math.min(to, size)) }
  const { choices } = await openTable(start, context, delimiter)
  return { columns: choices!.columns as string[], whole: size === input.size }
}
