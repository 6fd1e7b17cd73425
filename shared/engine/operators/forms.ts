import { createHmac, type KeyObject } from 'node:crypto'
import { reading } from '../detect/normalise.ts'
import type { Replacement } from '../plan.ts'

/** One stretch of text to replace. */
export type Target = {
  /** Index of the rule in the plan. */
  rule: number
  label: string
  /** The whole value that was found: what a number, a hash or a pseudonym stands for. */
  value: string
  /** The part of it that is replaced here; all of it unless another detection covers the rest. */
  text: string
}

/** The same value in other spaces, digits or Unicode forms is the same value. */
const canonical = reading

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** Characters as people count them: a letter with its accents, a flag or a family is one. */
function characters(text: string): string[] {
  // Code points and characters are the same thing in ASCII, and splitting is much faster.
  return /^[ -~]*$/.test(text) ? text.split('') : Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** Hides all characters but the first and last ones; of a part, or where nothing would be hidden, all of them. */
export function mask(
  { text, value }: Target,
  { char = '*', keepFirst = 0, keepLast = 0 }: { char?: string; keepFirst?: number; keepLast?: number },
): string {
  const all = characters(text)
  if (text !== value || keepFirst + keepLast >= all.length) return char.repeat(all.length)
  const hidden = all.length - keepFirst - keepLast
  return all.slice(0, keepFirst).join('') + char.repeat(hidden) + all.slice(all.length - keepLast).join('')
}

/** Keyed hash of a value: HMAC-SHA-256, 64 hexadecimal digits. */
export function keyedHash(value: string, key: KeyObject): string {
  return createHmac('sha256', key).update(canonical(value), 'utf8').digest('hex')
}

/** Crockford's base 32 without the letters I, L, O and U, which are taken for others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/**
 * A readable name that is the same for the same value under the same key: the label and 50 bits of a keyed hash, such
 * as `PERSON_7QK2M0XV4T`.
 */
export function pseudonym(value: string, label: string, key: KeyObject): string {
  const bytes = createHmac('sha256', key).update(canonical(value), 'utf8').digest()
  let bits = bytes.readBigUInt64BE() >> 14n
  let name = ''
  for (let index = 0; index < 10; index++) {
    name += alphabet[Number(bits & 31n)]
    bits >>= 5n
  }
  const prefix = label
    .normalize('NFC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 32)
  return `${prefix || 'VALUE'}_${name}`
}

/** Under what a distinct value is numbered: a keyed hash of rule and value, from which neither can be read. */
export function numberKey({ rule, value }: { rule: string; value: string }, key: KeyObject): string {
  return createHmac('sha256', key)
    .update(`number\u0000${rule}\u0000${canonical(value)}`, 'utf8')
    .digest('base64url')
}

/** Whether a replacement needs the number of the distinct value. */
export const isNumbered = (replacement: Replacement) => 'text' in replacement && replacement.text.includes('{{n}}')

/** A text replacement with its places filled in; anything else in braces stays as it is. */
export function fillTemplate(template: string, values: { label: string; rule: string; n?: number }): string {
  if (!template.includes('{{')) return template
  return template.replace(/\{\{(label|rule|n)\}\}/g, (_, name: 'label' | 'rule' | 'n') => String(values[name]))
}
