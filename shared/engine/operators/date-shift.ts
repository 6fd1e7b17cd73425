import { byDefault, createShift, type Shift } from '../dates/shift.ts'
import { isObject, type Operator, problem, type ReplacementProblem } from './operator.ts'
import { isScope, type Scope, scopedKey, scopes } from './scope.ts'
import { suppressed } from './suppress.ts'

/** How dates are shifted, and where by the same number of days. */
export type DateShift = Shift & { scope?: Scope }

/** Largest shift, days: a hundred years. */
const farthest = 36_525
const localeForm = /^[a-z]{2}(-[A-Za-z0-9]{2,8})*$/
const orders = ['DMY', 'MDY', 'YMD']

const isDays = (days: unknown): days is { min: number; max: number } =>
  isObject(days) &&
  Object.keys(days).every(name => name === 'min' || name === 'max') &&
  [days.min, days.max].every(day => Number.isSafeInteger(day) && Math.abs(day as number) <= farthest) &&
  (days.max as number) - (days.min as number) >= 14

function validate(options: unknown): ReplacementProblem[] {
  if (!isObject(options)) return problem('Must be an object')
  const { days = byDefault, keep = 'weekday', order = 'DMY', scope = 'job', locale = 'en', ...others } = options
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return problem('Is not known', unknown)
  if (!isDays(days))
    return problem(`Must be a least and a largest number of days, 14 apart, within ${farthest}`, 'days')
  if (keep !== 'weekday') return problem('Must be weekday', 'keep')
  if (!orders.includes(order as string)) return problem(`Must be one of ${orders.join(', ')}`, 'order')
  if (typeof locale !== 'string' || !localeForm.test(locale))
    return problem('Must be a language, such as de or de-DE', 'locale')
  return isScope(scope) ? [] : problem(`Must be one of ${scopes.join(', ')}`, 'scope')
}

/** A date moved by a number of days that all dates of the scope share, in the form that it is written in. */
export const dateShift: Operator<DateShift> = {
  validate,
  scope: ({ scope = 'job' }) => scope,
  apply({ scope = 'job', ...shift }, { secrets, remember }) {
    const move = createShift(scopedKey(secrets, scope, 'dateShift/v1'), shift)
    return remember(({ value }) => move(value) ?? suppressed)
  },
}
