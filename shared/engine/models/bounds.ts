import { addressParts, spanishParts, withHouseParts } from '../detect/address-parts.ts'
import { isFormWords } from '../detect/form-words.ts'
import { primary } from '../detect/language.ts'
import { laws } from '../recognisers/laws.ts'

/** Labels of what has a name, which no word of a form is. */
export const names: ReadonlySet<string> = new Set([
  'PERSON',
  'LOCATION',
  'ORGANIZATION',
  'ADDRESS',
  'PER',
  'LOC',
  'ORG',
])
/** Labels of what has digits. */
const numbers = new Set(['ADDRESS', 'PHONE', 'ID'])

/** A full stop behind a word that is no abbreviation, or behind a quotation. */
const stop = /(?<=\p{Ll}{4}|["”»’])\.$/u

/** What tells two of one name apart, behind it: `Dvořák ml.` */
const nameSuffix =
  /^,? (?:(?:jr|jun|sen|snr|sr)\b\.?|(?:ml|st)\.(?! \p{Lu})|d\.\s?[äy]\.|(?:père|mère|fils|senior|junior)(?!\p{L}))/u
const longestSuffix = 9

/** What begins the name of a service behind that of the institution which it belongs to. */
const behindInstitution = /(?<=\p{L}) (?=(?:Servicio|Serviço|Departament[oe]|Unidad) \p{L})/u

/** A measured value before a date that begins with a word; before another one in digits it may be a day and a month. */
const measured = /^\d+[.,]\d+,\s+(?=\p{L})/u

/**
 * Names of kinds of keys, which are no numbers of anybody. An SSH key holds that of its own in base64 as well: an output that
 * lacks it before the key would be taken for one with a leak.
 */
const kindOfKey = /^(?:ssh-)?(?:sk-)?(?:x25519|ed25519|ed448|rsa-sha2-\d{3}|ecdsa-sha2-nistp\d{3})$/i

/** Labels of what is told in words, of which those that only link them to others are no part. */
const circumstances = new Set(['DATE', 'AGE', 'DEMOGRAPHIC'])
const link = '(?:y|e|o|u|de|del|a|en|con|por|que|et|und|oder|and|or)'
const links = new RegExp(`^(?:${link}\\s+)+|(?:\\s+${link})+$|^${link}$`, 'giu')

type Entity = { start: number; end: number; label: string }

/**
 * What of an entity that a model has found may be one: of an address its parts, of names no line that is a label, of prices
 * nothing, of places the one in brackets by itself.
 */
export function bounded<E extends Entity>(text: string, found: E, language?: string): E[] {
  if (found.label === 'ADDRESS') return boundedPart(text, found, language)
  return byColumns(text, found).flatMap(part => boundedPart(text, part, language))
}

/** What stands between the columns of a table in a text. */
const gap = / {3,}|\t+/
const gapOrRow = / {3,}|\t+|\s*\n\s*/

/** What a model took together over columns of a table, or over the end of a row and the beginning of the next, each by itself. */
function byColumns<E extends Entity>(text: string, found: E): E[] {
  const { start, end } = found
  const value = text.slice(start, end)
  const between = isInLastColumn(text, start) && isInRow(text, end) ? gapOrRow : gap
  if (!between.test(value)) return [found]
  let at = start
  return value.split(between).flatMap(part => {
    const from = text.indexOf(part, at)
    at = from + part.length
    return part === '' ? [] : [{ ...found, start: from, end: at }]
  })
}

const national = /N'(?:[^'\n]|''){0,4000}'(?=\s{0,9}(?:$|[,);]|(?:and|or|where|collate)(?!\w)))/iuy

/** Whether a string of SQL begins at a place, with the letter that SQL Server puts before it; `N'Diaye` is none. */
function isNational(text: string, at: number): boolean {
  if (!text.startsWith("N'", at) || !/[(,=\s]/u.test(text[at - 1] ?? '')) return false
  national.lastIndex = at
  return national.test(text)
}

/** As much of a line is looked at as a row of a table may have. */
const longestRow = 200

/** Whether columns stand before a place on its line. */
const isInLastColumn = (text: string, at: number) =>
  /\S(?: {3}|\t)[^\n]*$/.test(text.slice(Math.max(0, at - longestRow), at))

/** Whether columns stand behind a place on its line. */
const isInRow = (text: string, at: number) => /^[^\n]*?(?: {2}|\t)[ \t]*[^\s]/.test(text.slice(at, at + longestRow))

function boundedPart<E extends Entity>(text: string, found: E, language?: string): E[] {
  const { start, end, label } = found
  if (isNational(text, start)) {
    const inside = { ...found, start: start + "N'".length }
    return inside.start < end ? boundedPart(text, inside, language) : []
  }
  const value = text.slice(start, end)
  if ((numbers.has(label) && isCents(text, start, end)) || (names.has(label) && isFormWords(value))) return []
  if (label === 'ID' && kindOfKey.test(value)) return []
  if ((label === 'ID' || label === 'DATE') && isOfLaw(text, found)) return []
  if (label === 'DATE' && (isDecimal(text, start, end) || isOfClock(text, start, end))) return []
  if (label === 'PHONE') return /\d/.test(value) ? [found] : []
  if (label === 'DATE') return withoutLinks(wholeDay(text, found), text)
  if (circumstances.has(label)) return withoutLinks(found, text)
  if (label === 'ADDRESS') {
    const parts = addressParts(text, start, end)
    const apart = language && primary(language) === 'es' ? parts.flatMap(part => spanishParts(text, part)) : parts
    return apart.map(part => ({ ...found, ...withHouseParts(text, part) }))
  }
  if (label === 'PERSON') {
    const [suffix] = nameSuffix.exec(text.slice(end, end + longestSuffix)) ?? []
    if (suffix) return [{ ...found, end: end + suffix.length }]
  }
  if (names.has(label) && stop.test(value)) return boundedPart(text, { ...found, end: end - 1 }, language)
  if (label === 'LOCATION' && value.includes(' (')) return aroundBracket(found, value)
  const service = label === 'ORGANIZATION' ? value.search(behindInstitution) : -1
  if (service > 0)
    return [
      { ...found, end: start + service },
      ...boundedPart(text, { ...found, start: start + service + 1 }, language),
    ]
  if (!names.has(label) || !value.includes('\n')) return [found]
  const lines = Array.from(value.matchAll(/[^\n\r]*\S[^\n\r]*/g))
  const named = lines.filter(([line]) => !isFormWords(line))
  if (named.length > 1 && toOrFrom.test(named.at(-1)![0]) && /^[ \t]+\S/.test(text.slice(end, end + 9))) named.pop()
  const [first, last] = [named[0]!, named.at(-1)!]
  return [{ ...found, start: start + first.index, end: start + last.index + last[0].trimEnd().length }]
}

/** What begins the next line, where it leads to whom a letter is to or from: `Ulf Brand | An Frau Holm`. */
const toOrFrom = /^\s*(?:To|From|An|Von|À|De|Para|Da|Aan|Van|Do|Od)\s*$/u

/** Two numbers that may be a day and a month. */
const dayAndMonth = /(?<![\p{L}\p{N}.,/-])(\d{1,2})[./-](\d{1,2})(?![\p{L}\p{N}/-]|[.,]\d)/gu
const isDayAndMonth = (a: number, b: number) => Math.min(a, b) > 0 && Math.min(a, b) <= 12 && Math.max(a, b) <= 31

/** With both numbers of a day and a month of which a model has found one: `12 | /8`. */
function wholeDay<E extends Entity>(text: string, found: E): E {
  const whole = { ...found }
  const from = Math.max(0, found.start - 6)
  for (const { index, 0: day, 1: a, 2: b } of text.slice(from, found.end + 6).matchAll(dayAndMonth)) {
    const [start, end] = [from + index, from + index + day.length]
    if (end <= found.start || start >= found.end || !isDayAndMonth(Number(a), Number(b))) continue
    whole.start = Math.min(whole.start, start)
    whole.end = Math.max(whole.end, end)
  }
  return whole
}

function withoutLinks<E extends Entity>(found: E, text: string): E[] {
  const value = text.slice(found.start, found.end)
  const kept = value.replace(measured, '').replace(links, '')
  if (kept === '') return []
  const start = found.start + value.indexOf(kept)
  return [{ ...found, start, end: start + kept.length }]
}

/** A place, and the one that stands in brackets behind it: `Getafe (Madrid)`. */
function aroundBracket<E extends Entity>(found: E, value: string): E[] {
  const at = value.indexOf(' (')
  const inside = value.slice(at + 2).replace(/[^\p{L}\p{M}\p{N}]+$/u, '')
  const start = found.start + at + 2
  const parts = [
    { ...found, end: found.start + at },
    { ...found, start, end: start + inside.length },
  ]
  return parts.filter(part => part.start < part.end)
}

/** Institutions with the last word of their names, where a model took it for an address: `Hospital Reina | Sofía`. */
export function withLastWord<E extends Entity>(text: string, all: readonly E[]): E[] {
  const kept: E[] = []
  for (const one of all) {
    const last = kept.at(-1)
    const isRest =
      last?.label === 'ORGANIZATION' &&
      one.label === 'ADDRESS' &&
      text.slice(last.end, one.start) === ' ' &&
      lastWord.test(text.slice(one.start, one.end))
    if (isRest) kept[kept.length - 1] = { ...last, end: one.end }
    else kept.push(one)
  }
  return kept
}
const lastWord = /^\p{Lu}\p{Ll}+$/u

/** Whether a stretch is a number with a point, or a part of one, that is no day of a month either: 18.60. */
function isDecimal(text: string, start: number, end: number): boolean {
  if (!/^[\d.,]+$/.test(text.slice(start, end))) return false
  const before = /[\d.,]*$/.exec(text.slice(Math.max(0, start - 12), start))![0]
  const after = /^[\d.,]*/.exec(text.slice(end, end + 12))![0]
  const number = /^(\d+)[.,](\d+)[.,]?$/.exec(before + text.slice(start, end) + after)
  if (!number) return false
  return !isDayAndMonth(Number(number[1]), Number(number[2]))
}

/** Whether a stretch is the hours, minutes or seconds of a time of day: `[09:58]`. */
const isOfClock = (text: string, start: number, end: number) =>
  /^\d{1,2}$/.test(text.slice(start, end)) &&
  (/\d:$/.test(text.slice(Math.max(0, start - 2), start)) || /^:\d/.test(text.slice(end, end + 2)))

/** A law by its number and year: `L. 104/92`, `Lei n.º 81/2014`; no initial behind a name, and no order, which may be somebody's. */
const law = new RegExp(
  `(?<!\\p{L}|\\p{Lu}[\\p{Ll}\\p{M}]+ (?=L\\. ))(?![Oo]rden)${laws}[ ,]{1,2}(?<sign>[nN]\\.?[ºª°o]?\\.? ?|[nN]r\\.? ?)?(?<number>\\d{1,4}[/-]\\d{2,4})(?![\\p{L}\\p{N}/-])`,
  'gu',
)
const longestLaw = 32
const monthAndYear = /^(?:0?[1-9]|1[0-2])[/-](?:19|20)\d\d$/

/** Whether a stretch is the number of a law, or a part of it; what may be a month is one of a law behind a sign for numbers only. */
function isOfLaw(text: string, { label, start, end }: Entity): boolean {
  const from = Math.max(0, start - longestLaw)
  return Array.from(text.slice(from, start + longestLaw).matchAll(law)).some(
    ({ 0: whole, index, groups }) =>
      from + index <= start &&
      end <= from + index + whole.length &&
      (label !== 'DATE' || groups!.sign !== undefined || !monthAndYear.test(groups!.number!)),
  )
}

/** Whether a stretch is what stands behind the point of a price. */
const isCents = (text: string, start: number, end: number) =>
  end - start === 2 && /\d[.,]\d\d(?![\d.,])/.test(text.slice(Math.max(0, start - 2), end + 1))
