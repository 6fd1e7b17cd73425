import { pushAll } from '../lists.ts'
import type { Span } from './span.ts'

/** A stretch of text to replace, and the detection that decides by what. Stretches never overlap. */
export type Stretch = { start: number; end: number; owner: Span }

/** Length of a span, as precedence counts it. */
type LengthOf = (span: Span) => number

/** Longest first, then the earlier rule, then what goes on in another text, then the higher score; the rest only makes the order total. */
const precedence = (lengthOf: LengthOf) => (a: Span, b: Span) =>
  lengthOf(b) - lengthOf(a) ||
  a.rule - b.rule ||
  Number(b.isPart ?? false) - Number(a.isPart ?? false) ||
  b.score - a.score ||
  Number(a.escaped ?? false) - Number(b.escaped ?? false) ||
  a.start - b.start ||
  (a.label < b.label ? -1 : Number(a.label > b.label))

const usualLength: LengthOf = ({ start, end }) => end - start
const usualPrecedence = precedence(usualLength)

/** Gives each detection of one group of overlapping ones what those before it in precedence have left. */
function share(group: Span[], stretches: Stretch[], isBefore: (a: Span, b: Span) => number) {
  const [first] = group
  if (group.every(({ start, end }) => start === first!.start && end === first!.end)) {
    // The same stretch found several times, as most groups are.
    const owner = group.reduce((best, span) => (isBefore(span, best) < 0 ? span : best))
    stretches.push({ start: owner.start, end: owner.end, owner })
    return
  }
  const taken: Stretch[] = []
  for (const owner of group.sort(isBefore)) {
    // The first taken stretch that ends behind the beginning of this detection.
    let low = 0
    let high = taken.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (taken[middle]!.end <= owner.start) low = middle + 1
      else high = middle
    }
    let at = owner.start
    let index = low
    while (at < owner.end) {
      const next = taken[index]
      if (next && next.start <= at) {
        at = Math.max(at, next.end)
        index++
        continue
      }
      const end = Math.min(owner.end, next?.start ?? owner.end)
      taken.splice(index, 0, { start: at, end, owner })
      index++
      at = end
    }
  }
  pushAll(stretches, taken)
}

/** Spans by where they begin. Most texts have two or three, for which a sort takes more than to put each in its place. */
function inOrder(spans: readonly Span[]): readonly Span[] {
  if (spans.length > few) return [...spans].sort((a, b) => a.start - b.start)
  const ordered = [...spans]
  for (let next = 1; next < ordered.length; next++) {
    const span = ordered[next]!
    let at = next
    for (; at > 0 && ordered[at - 1]!.start > span.start; at--) ordered[at] = ordered[at - 1]!
    ordered[at] = span
  }
  return ordered
}

const few = 8

function areApart(ordered: readonly Span[]): boolean {
  for (let next = 1; next < ordered.length; next++) if (ordered[next - 1]!.end > ordered[next]!.start) return false
  return true
}

/**
 * Decides which detection replaces what: where several overlap, the first in precedence keeps all of its text, and what
 * is left uncovered of the others is replaced by their own rules, so that the union of all is always gone. The result is
 * in order of its start and does not depend on the order of the spans. `lengthOf` is needed where offsets aren't UTF-16.
 */
export function resolveOverlaps(spans: readonly Span[], lengthOf: LengthOf = usualLength): Stretch[] {
  const isBefore = lengthOf === usualLength ? usualPrecedence : precedence(lengthOf)
  const full = spans.every(({ start, end }) => start < end) ? spans : spans.filter(({ start, end }) => start < end)
  const ordered = full.length === 1 ? full : inOrder(full)
  // Nearly always; a list that is filled one by one would have room for many more.
  if (areApart(ordered)) return ordered.map(owner => ({ start: owner.start, end: owner.end, owner }))
  const stretches: Stretch[] = []
  for (let next = 0; next < ordered.length; ) {
    const span = ordered[next]!
    let { end: reach } = span
    let past = next + 1
    while (past < ordered.length && ordered[past]!.start < reach) reach = Math.max(reach, ordered[past++]!.end)
    if (past === next + 1) stretches.push({ start: span.start, end: span.end, owner: span })
    else share(ordered.slice(next, past), stretches, isBefore)
    next = past
  }
  return stretches
}
