import { EngineError } from '../errors.ts'
import { comparisons, hasSurrogates, keepable, type SurrogateOptions, surrogateKinds } from '../surrogates/kinds.ts'
import { languages } from '../surrogates/lists/decode.ts'
import { scheme } from '../surrogates/scheme.ts'
import { isObject, type Operator, problem, type ReplacementProblem } from './operator.ts'
import { foundKey, isScope, type Scope, scopedKey, scopes } from './scope.ts'

/** Options of surrogates: `as` says what values are, where no model does. */
export type Surrogate = SurrogateOptions & { as?: string; scope?: Scope }

const checks: Record<keyof Surrogate, (value: unknown) => string | undefined> = {
  as: value =>
    typeof value === 'string' && hasSurrogates(value) ? undefined : `Must be one of ${surrogateKinds.join(', ')}`,
  scope: value => (isScope(value) ? undefined : `Must be one of ${scopes.join(', ')}`),
  checkDigit: value => (value === 'valid' || value === 'invalid' ? undefined : 'Must be valid or invalid'),
  locale: value =>
    typeof value === 'string' && languages.includes(value.split('-')[0]!)
      ? undefined
      : `Must be of one of the languages ${languages.join(', ')}`,
  keep: value =>
    Array.isArray(value) && value.every(part => keepable.includes(part))
      ? undefined
      : `Must be some of ${keepable.join(', ')}`,
}

function validate(options: unknown): ReplacementProblem[] {
  if (!isObject(options)) return problem('Must be an object')
  return Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined) return []
    const msg = Object.hasOwn(checks, name) ? checks[name as keyof Surrogate](value) : 'Is not known'
    return msg === undefined ? [] : problem(msg, name)
  })
}

/** Whether a scope reaches no further than a job. */
const isWithinJob = (scope: Scope = 'job') => scope === 'job' || scope === 'document'

const tooFew = 'Some surrogates are values of the job, because too few others are left in their list or of their form'

type Surrogates = ReturnType<typeof import('../surrogates/index.ts').createSurrogates>

/** Something of the same kind that looks real and is made up: the same for the same value in a scope. */
export const surrogate: Operator<Surrogate> = {
  validate,
  misfits({ as }, labels) {
    if (as !== undefined) return []
    if (!labels)
      return problem(
        'The labels of the model are not known: have the rule name its `entities`, or say what they are',
        'as',
      )
    if (labels.length === 0) return problem('The rule is a pattern: say what it finds', 'as')
    const without = labels.filter(label => !hasSurrogates(label))
    const msg = `There are no surrogates for ${without.join(', ')}: select other \`entities\` in the rule, or set \`as\``
    return without.length === 0 ? [] : problem(msg, 'as')
  },
  scope: ({ scope = 'job' }) => scope,
  isAlike: true,
  comparisons({ as, scope }, labels = surrogateKinds) {
    // What differs from job to job would part values that a wider scope is to join.
    if (!isWithinJob(scope)) return []
    return (as === undefined ? labels : [as]).flatMap(label => comparisons.get(label) ?? [])
  },
  apply({ as, scope = 'job', ...options }, { rule, secrets, isLabelled, found, filter, remember }) {
    if (as === undefined && !isLabelled) {
      const msg = `Rule ${rule} is a pattern: its surrogates need an \`as\` that says what they are`
      throw new EngineError('invalid_workflow', msg)
    }
    const key = scopedKey(secrets, scope, scheme)
    let made: Surrogates | undefined
    const render = remember(({ value, label }) => made!.make(as ?? label, value))
    const prepare = async (labels: ReadonlySet<string>) => {
      // What makes them is large, and whoever only checks workflows does without.
      made ??= (await import('../surrogates/index.ts')).createSurrogates({
        ...{ key, options, found, isWhole: isWithinJob(scope) },
        ...(filter && isWithinJob(scope) && { filter: { bytes: filter, key: foundKey(secrets) } }),
      })
      await made.load(as === undefined ? labels : [as])
    }
    return Object.assign(render, { prepare, warning: () => (made?.areShort() ? tooFew : undefined) })
  },
}
