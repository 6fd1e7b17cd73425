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

/** One entry of a workflow together with the rule it names, as frozen when the job was executed. */
export type PlannedRule = {
  ruleId: string
  name: string
  detection: RegexDetection | ModelDetection
  replacement: Replacement
  /** Tables only: names or `*` patterns of the columns that the rule looks at; all of them when absent. */
  columns?: string[]
}

/** Everything that decides what an asset becomes. The order of the rules breaks ties between equal matches. */
export type Plan = {
  rules: PlannedRule[]
  assetType: 'TABLE' | 'DOCUMENT'
}
