import type { RowGroup } from 'hyparquet'
import { EngineError } from '../../errors.ts'
import type { FormatContext, Input } from '../format.ts'
import type { Leaf } from './columns.ts'
import type { Page } from './decode.ts'
import { pagesOf } from './pages.ts'
import { joined, part, type Vector } from './vectors.ts'

/**
 * Some whole rows of a column: its entries with their levels, and the values of those that are not null. Levels are absent
 * where there is but one, and definition levels where nothing is null. `edits` are texts in place of values, in order.
 */
export type Slice = {
  count: number
  repeats?: Uint16Array
  defines?: Uint16Array
  values: Vector
  edits?: { at: number[]; texts: string[] }
}

/** Rows that are handled at once. */
export const sliceRows = 2048

/** Where the entries of a page end that belong to `rows` rows, of which `seen` have begun; and how many have then. */
function endOf({ repeats, count }: Page, start: number, rows: number, seen: number, nested: boolean) {
  if (!nested) {
    const end = Math.min(count, start + rows - seen)
    return { end, begun: seen + end - start, whole: seen + end - start === rows }
  }
  let begun = seen
  for (let end = start; end < count; end++)
    if ((repeats?.[end] ?? 0) === 0 && ++begun > rows) return { end, begun: rows, whole: true }
  return { end: count, begun, whole: false }
}

/** Levels behind each other, of pieces some of which have none written. */
export function joinedLevels(
  pieces: readonly { levels: Uint16Array | undefined; count: number }[],
  usual: number,
): Uint16Array {
  const all = new Uint16Array(pieces.reduce((sum, { count }) => sum + count, 0))
  let at = 0
  for (const { levels, count } of pieces) {
    if (levels) all.set(levels, at)
    else all.fill(usual, at, at + count)
    at += count
  }
  return all
}

function joinedSlices(pieces: readonly Slice[], { repeats: nested, defines: deepest }: Leaf): Slice {
  if (pieces.length === 1 && (nested === 0 || pieces[0]!.repeats)) return pieces[0]!
  const levelsOf = (kind: 'repeats' | 'defines', usual: number) =>
    joinedLevels(
      pieces.map(piece => ({ levels: piece[kind], count: piece.count })),
      usual,
    )
  return {
    count: pieces.reduce((sum, { count }) => sum + count, 0),
    repeats: nested > 0 ? levelsOf('repeats', 0) : undefined,
    defines: pieces.some(({ defines }) => defines) ? levelsOf('defines', deepest) : undefined,
    values: joined(pieces.map(({ values }) => values)),
  }
}

/** Hands out the rows of a column, so many at a time. */
function cursor(pages: AsyncIterator<Page>, leaf: Leaf) {
  const { repeats: nested, defines: deepest } = leaf
  let page: Page | undefined
  /** Entries and values of the page that were handed out. */
  let done = 0
  let used = 0
  const piece = ({ repeats, defines, values }: Page, end: number): Slice => {
    const own = defines?.subarray(done, end)
    let present = end - done
    if (own) for (let at = 0; at < own.length; at++) if (own[at] !== deepest) present--
    const slice: Slice = {
      count: end - done,
      repeats: repeats?.subarray(done, end),
      defines: own,
      values: part(values, used, used + present),
    }
    done = end
    used += present
    return slice
  }
  return {
    async take(rows: number): Promise<Slice> {
      const pieces: Slice[] = []
      let seen = 0
      for (let whole = false; !whole; ) {
        if (page === undefined || done === page.count) {
          const { value, done: over } = await pages.next()
          if (over === true) break
          page = value
          done = 0
          used = 0
        }
        const found = endOf(page!, done, rows, seen, nested > 0)
        pieces.push(piece(page!, found.end))
        seen = found.begun
        whole = found.whole
      }
      if (seen !== rows) throw new EngineError('corrupt_file', 'A column has another number of rows than its row group')
      return joinedSlices(pieces, leaf)
    },
    async end() {
      if (page && done < page.count) throw new EngineError('corrupt_file', 'A column has more rows than its row group')
      await pages.return?.()
    },
  }
}

/** Reads some columns of a row group side by side, `most` rows at a time. `seen` is given every page's bytes, unpacked. */
export async function* slicesOf(
  input: Input,
  group: RowGroup,
  leaves: readonly { leaf: Leaf; index: number }[],
  context: FormatContext,
  seen?: (bytes: Uint8Array) => void,
  most = sliceRows,
): AsyncGenerator<{ slices: Slice[]; rows: number }> {
  const cursors = leaves.map(({ leaf, index }) => {
    const chunk = group.columns[index]
    if (!chunk) throw new EngineError('corrupt_file', 'A row group lacks a column')
    return cursor(pagesOf(input, chunk, leaf, context, seen), leaf)
  })
  let left = Number(group.num_rows)
  while (left > 0) {
    const rows = Math.min(left, most)
    const slices: Slice[] = []
    for (const { take } of cursors) slices.push(await take(rows))
    yield { slices, rows }
    left -= rows
  }
  for (const { end } of cursors) await end()
}

/** Calls `each` with every value of some rows, row after row, and within a row column after column. */
export function eachValue(
  slices: readonly Slice[],
  leaves: readonly Leaf[],
  rows: number,
  each: (column: number, value: number, row: number) => void,
): void {
  if (slices.every(({ repeats, defines }) => repeats === undefined && defines === undefined)) {
    for (let row = 0; row < rows; row++) for (let column = 0; column < slices.length; column++) each(column, row, row)
    return
  }
  const entries = slices.map(() => 0)
  const values = slices.map(() => 0)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < slices.length; column++) {
      const { repeats, defines, count } = slices[column]!
      do {
        const entry = entries[column]!++
        if (defines === undefined || defines[entry] === leaves[column]!.defines) each(column, values[column]!++, row)
      } while (repeats !== undefined && entries[column]! < count && repeats[entries[column]!] !== 0)
    }
  }
}
