import { createHmac, type KeyObject } from 'node:crypto'
import { fromDays, toDays } from './civil.ts'
import { type Order, readDate, shiftDate, shiftPartial } from './written-date.ts'

/** How far dates are shifted, and how those that don't tell the order of their numbers are read. */
export type Shift = {
  /** Days, by default from a year before to a year after. */
  days?: { min: number; max: number }
  /** By whole weeks only, so that a weekday stays one. */
  keep?: 'weekday'
  order?: Order
  /** BCP 47: of its language are names of months and weekdays that several have. */
  locale?: string
}

/** A year. */
export const byDefault = { min: -365, max: 365 }
/** Dates that stand for no date, which stay. */
const sentinels = new Set(['0001-01-01', '1900-01-01', '9999-12-31'])

/** The shift of a scope, or of a subject in it: any of those that are allowed, each as likely, but those of less than two days. */
function offsetOf(key: KeyObject, { days = byDefault, keep }: Shift, subject: string | undefined): number {
  const step = keep === 'weekday' ? 7 : 1
  const first = Math.ceil(days.min / step)
  const count = Math.floor(days.max / step) - first + 1
  for (let draw = 0; ; draw++) {
    const number = createHmac('sha256', key)
      .update(`shift|${draw}${subject === undefined ? '' : `|${subject}`}`)
      .digest()
      .readUIntBE(0, 6)
    if (number >= 2 ** 48 - (2 ** 48 % count)) continue
    const offset = (first + (number % count)) * step
    if (Math.abs(offset) > 1) return offset
  }
}

const two = (number: number) => String(number).padStart(2, '0')

/**
 * Makes what moves dates by a number of days that the key decides, or key and subject, in the form that they are written in;
 * nothing comes of what is none.
 */
export function createShift(key: KeyObject, shift: Shift, subject?: string): (value: string) => string | undefined {
  const offset = offsetOf(key, shift, subject)
  const language = shift.locale?.split('-')[0]
  return value => {
    const [, before = '', text = '', after = ''] = /^(\s*)(.*?)(\s*)$/su.exec(value)!
    const date = readDate(text, shift.order)
    if (date) {
      const { year, month, day } = date.civil
      if (sentinels.has(`${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`)) return value
    }
    const moved = date && fromDays(toDays(date.civil) + offset)
    if (moved && (moved.year < 1000 || moved.year > 9999)) return undefined
    const shifted = date ? shiftDate(date, offset, language) : shiftPartial(text, offset, language)
    return shifted === undefined ? undefined : before + shifted + after
  }
}
