import { findPhoneNumbersInText } from 'libphonenumber-js'
import type { Found } from '../models/model.ts'
import type { Recogniser } from './recogniser.ts'

export const contact: Recogniser[] = [
  {
    name: 'email',
    label: 'EMAIL',
    pattern:
      /(?<![\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-])[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]{1,64}(?:\.[\p{L}\p{N}!#$%&'*+/=?^_`{|}~-]{1,64}){0,8}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}[\p{L}]{2,24}(?![\p{L}\p{N}])/gu,
    score: 0.99,
    source: 'RFC 5321 section 4.1.2 and RFC 6531, without quoted local parts and address literals',
    needs: /@/,
  },
  {
    name: 'url',
    label: 'URL',
    pattern: /(?<![\p{L}\p{N}])(?:https?|ftps?|sftp):\/\/[^\s<>"'`{}|\\^]{3,2000}(?<![.,;:!?)\]])/giu,
    score: 0.8,
    source: 'RFC 3986',
    needs: /:\/\//,
  },
  {
    name: 'url.www',
    label: 'URL',
    pattern:
      /(?<![\p{L}\p{N}./@-])www\.(?:[\p{L}\p{N}-]{1,63}\.){1,6}\p{L}{2,24}(?:\/[^\s<>"'`{}|\\^]{0,2000}(?<![.,;:!?)\]]))?/giu,
    score: 0.8,
    source: 'RFC 1035 names that begin with www',
    needs: /www\./i,
  },
  {
    name: 'handle',
    label: 'USERNAME',
    pattern: /(?<![\p{L}\p{N}._@/-])@[A-Za-z0-9_](?:[A-Za-z0-9_.-]{1,38}[A-Za-z0-9_])(?![\p{L}\p{N}@])/gu,
    score: 0.6,
    source: 'user names of public networks: letters, digits, _ . - after @',
    needs: /@/,
  },
  {
    name: 'username.labelled',
    label: 'USERNAME',
    pattern:
      /(?<![\p{L}\p{N}])(?:user ?name|user ?id|login|screen ?name)\s{0,2}(?:is|:|=)\s{0,3}(?<value>[\p{L}\p{N}_.-]{3,64}[\p{L}\p{N}])/giu,
    score: 0.7,
    source: 'a value named as a user name',
  },
  {
    name: 'phone.labelled',
    label: 'PHONE',
    pattern:
      /(?<![\p{L}\p{N}])(?:tel|telephone|phone|mobile|cell|fax|teléfono|tfno|móvil|telefon|telefono|tlf|handy|mobil|téléphone|telefone|celular|puhelin|sími)(?:\p{L}{0,3}| number| no)?\.?\s{0,2}(?:is|:|=|\.)?\s{0,3}(?<value>\+?\(?\d(?:[ ()./x-]{0,2}\d){5,14})(?!\d)/giu,
    score: 0.85,
    source: 'digits named as a telephone number (ITU-T E.164: at most 15)',
    needs: /\d/,
  },
]

/** Countries whose national numbers are looked for; international ones (with +) are found of every country. */
const regions = ['US', 'GB', 'DE', 'ES', 'SE', 'FR', 'PT', 'NO', 'DK'] as const
const words =
  /(?<!\p{L})(?:tel|phone|call|mobile|cell|fax|ring|dial|whatsapp|sms|teléfono|móvil|telefon|mobil|telefone|puh|tlf)\p{L}{0,4}(?!\p{L})/iu

/** Digits that the library may take for one number: at least seven, with at most four other characters between two. */
const digits = /\d(?:\D{0,4}\d){6,}/g
/** Characters around them that it looks at: what precedes a number, and its extension. */
const MARGIN = 40

/**
 * Telephone numbers by the numbering plans of all countries (libphonenumber). An international number is sure; a
 * national one counts less without a word that names it. Fewer than seven digits are never one.
 */
export function phones(text: string): Found[] {
  const found: Found[] = []
  let end = -1
  let start = 0
  for (const match of text.matchAll(digits)) {
    if (match.index - MARGIN > end) {
      phonesIn(text, start, end, found)
      start = Math.max(0, match.index - MARGIN)
    }
    end = Math.min(text.length, match.index + match[0].length + MARGIN)
  }
  phonesIn(text, start, end, found)
  return found
}

/** Adds the numbers of a stretch. */
function phonesIn(text: string, from: number, to: number, found: Found[]): void {
  if (to < 0) return
  const stretch = text.slice(from, to)
  /** Where a number was found already. */
  const taken = new Uint8Array(stretch.length)
  for (const region of regions) {
    for (const { startsAt, endsAt, number } of quietly(() => findPhoneNumbersInText(stretch, region))) {
      const [start, end] = [from + startsAt, from + endsAt]
      const value = text.slice(start, end)
      if (!/(?:\d\D*){7}/.test(value)) continue
      if (taken.subarray(startsAt, endsAt).includes(1)) continue
      taken.fill(1, startsAt, endsAt)
      const international = value.startsWith('+') || value.startsWith('(+') || /^00[1-9]/.test(value)
      const grouped = /\d[ ().-]+\d+[ ().-]+\d/.test(value)
      const word = words.exec(text.slice(Math.max(0, start - 48), start))?.[0]
      const score = international ? 0.95 : word ? 0.9 : grouped && region === 'US' ? 0.75 : grouped ? 0.55 : 0.35
      const evidence = { by: 'pattern' as const, pattern: `phone.${(number.country ?? region).toLowerCase()}` }
      found.push({
        start,
        end,
        label: 'PHONE',
        score,
        evidence: word ? { ...evidence, context: word.toLowerCase() } : evidence,
      })
    }
  }
}

/** The library throws and catches an error for every candidate that is none; their traces took most of its time. */
function quietly<T>(run: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return run()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
