import { parsePhoneNumberFromString } from 'libphonenumber-js'
import type { Found } from '../models/model.ts'
import { type Plan, plans } from './phone-plans.ts'
import { textBefore } from './recogniser.ts'

const words =
  /(?<!\p{L})(?:tel|tél|phone|call|mobile|mob|cell|fax|ring|dial|whatsapp|sms|teléfono|tfno|móvil|telefon|mobil|handy|fon|gsm|natel|portable|rufnummer|durchwahl|kontakt|komórk|cellulare|telemóvel|puh|tlf)\p{L}{0,5}(?!\p{L})/iu

/** Digits with what people write between those of one number; how long it may be is told from its groups. */
const runs = /(?<![\p{L}\p{N}_])(?<!\d[.,:])(?:\(?\+ ?)?\(?\d(?:[ ./()–-]{0,4}\d){6,}(?![\p{L}\p{N}_]|[.,:]\d)/gu
const extension = /^[ ,]{0,2}(?:ext(?:ension)?|x|poste|int|toestel|Dw|Durchwahl|wewn)\.?:? ?\d{1,6}(?!\d)/iu
/** Days, hours of opening and the like, which look like groups of a number. */
const times =
  /(?<!\d)(?:\d{1,2}([./-])\d{1,2}\1\d{2}(?:\d{2})?|\d{4}([./-])\d{1,2}\2\d{1,2}|(?:[01]\d|2[0-4])[0-5]\d ?[-–] ?(?:[01]\d|2[0-4])[0-5]\d)(?!\d|[./-]\d)/g

/** A large number with blanks between its thousands; three groups of three are none. */
const thousands = /^(?:\d{1,2}(?: \d{3}){2,}|\d{3}(?: \d{3}){3,})$/

/** Most groups of digits that people write a number in. */
const maxGroups = 8
const maxDigits = 15

type Group = { start: number; end: number }

/** What is known of a stretch that is a number: the pattern's name, and the score with and without a word that names it. */
type Reading = { pattern: string; alone: number }

/**
 * Telephone numbers by the numbering plans of the world (libphonenumber): international ones of every country, national
 * ones of those in {@link plans}. A national number counts by how much its form says; near a word for telephones, or where
 * `named` says that all numbers here are some, every form does.
 */
export function phones(text: string, named = false): Found[] {
  const found: Found[] = []
  for (const run of text.matchAll(runs)) {
    let from = run.index
    const stop = run.index + run[0].length
    for (const time of run[0].matchAll(times)) {
      // The pairs of a French number, say, hold a date.
      if (run[0].replace(/\D/g, '').length === 10 && run[0].replace(/\d/g, '').length === 4) break
      numbersIn(text, from, run.index + time.index, named, found)
      from = run.index + time.index + time[0].length
    }
    numbersIn(text, from, stop, named, found)
  }
  if (named && found.length === 0 && anyNumber.test(text)) found.push(namedAlone(text))
  return found
}

/** What stands alone where all are telephone numbers: an inner number, or one of a country whose plan is not known here. */
const anyNumber = /^\s*\+?\(?\d(?:[ ./()–-]{0,3}\d){5,14}\s*$/u

function namedAlone(text: string): Found {
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  return { start, end, label: 'PHONE', score: 0.8, evidence: { by: 'pattern', pattern: 'phone.column' } }
}

/** Adds the numbers of a stretch of groups: the longest first that begins at a group, then what is behind it. */
function numbersIn(text: string, from: number, to: number, named: boolean, found: Found[]): void {
  const groups: Group[] = Array.from(text.slice(from, to).matchAll(/\d+/g), ({ index, 0: { length } }) => ({
    start: from + index,
    end: from + index + length,
  }))
  if (thousands.test(text.slice(from, to))) return
  for (let first = 0; first < groups.length; first++) {
    const begin = opening(text, groups[first]!.start, from)
    if (first > 0 && !isApart(text, groups[first - 1]!.end, begin)) continue
    let last = first
    for (let digits = 0; last < Math.min(groups.length, first + maxGroups); last++) {
      digits += groups[last]!.end - groups[last]!.start
      if (digits > maxDigits + 2) break
    }
    const word = words.exec(textBefore(text, begin))?.[0]
    for (last--; last >= first; last--) {
      const { end } = groups[last]!
      if (last + 1 < groups.length && !isApart(text, end, groups[last + 1]!.start)) continue
      const reading = readNumber(text.slice(begin, end), named || word !== undefined)
      if (!reading) continue
      const more = extension.exec(text.slice(end, end + 24))?.[0].length ?? 0
      const evidence = { by: 'pattern' as const, pattern: reading.pattern }
      found.push({
        start: begin,
        end: end + more,
        label: 'PHONE',
        score: word || named ? Math.max(0.9, reading.alone) : reading.alone,
        evidence: word ? { ...evidence, context: word.toLowerCase() } : evidence,
      })
      first = last
      break
    }
  }
}

/** Where a number begins whose first digit is at `at`: with its plus sign, and a bracket that closes within it. */
function opening(text: string, at: number, from: number): number {
  const before = /(?:\(?\+ ?)?\(?$/.exec(text.slice(Math.max(from, at - 4), at))?.[0] ?? ''
  const isAround = before.startsWith('(') && !/^\+?[ \d]{1,6}\)/.test(text.slice(at - before.length + 1, at + 8))
  return at - before.length + (isAround ? 1 : 0)
}

/** Whether two groups may belong to different numbers: a blank alone stands between them. */
const isApart = (text: string, end: number, start: number) => /^ +$/.test(text.slice(end, start))

function readNumber(written: string, named: boolean): Reading | undefined {
  const digits = written.replace(/\D/g, '')
  if (digits.length < 7) return undefined
  const prefix = /^\(?(?:\+|00(?=[ ./()-]?[1-9]))/.exec(written)?.[0]
  if (prefix) {
    const known = number(`+${prefix.endsWith('+') ? digits : digits.slice(2)}`)
    return known && { pattern: `phone.${(known.country ?? known.countryCallingCode).toLowerCase()}`, alone: 0.95 }
  }
  if (digits.length > maxDigits) return undefined
  const shape = written.replace(/\d+/g, run => (run.length < 10 ? String(run.length) : 'n'))
  for (const plan of plans) {
    const alone = scoreBy(plan, digits, shape, named)
    if (alone !== undefined && (plan.fictitious?.test(digits) || number(digits, plan.region)))
      return { pattern: `phone.${plan.region.toLowerCase()}`, alone }
  }
  return undefined
}

/** How much a national form says without a word; undefined where it isn't one. */
function scoreBy(plan: Plan, digits: string, shape: string, named: boolean): number | undefined {
  if (!plan.digits.test(digits)) return undefined
  const bare = /^[\dn]$/.test(shape)
  if (!bare && plan.shapes.some(form => form.test(shape))) return plan.sure
  if (bare && plan.mobile?.test(digits)) return 0.55
  return bare || named ? 0.35 : undefined
}

/** A number that its numbering plan has; the library throws and catches an error for many that it hasn't. */
function number(digits: string, region?: Plan['region']) {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    const known = parsePhoneNumberFromString(digits, region)
    return known?.isValid() ? known : undefined
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
