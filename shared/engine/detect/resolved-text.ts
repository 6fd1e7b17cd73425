import { shortestCode } from './codes.ts'

/** What a text, a line or a cell says once its escapes are resolved and its characters are spelt as usual. */
export type ResolvedText = {
  text: string
  /** Where it begins in the source. */
  base: number
  /** Of each character that is escaped or spelt otherwise, in turn: where it begins and ends in `text`, and in the source. */
  escaped: number[]
  /** Whether lines are joined in it of which nobody knows that they belong together. */
  isWrapped?: true
}

/** Numbers that `escaped` holds for each character. */
export const perEscape = 4

/** How many escapes begin before `at`, or at it. */
function escapesUntil({ escaped }: ResolvedText, at: number): number {
  let low = 0
  let high = escaped.length / perEscape
  while (low < high) {
    const middle = (low + high) >> 1
    if (escaped[middle * perEscape]! <= at) low = middle + 1
    else high = middle
  }
  return low
}

/** Where a place of it is in the source, behind what says nothing there: for one within an escape, where that begins. */
function startOf(resolved: ResolvedText, at: number): number {
  const last = escapesUntil(resolved, at)
  if (last === 0) return resolved.base + at
  const [, end = 0, from = 0, to = 0] = resolved.escaped.slice((last - 1) * perEscape, last * perEscape)
  return at < end ? from : to + at - end
}

/** The same for an end, before what says nothing there: for one within an escape, where that ends. */
function endOf(resolved: ResolvedText, at: number): number {
  const last = escapesUntil(resolved, at - 1)
  if (last === 0) return resolved.base + at
  const [, end = 0, , to = 0] = resolved.escaped.slice((last - 1) * perEscape, last * perEscape)
  return to + Math.max(0, at - end)
}

/** Whether an escape is a text in base64: no other is so long and stands for more than a character. */
const isCode = (begun: number, end: number, from: number, to: number): boolean =>
  to - from >= shortestCode && end - begun > 2

/** Whether a place of it is within a text in base64. */
function isCoded(resolved: ResolvedText, at: number): boolean {
  const last = escapesUntil(resolved, at)
  const [begun = 0, end = 0, from = 0, to = 0] = resolved.escaped.slice((last - 1) * perEscape, last * perEscape)
  return last > 0 && at < end && isCode(begun, end, from, to)
}

/**
 * Where something found in it stands in the source, and whether it reads otherwise there, as `coded` because it is a part of a text
 * in base64.
 */
export function placeOf(
  resolved: ResolvedText,
  start: number,
  end: number,
): { start: number; end: number; escaped?: true; coded?: true } {
  const place = { start: startOf(resolved, start), end: endOf(resolved, end) }
  const last = escapesUntil(resolved, end - 1)
  const inside = last > 0 && resolved.escaped[last * perEscape - 1]! > place.start
  if (!inside) return place
  const coded = isCoded(resolved, start) || isCoded(resolved, end - 1)
  return coded ? { ...place, escaped: true, coded } : { ...place, escaped: true }
}

/** Characters of the shortest escape that is one for sure: `\\n` may be the end of a directory and the beginning of a name. */
const shortestSure = 3

/** Where the escape ends that a place of the source is in the middle of; nothing where it is in none. */
export function escapeAround({ escaped }: ResolvedText, at: number): number | undefined {
  let low = 0
  let high = escaped.length / perEscape
  while (low < high) {
    const middle = (low + high) >> 1
    if (escaped[middle * perEscape + 2]! < at) low = middle + 1
    else high = middle
  }
  const [from = at, to = at] = escaped.slice((low - 1) * perEscape + 2, low * perEscape)
  return low > 0 && at < to && to - from >= shortestSure ? to : undefined
}

/**
 * The first place of it that begins at `at` in the source, or later; beyond its end, how far. Within a text in base64 all of what
 * that says, as nobody may have seen the end of it before.
 */
export function placeIn({ base, escaped }: ResolvedText, at: number): number {
  let resolved = at - base
  for (let next = 0; next < escaped.length && escaped[next + 2]! < at; next += perEscape) {
    const [begun = 0, end = 0, from = 0, to = 0] = escaped.slice(next, next + perEscape)
    resolved = at < to && isCode(begun, end, from, to) ? begun : end + Math.max(0, at - to)
  }
  return Math.max(0, resolved)
}

/** What may be an escape in a text whose escapes are resolved. */
const nested = /%[0-9A-Fa-f]{2}|&(?:#\w{1,8}|[A-Za-z]\w{1,30});|\\[ux][0-9A-Fa-f]{2}/

/** Where escapes begin in a text, in order, and what each says with the length that it has there. */
type EscapesIn = (text: string) => Iterable<{ at: number; said: { text: string; length: number }[] }>

/** The same once the escapes are resolved that it holds itself: `%2540` is `%40`, and `@`. Nothing where it holds none. */
export function resolvedAgain(resolved: ResolvedText, escapesIn: EscapesIn): ResolvedText | undefined {
  const { text, base, escaped: first } = resolved
  if (!nested.test(text)) return undefined
  const escaped: number[] = []
  let read = ''
  let copied = 0
  let next = 0
  let isOther = false
  const copyTo = (end: number) => {
    for (; next < first.length && first[next + 1]! <= end; next += perEscape)
      if (first[next]! >= copied) {
        const begun = read.length - copied
        escaped.push(begun + first[next]!, begun + first[next + 1]!, first[next + 2]!, first[next + 3]!)
      }
    read += text.slice(copied, end)
    copied = end
  }
  let near = 0
  /** Whether an escape that says several characters, as a text in base64 does, holds one of a stretch. */
  const isWithin = (start: number, end: number) => {
    while (near < first.length && first[near + 1]! <= start) near += perEscape
    return near < first.length && first[near]! < end && first[near + 1]! - first[near]! > 1
  }
  for (const { at: begin, said } of escapesIn(text)) {
    let at = begin
    for (const { text: character, length } of said) {
      const end = at + length
      if (!isWithin(at, end)) {
        copyTo(at)
        escaped.push(read.length, read.length + character.length, startOf(resolved, at), endOf(resolved, end))
        read += character
        copied = end
        isOther = true
      }
      at = end
    }
  }
  if (!isOther) return undefined
  copyTo(text.length)
  return { text: read, base, escaped }
}
