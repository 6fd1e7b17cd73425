import { isObject, problem, type ReplacementProblem } from './operator.ts'
import { isScope, scopes } from './scope.ts'

/** What a kind may be written with. */
const kindForm = /^[A-Z][A-Z0-9_]{0,31}$/

/** The problem with options that are not an object or have an unknown name; undefined if there is none. */
export function unknownOption(options: unknown, known: readonly string[]): ReplacementProblem[] | undefined {
  if (!isObject(options)) return problem('Must be an object')
  const unknown = Object.keys(options).find(name => !known.includes(name))
  return unknown === undefined ? undefined : problem('Is not known', unknown)
}

/** What is wrong with the scope of options. */
export const checkScope = ({ scope }: { scope?: unknown }): ReplacementProblem[] =>
  scope === undefined || isScope(scope) ? [] : problem(`Must be one of ${scopes.join(', ')}`, 'scope')

/** What is wrong with the kind of value that options name. */
export const checkKind = ({ as }: { as?: unknown }): ReplacementProblem[] =>
  as === undefined || (typeof as === 'string' && kindForm.test(as))
    ? []
    : problem('Must be capitals, digits and underscores', 'as')
