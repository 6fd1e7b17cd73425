import type { Replacement } from './operators/index.ts'

/** A regular-expression rule, ready to run. */
export type RegexDetection = {
  type: 'REGEX'
  /** ECMAScript pattern in `u` syntax; a group named `redact` narrows what is replaced. */
  pattern: string
  /** Any of `i`, `m`, `s`. */
  flags?: string
  /** Name of a checksum that a match must pass, see `detect/validators`. */
  validator?: string
  /** Score of a match without a context word near it, and the smallest that counts, 0 to 1. */
  score?: number
  confidenceThreshold?: number
  /** Words near a match, within so many characters before or after it, that give it another score; the first decides. */
  context?: { words: string[]; score: number; before: number; after: number }[]
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
  /** BCP 47 language of the text, if the model needs it. */
  language?: string
}

/** A rule whose values are those of a list, ready to run. */
export type ListDetection = {
  type: 'LIST'
  /** Name under which the values are requested. */
  list: string
}

/** One entry of a workflow together with the rule it names, as frozen when the job was executed. */
export type PlannedRule = {
  ruleId: string
  name: string
  detection: RegexDetection | ModelDetection | ListDetection
  replacement: Replacement
  /** Tables only: names or `*` patterns of the columns that the rule looks at; all of them when absent. */
  columns?: string[]
  /** Tables only: where the rule matches in a cell, the whole cell is replaced. */
  replace?: 'cell'
}

/** What the privacy of a table is measured by. */
export type RiskPlan = {
  /** Columns that could identify somebody, and those that must not be learned about them. */
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
  /** Lists whose values are never replaced; with `force` not even what a checksum proves. */
  exclusions?: { lists: string[]; force?: boolean }
  /** Owner and name of the project whose key replacements of the scope `project` are made with. */
  project?: string
  /** Tables only: what their privacy is measured by, before and after. */
  risk?: RiskPlan
}
