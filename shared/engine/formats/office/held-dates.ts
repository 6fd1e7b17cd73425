import { type Civil, toDays } from '../../dates/civil.ts'
import { dateNames } from '../../dates/date-names.ts'
import { readDate } from '../../dates/written-date.ts'

/** A date that an element holds for programs, and the text that it shows. */
export type HeldDate = { value: string; shown: string }

/** Makes the test of whether an element holds the day of a date that was replaced, though it shows something else. */
export function heldDates(gone: readonly string[]): (held: HeldDate) => boolean {
  let days: Set<number> | undefined
  return ({ value, shown }) => {
    const civil = readDate(value)?.civil
    if (civil === undefined || agrees(shown, civil)) return false
    days ??= new Set(gone.flatMap(daysOf))
    return days.has(toDays(civil))
  }
}

/** The days that a text may be, by either order of day and month. */
function daysOf(text: string): number[] {
  const read = (['DMY', 'MDY'] as const).map(order => readDate(text, order))
  return read.flatMap(date => (date === undefined ? [] : toDays(date.civil)))
}

/** Whether a text may show a date or a part of it: any of its numbers, or a name of a month or a weekday. */
function agrees(shown: string, { year, month, day }: Civil): boolean {
  if (!/[\p{L}\p{N}]/u.test(shown)) return true
  const numbers = new Set([year, year % 100, month, day])
  if ((shown.match(/\d+/g) ?? []).some(number => numbers.has(Number(number)))) return true
  const isName = (word: string) => dateNames(word, 'months').length > 0 || dateNames(word, 'weekdays').length > 0
  return (shown.match(/[\p{L}\p{M}]+/gu) ?? []).some(isName)
}
