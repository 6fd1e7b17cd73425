import type { Span } from './span.ts'

/** A stretch of text to replace, and the detection that decides by what. Stretches never overlap. */
export type Stretch = { start: number; end: number; owner: Span }

/** Length of a span, as precedence counts it. */
type LengthOf = (span: Span) => number

/** Longest first, then the earlier rule, then the higher score; the rest only makes the order total. */
const precedence = (lengthOf: LengthOf) => (a: Span, b: Span) =>
  lengthOf(b) - lengthOf(a) ||
  a.rule - b.rule ||
  b.score - a.score ||
  Number(a.escaped ?? false) - Number(b.escaped ?? false) ||
  a.start - b.start ||
  (a.label < b.label ? -1 : Number(a.label > b.label))

/** Gives each detection of one group of overlapping ones what those before it in precedence have left. */
function share(group: Span[], stretches: Stretch[], lengthOf: LengthOf) {
  if (group.length === 1) {
    const owner = group[0]!
    stretches.push({ start: owner.start, end: owner.end, owner })
    return
  }
  const taken: Stretch[] = []
  for (const owner of group.sort(precedence(lengthOf))) {
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
  stretches.push(...taken)
}

/**
 * Decides which detection replaces what: where several overlap, the first in precedence keeps all of its text, and what
 * is left uncovered of the others is replaced by their own rules, so that the union of all is always gone. The result is
 * in order of its start and does not depend on the order of the spans. `lengthOf` is needed where offsets aren't UTF-16.
 */
export function resolveOverlaps(
  spans: readonly Span[],
  lengthOf: LengthOf = ({ start, end }) => end - start,
): Stretch[] {
  if (spans.length <= 1)
    return spans.filter(({ start, end }) => start < end).map(owner => ({ start: owner.start, end: owner.end, owner }))
  const stretches: Stretch[] = []
  let group: Span[] = []
  let reach = Number.NEGATIVE_INFINITY
  const ordered = spans.filter(({ start, end }) => start < end).sort((a, b) => a.start - b.start)
  for (const span of ordered) {
    if (span.start >= reach && group.length > 0) {
      share(group, stretches, lengthOf)
      group = []
    }
    group.push(span)
    reach = Math.max(reach, span.end)
  }
  if (group.length > 0) share(group, stretches, lengthOf)
  return stretches
}
