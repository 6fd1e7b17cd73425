import type { Comparison } from '../surrogates/kinds.ts'
import type { Scope, Secrets } from './scope.ts'

/** One stretch of text to replace. */
export type Target = {
  /** Index of the rule in the plan. */
  rule: number
  label: string
  /** The whole value that was found: numbers, hashes and pseudonyms are made from it. */
  value: string
  /** The part of it that is replaced here; all of it unless another detection covers the rest. */
  text: string
  /** Whose it is, for replacements that go by that. */
  subject?: string
}

/** What identifies the subject of a value: a column of its record, or what a rule finds there. */
export type Subject = { column: string } | { rule: string }

/** What is wrong with a replacement, and where in it. */
export type ReplacementProblem = { msg: string; loc: string[] }

/** What an operator works with, for one rule of one asset. */
export type OperatorContext = {
  /** Name of the rule. */
  rule: string
  secrets: Secrets
  /** Whether labels say what values are, as those of models do; the label of a pattern rule is its name. */
  isLabelled: boolean
  /** The values that the file holds, where they are known before it is written. */
  found: readonly string[]
  /** Those of its job, as a `ValueFilter`, where something is made that must be none of them. */
  filter?: Uint8Array
  /** The number of the target's distinct value in the job, from 1; only for replacements that are numbered. */
  numberOf(target: Target): number
  /** Makes what depends on rule, label and value only once for each of them. */
  remember(make: (target: Target) => string): (target: Target) => string
}

/** Renders targets, after it has loaded what their labels need. `warning` says what whoever reads the output should know. */
export type Renderer = {
  (target: Target): string
  prepare?(labels: ReadonlySet<string>): Promise<void>
  warning?(): string | undefined
}

/** One form of replacement. Its name is the key of a workflow's `replacement`, its options are what stands under it. */
export type Operator<Options> = {
  /** What is wrong with the options, with the place in them. They may be of any type. */
  validate(options: Options): ReplacementProblem[]
  /** What can be applied but is surely a mistake: refused when a workflow is saved, not when it runs. */
  mistakes?(options: Options): ReplacementProblem[]
  /** What is wrong with the options for a rule that finds these labels; nothing is known of them without. A pattern has none. */
  misfits?(options: Options, labels: readonly string[] | undefined): ReplacementProblem[]
  /** Where the same value becomes the same thing, if the options say so. */
  scope?(options: Options): Scope
  /** How it identifies the subject of values, if it depends on that. */
  subject?(options: Options): Subject | undefined
  /** How the values of a job are compared that it must not make, if it depends on them, for a rule that finds these labels. */
  comparisons?(options: Options, labels: readonly string[] | undefined): Comparison[]
  /** Whether the value can be recovered with the key. */
  isReversible?: true
  /** Whether what it makes reads like the value, so that nothing shall mark it as made. */
  isAlike?: true
  /** Whether it needs the number of the distinct value. */
  isNumbered?(options: Options): boolean
  /** What it puts in place of every value alike, so that tables edited as bytes need no text of them. */
  constant?(options: Options, match: { label: string; rule: string }): string | undefined
  /** Makes what renders the targets of a rule. Called once for each rule of an asset, when the options are known to be valid. */
  apply(options: Options, context: OperatorContext): Renderer
}

/** The options of an operator that has none. */
export type NoOptions = Record<string, never>

/** A problem of the options themselves, or of the value at `loc` in them. */
export const problem = (msg: string, ...loc: string[]): ReplacementProblem[] => [{ msg, loc }]

/** Refuses options where there are none. */
export const takesNone = (options: NoOptions): ReplacementProblem[] =>
  isObject(options) && Object.keys(options).length === 0 ? [] : problem('Must be an empty object')

/** Whether options are an object with names. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value counts characters. */
export const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

/** An operator that puts the same text in place of whatever was found. */
export const always = (text: string): Operator<NoOptions> => ({
  validate: takesNone,
  constant: () => text,
  apply: () => () => text,
})
