/** What a number format writes: a part of a date or a time, some of a length, or what is written as it is. */
export type Token = { kind: Kind; length: number } | { kind: 'literal'; text: string }
export type Kind =
  | 'year'
  | 'month'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'half'
  | 'hours'
  | 'minutes'
  | 'seconds'

/** A way in which dates and times are written. */
export type DateForm = {
  tokens: readonly Token[]
  locale: string
  isTwelve: boolean
  digits: number
  /** Whether names of months are in the case that they have beside a day. */
  isInflected: boolean
}

/** Forms of the built-in formats that have no code in the file. That of days alone, and with a time, is the one of the country. */
const ofCountries = [
  'm\\/d\\/yyyy',
  'mm\\/dd\\/yyyy',
  'd\\/m\\/yyyy',
  'dd\\/mm\\/yyyy',
  'd\\.m\\.yyyy',
  'dd\\.mm\\.yyyy',
  'd\\-m\\-yyyy',
  'dd\\-mm\\-yyyy',
  'yyyy\\/m\\/d',
  'yyyy\\/mm\\/dd',
]
const builtIn: Readonly<Record<number, readonly string[]>> = {
  14: ofCountries,
  15: ['d-mmm-yy'],
  16: ['d-mmm'],
  17: ['mmm-yy'],
  18: ['h:mm AM/PM'],
  19: ['h:mm:ss AM/PM'],
  20: ['h:mm'],
  21: ['h:mm:ss'],
  22: ofCountries.map(code => `${code} h:mm`),
  45: ['mm:ss'],
  46: ['[h]:mm:ss'],
  47: ['mmss.0'],
}

/** Languages by the number that programs have for each, whatever the country. */
const languages: Readonly<Record<number, string>> = {
  1: 'ar',
  2: 'bg',
  3: 'ca',
  4: 'zh',
  5: 'cs',
  6: 'da',
  7: 'de',
  8: 'el',
  9: 'en',
  10: 'es',
  11: 'fi',
  12: 'fr',
  13: 'he',
  14: 'hu',
  15: 'is',
  16: 'it',
  17: 'ja',
  18: 'ko',
  19: 'nl',
  20: 'nb',
  21: 'pl',
  22: 'pt',
  24: 'ro',
  25: 'ru',
  26: 'hr',
  27: 'sk',
  29: 'sv',
  30: 'th',
  31: 'tr',
  33: 'id',
  34: 'uk',
  35: 'be',
  36: 'sl',
  37: 'et',
  38: 'lv',
  39: 'lt',
  42: 'vi',
  45: 'eu',
  47: 'mk',
  54: 'af',
  57: 'hi',
  62: 'ms',
  86: 'gl',
}

/** Where a number of a language ends, and one of a country begins. */
const ofLanguage = 0x3ff

const token =
  /"(?<quoted>[^"]*)"|\\(?<escaped>[\s\S])|_(?<blank>[\s\S])|\*[\s\S]|\[(?:\$(?<sign>[^\]-]*)(?:-(?<language>[^\]]*))?|(?<elapsed>h+|m+|s+)|black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\]|(?<half>AM\/PM|A\/P)|(?<part>y+|m+|d+|h+|s+)|(?<=s|s\])\.(?<fraction>0+)|(?<end>;)|(?<bare>[-/:., '()]+)|(?<other>[\s\S])/giu

const kinds: Readonly<Record<string, Kind>> = { y: 'year', m: 'month', d: 'day', h: 'hour', s: 'second' }
const elapsedKinds: Readonly<Record<string, Kind>> = { h: 'hours', m: 'minutes', s: 'seconds' }

/** What programs write for a slash: the sign of the country. */
const slashes = ['/', '.', '-']

/** The forms of a built-in format. */
export const builtInForms = (id: number): DateForm[] => (builtIn[id] ?? []).flatMap(dateForms)

/** The forms that a number format may have, by the country; none where it is not known what it shows. */
export function dateForms(code: string): DateForm[] {
  const form = readForm(code)
  if (form === undefined) return []
  const { slashed, ...rest } = form
  const forms = hasNamedMonth(rest.tokens) ? [rest, { ...rest, isInflected: true }] : [rest]
  if (!slashed) return forms
  return slashes.flatMap(sign =>
    forms.map(one => ({ ...one, tokens: one.tokens.map(part => withSlashes(part, sign)) })),
  )
}

const slash = '\u0001'

const withSlashes = (one: Token, sign: string): Token =>
  one.kind === 'literal' ? { kind: 'literal', text: one.text.replaceAll(slash, sign) } : one

/** Whether a month stands by its name beside a day. */
const hasNamedMonth = (tokens: readonly Token[]) =>
  tokens.some(one => one.kind === 'month' && isName(one)) && tokens.some(one => one.kind === 'day' && !isName(one))

function readForm(code: string): (DateForm & { slashed: boolean }) | undefined {
  const tokens: Token[] = []
  let locale: string | undefined = 'en'
  let digits = 0
  let slashed = false
  for (const { groups = {} } of code.matchAll(token)) {
    const { quoted, escaped, blank, sign, language, elapsed, half, part, fraction, end, bare, other } = groups
    if (end !== undefined) break
    if (other !== undefined) return undefined
    if (language !== undefined) {
      const known = languageOf(language)
      if (known === undefined) return undefined
      locale = known.locale
    }
    if (elapsed !== undefined) tokens.push({ kind: elapsedKinds[elapsed[0]!.toLowerCase()]!, length: elapsed.length })
    else if (half !== undefined) tokens.push({ kind: 'half', length: half.length })
    else if (part !== undefined) tokens.push({ kind: kinds[part[0]!.toLowerCase()]!, length: part.length })
    else if (fraction !== undefined) {
      digits = fraction.length
      tokens.push({ kind: 'fraction', length: digits })
    } else {
      if (bare?.includes('/')) slashed = true
      const text = quoted ?? escaped ?? bare?.replaceAll('/', slash) ?? sign ?? (blank === undefined ? '' : ' ')
      if (text !== '') tokens.push({ kind: 'literal', text })
    }
  }
  tellMinutes(tokens)
  if (locale === undefined && tokens.some(isName)) return undefined
  const isDate = tokens.some(({ kind }) => kind !== 'literal')
  return isDate && digits <= 3
    ? { tokens, locale: locale ?? 'en', isTwelve: has(tokens, 'half'), digits, isInflected: false, slashed }
    : undefined
}

const has = (tokens: readonly Token[], kind: Kind) => tokens.some(one => one.kind === kind)

/** What a code of a language says: `locale` where it is one whose names are known. */
type Language = { locale: string | undefined }

/** What a code says, or nothing where numbers are written in another way than here: with other numerals, in another calendar. */
function languageOf(code: string): Language | undefined {
  const [written = '', count = '0'] = code.toLowerCase().split(',')
  if (!isUsual(Number.parseInt(count, 16))) return undefined
  if (/^(?:x-sys(?:date|time)|f[48]00|)$/.test(written)) return { locale: 'en' }
  if (!/^[0-9a-f]{3,8}$/.test(written)) return namedLanguage(written)
  const number = Number.parseInt(written, 16)
  return isUsual(number >>> 16) ? { locale: languages[number & ofLanguage] } : undefined
}

/** Whether a number stands for usual numerals and the usual calendar, or says nothing of them. */
const isUsual = (number: number) => number >> 8 <= 1 && (number & 0xff) <= 1

function namedLanguage(tag: string): Language | undefined {
  if (!/^[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?$/.test(tag)) return undefined
  return { locale: Intl.DateTimeFormat.supportedLocalesOf(tag)[0] }
}

/** Whether a part is written as the name of a month or a day. */
const isName = (one: Token) => (one.kind === 'month' || one.kind === 'day') && one.length > 2

/** `m` is a minute behind an hour and before a second. */
function tellMinutes(tokens: readonly Token[]): void {
  const parts = tokens.filter(({ kind }) => kind !== 'literal' && kind !== 'half' && kind !== 'fraction')
  parts.forEach((part, at) => {
    if (part.kind !== 'month' || (part as { length: number }).length > 2) return
    if (/^hours?$/.test(parts[at - 1]?.kind ?? '') || /^seconds?$/.test(parts[at + 1]?.kind ?? '')) part.kind = 'minute'
  })
}
