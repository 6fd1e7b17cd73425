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

/** A word that may be a name of a date. */
type Word = { kind: 'word'; text: string; months: readonly DateName[]; weekdays: readonly DateName[] }

/** The word that names the month: one that is no weekday as well, or else the last, as in `mar 2 mar 2021`. Numbers may say it, too. */
function monthAmong(parts: readonly (Part | Word)[]): Word | undefined {
  const words = parts.filter((part): part is Word => part.kind === 'word' && part.months.length > 0)
  const byNumber = parts.filter(({ kind }) => kind === 'day').length > 2
  return words.find(({ weekdays }) => weekdays.length === 0) ?? (byNumber ? undefined : words.at(-1))
}

/** The words and numbers of a date; nothing where there is a word that dates don't have. */
function partsOf(text: string): Part[] | undefined {
  const found: (Part | Word)[] = []
  for (const [token] of text.matchAll(tokens)) {
    if (/^\d/.test(token)) found.push({ kind: 'day', text: token })
    // `st` is a Wednesday in Czech, too.
    else if (!/^[\p{L}\p{M}]/u.test(token) || (english.test(token) && found.at(-1)?.kind === 'day'))
      found.push({ kind: 'text', text: token })
    else
      found.push({
        kind: 'word',
        text: token,
        months: dateNames(token, 'months'),
        weekdays: dateNames(token, 'weekdays'),
      })
  }
  const month = monthAmong(found)
  const parts: Part[] = []
  for (const part of found) {
    if (part.kind !== 'word') parts.push(part)
    else if (part === month) parts.push({ kind: 'monthName', text: part.text, names: part.months })
    else if (part.weekdays.length > 0) parts.push({ kind: 'weekday', text: part.text, names: part.weekdays })
    else if (fillers.has(fold(part.text))) parts.push({ kind: 'text', text: part.text })
    else return undefined
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

/** A part that is a name. */
type NamePart = Extract<Part, { names: readonly DateName[] }>

const isName = (part: Part | undefined): part is NamePart => part?.kind === 'monthName' || part?.kind === 'weekday'
const hasDot = (part: Part | undefined): boolean => part?.kind === 'text' && part.text.startsWith('.')

/** Of the languages that a name is of, the one that is asked for, or that the other words are of, or that writes it so. */
function formOf({ text, names }: NamePart, index: number, parts: readonly Part[], language?: string): DateName {
  const words = parts.flatMap(part => (part.kind === 'text' ? (telling[fold(part.text).trim()] ?? []) : []))
  const named = parts.filter(isName)
  const dot = hasDot(parts[parts.findIndex(part => isName(part) && part.text === text) + 1])
  const claims = (name: DateName) => [
    name.language === language,
    words.includes(name.language),
    named.every(part => part.names.some(other => other.language === name.language)),
    name.forms[index]!.toLowerCase() === text.toLowerCase(),
    name.dotted[index] === dot,
  ]
  const weight = (name: DateName) => claims(name).reduce((sum, claim) => sum * 2 + (claim ? 1 : 0), 0)
  const fits = names.filter(name => name.index === index)
  return fits.reduce((best, name) => (weight(name) > weight(best) ? name : best), fits[0] ?? names[0]!)
}

/** The parts with other names: `month` and `weekday` are what stood there and what is to, from 0. A full stop that one ends with goes with it. */
function renamed(
  parts: readonly Part[],
  names: Record<'monthName' | 'weekday', (part: NamePart) => [was: number, wanted: number]>,
  language?: string,
): Part[] {
  const made = [...parts]
  for (const [at, part] of parts.entries()) {
    if (!isName(part)) continue
    const [was, wanted] = names[part.kind](part)
    const { forms, dotted } = formOf(part, was, parts, language)
    made[at] = { ...part, text: inCaseOf(part.text, forms[wanted]!) }
    const after = parts[at + 1]
    if (after?.kind !== 'text' || hasDot(after) !== dotted[was] || dotted[was] === dotted[wanted]) continue
    made[at + 1] = { ...after, text: dotted[wanted] ? `.${after.text}` : after.text.slice(1) }
  }
  return made
}

/** Writes another day in the form of a date. Nothing comes back where the form can't hold it. */
export function writeDate({ civil: from, parts }: WrittenDate, civil: Civil, language?: string): string | undefined {
  const width = isPadded(parts) ? 2 : 1
  const padded = (number: number) => String(number).padStart(width, '0')
  const same = from.year === civil.year && from.month === civil.month && from.day === civil.day
  if (same) return parts.map(({ text }) => text).join('')
  const year = parts.find(({ kind }) => kind === 'year')!.text
  // Two digits mean a hundred years only.
  if (year.length === 2 && (civil.year < 1930 || civil.year > 2029)) return undefined
  const names = {
    monthName: (): [number, number] => [from.month - 1, civil.month - 1],
    weekday: ({ names }: NamePart): [number, number] => [names[0]!.index, weekdayOf(toDays(civil))],
  }
  return renamed(parts, names, language)
    .map(({ kind, text }, index) => {
      if (kind === 'text')
        return english.test(text) && parts[index - 1]?.kind === 'day' ? inCaseOf(text, ordinal(civil.day)) : text
      if (kind === 'year') return String(civil.year % (year.length === 2 ? 100 : 10_000)).padStart(text.length, '0')
      if (kind === 'day') return padded(civil.day)
      return kind === 'month' ? padded(civil.month) : text
    })
    .join('')
}

/** Whether numbers of one digit have a nought before them: where one has, or where none shows that they haven't. */
function isPadded(parts: readonly Part[]): boolean {
  const numbers = parts.filter(({ kind }) => kind === 'day' || kind === 'month')
  if (numbers.some(({ text }) => /^0\d$/.test(text))) return true
  return numbers.length === 2 && numbers.every(({ text }) => text.length === 2)
}

/** The date so many days later, in the same form; `language` is that of names which several have. */
export const shiftDate = (date: WrittenDate, days: number, language?: string): string | undefined =>
  writeDate(date, fromDays(toDays(date.civil) + days), language)

/** A month of a year, or a year alone, moved by as many whole months or years as the days nearly are. */
export function shiftPartial(text: string, days: number, language?: string): string | undefined {
  const parts = partsOf(text)
  const numbers = parts?.filter(({ kind }) => kind === 'day') ?? []
  const year = numbers.find(({ text: number }) => number.length === 4)
  if (!parts || !year || Number(year.text) < 1000) return undefined
  const name = parts.find(part => part.kind === 'monthName')
  const month = numbers.find(number => number !== year)
  if (numbers.length > 2 || (name && month) || parts.some(({ kind }) => kind === 'weekday')) return undefined
  const now = name?.kind === 'monthName' ? name.names[0]!.index : month ? Number(month.text) - 1 : undefined
  const at = parts.indexOf(year)
  if (now === undefined) {
    const moved = String(Number(year.text) + Math.round(days / 365.25))
    return parts.map(({ text }, index) => (index === at ? moved : text)).join('')
  }
  if (now < 0 || now > 11) return undefined
  const months = Number(year.text) * 12 + now + Math.round(days / 30.4375)
  const none = (): [number, number] => [0, 0]
  return renamed(parts, { monthName: () => [now, months % 12], weekday: none }, language)
    .map(({ kind, text }, index) => {
      if (index === at) return String(Math.floor(months / 12))
      return kind === 'day' ? String((months % 12) + 1).padStart(text.length, '0') : text
    })
    .join('')
}
