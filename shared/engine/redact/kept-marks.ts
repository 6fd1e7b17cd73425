import { escapedLike } from '../detect/escaped-like.ts'
import type { KeptMark, Span } from '../detect/span.ts'

/** Tells, of spans, whether one that was found in a text as it is written has a part of a stretch. */
export function touching(spans: readonly Span[]): (start: number, end: number) => boolean {
  const covered: { start: number; end: number }[] = []
  for (const { start, end } of spans.filter(({ kept }) => !kept).sort((a, b) => a.start - b.start)) {
    const last = covered.at(-1)
    if (last && start <= last.end) last.end = Math.max(last.end, end)
    else covered.push({ start, end })
  }
  return (start, end) => {
    let low = 0
    let high = covered.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (covered[middle]!.end <= start) low = middle + 1
      else high = middle
    }
    return low < covered.length && covered[low]!.start < end
  }
}

/** Writes what takes the place of a value with marks in it: those that stay stand around it, without what was found in them. */
export function amongMarks(
  source: string,
  { kept = [], start: base, escaped }: Span,
  isTouched: ReturnType<typeof touching>,
): (replacement: string) => string {
  const written = ({ start, end }: KeptMark) => {
    const mark = source.slice(start, end)
    return mark.startsWith(']') && isTouched(base + start, base + end) ? ']()' : mark
  }
  const side = (isInFront: boolean) =>
    kept
      .filter(mark => mark.isInFront === isInFront)
      .map(written)
      .join('')
  const like = (replacement: string) => {
    if (!escaped) return replacement
    let at = 0
    const rest = kept.map(({ start, end }) => {
      const before = source.slice(at, start)
      at = end
      return before
    })
    return escapedLike(rest.join('') + source.slice(at), replacement)
  }
  return replacement => side(true) + like(replacement) + side(false)
}
