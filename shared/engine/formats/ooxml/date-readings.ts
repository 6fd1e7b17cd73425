import type { Reading } from '../format.ts'
import type { DateForm, Kind, Token } from './date-forms.ts'

/** What is counted of a moment. */
type Moment = Record<Exclude<Kind, 'half'>, number> & { weekday: number }

const day = 86_400

function momentOf(serial: number, from1904: boolean, digits: number): Moment {
  const scale = 10 ** digits
  const ticks = Math.round(serial * day * scale)
  const seconds = Math.floor(ticks / scale)
  const days = Math.floor(seconds / day)
  const date = new Date((from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)) + days * day * 1000)
  const ofDay = seconds % day
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: Math.floor(ofDay / 3600),
    minute: Math.floor(ofDay / 60) % 60,
    second: ofDay % 60,
    hours: Math.floor(seconds / 3600),
    minutes: Math.floor(seconds / 60),
    seconds,
    fraction: ticks % scale,
  }
}

const names = new Map<string, string[]>()

type Width = 'long' | 'short'

/** Names that are made once each. */
function remembered(key: string, make: () => string[]): string[] {
  const known = names.get(key) ?? make()
  names.set(key, known)
  return known
}

/** Names of months and weekdays, the first of which is Sunday. */
const namesOf = (locale: string, part: 'month' | 'weekday', width: Width): string[] =>
  remembered(`${locale} ${part} ${width}`, () => {
    const format = new Intl.DateTimeFormat(locale, { [part]: width, calendar: 'gregory', timeZone: 'UTC' })
    const dates = part === 'month' ? firstDays : Array.from({ length: 7 }, (_, at) => Date.UTC(2023, 0, at + 1))
    return dates.map(date => format.format(date).replace(/\.$/, ''))
  })

/** Names of months as they stand beside a day: many languages have another case for that. */
const inflectedMonths = (locale: string, width: Width): string[] =>
  remembered(`${locale} inflected ${width}`, () => {
    const own = { day: 'numeric', month: width, calendar: 'gregory', timeZone: 'UTC' } as const
    const format = new Intl.DateTimeFormat(locale, own)
    const bare = namesOf(locale, 'month', width)
    return firstDays.map((date, at) => {
      const name = format.formatToParts(date).find(({ type }) => type === 'month')?.value ?? ''
      return /\p{L}/u.test(name) ? name.replace(/\.$/, '') : bare[at]!
    })
  })

const firstDays = Array.from({ length: 12 }, (_, at) => Date.UTC(2023, at, 1))

function written(
  one: Exclude<Token, { kind: 'literal' }>,
  moment: Moment,
  { locale, isTwelve, isInflected }: DateForm,
): string {
  const { kind, length } = one
  const padded = (number: number, width = length) => String(number).padStart(width, '0')
  switch (kind) {
    case 'year':
      return length <= 2 ? padded(moment.year % 100, 2) : padded(moment.year, 4)
    case 'month': {
      if (length <= 2) return padded(moment.month)
      const width = length === 3 ? 'short' : 'long'
      const name = (isInflected ? inflectedMonths(locale, width) : namesOf(locale, 'month', width))[moment.month - 1]!
      return length === 5 ? [...name][0]! : name
    }
    case 'day':
      return length <= 2
        ? padded(moment.day)
        : namesOf(locale, 'weekday', length === 3 ? 'short' : 'long')[moment.weekday]!
    case 'half':
      return (moment.hour < 12 ? 'AM' : 'PM').slice(0, length === 3 ? 1 : 2)
    case 'hour':
      return padded(isTwelve ? moment.hour % 12 || 12 : moment.hour, Math.min(length, 2))
    case 'fraction':
      return `.${padded(moment.fraction)}`
    case 'minute':
    case 'second':
      return padded(moment[kind], Math.min(length, 2))
    default:
      return padded(moment[kind])
  }
}

const withTime = /^\d{4}-\d\d-\d\d[T ]\d/

const ofDate: ReadonlySet<string> = new Set(['year', 'month', 'day'])

/** A number of a spreadsheet as a form shows it, read in place of the same as ISO 8601 writes it. */
function readingOf(form: DateForm, serial: number, from1904: boolean, iso: string): Reading | undefined {
  const moment = momentOf(serial, from1904, form.digits)
  let text = ''
  /** Where the date and the time begin and end. */
  const [date, time] = [
    [-1, -1],
    [-1, -1],
  ]
  for (const one of form.tokens) {
    const start = text.length
    text += one.kind === 'literal' ? one.text : written(one, moment, form)
    if (one.kind === 'literal') continue
    const stretch = ofDate.has(one.kind) ? date : time
    if (stretch[0] === -1) stretch[0] = start
    stretch[1] = text.length
  }
  if (text === iso) return undefined
  const [length, from] = [text.length, time[0]!]
  const isBoth = withTime.test(iso) && date[0] !== -1 && from >= date[1]!
  const escaped = isBoth
    ? [0, date[1]!, 0, 10, date[1]!, from, 10, 11, from, length, 11, iso.length]
    : [0, length, 0, iso.length]
  return { text, escaped, ...(isDay(form) && { isDay: true }) }
}

const isDay = ({ tokens }: DateForm) =>
  tokens.some(({ kind }) => kind === 'month') && tokens.some(one => one.kind === 'day' && one.length <= 2)

/** How a number is shown by forms of dates and times, in place of the same as ISO 8601 writes it; each distinct one once. */
export function dateReadings(forms: readonly DateForm[], serial: number, from1904: boolean, iso: string): Reading[] {
  const readings: Reading[] = []
  for (const form of forms) {
    // A time alone is shown as one of a day that there is not.
    if (serial < 1 && form.tokens.some(({ kind }) => ofDate.has(kind))) continue
    const reading = readingOf(form, serial, from1904, iso)
    if (reading !== undefined && !readings.some(({ text }) => text === reading.text)) readings.push(reading)
  }
  return readings
}
