import type { RowGroup } from 'hyparquet'
import { EngineError } from '../../errors.ts'
import { byteScan } from '../../verify/byte-scan.ts'
import { textDigest } from '../../verify/digest.ts'
import type { Expected, FormatContext, Input, Leak, Place } from '../format.ts'
import { textScan } from '../text/leaks.ts'
import { readFooter } from './file.ts'
import { slicesOf } from './rows.ts'
import { createShown, type Shown, showRows, textsIn } from './verify-rows.ts'

const metadataPart = 'key-value metadata'

/**
 * Reads the output again: its cells are the expected ones, its columns follow each other without a gap, and neither a
 * page, unpacked, nor a dictionary, an index or the footer holds a replaced value that no cell shows.
 */
export async function verifyParquet(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  try {
    return await check(output, expected, context)
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== 'corrupt_file') throw error
    return [{ type: 'corrupt_file', place: { kind: 'body' }, reason: error.message }]
  }
}

async function check(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const file = await readFooter(output, context)
  const { metadata, leaves } = file
  const all = leaves.map((leaf, index) => ({ leaf, index }))
  const rows = async (each: (shown: Shown) => void, seen?: (bytes: Uint8Array) => void) => {
    const shown = createShown()
    for (const group of metadata.row_groups)
      for await (const { slices, rows } of slicesOf(output, group, all, context, seen)) {
        showRows(shown, slices, leaves, rows)
        each(shown)
      }
  }
  const digest = textDigest()
  const pages = byteScan(expected.gone)
  await rows(
    ({ bytes, length }) => digest.addAll(bytes.subarray(0, length)),
    bytes => {
      pages.push(bytes)
      pages.next()
    },
  )
  if (digest.hex() !== expected.digest) return [leak({ kind: 'cell' }, 'The cells are not the expected ones')]
  const end = endOfColumns(metadata.row_groups)
  if (end === undefined) return [leak({ kind: 'body' }, 'There is something between the columns of the output')]
  const rest = byteScan(expected.gone)
  rest.push(await output.read(end, output.size))
  const shown = pages.found()
  const behind = rest.found()
  // What stands in cells as it is was left there by decision; in a dictionary it must be that of a cell.
  const found = expected.gone.filter((_, value) => shown.plain.has(value))
  const cells = textScan(found)
  if (found.length > 0) await rows(shown => void textsIn(shown).forEach(text => void cells.add(text)))
  if (cells.found().plain.size < found.length || [...shown.hidden].some(value => !shown.plain.has(value)))
    return [leak({ kind: 'body' }, 'A replaced value is hidden in a page')]
  if ([...behind.plain, ...behind.hidden].every(value => shown.plain.has(value))) return []
  const reason = 'A replaced value stands in what describes the columns'
  const cure = metadata.key_value_metadata ? { escalation: { kind: 'drop', part: metadataPart } as const } : {}
  return [{ ...leak({ kind: 'meta', part: metadataPart }, reason), ...cure }]
}

/** Where the last column ends, if each begins where the one before ends. */
function endOfColumns(groups: readonly RowGroup[]): number | undefined {
  let at = 4
  for (const { columns } of groups) {
    for (const { meta_data: meta } of columns) {
      if (Number(meta!.dictionary_page_offset ?? meta!.data_page_offset) !== at) return undefined
      at += Number(meta!.total_compressed_size)
    }
  }
  return at
}

const leak = (place: Place, reason: string): Leak => ({ type: 'leak_detected', place, reason })
