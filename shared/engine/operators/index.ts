import { EngineError } from '../errors.ts'
import { generalise } from './generalise.ts'
import { hash } from './hash.ts'
import { mask } from './mask.ts'
import { isObject, type Operator, type ReplacementProblem } from './operator.ts'
import { pseudonym } from './pseudonym.ts'
import { remove } from './remove.ts'
import { suppress } from './suppress.ts'
import { text } from './text.ts'

/** Every operator by its name. To add one, write its file and name it here and in the API's `Replacement`. */
export const operators = { text, mask, hash, pseudonym, remove, suppress, generalise }

/** Name of an operator. */
export type OperatorName = keyof typeof operators

type OptionsOf<Any> = Any extends Operator<infer Options> ? Options : never

/** What stands in place of a detected value: the name of exactly one operator, with its options. */
export type Replacement = {
  [Name in OperatorName]: Record<Name, OptionsOf<(typeof operators)[Name]>>
}[OperatorName]

/** A replacement's operator and its options. */
type Chosen = { name: OperatorName; operator: Operator<unknown>; options: unknown }

function choose(replacement: unknown): Chosen | undefined {
  const entries = isObject(replacement) ? Object.entries(replacement) : []
  const [name = '', options] = entries[0] ?? []
  if (entries.length !== 1 || !Object.hasOwn(operators, name)) return undefined
  return { name: name as OperatorName, operator: operators[name as OperatorName] as Operator<unknown>, options }
}

const unknownForm = `Must be exactly one of ${Object.keys(operators).join(', ')}`

/** Why a replacement can't be applied, a form that nobody knows included, with the place in it. */
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

/** A replacement that is the same for every match of a rule with this label, or nothing where it depends on the value. */
export function constantOf(replacement: Replacement, match: { label: string; rule: string }): string | undefined {
  const { operator, options } = operatorOf(replacement)
  return operator.constant?.(options, match)
}
