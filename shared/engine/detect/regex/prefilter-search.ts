import { wordUnits } from '../units.ts'
import type { Prefilter } from './prefilter.ts'

/** Whether a word begins or ends before `at`. */
function isBoundary(text: string, at: number): boolean {
  const before = at > 0 && wordUnits[text.charCodeAt(at - 1)] === 1
  const after = at < text.length && wordUnits[text.charCodeAt(at)] === 1
  return before !== after
}

/**
 * Goes through the matches of a pattern in order by trying it (`sticky`) only where a match can begin; `take` is given
 * each. Ends at the text's end and returns -1, or returns where to go on with the plain search, when the text holds so
 * many of those places that the plain search is faster.
 */
export function tryPrefilter(
  prefilter: Prefilter,
  sticky: RegExp,
  text: string,
  from: number,
  take: (start: number, end: number) => void,
): number {
  // Each attempt costs about as much as the plain search of a few dozen characters.
  let attempts = 1000 + (text.length >> 5)
  let at = from
  const attempt = (start: number): boolean => {
    sticky.lastIndex = start
    attempts--
    if (!sticky.test(text)) return false
    at = sticky.lastIndex
    attempts++
    take(start, at)
    return true
  }

  if (prefilter.kind === 'stride') {
    const { units, length } = prefilter
    // A match begins at `base` or behind what is looked at, backwards: the last unit that is none of its own rules out all before it.
    let base = at
    while (base + length <= text.length) {
      let look = base + length - 1
      while (look >= base && units[text.charCodeAt(look)] === 1) look--
      if (look >= base) {
        base = look + 1
        continue
      }
      if (isBoundary(text, base) && attempt(base)) {
        base = at
        continue
      }
      base += length
      while (base < text.length && units[text.charCodeAt(base)] === 1) base++
      if (attempts < 0) return Math.max(at, base)
    }
    return -1
  }

  if (prefilter.kind === 'fixed') {
    const { literal, offset } = prefilter
    let found = text.indexOf(literal, at + offset)
    while (found >= 0) {
      const start = found - offset
      found = text.indexOf(literal, attempt(start) ? at + offset : found + 1)
      if (attempts < 0) return Math.max(at, start + 1)
    }
    return -1
  }

  const { literal, units, min, max, boundary } = prefilter
  for (let found = text.indexOf(literal, at + min); found >= 0; ) {
    const lowest = Math.max(at, found - max)
    let start = found
    while (start > lowest && units[text.charCodeAt(start - 1)] === 1) start--
    while (boundary && start <= found - min && !isBoundary(text, start)) start++
    const matched = start <= found - min && attempt(start)
    if (!matched && attempts < 0) return Math.max(at, start)
    found = text.indexOf(literal, matched ? at + min : found + 1)
  }
  return -1
}
