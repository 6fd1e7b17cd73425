import { EngineError } from '../errors.ts'
import type { Segment } from '../formats/format.ts'
import type { Span } from './span.ts'

/**
 * Finds the spans of a text from an offset on, and refuses it when one that begins in `[from, to)` might need more text
 * than there is.
 */
type FindIn = {
  find(text: string, from: number): Promise<Span[]>
  checkOpen(text: string, from: number, to: number): void
}

/** Detection in long texts that come in pieces. One per asset: each piece depends on the one before it. */
export type Pieces = {
  /**
   * The spans that touch the piece, as offsets in its text. Those that reach over an edge begin before 0 or end behind
   * the text, together with all that they overlap, so that both pieces settle the overlaps alike.
   */
  detect(segment: Segment, find: FindIn): Promise<Span[]>
}

/** The end of the last of the spans that overlap each other across `edge`, or `edge` when none does. */
function settledEnd(ordered: Span[], edge: number): number {
  let reach = edge
  for (const { start, end } of ordered) {
    if (start >= reach) break
    if (end > reach) reach = end
  }
  return reach
}

/** Where the group of overlapping spans that crosses `edge` begins, or `edge`. `ordered` is in order of the start. */
function groupStart(ordered: Span[], edge: number): number {
  let start = Number.NEGATIVE_INFINITY
  let reach = Number.NEGATIVE_INFINITY
  for (const span of ordered) {
    if (span.start >= reach) {
      if (span.start >= edge) break
      start = span.start
    }
    reach = Math.max(reach, span.end)
  }
  return reach > edge ? start : edge
}

export function createPieces(): Pieces {
  /** Spans of the group that crosses the edge between the last piece and this one, as offsets in this one. */
  let carried: Span[] = []
  /** Where the search goes on: nothing found crosses this place. */
  let resume = 0

  return {
    async detect({ text, before = '', after = '' }, { find, checkOpen }) {
      if (before === '') {
        carried = []
        resume = 0
      }
      const base = before.length
      const window = before + text + after
      const edge = text.length
      // A text may be shorter than what the last match took of it.
      const found = resume > edge + after.length ? [] : await find(window, base + Math.max(0, resume))
      const shifted = found.map(span => ({ ...span, start: span.start - base, end: span.end - base }))
      const spans = [...carried, ...shifted].sort((a, b) => a.start - b.start)
      if (after === '') {
        carried = []
        resume = 0
        return spans
      }
      const settled = settledEnd(spans, Math.max(edge, resume))
      if (settled >= edge + after.length) {
        throw new EngineError('limit_exceeded', `A match is longer than ${after.length} characters`)
      }
      checkOpen(window, base + resume, base + settled)
      const kept = spans.filter(({ start }) => start < settled)
      const from = groupStart(kept, edge)
      carried = kept
        .filter(({ start }) => start >= from)
        .map(span => ({ ...span, start: span.start - edge, end: span.end - edge }))
      resume = settled - edge
      return kept
    },
  }
}
