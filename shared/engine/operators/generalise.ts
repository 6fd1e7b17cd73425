import { isCount, isObject, type Operator, problem, type ReplacementProblem } from './operator.ts'
import { suppressed } from './suppress.ts'

const dateParts = ['month', 'quarter', 'year', 'decade'] as const

/** Parts of a date that a generalisation may keep. */
type DatePart = (typeof dateParts)[number]

/** How a value loses detail: exactly one way. What can't be generalised so is suppressed. */
export type Generalisation =
  /** Numbers become intervals: of a width, counted from `from`, or between bounds. */
  | { range: number | { width: number; from?: number } | { bounds: number[] } }
  /** Dates keep their beginning: `year` makes 1987-03-04 1987. */
  | { date: DatePart | { part: DatePart; order?: 'YMD' | 'DMY' | 'MDY' } }
  /** The first characters stay, the others become `char`. */
  | { prefix: { keep: number; char?: string } }
  /** Each row holds a value, then what it is on each level; level 0 is the value itself. */
  | { hierarchy: { level: number; rows: string[][] } }

const numeric = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*$/i

/** A number without what binary fractions add to it. */
const tidy = (value: number) => String(Number(value.toPrecision(12)))

/** Numbers become intervals that hold their lower bound and not their upper one: `[30, 40[`. */
function toRange(text: string, range: Extract<Generalisation, { range: unknown }>['range']): string {
  const match = numeric.exec(text)
  if (!match) return suppressed
  const value = Number(match[1])
  const interval = typeof range === 'number' ? { width: range } : range
  if ('bounds' in interval) {
    const above = interval.bounds.findIndex(bound => value < bound)
    if (above === 0) return `<${tidy(interval.bounds[0]!)}`
    if (above < 0) return `>=${tidy(interval.bounds.at(-1)!)}`
    return `[${tidy(interval.bounds[above - 1]!)}, ${tidy(interval.bounds[above]!)}[`
  }
  const { width, from = 0 } = interval
  let step = Math.floor((value - from) / width)
  // Of a bound that binary fractions can't hold exactly, the one that is written counts.
  if (Number(tidy(from + (step + 1) * width)) <= value) step++
  const low = from + step * width
  return Number.isFinite(low) ? `[${tidy(low)}, ${tidy(low + width)}[` : suppressed
}

const dateAt: Record<string, RegExp> = {
  YMD: /^\s*(?<year>\d{4})[-/.]?(?<month>\d{1,2})[-/.]?(?<day>\d{1,2})(?!\d)/,
  DMY: /^\s*(?<day>\d{1,2})[-/. ](?<month>\d{1,2})[-/. ](?<year>\d{4})(?!\d)/,
  MDY: /^\s*(?<month>\d{1,2})[-/. ](?<day>\d{1,2})[-/. ](?<year>\d{4})(?!\d)/,
}

function toDatePart(text: string, part: DatePart, order: string): string {
  const found = dateAt[order]!.exec(text)?.groups
  if (!found) return suppressed
  const month = Number(found.month)
  const day = Number(found.day)
  if (month < 1 || month > 12 || day < 1 || day > 31) return suppressed
  if (part === 'month') return `${found.year}-${String(month).padStart(2, '0')}`
  if (part === 'quarter') return `${found.year}-Q${Math.ceil(month / 3)}`
  return part === 'year' ? found.year! : `${found.year!.slice(0, 3)}0s`
}

function toPrefix(text: string, { keep, char = '*' }: { keep: number; char?: string }): string {
  const characters = Array.from(text)
  return characters.slice(0, keep).join('') + char.repeat(Math.max(0, characters.length - keep))
}

/** Makes what generalises values. Of a value that can't be generalised nothing is left but the mark of suppression. */
function createGeneraliser(form: Generalisation): (text: string) => string {
  if ('range' in form) return text => toRange(text, form.range)
  if ('date' in form) {
    const { part, order = 'YMD' } = typeof form.date === 'string' ? { part: form.date } : form.date
    return text => toDatePart(text, part, order)
  }
  if ('prefix' in form) return text => toPrefix(text, form.prefix)
  const { level, rows } = form.hierarchy
  const known = new Map(rows.map(row => [row[0]!, row[level] ?? suppressed]))
  return text => known.get(text) ?? known.get(text.trim()) ?? suppressed
}

function checkRange(range: unknown): ReplacementProblem[] {
  const interval = isObject(range) ? range : { width: range }
  const isNumber = (value: unknown): value is number => Number.isFinite(value)
  if ('bounds' in interval) {
    const { bounds } = interval
    const ascend = Array.isArray(bounds) && bounds.every((at, n) => isNumber(at) && (n === 0 || at > bounds[n - 1]))
    return ascend && bounds.length > 0 ? [] : problem('Must be numbers that ascend', 'range', 'bounds')
  }
  const { width, from = 0 } = interval
  return isNumber(width) && width > 0 && isNumber(from) ? [] : problem('Must be a positive width', 'range')
}

function checkDate(date: unknown): ReplacementProblem[] {
  const { part, order = 'YMD' } = isObject(date) ? date : { part: date }
  if (!dateParts.some(known => known === part)) return problem(`Must be one of ${dateParts.join(', ')}`, 'date')
  return Object.hasOwn(dateAt, String(order)) ? [] : problem('Must be an order of year, month and day', 'date', 'order')
}

function checkPrefix(prefix: unknown): ReplacementProblem[] {
  if (!isObject(prefix) || !isCount(prefix.keep)) return problem('Must be a number of characters', 'prefix', 'keep')
  const { char = '*' } = prefix
  return typeof char === 'string' && char !== '' ? [] : problem('Must be a character', 'prefix', 'char')
}

function checkHierarchy(hierarchy: unknown): ReplacementProblem[] {
  if (!isObject(hierarchy) || !isCount(hierarchy.level) || !Array.isArray(hierarchy.rows))
    return problem('Must have a level and rows', 'hierarchy')
  const level = hierarchy.level as number
  const reaches = hierarchy.rows.every(row => Array.isArray(row) && row.length > level)
  return reaches ? [] : problem('Every row of the hierarchy must reach the level', 'hierarchy', 'level')
}

const checks: Record<string, (way: unknown) => ReplacementProblem[]> = {
  range: checkRange,
  date: checkDate,
  prefix: checkPrefix,
  hierarchy: checkHierarchy,
}

/** Less detail of the same value. */
export const generalise: Operator<Generalisation> = {
  validate(options) {
    const [[name = '', way] = [], ...others] = isObject(options) ? Object.entries(options) : []
    if (others.length > 0 || !Object.hasOwn(checks, name))
      return problem(`Must be exactly one of ${Object.keys(checks).join(', ')}`)
    return checks[name]!(way)
  },
  apply(options) {
    const generaliser = createGeneraliser(options)
    return ({ value }) => generaliser(value)
  },
}
