import type { RowGroup, SchemaElement } from 'hyparquet'
import { EngineError } from '../../errors.ts'
import { fromBytes } from '../cells/utf8-cells.ts'
import type { Editor, Escalation, FormatContext, Input, OpenFile, Output, WriteReport } from '../format.ts'
import { cellsOf, type RowCells, textsOf } from './cells.ts'
import { createChunk } from './chunk.ts'
import { writtenCodec } from './codecs.ts'
import { type Leaf, writtenElement } from './columns.ts'
import { type Changed, editRows, isUnchanged } from './edit.ts'
import { type ParquetFile, readFooter } from './file.ts'
import { footerOf, type WrittenGroup } from './footer.ts'
import { type Slice, sliceRows, slicesOf } from './rows.ts'
import { hiddenSegments, keptTexts } from './sanitise.ts'
import { asTexts } from './shown.ts'
import { storedBytes } from './values.ts'
import { valueAt } from './vectors.ts'

/** Columns of numbers and the like in which something will be replaced: they become columns of texts. */
type Changing = Set<Leaf>

/** Opens a Parquet file: its footer, and its rows when they are asked for. */
export async function openParquet(input: Input, context: FormatContext): Promise<OpenFile> {
  const file = await readFooter(input, context)
  const { metadata, leaves } = file
  const changing: Changing = new Set()
  const columns = leaves.map(({ name }) => name)
  const choices: Record<string, unknown> = { columns }
  return {
    choices,
    async *segments() {
      yield hiddenSegments(metadata)
      for await (const { slices, rows, row } of fileSlices(input, file, context)) {
        const cells = cellsOf(slices, leaves, rows, row)
        const segment = (text: string, index: number) => ({
          text: fromBytes(text),
          place: cells.place(index),
          visible: true,
        })
        yield textsOf(cells).map(segment)
      }
    },
    async prepare(rehearse) {
      await findChanging(input, file, rehearse, context, changing)
      if (changing.size > 0) choices.becameText = [...changing].map(({ name }) => name)
    },
    write: (output, edit, escalations) => write(input, file, { output, edit, escalations, changing }, context),
    async close() {},
  }
}

/** All rows of a file, some at a time, with the number of the first of them. */
async function* fileSlices(
  input: Input,
  { metadata, leaves }: ParquetFile,
  context: FormatContext,
  seen?: (bytes: Uint8Array) => void,
) {
  const all = leaves.map((leaf, index) => ({ leaf, index }))
  let row = 1
  for (const group of metadata.row_groups) {
    for await (const { slices, rows } of slicesOf(input, group, all, context, seen)) {
      yield { slices, rows, row }
      row += rows
    }
  }
}

/** Rows of one column that are looked at together. */
const columnRows = 8 * sliceRows

/** Looks for the columns that can't hold a text and in which one will be replaced; each only until the first is found. */
async function findChanging(
  input: Input,
  { metadata, leaves }: ParquetFile,
  rehearse: Editor,
  context: FormatContext,
  changing: Changing,
): Promise<void> {
  for (const [index, leaf] of leaves.entries()) {
    if (leaf.becomes === undefined || leaf.show === undefined || changing.has(leaf)) continue
    const rowsOf = (group: RowGroup, most: number) =>
      slicesOf(input, group, [{ leaf, index }], context, undefined, most)
    let row = 1
    for (const group of metadata.row_groups) {
      let isSure = true
      for await (const { slices, rows } of rowsOf(group, columnRows)) {
        isSure = isUnchanged(rehearse, cellsOf(slices, [leaf], rows, row))
        if (!isSure) break
      }
      if (!isSure && (await isChanged(rowsOf(group, sliceRows), leaf, rehearse, row))) {
        changing.add(leaf)
        break
      }
      row += Number(group.num_rows)
    }
  }
}

async function isChanged(
  batches: AsyncIterable<{ slices: Slice[]; rows: number }>,
  leaf: Leaf,
  rehearse: Editor,
  first: number,
): Promise<boolean> {
  let row = first
  for await (const { slices, rows } of batches) {
    const { cells } = await editRows(rehearse, cellsOf(slices, [leaf], rows, row), false)
    if (cells.length > 0) return true
    row += rows
  }
  return false
}

/** Puts the new texts of cells in place of their values; gives the columns that have some. */
function putEdits(slices: readonly Slice[], cells: RowCells, { cells: changed, texts }: Changed): number[] {
  const edits = slices.map((): NonNullable<Slice['edits']> => ({ at: [], texts: [] }))
  changed.forEach((cell, index) => {
    const column = cells.columnOf(cell)
    const at = cells.placeOf(cell)
    const text = texts[index]!
    edits[column]!.at.push(at)
    edits[column]!.texts.push(
      cells.isStored(cell) ? text : storedBytes(text, valueAt(slices[column]!.values, at) as string),
    )
  })
  const columns = [...edits.keys()].filter(column => edits[column]!.at.length > 0)
  for (const column of columns) slices[column]!.edits = edits[column]
  return columns
}

async function write(
  input: Input,
  file: ParquetFile,
  {
    output,
    edit,
    escalations,
    changing,
  }: { output: Output; edit: Editor; escalations: readonly Escalation[]; changing: Changing },
  context: FormatContext,
): Promise<WriteReport> {
  const { metadata, leaves } = file
  const kept = keptTexts(metadata, await edit(hiddenSegments(metadata)), {
    changed: changing.size > 0,
    none: escalations.length > 0,
  })
  const elements = new Map<SchemaElement, SchemaElement>()
  for (const leaf of changing) elements.set(leaf.element, writtenElement(leaf))
  for (const [element, name] of kept.names) elements.set(element, { ...(elements.get(element) ?? element), name })
  const written = (element: SchemaElement) => elements.get(element) ?? element
  const groups: WrittenGroup[] = []
  const touched = new Set<Leaf>(changing)
  let offset = 0
  const put = async (bytes: Uint8Array) => {
    offset += bytes.length
    await output.write(bytes)
  }
  await put(Buffer.from('PAR1'))
  let row = 1
  let odd = false
  for (const group of metadata.row_groups) {
    const chunks = leaves.map((leaf, index) => {
      const { codec, bloom_filter_offset: bloom } = group.columns[index]!.meta_data!
      odd ||= writtenCodec(codec) !== codec
      const path = leaf.path.slice(1).map(({ element }) => written(element).name)
      return createChunk(leaf, {
        element: written(leaf.element),
        path,
        codec: writtenCodec(codec),
        bloom: bloom !== undefined,
      })
    })
    const all = leaves.map((leaf, index) => ({ leaf, index }))
    for await (const { slices, rows } of slicesOf(input, group, all, context)) {
      const cells = cellsOf(slices, leaves, rows, row)
      const edits = await editRows(edit, cells, true)
      for (const leaf of changing) {
        const slice = slices[leaves.indexOf(leaf)]!
        slice.values = asTexts(slice.values, leaf.show!)
      }
      for (const index of putEdits(slices, cells, edits)) {
        const leaf = leaves[index]!
        if (leaf.becomes !== undefined && !changing.has(leaf))
          throw new EngineError('internal', 'A column was found to change only while it was written')
        touched.add(leaf)
      }
      chunks.forEach((chunk, index) => {
        chunk.append(slices[index]!, rows)
      })
      row += rows
    }
    const columns: WrittenGroup['columns'] = []
    for (const [index, chunk] of chunks.entries()) {
      const made = chunk.end()
      const indexed = group.columns[index]!.offset_index_offset !== undefined
      columns.push({ chunk: made, at: offset, element: written(leaves[index]!.element), indexed })
      for (const bytes of made.bytes) await put(bytes)
      made.bytes.length = 0
    }
    groups.push({ rows: group.num_rows, columns, sorting: group.sorting_columns })
  }
  // Rows that were in order by a column are not any more once its values have changed.
  for (const group of groups)
    if (group.sorting?.some(({ column_idx: index }) => touched.has(leaves[index]!))) group.sorting = undefined
  const { created_by, key_value_metadata } = kept
  const schema = metadata.schema.map(written)
  await put(footerOf({ ...metadata, schema }, groups, { created_by, key_value_metadata }, offset))
  const warnings = odd ? ['Columns compressed by LZ4 were written with Snappy'] : []
  return { dropped: kept.dropped, rasterised: [], warnings }
}
