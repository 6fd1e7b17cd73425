import { EngineError } from '../errors.ts'
import type { Input } from '../formats/format.ts'
import type { RiskPlan } from '../plan.ts'
import { distancesOf, entropyL, hasEntropyL } from './l-diversity.ts'
import { type MergedSide, mergeTallies } from './merge.ts'
import type { Detail, StoredClass } from './sorted-runs.ts'

/** Risks of being found again, as shares; what the three attackers look for differs, see `docs/risk.md`. */
export type AttackerRisk = {
  highest: number
  lowest: number
  average: number
  /** Share of the records with the highest risk, and of those whose risk is above the threshold. */
  recordsAtHighest: number
  recordsAtRisk: number
}

/** How identifiable the records of a table are, by the definitions of ARX. Suppressed records take no part. */
export type RiskFigures = {
  records: number
  suppressed: number
  classes: number
  /** Size of the smallest class; 0 when there is none. */
  k: number
  averageClassSize: number
  /** How many classes there are of each size, and how many records are in them, by {@link sizeSteps}; 0 of some. */
  histogram: { from: number; to: number | null; classes: number; records: number }[]
  uniqueRecords: number
  uniqueness: number
  prosecutor: AttackerRisk
  journalist: AttackerRisk
  marketer: { average: number }
  sensitive: { column: string; distinctL: number; entropyL: number; tEqual: number; tOrdered: number | null }[]
  utility: {
    /** Sum of the squares of the sizes of all classes, as they were before records were suppressed. */
    discernibility: number
    /** Records by class, all suppressed ones together being one. */
    averageClassSize: number
    /** Share of detail lost, and bits of information lost, by columns that a hierarchy generalises. */
    loss: number | null
    entropy: number | null
  }
}

/** Figures before and after, and the keys of the classes that break what the workflow requires. */
export type RiskReport = { before: RiskFigures; after: RiskFigures }

/** Whether a class breaks what the workflow requires. */
function breaks(
  { require }: RiskPlan,
  distances: readonly ReturnType<typeof distancesOf>[],
  { count, values }: StoredClass,
): boolean {
  if (!require) return false
  const { k, distinctL, entropyL: l, t } = require
  if (k !== undefined && count < k) return true
  return values.some(
    (counts, column) =>
      (distinctL !== undefined && counts.length < distinctL) ||
      (l !== undefined && !hasEntropyL(counts, count, l)) ||
      (t !== undefined && distances[column]!.equal(counts, count) > t),
  )
}

async function figuresOf(
  side: MergedSide,
  plan: RiskPlan,
  detail: readonly Detail[],
  found?: (key: string, count: number) => void,
): Promise<RiskFigures> {
  const { records, suppressedKey } = side
  const distances = side.values.map(values => distancesOf(values, records))
  const sizes = new Map<number, number>()
  const sensitive = plan.sensitive.map((column, index) => ({
    column,
    distinctL: Number.POSITIVE_INFINITY,
    entropyL: Number.POSITIVE_INFINITY,
    tEqual: 0,
    tOrdered: distances[index]!.ordered ? 0 : null,
  }))
  let squares = 0
  let outliers: StoredClass | undefined
  const count = (one: StoredClass) => {
    sizes.set(one.count, (sizes.get(one.count) ?? 0) + 1)
    one.values.forEach((counts, column) => {
      const worst = sensitive[column]!
      const { equal, ordered } = distances[column]!
      worst.distinctL = Math.min(worst.distinctL, counts.length)
      worst.entropyL = Math.min(worst.entropyL, entropyL(counts, one.count))
      worst.tEqual = Math.max(worst.tEqual, equal(counts, one.count))
      if (ordered) worst.tOrdered = Math.max(worst.tOrdered!, ordered(counts, one.count))
    })
    if (found && breaks(plan, distances, one)) found(one.key, one.count)
  }
  for await (const one of side.classes()) {
    squares += one.count ** 2
    if (one.key === suppressedKey) outliers = one
    else count(one)
  }
  // Where every record is suppressed they are all alike, and that is what protects them.
  if (outliers && sizes.size === 0) {
    count(outliers)
    outliers = undefined
  }
  const suppressed = outliers?.count ?? 0
  return {
    ...riskOf(sizes, records - suppressed, plan.threshold),
    records,
    suppressed,
    sensitive: sizes.size === 0 ? sensitive.map(one => ({ ...one, distinctL: 0, entropyL: 0 })) : sensitive,
    utility: {
      discernibility: squares,
      averageClassSize: records / Math.max(1, classesIn(sizes) + (suppressed > 0 ? 1 : 0)),
      ...lossOf(detail, records),
    },
  }
}

const classesIn = (sizes: ReadonlyMap<number, number>) => [...sizes.values()].reduce((sum, classes) => sum + classes, 0)

/** Cut to ten decimals, as ARX does with what each column has lost. */
const cut = (value: number) => Math.floor(value * 1e10) / 1e10

/** The sum of numbers whatever their order: what each addition rounds off is kept and added in the end. */
function sumOf(terms: Iterable<number>): number {
  let sum = 0
  let lost = 0
  for (const term of terms) {
    const next = sum + term
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum
    sum = next
  }
  return sum + lost
}

/** What columns have lost by their hierarchies. */
function lossOf(detail: readonly Detail[], records: number): { loss: number | null; entropy: number | null } {
  if (detail.length === 0 || records === 0) return { loss: null, entropy: null }
  const shares = detail.map(({ lost, leaves }) => (leaves.length < 2 ? 0 : cut(lost / (leaves.length - 1) / records)))
  const bits = detail.map(({ leaves, groups }) => {
    const sums = new Map<number, number>()
    for (const [leaf, count] of leaves.entries()) sums.set(groups[leaf]!, (sums.get(groups[leaf]!) ?? 0) + count)
    const terms = leaves.map((count, leaf) =>
      count === 0 ? 0 : count * (Math.log(sums.get(groups[leaf]!)! / count) / Math.LN2),
    )
    return cut(sumOf(terms))
  })
  const total = (terms: number[]) => terms.reduce((sum, term) => sum + term, 0)
  return { loss: total(shares.map(share => share / shares.length)), entropy: total(bits) }
}

/** Sizes of classes that begin a bar of the histogram: 1, 2, 3 and 4, 5 to 9, and so on. */
const sizeSteps = [1, 2, 3, 5, 10, 20]

const histogramOf = (sizes: ReadonlyMap<number, number>): RiskFigures['histogram'] =>
  sizeSteps.map((from, step) => {
    const to = (sizeSteps[step + 1] ?? Number.POSITIVE_INFINITY) - 1
    const within = [...sizes].filter(([size]) => size >= from && size <= to)
    return {
      from,
      to: Number.isFinite(to) ? to : null,
      classes: within.reduce((sum, [, classes]) => sum + classes, 0),
      records: within.reduce((sum, [size, classes]) => sum + size * classes, 0),
    }
  })

/** What follows from the sizes of the classes of `records` records. */
function riskOf(sizes: ReadonlyMap<number, number>, records: number, threshold: number) {
  const classes = classesIn(sizes)
  const ordered = [...sizes.keys()].sort((a, b) => a - b)
  const k = ordered[0] ?? 0
  const share = (part: number) => (records === 0 ? 0 : part / records)
  const uniqueRecords = sizes.get(1) ?? 0
  const atRisk = ordered.reduce((sum, size) => sum + (1 / size > threshold ? size * sizes.get(size)! : 0), 0)
  const prosecutor: AttackerRisk = {
    highest: k === 0 ? 0 : 1 / k,
    lowest: k === 0 ? 0 : 1 / ordered.at(-1)!,
    average: share(classes),
    recordsAtHighest: share(k * (sizes.get(k) ?? 0)),
    recordsAtRisk: share(atRisk),
  }
  return {
    classes,
    k,
    averageClassSize: classes === 0 ? 0 : records / classes,
    histogram: histogramOf(sizes),
    uniqueRecords,
    uniqueness: share(uniqueRecords),
    prosecutor,
    // Nothing is known of the population beyond the table, so that the journalist's risk is the prosecutor's.
    journalist: prosecutor,
    marketer: { average: prosecutor.average },
  }
}

/** Refuses quasi-identifiers and sensitive columns that a table has not, with the names of those that it has. */
export function checkRiskColumns({ quasiIdentifiers, sensitive }: RiskPlan, columns: Iterable<string>): void {
  const has = new Set(columns)
  const missing = [...quasiIdentifiers, ...sensitive].filter(column => !has.has(column))
  if (missing.length === 0) return
  const msg = `Risk: the table has no column ${missing.join(', ')}; it has ${[...has].join(', ') || 'none'}`
  throw new EngineError('invalid_workflow', msg, ['risk'])
}

/**
 * The figures of a table from the tallies of its chunks; the same whatever the chunks. `found` is told the classes that
 * break, afterwards, what the workflow requires.
 */
export async function measure(
  files: readonly Input[],
  plan: RiskPlan,
  found?: (key: string, count: number) => void,
): Promise<RiskReport> {
  const { before, after, detail, seen } = await mergeTallies(files, plan.sensitive)
  checkRiskColumns(plan, seen)
  return { before: await figuresOf(before, plan, []), after: await figuresOf(after, plan, detail, found) }
}
