import { isUtf8 } from 'node:buffer'
import { EngineError } from '../../errors.ts'
import { holdsFile } from '../container/file-address.ts'
import type { Editor, Format, FormatContext, Input, OpenFile, Output } from '../format.ts'
import { looksLikeText } from '../text/encoding.ts'
import { detectDialect } from './dialect.ts'
import { checkRangeEnd, headerEnd, inspectTable, isFast, scanTable, type Table } from './read.ts'
import { batches, segmentsOf, writeSegments } from './segments.ts'
import { splitTable, tableBorders } from './split.ts'
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
    if (holdsFile.test(joined.bytes)) return { rest: start, formulas }
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

async function open(input: Input, context: FormatContext, preferred: string): Promise<OpenFile> {
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
      for await (const batch of batches(input, table, context)) yield segmentsOf(batch, table, header)
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

async function names(input: Input, context: FormatContext, delimiter: string) {
  const size = Math.min(input.size, beginning)
  const start = { ...input, size, stream: (from = 0, to = size) => input.stream(from, Math.min(to, size)) }
  const { choices } = await open(start, context, delimiter)
  return { columns: choices!.columns as string[], whole: size === input.size }
}

const named = (name: string, extensions: readonly string[]) =>
  extensions.includes(name.toLowerCase().split('.').at(-1) ?? '')
const documents = ['txt', 'text', 'log', 'md', 'markdown', 'mdown']

/** Whether text without a telling name is surely a table with this delimiter. */
function looksLikeTable(head: Uint8Array, delimiter: string): boolean {
  if (!looksLikeText(head)) return false
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 16 * 1024)).toString('latin1')
  const found = detectDialect(text, head.length <= 16 * 1024, {}, ',')
  return found.sure && found.delimiter === delimiter
}

const shared = {
  type: 'TABLE',
  propagates: false,
  keepsText: false,
  formulas: true,
  // Loaded when a file is verified: telling formats apart needs none of it.
  verify: async (output, expected, context) => (await import('./verify.ts')).verifyTable(output, expected, context),
} as const satisfies Partial<Format>

/** Comma-separated values, in whatever dialect. */
export const csv: Format = {
  ...shared,
  id: 'csv',
  mediaType: 'text/csv',
  extensions: ['csv'],
  matches(head, name) {
    if (named(name, this.extensions)) return looksLikeText(head) ? 0.5 : 0
    if (named(name, [...documents, ...tsv.extensions])) return 0
    return [',', ';', '|'].some(delimiter => looksLikeTable(head, delimiter)) ? 0.2 : 0
  },
  names: (input, context) => names(input, context, ','),
  open: (input, context) => open(input, context, ','),
  split: (input, size, context) => splitTable(input, size, context, ','),
  borders: (input, start, context) => tableBorders(input, start, context, ','),
}

/** Tab-separated values. */
export const tsv: Format = {
  ...shared,
  id: 'tsv',
  mediaType: 'text/tab-separated-values',
  extensions: ['tsv', 'tab'],
  matches(head, name) {
    if (named(name, this.extensions)) return looksLikeText(head) ? 0.5 : 0
    if (named(name, [...documents, ...csv.extensions])) return 0
    return looksLikeTable(head, '\t') ? 0.2 : 0
  },
  names: (input, context) => names(input, context, '\t'),
  open: (input, context) => open(input, context, '\t'),
  split: (input, size, context) => splitTable(input, size, context, '\t'),
  borders: (input, start, context) => tableBorders(input, start, context, '\t'),
}
