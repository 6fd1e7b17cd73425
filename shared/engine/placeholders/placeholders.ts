import { createHmac, type KeyObject } from 'node:crypto'
import type { Replacer } from '../operators/replacer.ts'

/** A placeholder, and the value that it stands for. */
export type Entry = { placeholder: string; label: string; value: string }

/** Crockford's base 32: no I, L, O and U, which are taken for others. */
export const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Fewest and most characters behind the label; more than the fewest where two values would get the same. */
export const codeLength = { least: 4, most: 8 }

/** A label as it stands in placeholders: ASCII capitals, digits and underscores survive nearly everything. */
function prefixOf(label: string): string {
  const letters = label
    .normalize('NFKD')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
  return letters.slice(0, 32).replace(/_+$/, '') || 'VALUE'
}

/** Eight characters that a value gets under a key; the first four have a digit among them, which no word of a language has. */
function codeOf(key: KeyObject, prefix: string, value: string): string {
  for (let turn = 0; ; turn++) {
    const bytes = createHmac('sha256', key).update(`${prefix}\u0000${value}\u0000${turn}`).digest()
    const code = Array.from(bytes.subarray(0, codeLength.most), byte => alphabet[byte % 32]).join('')
    const short = code.slice(0, codeLength.least)
    if (/\d/.test(short) && /\D/.test(short)) return code
  }
}

/** Gives values placeholders such as `PERSON_7QK2`, and knows what each stands for. */
export type Placeholders = {
  /** The placeholder of a value: the same whenever it is asked for, under the same key. */
  of(label: string, value: string): string
  /** All that were given, those of before first. */
  entries(): Entry[]
  /** The same as what renders replacements: of each stretch that is replaced, exactly what stood there comes back. */
  replacer: Replacer
}

/** Starts with the placeholders that were given before under the same key. */
export function createPlaceholders(key: KeyObject, before: readonly Entry[] = []): Placeholders {
  const entries = [...before]
  const byValue = new Map(entries.map(entry => [`${entry.label}\u0000${entry.value}`, entry.placeholder]))
  const taken = new Set(entries.map(({ placeholder }) => placeholder))
  const placeholderOf = (label: string, value: string) => {
    const known = byValue.get(`${label}\u0000${value}`)
    if (known) return known
    const prefix = prefixOf(label)
    const code = codeOf(key, prefix, value)
    let length = codeLength.least
    while (taken.has(`${prefix}_${code.slice(0, length)}`) && length < codeLength.most) length++
    const placeholder = `${prefix}_${code.slice(0, length)}`
    if (taken.has(placeholder)) throw new Error('Two values of a session have the same placeholder')
    taken.add(placeholder)
    byValue.set(`${label}\u0000${value}`, placeholder)
    entries.push({ placeholder, label, value })
    return placeholder
  }
  return {
    of: placeholderOf,
    entries: () => entries,
    replacer: async targets => targets.map(({ label, text }) => placeholderOf(label, text)),
  }
}
