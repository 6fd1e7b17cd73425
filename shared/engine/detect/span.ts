import type { Cells, Segment } from '../formats/format.ts'
import type { Hits } from './regex/search.ts'

/** A detected value in one segment's text (UTF-16 offsets, end exclusive). */
export type Span = {
  start: number
  end: number
  /** Index of the rule in the plan. */
  rule: number
  /** Kind of thing found: a model's label, or the rule's name. */
  label: string
  /** 0 to 1; 1 for a pattern. */
  score: number
  /** Found in what the text says once its escapes are resolved, see `escapes.ts`. */
  escaped?: true
  /** The value that it is, where a name of a file writes it otherwise: `Jane_Doe`. */
  value?: string
}

/** Finds what the rules of a plan look for. One per asset; not shared between assets. */
export type Detector = {
  /**
   * The spans of each segment, overlaps included, in no certain order. Throws rather than skip a rule. In a piece of a
   * longer text spans may begin before it or end behind it.
   */
  detect(batch: Segment[]): Promise<Span[][]>
  /** The same for many cells at once; only when all rules are patterns. */
  cells?(batch: Cells): CellHits[]
}

/** Hits, and whether they were found in what the cells say once their escapes are resolved. */
export type CellHits = Hits & { escaped?: true }
