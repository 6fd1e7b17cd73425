import type { Segment } from '../formats/format.ts'
import type { Detector, Span } from './span.ts'

/** Characters of texts whose spans are kept. */
const mostCharacters = 8 * 1024 * 1024

const none: Span[] = []

/**
 * For files that are gone through several times, always in the same batches: what was found the first time is kept, and
 * found again wherever a batch holds the very same texts.
 */
export function foundAgain(detector: Detector): { first: Detector; again(): Detector } {
  const known: { texts: string[]; spans: Span[][] }[] = []
  let left = mostCharacters
  const first: Detector = {
    ...detector,
    async detect(batch) {
      const spans = await detector.detect(batch)
      if (batch.some(({ before, after }) => before !== undefined || after !== undefined)) left = 0
      for (const { text } of batch) left -= text.length
      if (left > 0)
        known.push({
          texts: batch.map(({ text }) => text),
          spans: spans.map(list => (list.length > 0 ? list : none)),
        })
      return spans
    },
  }
  const isSame = (texts: string[], batch: readonly Segment[]) =>
    texts.length === batch.length && batch.every(({ text }, index) => text === texts[index])
  return {
    first,
    again() {
      let next = 0
      return {
        ...detector,
        async detect(batch) {
          const found = known[next++]
          return found && isSame(found.texts, batch) ? found.spans : detector.detect(batch)
        },
      }
    },
  }
}
