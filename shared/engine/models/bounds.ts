import { addressParts } from '../detect/address-parts.ts'
import { isFormWords } from '../detect/form-words.ts'

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

/**
 * What of an entity that a model has found may be one: of an address its parts, of names no line that is a label, of prices
 * nothing.
 */
export function bounded<E extends { start: number; end: number; label: string }>(text: string, found: E): E[] {
  const { start, end, label } = found
  const value = text.slice(start, end)
  if ((numbers.has(label) && isCents(text, start, end)) || (names.has(label) && isFormWords(value))) return []
  if (label === 'PHONE') return /\d/.test(value) ? [found] : []
  if (label === 'ADDRESS') return addressParts(text, start, end).map(part => ({ ...found, ...part }))
  if (!names.has(label) || !value.includes('\n')) return [found]
  const lines = Array.from(value.matchAll(/[^\n\r]*\S[^\n\r]*/g))
  const named = lines.filter(([line]) => !isFormWords(line))
  const [first, last] = [named[0]!, named.at(-1)!]
  return [{ ...found, start: start + first.index, end: start + last.index + last[0].trimEnd().length }]
}

/** Whether a stretch is what stands behind the point of a price. */
const isCents = (text: string, start: number, end: number) =>
  end - start === 2 && /\d[.,]\d\d(?![\d.,])/.test(text.slice(Math.max(0, start - 2), end + 1))
