import type { Found } from '../models/model.ts'

/** Two numbers that a line begins with, and whether what stands behind them makes a quantity of them. */
const beginnings =
  /^[ \t•*]{0,6}(?<value>(?<first>\d{1,2})(?<mark>[./-])(?<second>\d{1,2})\.?)(?=[\s|:;,]|$)(?<unit>[ \t]?(?:\p{Sc}|[%°]|(?:[kmµcdn]?[glm]|h|x|EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|kč|zł|kr)(?!\p{L})))?/gmu

type Beginning = { start: number; end: number; mark: string; first: number; second: number; isQuantity: boolean }

/** A day and a month of a line. */
type Day = { day: number; month: number }

/** Fewest lines that make a series, and fewest where a number can be no month. */
const FEWEST = { lines: 3, withLateDay: 2 }

function beginningsOf(text: string): Beginning[] {
  return Array.from(text.matchAll(beginnings), ({ groups, index, 0: whole }) => {
    const { value, first, mark, second, unit } = groups!
    const start = index + whole.indexOf(value!)
    const numbers = { first: Number(first), second: Number(second) }
    return { start, end: start + value!.length, mark: mark!, ...numbers, isQuantity: unit !== undefined }
  })
}

const isDay = ({ day, month }: Day) => day > 0 && day <= 31 && month > 0 && month <= 12
const isLate = ({ day }: Day) => day > 12
const place = ({ day, month }: Day) => 100 * month + day

/** Whether days follow each other, in one direction or the other. */
function isInOrder(days: readonly Day[]): boolean {
  const steps = days.slice(1).map((next, n) => place(next) - place(days[n]!))
  return steps.every(step => step >= 0) || steps.every(step => step <= 0)
}

/**
 * Whether days are no numbers of sections, pages or rounds, nor fractions: those count their first number up, and begin the second
 * one anew; of days the first begins anew with each month.
 */
function areNoCounts(days: readonly Day[], mark: string): boolean {
  const steps = days.slice(1).map((next, n) => ({ day: next.day - days[n]!.day, month: next.month - days[n]!.month }))
  if (steps.every(({ day, month }) => day === 1 && month === 0)) return false
  if (mark !== '.') return days.some(({ day, month }) => day >= month)
  return steps.every(({ month }) => month === 0) || steps.some(({ day, month }) => day * month < 0)
}

function areDays(days: readonly Day[], mark: string): boolean {
  if (days.length < (days.some(isLate) && mark !== '.' ? FEWEST.withLateDay : FEWEST.lines)) return false
  return days.every(isDay) && isInOrder(days) && areNoCounts(days, mark)
}

/**
 * Days and months in digits that lines of a statement, a diary or a list of shifts begin with: `4.3 train`, `12/8  envelope`. One
 * alone may be anything; some in order, that are counted as days are, are days.
 */
export function daysOfLines(text: string): Found[] {
  const groups = Map.groupBy(beginningsOf(text), ({ mark }) => mark)
  return Array.from(groups).flatMap(([mark, all]) => {
    const days = all.map(({ first, second }) => ({ day: first, month: second }))
    const american = all.map(({ first, second }) => ({ day: second, month: first }))
    const isAmerican = mark === '/' && american.some(isLate) && areDays(american, mark)
    if (!(isAmerican || areDays(days, mark)) || all.some(({ isQuantity }) => isQuantity)) return []
    const evidence = { by: 'pattern' as const, pattern: 'date.lines' }
    return all.map(({ start, end }) => ({ start, end, label: 'DATE', score: 0.6, evidence }))
  })
}
