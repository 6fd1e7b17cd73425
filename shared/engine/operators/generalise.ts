import type { DatePart, Generalisation } from '../plan.ts'
import { suppressed } from './suppress.ts'

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
export function createGeneraliser(form: Generalisation): (text: string) => string {
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
