import { toDays } from '../../dates/civil.ts'
import { readDate } from '../../dates/written-date.ts'

/** The day from which spreadsheets and charts count. */
const first = toDays({ year: 1899, month: 12, day: 30 })

/** Digits of a number that tells of somebody, and characters of the longest date. */
const fewestDigits = 5
const longest = 48

/** Digits that even a date with a short year has. */
const fewDigits = /\d\D*\d\D*\d\D*\d/
const numberOnly = /^[\d\s()./+-]+$/

/** What a spreadsheet or a chart holds for programs where people read a text: a number without its signs, the number of a day. */
export function machineForms(text: string): string[] {
  if (text.length > longest || !fewDigits.test(text)) return []
  const dates = [readDate(text, 'DMY'), readDate(text, 'MDY')]
  const forms = new Set(dates.flatMap(date => (date === undefined ? [] : String(toDays(date.civil) - first))))
  const digits = numberOnly.test(text) ? text.replace(/\D/g, '').replace(/^0+/, '') : ''
  if (digits.length >= fewestDigits) forms.add(digits)
  return [...forms]
}
