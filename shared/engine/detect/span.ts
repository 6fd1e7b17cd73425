import type { Segment } from '../formats/format.ts'

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
}

/** Finds what the rules of a plan look for. One per asset; not shared between assets. */
export type Detector = {
  /** The spans of each segment, in order of their start, overlaps included. Throws rather than skip a rule. */
  detect(batch: Segment[]): Promise<Span[][]>
  close(): Promise<void>
}
