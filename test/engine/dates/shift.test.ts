import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { fromDays, toDays } from '../../../shared/engine/dates/civil.ts'
import { createShift } from '../../../shared/engine/dates/shift.ts'
import { type Order, readDate, shiftDate } from '../../../shared/engine/dates/written-date.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { checkReplacement, type Replacement } from '../../../shared/engine/operators/index.ts'
import { call, regexRule } from '../call.ts'

type Parts = Record<'d' | 'dd' | 'm' | 'mm' | 'yyyy', string>

/** Forms in numbers, with the order that some don't tell, and in words with a month (`MON` cut short) of a language. */
const numeric: [form: string, order?: Order][] = [
  ['yyyy-mm-dd'],
  ['dd.mm.yyyy'],
  ['d.m.yyyy'],
  ['yyyy/mm/dd'],
  ['yyyy.mm.dd'],
  ['yyyymmdd'],
  ['yyyy-mm-ddT08:15:00Z'],
  ['yyyy-mm-dd 08:15:00.250'],
  ['yyyy-mm-ddT08:15:00+02:00'],
  ['dd.mm.yyyy 14:30'],
  ['yyyymmdd120000+0100'],
  ['dd/mm/yyyy', 'DMY'],
  ['mm/dd/yyyy', 'MDY'],
  ['dd-mm-yyyy', 'DMY'],
  ['mm/dd/yyyy 2:30 PM', 'MDY'],
]
const written = [
  'd MMM yyyy',
  'dd MMM yyyy',
  'MMM d, yyyy',
  'd. MMM yyyy',
  'd-MMM-yyyy',
  'WWW d MMM yyyy',
  'd MMM yyyy 14:30',
  'd MON yyyy',
  'd-MON-yyyy',
  'd/MON/yyyy',
  'MON d, yyyy',
  'yyyy MMM d',
  'WWW, d MMM yyyy',
  'WWW d MMM yyyy 14:30',
  'MMM d yyyy',
]
const locales = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'sv', 'fi', 'cs', 'ru']
const days = [
  [2020, 2, 28],
  [2021, 3, 4],
  [2019, 12, 31],
  [2000, 2, 29],
] as const

function nameOf(locale: string, part: 'month' | 'weekday', date: Date, width: 'long' | 'short' = 'long') {
  const format = new Intl.DateTimeFormat(locale, { day: 'numeric', [part]: width, timeZone: 'UTC' })
  return format.formatToParts(date).find(({ type }) => type === part)!.value
}

/** A date in a form, by the names of ICU. */
function write(form: string, locale: string, days: number): string {
  const { year, month, day } = fromDays(days)
  const date = new Date(days * 86_400_000)
  const two = (number: number) => String(number).padStart(2, '0')
  const parts: Parts = { d: String(day), dd: two(day), m: String(month), mm: two(month), yyyy: String(year) }
  return form.replace(/yyyy|WWW|MMM|MON|dd?|mm?/g, part => {
    if (part === 'MMM') return nameOf(locale, 'month', date)
    if (part === 'MON') return nameOf(locale, 'month', date, 'short')
    if (part === 'WWW') return nameOf(locale, 'weekday', date)
    return parts[part as keyof Parts]
  })
}

/** Every form in words in each language, and the forms in numbers. */
const all: [locale: string, form: string, order?: Order][] = [
  ...locales.flatMap(locale => written.map((form): [string, string] => [locale, form])),
  ...numeric.map(([form, order]): [string, string, Order?] => ['en', form, order]),
]

test('1,500 dates in 12 languages and 30 forms move by days and keep their form', () => {
  expect([locales.length, numeric.length + written.length]).toEqual([12, 30])
  const wrong: string[] = []
  let tried = 0
  for (const [locale, form, order] of all)
    for (const [year, month, day] of days)
      for (const offset of [0, 100, -37]) {
        const from = toDays({ year, month, day })
        const text = write(form, locale, from)
        // French and Italian have these names as well, and nothing else in such a date tells which language it is.
        const shared = ['es', 'sv'].includes(locale) && month === 3 && !form.includes('WWW')
        const language = shared || form.includes('MON') ? locale : undefined
        // Months that are numbers, or the same cut short and in full.
        if (form.includes('MON') && (/^(?:fi|cs)$/.test(locale) || (month === 3 && /^(?:de|fr|sv)$/.test(locale))))
          continue
        // Whether a nought would stand before a day of one digit, two digits don't show.
        const shows = day < 10 || form.includes('MMM') || (form.includes('dd') && month < 10)
        if (/d\.?m|^dd MMM/.test(form) && (!shows || (/^dd MMM/.test(form) && day > 9))) continue
        const wanted = write(form, locale, from + offset)
        const date = readDate(text, order)
        const made = date && shiftDate(date, offset, language)
        tried++
        if (made !== wanted) wrong.push(`${locale} ${form}: ${text} → ${made}, not ${wanted}`)
      }
  expect(tried).toBeGreaterThan(1500)
  expect(wrong).toEqual([])
})

test.each([
  ['4 mars 2021', '12 juin 2021'],
  ['den 4 mars 2021 kl. 14:30', 'den 12 juni 2021 kl. 14:30'],
  ['4 marzo 2021', '12 giugno 2021'],
  ['4 de marzo de 2021', '12 de junio de 2021'],
  ['1st March 2021', '9th June 2021'],
  ['Mar 4, 2021', 'Jun 12, 2021'],
  ['4 déc. 2021', '14 mars 2022'],
  ['mar 2 mar 2021', 'gio 10 giu 2021'],
])('another word tells the language of a month that several have: %s', (text, wanted) => {
  expect(shiftDate(readDate(text)!, 100)).toBe(wanted)
})

test('intervals are kept exactly', () => {
  const move = createShift(createSecretKey(Buffer.alloc(32, 4)), {})
  const iso = (days: number) => {
    const { year, month, day } = fromDays(days)
    return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  }
  const offsets = new Set(
    Array.from({ length: 20_000 }, (_, n) => {
      const days = -20_000 + n * 2
      const { civil } = readDate(move(iso(days))!)!
      return toDays(civil) - days
    }),
  )
  expect(offsets.size).toBe(1)
})

test('shifts are spread evenly over the days, without 0, or over whole weeks', () => {
  const offsetOf = (byte: number, shift = {}) => {
    const key = createSecretKey(Buffer.from(String(byte).padStart(32, '0')))
    return toDays(readDate(createShift(key, shift)('2000-01-01')!)!.civil) - toDays({ year: 2000, month: 1, day: 1 })
  }
  const some = Array.from({ length: 2000 }, (_, byte) => offsetOf(byte))
  expect(some.filter(offset => Math.abs(offset) < 2 || Math.abs(offset) > 365)).toEqual([])
  expect(Math.abs(some.reduce((sum, offset) => sum + offset, 0) / some.length)).toBeLessThan(25)
  expect(
    Array.from({ length: 50 }, (_, byte) => offsetOf(byte, { keep: 'weekday' }) % 7).every(rest => rest === 0),
  ).toBe(true)
})

test.each([
  ['30.02.2021', undefined],
  ['03/04/2021', undefined],
  ['soon', undefined],
  ['9999-12-31', '9999-12-31'],
  ['1900-01-01', '1900-01-01'],
])('%s becomes %s', (text, wanted) => {
  expect(createShift(createSecretKey(Buffer.alloc(32, 4)), {})(text)).toBe(wanted)
})

test('a month of a year and a year move by whole ones', () => {
  const key = createSecretKey(Buffer.alloc(32, 4))
  const move = createShift(key, { days: { min: 400, max: 430 } })
  expect(move('March 2021')).toMatch(/^(?:April|May) 2022$/)
  expect(move('2021-03')).toMatch(/^2022-0[45]$/)
  expect(move('2021')).toBe('2022')
})

test.each(['a.txt', 'a.csv'])('dates of %s move together, and what is no date is suppressed', async name => {
  const rules = [regexRule('date', '[0-9./]{8,10}', { replacement: { dateShift: { days: { min: 20, max: 40 } } } })]
  const input = bufferInput(name, Buffer.from('when\n01.03.2021\n11.03.2021\n31.02.2021\n'))
  const { output } = await anonymise(call({ input, rules, assetType: name === 'a.csv' ? 'TABLE' : 'DOCUMENT' }))
  const [, first, second, third] = Buffer.from(await output.read(0, output.size))
    .toString()
    .split('\n')
  const daysOf = (text: string) => toDays(readDate(text)!.civil)
  expect(daysOf(second!) - daysOf(first!)).toBe(10)
  expect(third).toBe('*')
})

test.each([
  [{ dateShift: { days: { min: 0, max: 3 } } }, ['dateShift', 'days']],
  [{ dateShift: { order: 'YDM' } }, ['dateShift', 'order']],
  [{ dateShift: { keep: 'year' } }, ['dateShift', 'keep']],
  [{ dateShift: { by: 'row' } }, ['dateShift', 'by']],
  [{ dateShift: { locale: 'German' } }, ['dateShift', 'locale']],
])('%j is refused', (replacement, loc) => {
  expect(checkReplacement(replacement as Replacement)).toEqual([{ msg: expect.any(String), loc }])
})
