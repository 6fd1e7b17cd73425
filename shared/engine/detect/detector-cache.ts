import type { Segment } from '../formats/format.ts'
import type { Detector, Span } from './span.ts'

/** Characters of texts whose spans are kept. */
const maxCharacters = 8 * 1024 * 1024

const none: Span[] = []

/** Whether what is found in a segment doesn't depend on its neighbours. */
const isAlone = ({ before, after }: Segment): boolean => before === undefined && after === undefined

/** Whether the same is found in a segment as in one that was {@link isAlone}. */
function isAlike(one: Segment, other: Segment): boolean {
  if (one === other) return true
  const { kind, column } = other.place
  const isLike = one.place.kind === kind && one.place.column === column && one.wording === other.wording
  return isAlone(one) && isLike && one.text === other.text
}

/**
 * For files that are gone through several times, always in the same batches: what was found the first time is kept, and
 * found again wherever a batch holds the very same texts.
 */
export function cachedDetector(detector: Detector): { first: Detector; again(): Detector } {
  const known: { segments: Segment[]; spans: Span[][] }[] = []
  let left = maxCharacters
  const first: Detector = {
    ...detector,
    async detect(batch) {
      const spans = await detector.detect(batch)
      if (!batch.every(isAlone)) left = 0
      for (const { text } of batch) left -= text.length
      if (left > 0) known.push({ segments: [...batch], spans: spans.map(list => (list.length > 0 ? list : none)) })
      return spans
    },
  }
  const isSame = (seen: Segment[], batch: readonly Segment[]) =>
    seen.length === batch.length && batch.every((segment, index) => isAlike(segment, seen[index]!))
  return {
    first,
    again() {
      let next = 0
      return {
        ...detector,
        async detect(batch) {
          const found = known[next++]
          return found && isSame(found.segments, batch) ? found.spans : detector.detect(batch)
        },
      }
    },
  }
}
