import { type Civil, toDays } from '../../dates/civil.ts'
import { type Order, readDate } from '../../dates/written-date.ts'

/** The day from which spreadsheets and charts count. */
const first = toDays({ year: 1899, month: 12, day: 30 })

/** Digits of a number that tells of somebody, and characters of the longest date. */
const fewestDigits = 5
const longest = 48

/** Digits that even a date with a short year has. */
const fewDigits = /\d\D*\d\D*\d\D*\d/
const numberOnly = /^[\d\s()./+-]+$/

const two = (number: number) => String(number).padStart(2, '0')

/** What a day is for programs: its number, and how it is written everywhere. */
const formsOf = (day: Civil): string[] => [
  String(toDays(day) - first),
  `${String(day.year).padStart(4, '0')}-${two(day.month)}-${two(day.day)}`,
]

/** Texts in which one of the forms may stand. */
export const mayHoldForms = /\d{5}|\d{4}-\d\d-\d\d/

/** Countries that write full stops in dates put the day first; slashes and hyphens stand in both orders. */
const dotted = /^\s*\d{1,2}\.\s?\d{1,2}\./
const ordersOf = (text: string): Order[] => (dotted.test(text) ? ['DMY'] : ['DMY', 'MDY'])

/** What a spreadsheet or a chart holds for programs where people read a text: a number without its signs, a day. */
export function machineForms(text: string): string[] {
  if (text.length > longest || !fewDigits.test(text)) return []
  const dates = ordersOf(text).map(order => readDate(text, order))
  const forms = new Set(dates.flatMap(date => (date === undefined ? [] : formsOf(date.civil))))
  const digits = numberOnly.test(text) ? text.replace(/\D/g, '').replace(/^0+/, '') : ''
  if (digits.length >= fewestDigits) forms.add(digits)
  return [...forms]
}
