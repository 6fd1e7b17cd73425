import { fold } from '../surrogates/spelling.ts'

/** Languages whose names of months and weekdays are known, those that share names with others first. */
const locales =
  'en de fr it es pt nl pl sv da nb fi cs ro hu tr ru el uk bg hr sr sl sk lt lv et ca eu gl is ga id ms vi af sq mk'.split(
    ' ',
  )

/** A name of a month or a weekday: its number, from 0, and all names of the same form in its language, without the full stop that some end with. */
export type DateName = { language: string; index: number; forms: readonly string[]; dotted: readonly boolean[] }

type Names = { months: Map<string, DateName[]>; weekdays: Map<string, DateName[]> }

let names: Names | undefined

/** Names as dates have them: alone, or beside a day, where many languages decline them. */
function formsOf(locale: string, part: 'month' | 'weekday', width: 'long' | 'short', withDay: boolean): string[] {
  const options = { [part]: width, timeZone: 'UTC', ...(withDay && { day: 'numeric' as const }) }
  const format = new Intl.DateTimeFormat(locale, options)
  const count = part === 'month' ? 12 : 7
  return Array.from({ length: count }, (_, index) => {
    // 1 January 2023 was a Sunday.
    const date = part === 'month' ? Date.UTC(2023, index, 1) : Date.UTC(2023, 0, 1 + index)
    return format.formatToParts(date).find(({ type }) => type === part)?.value ?? ''
  })
}

function readNames(): Names {
  const made: Names = { months: new Map(), weekdays: new Map() }
  const add = (language: string, known: Map<string, DateName[]>, written: string[]) => {
    const forms = written.map(form => form.replace(/\.$/, ''))
    const dotted = written.map(form => form.endsWith('.'))
    if (new Set(forms).size < forms.length || forms.some(form => !/^[\p{L}\p{M}.'’-]+$/u.test(form))) return
    for (const [index, form] of forms.entries()) {
      const key = fold(form)
      known.set(key, [...(known.get(key) ?? []), { language, index, forms, dotted }])
    }
  }
  for (const locale of locales)
    for (const width of ['long', 'short'] as const)
      for (const withDay of [true, false]) {
        add(locale, made.months, formsOf(locale, 'month', width, withDay))
        add(locale, made.weekdays, formsOf(locale, 'weekday', width, withDay))
      }
  return made
}

/** What a word says as the name of a month or a weekday; several where languages share it. From ICU, built once. */
export function dateNames(word: string, part: 'months' | 'weekdays'): readonly DateName[] {
  names ??= readNames()
  return names[part].get(fold(word)) ?? []
}
