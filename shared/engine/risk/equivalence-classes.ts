import { hash } from 'node:crypto'
import type { Output } from '../formats/format.ts'
import { suppressed } from '../operators/suppress.ts'
import type { RiskPlan } from '../plan.ts'
import { checkValues, type Detail, type Footer, type SideFooter, writeClass, writeValue } from './sorted-runs.ts'

/** Classes and records that are held in memory before they are written out as a sorted run. */
const classesAtOnce = 250_000
const recordsAtOnce = 1_000_000

/** A record's values of some columns; undefined for one that it has not. */
export type Values = readonly (string | undefined)[]

type Class = { count: number; values: number[] }

/** The quasi-identifiers and the sensitive values of a record. */
export type RiskRecord = { quasi: Values; sensitive: Values }

/** The hierarchy that a quasi-identifier is generalised by. */
export type ClassTree = {
  /** Of how many values one that was generalised stands for. */
  of(value: string | undefined): number
  /** The number of a value as it was, and by it, as a number, what it becomes. */
  index: ReadonlyMap<string, number>
  groups: number[]
}

/** 16 bytes (one character each) that stand for some values: a hash under a key of the job, from which none can be read. */
const keyed = (key: string, values: Values): string =>
  hash(
    'sha256',
    key + values.map(value => (value === undefined ? '-' : `${value.length}:${value}`)).join(''),
    'buffer',
  ).toString('latin1', 0, 16)

const numeric = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** Counts the records of one side (before or after) by their class. */
function createSide({ quasiIdentifiers, sensitive }: RiskPlan, key: string) {
  let classes = new Map<string, Class>()
  let waiting = 0
  let records = 0
  const known = sensitive.map(() => new Map<string, number>())
  const values = sensitive.map(() => [] as { key: string; number: number; count: number }[])
  const suppressedKey = keyed(
    key,
    quasiIdentifiers.map(() => suppressed),
  )

  const idOf = (column: number, value: string | undefined): number => {
    const name = keyed(key, [value])
    let id = known[column]!.get(name)
    if (id === undefined) {
      id = values[column]!.length
      checkValues(id, sensitive[column]!)
      known[column]!.set(name, id)
      const number = value !== undefined && numeric.test(value) ? Number(value) : Number.NaN
      values[column]!.push({ key: name, number, count: 0 })
    }
    values[column]![id]!.count++
    return id
  }

  return {
    /** Counts a record; answers the key of its class. */
    add({ quasi, sensitive: secrets }: RiskRecord): string {
      records++
      waiting++
      const name = keyed(key, quasi)
      let one = classes.get(name)
      if (!one) {
        one = { count: 0, values: [] }
        classes.set(name, one)
      }
      one.count++
      for (const [column, value] of secrets.entries()) one.values.push(idOf(column, value))
      return name
    },
    isFull: () => classes.size >= classesAtOnce || waiting >= recordsAtOnce,
    /** Writes what is held as one run, in the order of the keys. */
    async flush(write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
      for (const name of [...classes.keys()].sort()) {
        const { count, values: ids } = classes.get(name)!
        await write(writeClass(name, count, ids, sensitive.length))
      }
      classes = new Map()
      waiting = 0
    },
    isEmpty: () => classes.size === 0,
    footer: (runs: SideFooter['runs'], dictionaries: SideFooter['dictionaries']): SideFooter => ({
      records,
      runs,
      dictionaries,
      suppressedKey: Buffer.from(suppressedKey, 'latin1').toString('hex'),
    }),
    values,
  }
}

/** Counts of the equivalence classes of a table or of a chunk, before and after, as they are written to a file. */
export type Tally = {
  /** Counts a record; answers the key of its class afterwards. */
  add(before: RiskRecord, after: RiskRecord): string
  /** Writes out what is held once it is much. */
  relieve(): Promise<void>
  /** Writes the rest; nothing may be added any more. `seen` are the columns that the table was found to have. */
  end(seen: readonly string[]): Promise<void>
}

/**
 * Starts counting into `output`. Classes and sensitive values are known by keyed hashes only, so that tallies of chunks under
 * the same key can be put together, in bounded memory: what is held is written in sorted runs.
 */
export function createTally(
  plan: RiskPlan,
  key: string,
  output: Output,
  leaves: readonly (ClassTree | undefined)[],
): Tally {
  const sides = { before: createSide(plan, key), after: createSide(plan, key) }
  const detail = leaves.map((one): Detail | null =>
    one ? { lost: 0, leaves: one.groups.map(() => 0), groups: one.groups } : null,
  )
  const runs = { before: [] as SideFooter['runs'], after: [] as SideFooter['runs'] }
  let at = 0
  let pieces: Uint8Array[] = []
  let held = 0
  const push = async () => {
    const bytes = Buffer.concat(pieces)
    pieces = []
    held = 0
    if (bytes.length > 0) await output.write(bytes)
  }
  const write = async (bytes: Uint8Array) => {
    pieces.push(bytes)
    held += bytes.length
    at += bytes.length
    if (held >= 1 << 20) await push()
  }
  const flush = async (side: 'before' | 'after') => {
    const start = at
    await sides[side].flush(write)
    runs[side].push({ start, end: at })
  }
  return {
    add(before, after) {
      for (const [column, one] of leaves.entries()) {
        if (!one) continue
        const leaf = one.index.get(before.quasi[column] ?? '')
        if (leaf !== undefined) detail[column]!.leaves[leaf]!++
        detail[column]!.lost += one.of(after.quasi[column]) - 1
      }
      sides.before.add(before)
      return sides.after.add(after)
    },
    async relieve() {
      for (const side of ['before', 'after'] as const) if (sides[side].isFull()) await flush(side)
    },
    async end(seen) {
      const footers: Partial<Footer> = { seen: [...seen], detail }
      for (const side of ['before', 'after'] as const) {
        if (!sides[side].isEmpty()) await flush(side)
        const dictionaries: SideFooter['dictionaries'] = []
        for (const values of sides[side].values) {
          const start = at
          for (const value of values) await write(writeValue(value))
          dictionaries.push({ start, end: at })
        }
        footers[side] = sides[side].footer(runs[side], dictionaries)
      }
      const footer = Buffer.from(JSON.stringify(footers))
      const length = Buffer.alloc(4)
      length.writeUInt32LE(footer.length)
      await write(footer)
      await write(length)
      await push()
    },
  }
}
