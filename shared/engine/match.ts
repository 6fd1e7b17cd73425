import type { Place } from './formats/format.ts'

/** A stretch of a text (UTF-16 offsets, end exclusive). */
export type Range = { start: number; end: number }

/** Why something counts as found. Holds no text of the document. */
export type Reason = {
  /**
   * What found it: a pattern of the workflow, a model's classification, a recogniser's pattern, a checksum that a match
   * passed, a value of a list, the same value having been found elsewhere, or somebody who reviewed it.
   */
  by: 'regex' | 'model' | 'pattern' | 'checksum' | 'list' | 'repeat' | 'review'
  /** Name of the recogniser or of the checksum, such as `es.dni`. */
  pattern?: string
  /** The context word, from the recogniser's own list, that stands near and raised the score. */
  context?: string
}

/** What was found at one place of a text: the one shape that models, detection and explanations share. */
export type Match = Range & {
  /** Index of the rule in the plan. */
  rule: number
  /** Kind of thing found: a model's label, or the rule's name. */
  label: string
  /** 0 to 1; 1 for a pattern. */
  score: number
  reason?: Reason
}

/** Something found, with its place in the file. Holds no text of the document. */
export type Placed = Omit<Match, 'reason'> & {
  /** The same for the same thing at the same place, each time the file is looked at; its own within the file or chunk. */
  id: string
  /** Its place in the file; offsets count from the beginning of the text there. */
  place: Place
  reason: Reason
}

/** A match that was replaced, with its place in the file. `value` and `replacement.text` are the only content in it. */
export type Replaced = Match & {
  /** Its place in the file; offsets count from the beginning of the text there. */
  place: Place
  reason: Reason
  /** The text that was replaced. */
  value: string
  /** Its replacement, and where that is in the new text of the place. */
  replacement: Range & { text: string }
}
