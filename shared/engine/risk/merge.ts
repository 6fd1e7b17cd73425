import type { Input } from '../formats/format.ts'
import {
  checkValues,
  type Detail,
  type Footer,
  readFooter,
  readRun,
  readValues,
  type SideFooter,
  type StoredClass,
} from './sorted-runs.ts'

/** Bytes that are held of all runs together while they are merged. */
const heldBytes = 64 * 1024 ** 2
/** Bytes read of a run at once, at least. */
const leastBlock = 4096

/** A distinct value of a sensitive column: the number that it is, or NaN, and its records. */
export type Value = { number: number; count: number }

/** One side of a table, put together from the tallies of its chunks. */
export type MergedSide = {
  records: number
  suppressedKey: string
  /** By sensitive column. */
  values: Value[][]
  /** Every class once, in the order of the keys; the ids are indexes into `values`. */
  classes(): AsyncIterable<StoredClass>
}

/** The next class of each run, the smallest key first. */
function createHeap() {
  const heap: { head: StoredClass; run: AsyncGenerator<StoredClass>; ids: Uint32Array[] }[] = []
  const smaller = (a: number, b: number) => heap[a]!.head.key < heap[b]!.head.key
  const swap = (a: number, b: number) => {
    ;[heap[a], heap[b]] = [heap[b]!, heap[a]!]
  }
  const sink = (from: number) => {
    for (let at = from; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && smaller(child, least)) least = child
      if (least === at) return
      swap(at, least)
      at = least
    }
  }
  return {
    heap,
    push(entry: (typeof heap)[number]) {
      heap.push(entry)
      for (let at = heap.length - 1; at > 0 && smaller(at, (at - 1) >> 1); at = (at - 1) >> 1) swap(at, (at - 1) >> 1)
    },
    /** Moves the first run on to its next class, or takes it out. */
    async advance() {
      const next = await heap[0]!.run.next()
      if (next.done) {
        const last = heap.pop()!
        if (heap.length > 0) heap[0] = last
      } else heap[0]!.head = next.value
      sink(0)
    },
  }
}

/** Puts the same side of tallies together; they may be of any number, and each is read here and there only. */
async function mergeSide(
  files: readonly { file: Input; side: SideFooter }[],
  sensitive: readonly string[],
): Promise<MergedSide> {
  const columns = sensitive.length
  const known = Array.from({ length: columns }, () => new Map<string, number>())
  const values = Array.from({ length: columns }, () => [] as Value[])
  const ids: Uint32Array[][] = []
  for (const { file, side } of files) {
    const own: Uint32Array[] = []
    for (const [column, stretch] of side.dictionaries.entries()) {
      const local = await readValues(file, stretch)
      own.push(
        Uint32Array.from(local, ({ key, number, count }) => {
          let id = known[column]!.get(key)
          if (id === undefined) {
            id = values[column]!.push({ number, count: 0 }) - 1
            checkValues(id, sensitive[column]!)
            known[column]!.set(key, id)
          }
          values[column]![id]!.count += count
          return id
        }),
      )
    }
    ids.push(own)
  }
  const runs = files.reduce((sum, { side }) => sum + side.runs.length, 0)
  const block = Math.max(leastBlock, Math.floor(heldBytes / Math.max(1, runs)))

  async function* classes(): AsyncGenerator<StoredClass> {
    const { heap, push, advance } = createHeap()
    for (const [index, { file, side }] of files.entries()) {
      for (const stretch of side.runs) {
        const run = readRun(file, stretch, columns, block)
        const first = await run.next()
        if (!first.done) push({ head: first.value, run, ids: ids[index]! })
      }
    }
    while (heap.length > 0) {
      const { key } = heap[0]!.head
      let count = 0
      const counts = Array.from({ length: columns }, () => new Map<number, number>())
      while (heap.length > 0 && heap[0]!.head.key === key) {
        const { head, ids: own } = heap[0]!
        count += head.count
        for (const [column, pairs] of head.values.entries()) {
          for (const [id, times] of pairs) {
            const whole = own[column]![id]!
            counts[column]!.set(whole, (counts[column]!.get(whole) ?? 0) + times)
          }
        }
        await advance()
      }
      yield { key, count, values: counts.map(column => [...column]) }
    }
  }
  const records = files.reduce((sum, { side }) => sum + side.records, 0)
  return {
    records,
    suppressedKey: Buffer.from(files[0]?.side.suppressedKey ?? '', 'hex').toString('latin1'),
    values,
    classes,
  }
}

/** What the columns with a hierarchy have lost, over all tallies. */
function mergeDetail(footers: readonly Footer[]): Detail[] {
  const [first, ...others] = footers
  return (first?.detail ?? []).flatMap((one, column) => {
    if (!one) return []
    const same = others.map(({ detail }) => detail[column]!)
    return {
      lost: same.reduce((sum, { lost }) => sum + lost, one.lost),
      leaves: one.leaves.map((count, leaf) => same.reduce((sum, { leaves }) => sum + leaves[leaf]!, count)),
      groups: one.groups,
    }
  })
}

/** Puts the tallies of the chunks of a table together, in any order and number. */
export async function mergeTallies(files: readonly Input[], sensitive: readonly string[]) {
  const footers: Footer[] = []
  for (const file of files) footers.push(await readFooter(file))
  const sideOf = (side: 'before' | 'after') =>
    mergeSide(
      files.map((file, index) => ({ file, side: footers[index]![side] })),
      sensitive,
    )
  const seen = new Set(footers.flatMap(footer => footer.seen))
  return { before: await sideOf('before'), after: await sideOf('after'), detail: mergeDetail(footers), seen }
}
