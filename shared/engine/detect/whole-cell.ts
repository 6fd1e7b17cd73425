import type { Segment } from '../formats/format.ts'
import { withoutEscapes } from './escapes.ts'
import { aside } from './normalise.ts'
import type { ByteHits } from './regex/search.ts'
import { separator } from './regex/separator.ts'
import type { Span } from './span.ts'

/** Rules whose match stands for the whole cell, by their index in the plan. */
export type WholeCells = ReadonlySet<number>

/** Whether a part of a text, and not all of it, stands between marks as one that only some see. */
const isMarked = (text: string) => text.includes(aside) && /\S/.test(withoutEscapes(text))

/** Widens the spans of rules that replace whole cells: one for each rule that found anything in the cell. */
export function widenSpans(spans: Span[], { text, place, before, after }: Segment, whole: WholeCells): Span[] {
  const isCell = place.kind === 'cell' || place.kind === 'header'
  if (whole.size === 0 || !isCell || before !== undefined || after !== undefined) return spans
  const widened = new Map<number, Span>()
  const kept: Span[] = []
  for (const span of spans) {
    if (!whole.has(span.rule)) kept.push(span)
    else if (!widened.has(span.rule))
      widened.set(span.rule, { ...span, start: 0, end: text.length, escaped: isMarked(text) || undefined })
  }
  return [...kept, ...widened.values()]
}

/** The same for what rules found in many cells: each ends at a fence. */
export function widenHits({ rule, at }: ByteHits, bytes: string): ByteHits {
  const wide: number[] = []
  let end = -1
  for (let next = 0; next < at.length; next += 2) {
    const start = at[next]!
    if (start < end) continue
    const stop = bytes.indexOf(separator, start)
    end = stop < 0 ? bytes.length : stop
    wide.push(start === 0 ? 0 : bytes.lastIndexOf(separator, start - 1) + 1, end)
  }
  return { rule, at: wide }
}
