import type { Cells, Segment } from '../formats/format.ts'
import type { Match } from '../match.ts'
import type { ByteHits } from './regex/search.ts'

/** A detected value in one segment's text (UTF-16 offsets, end exclusive). */
export type Span = Match & {
  /** Found in what the text says once its escapes are resolved, see `escapes.ts`. */
  escaped?: true
  /** Found in a text in base64, all of which it takes. */
  coded?: true
  /** What was found there, which may be a part of what an escape says. */
  said?: string
  /** The value that it is, where a name of a file writes it otherwise: `Jane_Doe`, or markup stands in it. */
  value?: string
  /** Whether the rest of the value stands in another text, on the page before or the next one. */
  isPart?: true
  /** Markup in it that stays, in order: from where it begins, and whether it goes in front of what takes its place. */
  kept?: readonly KeptMark[]
}

/** A mark in what is replaced: offsets from where that begins. */
export type KeptMark = { start: number; end: number; isInFront: boolean }

/** Leaves out of what was found in a segment what the plan says is never replaced. */
export type Spare = (segment: Segment, spans: Span[]) => Span[]

/** Finds what the rules of a plan look for. One per asset; not shared between assets. */
export type Detector = {
  /**
   * The spans of each segment, overlaps included, in no certain order. Throws rather than skip a rule. In a piece of a
   * longer text spans may begin before it or end behind it.
   */
  detect(batch: Segment[]): Promise<Span[][]>
  /** Leaves out what is never replaced, of what is found otherwise; `detect` has done so. */
  spare?: Spare
  /** The same as `detect` for many cells at once; only when all rules are patterns. */
  cells?(batch: Cells): CellHits[]
}

/** Hits, and whether they were found in what the cells say once their escapes are resolved. */
export type CellHits = ByteHits & { escaped?: true }
