import { EngineError } from '../errors.ts'
import type { Comparison } from '../surrogates/kinds.ts'
import { dateShift } from './date-shift.ts'
import { fpe } from './fpe.ts'
import { generalise } from './generalise.ts'
import { hash } from './hash.ts'
import { mask } from './mask.ts'
import { isObject, type Operator, type ReplacementProblem, type Subject } from './operator.ts'
import { pseudonym } from './pseudonym.ts'
import { remove } from './remove.ts'
import { restore } from './restore.ts'
import type { Scope } from './scope.ts'
import { suppress } from './suppress.ts'
import { surrogate } from './surrogate.ts'
import { text } from './text.ts'
import { token } from './token.ts'

/** Every operator by its name. To add one, write its file and name it here and in the API's `Replacement`. */
export const operators = { text, mask, hash, pseudonym, surrogate, dateShift, token, fpe, remove, suppress, generalise }

/** Those that no workflow can name. */
const internal = { restore }

const known = { ...operators, ...internal }

/** Name of an operator. */
export type OperatorName = keyof typeof known

type OptionsOf<Any> = Any extends Operator<infer Options> ? Options : never

/** The replacement of a detected value: the name of exactly one operator, with its options. */
export type Replacement = {
  [Name in keyof typeof operators]: Record<Name, OptionsOf<(typeof operators)[Name]>>
}[keyof typeof operators]

/** What puts values in place of their tokens: a replacement for plans that no workflow can ask for. */
export const restoring = { restore: {} } as unknown as Replacement

/** A replacement's operator and its options. */
type Chosen = { name: OperatorName; operator: Operator<unknown>; options: unknown }

function choose(replacement: unknown): Chosen | undefined {
  const entries = isObject(replacement) ? Object.entries(replacement) : []
  const [name = '', options] = entries[0] ?? []
  if (entries.length !== 1 || !Object.hasOwn(known, name)) return undefined
  return { name: name as OperatorName, operator: known[name as OperatorName] as Operator<unknown>, options }
}

const unknownForm = `Must be exactly one of ${Object.keys(operators).join(', ')}`

/** Why a replacement can't be applied (including an unknown form), with the place in it. */
export function validateReplacement(replacement: Replacement): ReplacementProblem[] {
  const chosen = choose(replacement)
  if (!chosen) return [{ msg: unknownForm, loc: [] }]
  const { name, operator, options } = chosen
  return operator.validate(options).map(({ msg, loc }) => ({ msg, loc: [name, ...loc] }))
}

/** The same for a replacement that is to be saved, with what is surely a mistake. */
export function checkReplacement(replacement: Replacement): ReplacementProblem[] {
  const problems = validateReplacement(replacement)
  if (problems.length > 0) return problems
  const { name, operator, options } = operatorOf(replacement)
  return (operator.mistakes?.(options) ?? []).map(({ msg, loc }) => ({ msg, loc: [name, ...loc] }))
}

/** What is wrong with a replacement for a rule that finds these labels, if they are known; a pattern's label says nothing. */
export function checkLabels(replacement: Replacement, labels: readonly string[] | undefined): ReplacementProblem[] {
  const { name, operator, options } = operatorOf(replacement)
  return (operator.misfits?.(options, labels) ?? []).map(({ msg, loc }) => ({ msg, loc: [name, ...loc] }))
}

/** The operator of a replacement; throws `invalid_workflow` where there is none. */
export function operatorOf(replacement: Replacement): Chosen {
  const chosen = choose(replacement)
  if (!chosen) throw new EngineError('invalid_workflow', `The replacement ${unknownForm.toLowerCase()}`)
  return chosen
}

/** Whether a replacement needs the number of the distinct value. */
export function isNumbered(replacement: Replacement): boolean {
  const { operator, options } = operatorOf(replacement)
  return operator.isNumbered?.(options) ?? false
}

/** Where a replacement makes the same thing of the same value; nothing where that doesn't depend on a scope. */
export function scopeOf(replacement: Replacement): Scope | undefined {
  const { operator, options } = operatorOf(replacement)
  return operator.scope?.(options)
}

/**
 * How the values of a job are compared that a replacement must not make, for a rule that finds these labels, or any;
 * none if it can't be applied.
 */
export function comparisonsOf(replacement: Replacement, labels: readonly string[] | undefined): Comparison[] {
  const chosen = choose(replacement)
  return (isObject(chosen?.options) && chosen.operator.comparisons?.(chosen.options, labels)) || []
}

/** How a replacement identifies the subject of values; undefined if it doesn't depend on subjects, or can't be applied. */
export function subjectOf(replacement: Replacement): Subject | undefined {
  const chosen = choose(replacement)
  return isObject(chosen?.options) ? chosen.operator.subject?.(chosen.options) : undefined
}

/** Whether the values can be recovered with the key. */
export const isReversible = (replacement: Replacement): boolean =>
  operatorOf(replacement).operator.isReversible ?? false

/** Whether what stands for a value reads like one. */
export const isAlike = (replacement: Replacement): boolean => operatorOf(replacement).operator.isAlike ?? false

/** A replacement that is the same for every match of a rule with this label, or nothing where it depends on the value. */
export function constantOf(replacement: Replacement, match: { label: string; rule: string }): string | undefined {
  const { operator, options } = operatorOf(replacement)
  return operator.constant?.(options, match)
}
