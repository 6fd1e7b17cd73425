import type { Edit, Segment } from '../format.ts'
import { applyEdits } from '../plain/write.ts'
import type { Patch } from '../text/text-nodes.ts'
import type { KnownInHidden } from './known-values.ts'

/** Hidden texts that are written before every value of the cells is known. */
export type EarlyTexts = {
  /** The changes of a text around cells, as far as values are known by now. */
  patches(make: () => Patch[]): Patch[]
  /** The edits of a text of a formula, completed by what is known by now. */
  formula(segment: Segment, edits: readonly Edit[]): Edit[]
  /** Whether one of them would be another by now. */
  areUnfinished(): boolean
}

/** Starts with no texts. Of formulas it keeps what they call sheets, tables and names only, of which a file has few. */
export function earlyTexts(known: KnownInHidden): EarlyTexts {
  const names = new Set<string>()
  const made: { size: number; before: string; make(): string }[] = []
  const keep = (make: () => string) => void made.push({ size: known.size(), before: make(), make })
  return {
    patches(make) {
      const patches = make()
      keep(() => JSON.stringify(make()))
      return patches
    },
    formula(segment, edits) {
      const { text } = segment
      if (!names.has(text) && known.isName(text)) {
        names.add(text)
        keep(() => applyEdits(text, known.complete(segment, edits)))
      }
      return known.complete(segment, edits)
    },
    areUnfinished: () => made.some(({ size, before, make }) => size !== known.size() && make() !== before),
  }
}
