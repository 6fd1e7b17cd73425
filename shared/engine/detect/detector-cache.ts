import type { Segment } from '../formats/format.ts'
import type { Detector, Span } from './span.ts'

/** Characters of texts whose spans are kept. */
const maxCharacters = 8 * 1024 * 1024

/** Whether the same is found in a segment as in another, if the same was found in the pieces of its text before it. */
function isAlike(one: Segment, other: Segment): boolean {
  if (one === other) return true
  const { kind, column } = other.place
  const isLike = one.place.kind === kind && one.place.column === column && one.wording === other.wording
  const isSame = one.text === other.text && one.before === other.before && one.after === other.after
  return isLike && isSame && seamsOf(one) === seamsOf(other)
}

const seamsOf = ({ seams = [] }: Segment): string => seams.map(({ seam, at }) => `${at} ${seam.text}`).join('\0')

const isPiece = ({ before, after }: Segment) => before !== undefined || after !== undefined

function areAlike(seen: readonly Segment[], batch: readonly Segment[]): boolean {
  if (seen.length !== batch.length) return false
  for (let index = 0; index < batch.length; index++) if (!isAlike(batch[index]!, seen[index]!)) return false
  return true
}

/** Whether a text goes on behind a batch; `isOpen`: whether one went on before it. */
function goesOn(batch: readonly Segment[], isOpen: boolean): boolean {
  const piece = batch.findLast(isPiece)
  return piece ? Boolean(piece.after) : isOpen
}

/**
 * For files that are gone through several times, always in the same batches: what was found the first time is kept, and
 * found again wherever a batch holds the very same texts. What is found in a piece of a text depends on the pieces before it, so
 * such a text is kept wholly or not at all, and searched from its first piece on where a later one is another.
 */
export function cachedDetector(detector: Detector): { first: Detector; again(): Detector } {
  const known: { segments: readonly Segment[]; spans: Span[][] }[] = []
  let left = maxCharacters
  let isOpen = false
  let begun = 0
  const first: Detector = {
    ...detector,
    async detect(batch) {
      const spans = await detector.detect(batch)
      if (!isOpen) begun = known.length
      isOpen = goesOn(batch, isOpen)
      for (const { text } of batch) left -= text.length
      if (left > 0) known.push({ segments: [...batch], spans })
      else known.length = Math.min(known.length, begun)
      return spans
    },
  }
  return {
    first,
    again() {
      let next = 0
      let isOpen = false
      let isOther = false
      /** What was found again of the text that goes on. */
      let passed: Segment[][] = []
      return {
        ...detector,
        async detect(batch) {
          const found = known[next++]
          if (!isOpen) [passed, isOther] = [[], false]
          isOpen = goesOn(batch, isOpen)
          if (found && !isOther && areAlike(found.segments, batch)) {
            if (isOpen) passed.push([...batch])
            return found.spans
          }
          isOther = true
          for (const missed of passed.splice(0)) await detector.detect(missed)
          return detector.detect(batch)
        },
      }
    },
  }
}
