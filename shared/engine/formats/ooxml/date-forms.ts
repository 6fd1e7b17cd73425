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
export type DateForm = { tokens: readonly Token[]; locale: string; isTwelve: boolean; digits: number }

/** Forms of the built-in formats that have no code in the file. That of days alone, and with a time, is the one of the country. */
const ofCountries = ['m\\/d\\/yyyy', 'mm\\/dd\\/yyyy', 'dd\\/mm\\/yyyy', 'dd\\.mm\\.yyyy', 'dd\\-mm\\-yyyy']
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

/** Languages by the number that older programs have for them. */
const languages: Readonly<Record<string, string>> = {
  ...{
    404: 'zh-TW',
    405: 'cs',
    406: 'da',
    407: 'de',
    408: 'el',
    409: 'en',
    '40a': 'es',
    '40b': 'fi',
    '40c': 'fr',
    '40e': 'hu',
  },
  ...{
    410: 'it',
    411: 'ja',
    412: 'ko',
    413: 'nl',
    414: 'nb',
    415: 'pl',
    416: 'pt-BR',
    418: 'ro',
    419: 'ru',
    '41a': 'hr',
  },
  ...{
    '41b': 'sk',
    '41d': 'sv',
    '41f': 'tr',
    422: 'uk',
    424: 'sl',
    804: 'zh',
    807: 'de',
    809: 'en',
    816: 'pt',
    '80a': 'es',
  },
  ...{ '80c': 'fr', 813: 'nl', c07: 'de', c09: 'en', c0a: 'es', c0c: 'fr', 1009: 'en', '100c': 'fr' },
}

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
  return slashed ? slashes.map(sign => ({ ...rest, tokens: rest.tokens.map(one => withSlashes(one, sign)) })) : [rest]
}

const slash = '\u0001'

const withSlashes = (one: Token, sign: string): Token =>
  one.kind === 'literal' ? { kind: 'literal', text: one.text.replaceAll(slash, sign) } : one

function readForm(code: string): (DateForm & { slashed: boolean }) | undefined {
  const tokens: Token[] = []
  let locale = 'en'
  let digits = 0
  let slashed = false
  for (const { groups = {} } of code.matchAll(token)) {
    const { quoted, escaped, blank, sign, language, elapsed, half, part, fraction, end, bare, other } = groups
    if (end !== undefined) break
    if (other !== undefined) return undefined
    if (language !== undefined) {
      const known = languageOf(language)
      if (known === undefined) return undefined
      locale = known
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
  const isDate = tokens.some(({ kind }) => kind !== 'literal')
  return isDate && digits <= 3 ? { tokens, locale, isTwelve: has(tokens, 'half'), digits, slashed } : undefined
}

const has = (tokens: readonly Token[], kind: Kind) => tokens.some(one => one.kind === kind)

/** The language of a code, or none that is not known: programs write other numerals for some, and a date of the system for `F800`. */
function languageOf(code: string): string | undefined {
  const written = code.split(',')[0]!.toLowerCase()
  if (/^(?:x-sys(?:date|time)|f[48]00|)$/.test(written)) return 'en'
  if (/^0*[0-9a-f]{3,8}$/.test(written)) return languages[written.replace(/^0+/, '')]
  return /^[a-z]{2}(?:-[a-z]{2})?$/.test(written) ? written : undefined
}

/** `m` is a minute behind an hour and before a second. */
function tellMinutes(tokens: readonly Token[]): void {
  const parts = tokens.filter(({ kind }) => kind !== 'literal' && kind !== 'half' && kind !== 'fraction')
  parts.forEach((part, at) => {
    if (part.kind !== 'month' || (part as { length: number }).length > 2) return
    if (/^hours?$/.test(parts[at - 1]?.kind ?? '') || /^seconds?$/.test(parts[at + 1]?.kind ?? '')) part.kind = 'minute'
  })
}
