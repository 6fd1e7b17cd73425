import type * as z from 'zod'
import { type ProblemType, Refusal } from '../api/problems.ts'

type Detail = { loc: string[]; msg: string; type: ProblemType }

/** Deepest nesting of a body that is looked at. */
const DEEPEST = 32

/** Parses values against schemas and refuses with every problem of all of them at once (422). */
export function parseAll(parts: { at: string; schema: z.ZodType; value: unknown }[]): unknown[] {
  const details: Detail[] = []
  const parsed = parts.map(({ at, schema, value }) => {
    const result = schema.safeParse(value, { reportInput: true })
    if (!result.success) details.push(...result.error.issues.flatMap(issue => detailsOf(issue, [at])))
    return result.data
  })
  if (details.length > 0) throw new Refusal(details)
  return parsed
}

/** Our details for one of zod's issues. Messages say what is expected and never repeat what was sent. */
function detailsOf(issue: z.core.$ZodIssue, at: string[]): Detail[] {
  const loc = [...at, ...issue.path.map(String)]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map(key => ({
        loc: [...loc, key.slice(0, 100)],
        msg: 'This field is not part of the request',
        type: 'unknown_field',
      }))
    case 'invalid_type':
      if (issue.input === undefined) return [{ loc, msg: 'This field is required', type: 'missing' }]
      return [{ loc, msg: `Must be ${article(issue.expected)}`, type: 'invalid_type' }]
    case 'invalid_union':
      return unionDetails(issue, loc)
    case 'invalid_value':
      if (issue.input === undefined) return [{ loc, msg: 'This field is required', type: 'missing' }]
      return [{ loc, msg: `Must be ${issue.values.map(String).join(' or ')}`, type: 'invalid_value' }]
    case 'too_small':
      return [{ loc, msg: `Must be at least ${issue.minimum}${unit(issue.origin)}`, type: 'too_small' }]
    case 'too_big':
      return [{ loc, msg: `Must be at most ${issue.maximum}${unit(issue.origin)}`, type: 'too_big' }]
    case 'invalid_format':
      return [
        {
          loc,
          msg: issue.format === 'email' ? 'Must be an e-mail address' : sentence(issue.message),
          type: 'invalid_format',
        },
      ]
    case 'invalid_key':
      return [{ loc, msg: 'This field is not part of the request', type: 'unknown_field' }]
    default:
      return [{ loc, msg: sentence(issue.message), type: 'invalid_value' }]
  }
}

/**
 * A union fails with one list of issues per form. The form that was meant is the one that gets furthest: the one whose
 * only problems lie deeper, or that has no unknown or missing key.
 */
function unionDetails(issue: z.core.$ZodIssueInvalidUnion, loc: string[]): Detail[] {
  if (issue.discriminator) {
    const type =
      issue.input === undefined || (issue.input as Record<string, unknown>)[issue.discriminator] === undefined
    const at = loc.at(-1) === issue.discriminator ? loc : [...loc, issue.discriminator]
    return [
      type
        ? { loc: at, msg: 'This field is required', type: 'missing' }
        : { loc: at, msg: 'Must be one of the known kinds', type: 'invalid_value' },
    ]
  }
  if (issue.input === undefined) return [{ loc, msg: 'This field is required', type: 'missing' }]
  const meant = issue.errors.filter(
    form => !form.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0),
  )
  if (meant.length === 1) return meant[0]!.flatMap(inner => detailsOf(inner, loc))
  return [{ loc, msg: 'Must have exactly one of the allowed forms', type: 'invalid_union' }]
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)

const unit = (origin: string): string =>
  origin === 'string' ? ' characters long' : origin === 'array' ? ' entries long' : ''

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A JSON body; an absent one is `{}`. Refuses what is not JSON, is no Unicode text, or is nested too deeply (422). */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Refusal({ type: 'json_invalid', loc: ['body'] })
  }
  if (deeper(value, DEEPEST)) throw new Refusal({ type: 'too_deep', loc: ['body'] })
  if (namesPrototype(value)) throw new Refusal({ type: 'unknown_field', loc: ['body', '__proto__'] })
  if (text.includes('\\u') && !isWellFormed(value)) {
    throw new Refusal({ type: 'json_invalid', loc: ['body'], msg: 'The body holds half of a surrogate pair' })
  }
  return value
}

/** Whether all texts of a value are Unicode: halves of surrogate pairs have no UTF-8, so stores refuse them or change them. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inner]) => key.isWellFormed() && isWellFormed(inner))
}

/** Whether a value is nested deeper than the given number of levels. */
const deeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(inner => deeper(inner, levels - 1)))

/** Whether a value has a key that schemas of records would pass over in silence. */
const namesPrototype = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(namesPrototype))
