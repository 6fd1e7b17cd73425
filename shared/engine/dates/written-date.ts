import { fold, inCaseOf } from '../surrogates/spelling.ts'
import { type Civil, fromDays, isCivil, toDays, weekdayOf } from './civil.ts'
import { type DateName, dateNames } from './date-names.ts'

/** In which order numbers stand in dates that don't tell it. */
export type Order = 'DMY' | 'MDY' | 'YMD'

/** A part of a date as it is written: a number or a name of it, or what stands between. */
type Part =
  | { kind: 'text'; text: string }
  | { kind: 'day' | 'month' | 'year'; text: string }
  | { kind: 'monthName' | 'weekday'; text: string; names: readonly DateName[] }

/** A date with the form that it is written in. */
export type WrittenDate = { civil: Civil; parts: readonly Part[] }

const tokens = /\d+|[\p{L}\p{M}]+(?:-feira)?|[^\d\p{L}\p{M}]+/gu
/** A time of day and its zone, which stay. */
const time =
  /(?:[T\s,]|\s(?:at|um|à|a las|alle|kl\.?|om|klo)\s)\s*\d{1,2}[:.h]\d{2}(?:[:.]\d{2}(?:[.,]\d{1,9})?)?\s*(?:[ap]\.?m\.?|uhr|z|utc|gmt|[+-]\d{2}:?\d{2})*\s*(?:\[[^\]]+\])?$/iu
/** Words that stand in dates and say nothing. */
const fillers = new Set('de del of the den der le la el il o th st nd rd er a am on di dne г год kl t va'.split(' '))
/** `YYYYMMDD`, and what may follow: the time, as DICOM and HL7 write it. */
const compact = /^(\d{4})(\d{2})(\d{2})(?=$|\d{4}(?:\d{2}(?:\.\d+)?)?(?:[+-]\d{4})?$|T\d)/
const english = /^(?:st|nd|rd|th)$/i

const ordinal = (day: number) =>
  day % 10 === 1 && day !== 11 ? 'st' : day % 10 === 2 && day !== 12 ? 'nd' : day % 10 === 3 && day !== 13 ? 'rd' : 'th'

/** Two digits of a year: of this century up to 29, as spreadsheet programs take them. */
const fullYear = (text: string) => (text.length === 2 ? Number(text) + (Number(text) < 30 ? 2000 : 1900) : Number(text))

/** What the numbers of a date are, from left to right; nothing where it can't be told. */
function rolesOf(numbers: readonly string[], hasMonthName: boolean, separator: string, order: Order | undefined) {
  if (hasMonthName) {
    if (numbers.length !== 2) return undefined
    return numbers[0]!.length === 4 ? (['year', 'day'] as const) : (['day', 'year'] as const)
  }
  if (numbers.length !== 3) return undefined
  const [first, second] = numbers.map(Number) as [number, number]
  if (numbers[0]!.length === 4) return ['year', 'month', 'day'] as const
  if (order === 'YMD') return ['year', 'month', 'day'] as const
  const dayFirst = ['day', 'month', 'year'] as const
  const monthFirst = ['month', 'day', 'year'] as const
  if (first > 12) return dayFirst
  if (second > 12) return monthFirst
  if (order) return order === 'DMY' ? dayFirst : monthFirst
  // Full stops are of day first everywhere; of others the same number twice says the same either way.
  return separator.includes('.') || first === second ? dayFirst : undefined
}

/** The words and numbers of a date; nothing where there is a word that dates don't have. */
function partsOf(text: string): Part[] | undefined {
  const parts: Part[] = []
  for (const [token] of text.matchAll(tokens)) {
    if (/^\d/.test(token)) parts.push({ kind: 'day', text: token })
    else if (!/^[\p{L}\p{M}]/u.test(token)) parts.push({ kind: 'text', text: token })
    // `st` is a Wednesday in Czech, too.
    else if (english.test(token) && parts.at(-1)?.kind === 'day') parts.push({ kind: 'text', text: token })
    else {
      const months = dateNames(token, 'months')
      const weekdays = dateNames(token, 'weekdays')
      const hasMonth = parts.some(({ kind }) => kind === 'monthName')
      const beforeDay = weekdays.length > 0 && !parts.some(({ kind }) => kind === 'day')
      if (months.length > 0 && !hasMonth && !beforeDay) parts.push({ kind: 'monthName', text: token, names: months })
      else if (weekdays.length > 0) parts.push({ kind: 'weekday', text: token, names: weekdays })
      else if (months.length > 0 && !hasMonth) parts.push({ kind: 'monthName', text: token, names: months })
      else if (fillers.has(fold(token))) parts.push({ kind: 'text', text: token })
      else return undefined
    }
  }
  return parts
}

/** Reads a date with its form. Nothing comes back for what is none, is impossible, or could be two days. */
export function readDate(text: string, order?: Order): WrittenDate | undefined {
  const digits = compact.exec(text)
  if (digits) {
    const [all, year, month, day] = digits as unknown as [string, string, string, string]
    const civil = { year: Number(year), month: Number(month), day: Number(day) }
    const parts: Part[] = [
      { kind: 'year', text: year },
      { kind: 'month', text: month },
      { kind: 'day', text: day },
      { kind: 'text', text: text.slice(all.length) },
    ]
    return isCivil(civil) && civil.year >= 1000 ? { civil, parts } : undefined
  }
  const at = time.exec(text)?.index ?? text.length
  const parts = partsOf(text.slice(0, at))
  if (!parts) return undefined
  const numbers = parts.filter(part => part.kind === 'day')
  const months = parts.filter(part => part.kind === 'monthName')
  if (months.length > 1 || numbers.some(({ text: number }) => ![1, 2, 4].includes(number.length))) return undefined
  const first = parts.indexOf(numbers[0]!)
  const separator = parts[first + 1]?.text ?? ''
  const roles = rolesOf(
    numbers.map(({ text: number }) => number),
    months.length === 1,
    separator,
    order,
  )
  if (!roles) return undefined
  numbers.forEach((part, index) => {
    part.kind = roles[index]! as 'day'
  })
  const numberOf = (kind: string) => Number(parts.find(part => part.kind === kind)?.text)
  const year = fullYear(parts.find(({ kind }) => kind === 'year')!.text)
  const month = months[0]?.kind === 'monthName' ? months[0].names[0]!.index + 1 : numberOf('month')
  const civil = { year, month, day: numberOf('day') }
  return isCivil(civil) ? { civil, parts: [...parts, { kind: 'text', text: text.slice(at) }] } : undefined
}

/** Words that tell the language of a date whose month several languages have. */
const telling: Record<string, string> = {
  den: 'sv',
  kl: 'sv',
  of: 'en',
  th: 'en',
  klo: 'fi',
  г: 'ru',
  del: 'es',
  de: 'es',
}

/** Of the languages that a name of a date is of, the one that its other words are of, too. */
function formFor(names: readonly DateName[], parts: readonly Part[], index: number): DateName {
  const fits = names.filter(name => name.index === index)
  const told = parts.flatMap(({ kind, text }) => (kind === 'text' ? (telling[fold(text).trim()] ?? []) : []))
  const isShared = ({ language }: DateName) =>
    parts.every(
      part =>
        (part.kind !== 'monthName' && part.kind !== 'weekday') || part.names.some(other => other.language === language),
    )
  return fits.find(({ language }) => told.includes(language)) ?? fits.find(isShared) ?? names[0]!
}

/** Writes another day in the form of a date. Nothing comes back where the form can't hold it. */
export function writeDate({ civil: from, parts }: WrittenDate, civil: Civil): string | undefined {
  const width = isPadded(parts) ? 2 : 1
  const padded = (number: number) => String(number).padStart(width, '0')
  const same = from.year === civil.year && from.month === civil.month && from.day === civil.day
  if (same) return parts.map(({ text }) => text).join('')
  const year = parts.find(({ kind }) => kind === 'year')!.text
  // Two digits mean a hundred years only.
  if (year.length === 2 && (civil.year < 1930 || civil.year > 2029)) return undefined
  return parts
    .map((part, index) => {
      const { kind, text } = part
      const before = parts[index - 1]
      if (kind === 'text')
        return english.test(text) && before?.kind === 'day' ? inCaseOf(text, ordinal(civil.day)) : text
      if (kind === 'year') return String(civil.year % (year.length === 2 ? 100 : 10_000)).padStart(text.length, '0')
      if (kind === 'day') return padded(civil.day)
      if (kind === 'month') return padded(civil.month)
      if (part.kind !== 'monthName' && part.kind !== 'weekday') return text
      const wanted = kind === 'monthName' ? civil.month - 1 : weekdayOf(toDays(civil))
      const was = kind === 'monthName' ? from.month - 1 : part.names[0]!.index
      const name = formFor(part.names, parts, was).forms[wanted]!
      return inCaseOf(text, name)
    })
    .join('')
}

/** Whether numbers of one digit have a nought before them: where one has, or where none shows that they haven't. */
function isPadded(parts: readonly Part[]): boolean {
  const numbers = parts.filter(({ kind }) => kind === 'day' || kind === 'month')
  if (numbers.some(({ text }) => /^0\d$/.test(text))) return true
  return numbers.length === 2 && numbers.every(({ text }) => text.length === 2)
}

/** The date so many days later, in the same form. */
export const shiftDate = (date: WrittenDate, days: number): string | undefined =>
  writeDate(date, fromDays(toDays(date.civil) + days))

/** A month of a year, or a year alone, moved by as many whole months or years as the days nearly are. */
export function shiftPartial(text: string, days: number): string | undefined {
  const parts = partsOf(text)
  const numbers = parts?.filter(({ kind }) => kind === 'day') ?? []
  const year = numbers.find(({ text: number }) => number.length === 4)
  if (!parts || !year || Number(year.text) < 1000) return undefined
  const name = parts.find(part => part.kind === 'monthName')
  const month = numbers.find(number => number !== year)
  if (numbers.length > 2 || (name && month) || parts.some(({ kind }) => kind === 'weekday')) return undefined
  const now = name?.kind === 'monthName' ? name.names[0]!.index : month ? Number(month.text) - 1 : undefined
  if (now === undefined) {
    const moved = String(Number(year.text) + Math.round(days / 365.25))
    return parts.map(part => (part === year ? moved : part.text)).join('')
  }
  if (now < 0 || now > 11) return undefined
  const months = Number(year.text) * 12 + now + Math.round(days / 30.4375)
  const made = (part: Part) => {
    if (part === year) return String(Math.floor(months / 12))
    if (part === month) return String((months % 12) + 1).padStart(part.text.length, '0')
    return part.kind === 'monthName'
      ? inCaseOf(part.text, formFor(part.names, parts, now).forms[months % 12]!)
      : part.text
  }
  return parts.map(made).join('')
}
