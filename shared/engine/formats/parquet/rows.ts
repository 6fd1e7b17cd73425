import type { RowGroup } from 'hyparquet'
import { EngineError } from '../../errors.ts'
import type { FormatContext, Input } from '../format.ts'
import type { Leaf } from './columns.ts'
import { type Page, pagesOf } from './pages.ts'
import type { Stored } from './values.ts'

/** Some whole rows of a column: its entries with their levels, and the values of those that are not null. */
export type Slice = { count: number; repeats?: number[]; defines?: number[]; values: Stored[] }

/** Rows that are handled at once. */
export const sliceRows = 2048

type Held = { repeats: number[]; defines: number[]; values: Stored[]; count: number }

/** How many of the entries from `start` on make `rows` whole rows; nothing while that can't be told. */
function entriesOf({ repeats, count }: Held, start: number, rows: number, nested: boolean, last: boolean) {
  if (!nested) return count - start >= rows ? rows : undefined
  let seen = 0
  for (let at = start; at < count; at++) if (repeats[at] === 0 && ++seen > rows) return at - start
  return last && seen === rows ? count - start : undefined
}

/** Hands out the rows of a column, so many at a time. */
function cursor(pages: AsyncIterator<Page>, { repeats: nested, defines: deepest }: Leaf) {
  let held: Held = { repeats: [], defines: [], values: [], count: 0 }
  /** Entries and values of what is held that were handed out. */
  let done = 0
  let used = 0
  let last = false
  const more = async () => {
    const { value: page, done: over } = await pages.next()
    if (over === true) {
      last = true
      return
    }
    const levels = (list: ArrayLike<number> | undefined, usual: number): number[] =>
      list === undefined ? new Array<number>(page.count).fill(usual) : Array.prototype.slice.call(list, 0, page.count)
    const join = <Item>(before: Item[], from: number, next: Item[]) =>
      from >= before.length ? next : before.slice(from).concat(next)
    held = {
      repeats: nested > 0 ? join(held.repeats, done, levels(page.repeats, 0)) : [],
      defines: deepest > 0 ? join(held.defines, done, levels(page.defines, deepest)) : [],
      values: join(held.values, used, Array.isArray(page.values) ? page.values : Array.from(page.values)),
      count: held.count - done + page.count,
    }
    done = 0
    used = 0
  }
  return {
    async take(rows: number): Promise<Slice> {
      let count = entriesOf(held, done, rows, nested > 0, last)
      while (count === undefined) {
        if (last) throw new EngineError('corrupt_file', 'A column has another number of rows than its row group')
        await more()
        count = entriesOf(held, done, rows, nested > 0, last)
      }
      const slice: Slice = { count, values: [] }
      let present = count
      if (nested > 0) slice.repeats = held.repeats.slice(done, done + count)
      if (deepest > 0) {
        slice.defines = held.defines.slice(done, done + count)
        for (const level of slice.defines) if (level !== deepest) present--
      }
      slice.values = held.values.slice(used, used + present)
      done += count
      used += present
      return slice
    },
    async end() {
      if (done < held.count) throw new EngineError('corrupt_file', 'A column has more rows than its row group')
      await pages.return?.()
    },
  }
}

/** Reads some columns of a row group side by side, some rows at a time. `seen` is given every page's bytes, unpacked. */
export async function* slicesOf(
  input: Input,
  group: RowGroup,
  leaves: readonly { leaf: Leaf; index: number }[],
  context: FormatContext,
  seen?: (bytes: Uint8Array) => void,
): AsyncGenerator<{ slices: Slice[]; rows: number }> {
  const cursors = leaves.map(({ leaf, index }) => {
    const chunk = group.columns[index]
    if (!chunk) throw new EngineError('corrupt_file', 'A row group lacks a column')
    return cursor(pagesOf(input, chunk, leaf, context, seen), leaf)
  })
  let left = Number(group.num_rows)
  while (left > 0) {
    const rows = Math.min(left, sliceRows)
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
