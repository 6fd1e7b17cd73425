import type { Seam, Segment } from '../formats/format.ts'
import { reading } from './normalise.ts'
import type { Span } from './span.ts'

/** What of a span in a seam a segment holds; nothing where it doesn't go over from one side of the seam to the other. */
function partOf(span: Span, seam: Seam, side: 'end' | 'beginning', at: number): Span | undefined {
  const { text, ends, begins } = seam
  if (span.start >= ends || span.end <= begins) return undefined
  const [from, to, shift] = side === 'end' ? [span.start, ends, at] : [begins, span.end, at - begins]
  const said = span.said ?? reading(text.slice(span.start, span.end))
  return { ...span, start: from + shift, end: to + shift, said, value: span.value ?? said, isPart: true }
}

/**
 * Adds to what was found in the texts of a batch what `find` finds over their ends and beginnings. One per asset: what was found
 * at the end of one text is known when the next one comes.
 */
export function createSeams() {
  const known = new WeakMap<Seam, Span[]>()
  return async (
    batch: readonly Segment[],
    result: Span[][],
    find: (segments: Segment[]) => Promise<Span[][]>,
  ): Promise<void> => {
    const fresh = new Map<Seam, Segment>()
    for (const segment of batch)
      for (const { seam } of segment.seams ?? [])
        if (!known.has(seam)) fresh.set(seam, { ...segment, text: seam.text, seams: undefined, marks: undefined })
    if (fresh.size > 0) {
      const found = await find([...fresh.values()])
      for (const [index, seam] of [...fresh.keys()].entries()) known.set(seam, found[index]!)
    }
    for (const [index, { seams = [] }] of batch.entries())
      for (const { seam, side, at } of seams) {
        const parts = known.get(seam)!.flatMap(span => partOf(span, seam, side, at) ?? [])
        if (parts.length > 0) result[index] = [...result[index]!, ...parts]
      }
  }
}
