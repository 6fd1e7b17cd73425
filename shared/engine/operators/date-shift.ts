import { byDefault, createShift, type Shift } from '../dates/shift.ts'
import { EngineError } from '../errors.ts'
import { isObject, type Operator, problem, type ReplacementProblem, type Subject } from './operator.ts'
import { isScope, type Scope, scopedKey, scopes } from './scope.ts'
import { suppressed } from './suppress.ts'

/** How dates are shifted, and where by the same number of days. */
export type DateShift = Shift & { scope?: Scope; by?: Subject }

/** Largest shift, days: a hundred years. */
const farthest = 36_525
const localeForm = /^[a-z]{2}(-[A-Za-z0-9]{2,8})*$/
const orders = ['DMY', 'MDY', 'YMD']

const isDays = (days: unknown): days is { min: number; max: number } =>
  isObject(days) &&
  Object.keys(days).every(name => name === 'min' || name === 'max') &&
  [days.min, days.max].every(day => Number.isSafeInteger(day) && Math.abs(day as number) <= farthest) &&
  (days.max as number) - (days.min as number) >= 14

const isSubject = (by: unknown): by is Subject => {
  const [[name, value] = [], ...others] = isObject(by) ? Object.entries(by) : []
  return (name === 'column' || name === 'rule') && typeof value === 'string' && value !== '' && others.length === 0
}

/** Subjects whose shift is remembered; beyond that the memory is emptied. */
const remembered = 50_000

function validate(options: unknown): ReplacementProblem[] {
  if (!isObject(options)) return problem('Must be an object')
  const { days = byDefault, keep = 'weekday', order = 'DMY', scope = 'job', locale = 'en', by, ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return problem('Is not known', unknown)
  if (!isDays(days))
    return problem(`Must be a least and a largest number of days, 14 apart, within ${farthest}`, 'days')
  if (keep !== 'weekday') return problem('Must be weekday', 'keep')
  if (!orders.includes(order as string)) return problem(`Must be one of ${orders.join(', ')}`, 'order')
  if (typeof locale !== 'string' || !localeForm.test(locale))
    return problem('Must be a language, such as de or de-DE', 'locale')
  if (by !== undefined && !isSubject(by)) return problem('Must name a `column` or a `rule`', 'by')
  return isScope(scope) ? [] : problem(`Must be one of ${scopes.join(', ')}`, 'scope')
}

/**
 * A date moved by a number of days that all dates of the scope share, or those of one subject in it, in the form that it is
 * written in.
 */
export const dateShift: Operator<DateShift> = {
  validate,
  scope: ({ scope = 'job' }) => scope,
  isAlike: true,
  subject: ({ by }) => by,
  apply({ scope = 'job', by, ...shift }, { secrets, remember }) {
    const key = scopedKey(secrets, scope, 'dateShift/v1')
    if (!by) {
      const move = createShift(key, shift)
      return remember(({ value }) => move(value) ?? suppressed)
    }
    const moves = new Map<string, ReturnType<typeof createShift>>()
    return ({ value, subject }) => {
      if (subject === undefined) throw new EngineError('internal', 'Whose a date is was not looked for')
      const move = moves.get(subject) ?? createShift(key, shift, subject)
      if (moves.size >= remembered) moves.clear()
      moves.set(subject, move)
      return move(value) ?? suppressed
    }
  },
}
