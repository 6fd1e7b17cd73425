/** A regular-expression rule, ready to run. */
export type RegexDetection = {
  type: 'REGEX'
  /** ECMAScript pattern in `u` syntax; a group named `redact` narrows what is replaced. */
  pattern: string
  /** Any of `i`, `m`, `s`. */
  flags?: string
  /** Name of a checksum that a match must pass, see `detect/validators`. */
  validator?: string
}

/** An entity-recognition rule, ready to run. */
export type ModelDetection = {
  type: 'AIMODEL'
  modelId: string
  modelVersion: string
  /** Smallest score kept, 0 to 1. */
  confidenceThreshold: number
  /** Labels to keep; all of them when absent. */
  entities?: string[]
  /** BCP 47 language of the text, where the model needs to be told. */
  language?: string
}

/** What stands in place of a detected value: exactly one form. */
export type Replacement =
  | { text: string }
  | { mask: { char?: string; keepFirst?: number; keepLast?: number } }
  | { hash: Record<string, never> }
  | { pseudonym: Record<string, never> }
  | { remove: Record<string, never> }
  | { suppress: Record<string, never> }
  | { generalise: Generalisation }

/** How a value loses detail: exactly one way. What can't be generalised so is suppressed. */
export type Generalisation =
  /** Numbers become intervals: of a width, counted from `from`, or between bounds. */
  | { range: number | { width: number; from?: number } | { bounds: number[] } }
  /** Dates keep their beginning: `year` makes 1987-03-04 1987. */
  | { date: DatePart | { part: DatePart; order?: 'YMD' | 'DMY' | 'MDY' } }
  /** The first characters stay, the others become `char`. */
  | { prefix: { keep: number; char?: string } }
  /** Each row holds a value, then what it is on each level; level 0 is the value itself. */
  | { hierarchy: { level: number; rows: string[][] } }

/** Parts of a date that a generalisation may keep. */
export type DatePart = 'month' | 'quarter' | 'year' | 'decade'

/** One entry of a workflow together with the rule it names, as frozen when the job was executed. */
export type PlannedRule = {
  ruleId: string
  name: string
  detection: RegexDetection | ModelDetection
  replacement: Replacement
  /** Tables only: names or `*` patterns of the columns that the rule looks at; all of them when absent. */
  columns?: string[]
  /** Tables only: where the rule matches in a cell, the whole cell is replaced. */
  replace?: 'cell'
}

/** What the privacy of a table is measured by. */
export type RiskPlan = {
  /** Columns by which somebody may be recognised, and those that must not be learned of them. */
  quasiIdentifiers: string[]
  sensitive: string[]
  /** Records whose risk is higher than this are at risk, 0 to 1. */
  threshold: number
  /**
   * What every class of records must keep; those that don't are suppressed, at most this share of all records. The bounds
   * of l-diversity and t-closeness hold for every sensitive column.
   */
  require?: { k?: number; distinctL?: number; entropyL?: number; t?: number; suppressAtMost: number }
}

/** Everything that decides what an asset becomes. The order of the rules breaks ties between equal matches. */
export type Plan = {
  rules: PlannedRule[]
  assetType: 'TABLE' | 'DOCUMENT'
  /** Tables only: what their privacy is measured by, before and after. */
  risk?: RiskPlan
}
