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
  if (label === 'DATE' && isDecimal(text, start, end)) return []
  if (label === 'PHONE') return /\d/.test(value) ? [found] : []
  if (label === 'ADDRESS') return addressParts(text, start, end).map(part => ({ ...found, ...part }))
  if (!names.has(label) || !value.includes('\n')) return [found]
  const lines = Array.from(value.matchAll(/[^\n\r]*\S[^\n\r]*/g))
  const named = lines.filter(([line]) => !isFormWords(line))
  const [first, last] = [named[0]!, named.at(-1)!]
  return [{ ...found, start: start + first.index, end: start + last.index + last[0].trimEnd().length }]
}

/** Whether a stretch is a number with a point, or a part of one, that is no day of a month either: 18.60. */
function isDecimal(text: string, start: number, end: number): boolean {
  if (!/^[\d.,]+$/.test(text.slice(start, end))) return false
  const before = /[\d.,]*$/.exec(text.slice(Math.max(0, start - 12), start))![0]
  const after = /^[\d.,]*/.exec(text.slice(end, end + 12))![0]
  const number = /^(\d+)[.,](\d+)[.,]?$/.exec(before + text.slice(start, end) + after)
  if (!number) return false
  const [day, month] = [Number(number[1]), Number(number[2])]
  return !(day > 0 && month > 0 && Math.min(day, month) <= 12 && Math.max(day, month) <= 31)
}

/** Whether a stretch is what stands behind the point of a price. */
const isCents = (text: string, start: number, end: number) =>
  end - start === 2 && /\d[.,]\d\d(?![\d.,])/.test(text.slice(Math.max(0, start - 2), end + 1))
