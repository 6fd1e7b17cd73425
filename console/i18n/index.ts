import { computed, signal } from '@preact/signals'
import { en, type Messages } from './en.ts'
import type { Told } from './told.ts'

/** Languages of the console, each called what its speakers call it; only the one in use is loaded. To add one: its file, and its row here. */
export const languages: Record<string, Language> = {
  en: { name: 'English', messages: async () => en },
  de: {
    name: 'Deutsch',
    messages: async () => (await import('./de.ts')).de,
    told: () => import('./problems.de.ts'),
  },
}

type Language = {
  name: string
  messages(): Promise<Messages>
  /** Loads what the service says in English, in this language. */
  told?(): Promise<{ told: Told }>
}

/** The language of a tag such as `en-GB`; none of what browsers name that is no tag. */
function languageOf(tag: string): string {
  try {
    return new Intl.Locale(tag).language
  } catch {
    return ''
  }
}

const kept = 'language'
const preferred = () =>
  [localStorage.getItem(kept), ...navigator.languages.map(languageOf)].find(tag => tag && tag in languages)

const used = signal({ tag: 'en', messages: en })
let wanted = 'en'

/** The language in use. */
export const language = computed(() => used.value.tag)
/** The words of the language in use: `t.value.save`. */
export const t = computed(() => used.value.messages)

/** Uses a language from now on; the one before stays where its words can't be loaded. */
async function use(tag: string): Promise<void> {
  wanted = tag
  const messages = await languages[tag]!.messages().catch(() => undefined)
  if (messages && wanted === tag) used.value = { tag, messages }
}

/** Begins with the language that was chosen on an earlier visit, or that the browser prefers. */
export const beginLanguage = (): Promise<void> => use(preferred() ?? 'en')

/** Uses another language from now on, on later visits too. */
export function setLanguage(tag: string): Promise<void> {
  localStorage.setItem(kept, tag)
  return use(tag)
}

/** How dates and numbers are written: as the browser has it for the language in use, or else as is usual in that language. */
export const locale = computed(
  () => navigator.languages.find(tag => languageOf(tag) === language.value) ?? language.value,
)

/** An instant as people write it, in the time of this browser. */
export const dateOf = (instant: string): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(instant))

/** A number with its thousands told apart. */
export const numberOf = (value: number): string => new Intl.NumberFormat(locale.value).format(value)

/** A score, from 0 to 1. */
export const scoreOf = (score: number): string =>
  new Intl.NumberFormat(locale.value, { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(score)

/** A share as people write it. */
export const percentOf = (share: number): string => `${numberOf(Number((100 * share).toFixed(1)))} %`

/** Bytes in the largest unit that leaves a number of at least 1. */
export function sizeOf(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const options = {
    style: 'unit',
    unit: units[power],
    // The short form of a byte has no plural.
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  } as const
  return new Intl.NumberFormat(locale.value, options).format(bytes / 1000 ** power)
}
