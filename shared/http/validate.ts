import type * as z from 'zod'
import { ProblemError, type ProblemType } from '../api/problems.ts'
import { cut } from './truncate.ts'
import { formOf, hasField, unionsAt } from './union-members.ts'

type Detail = { loc: string[]; msg: string; type: ProblemType }

/** Most problems that one answer names. */
const MAX_DETAILS = 100
/** Most characters of a name that was sent and is part of a place. */
const LONGEST_NAME = 100

/** Parses values against schemas and refuses with the problems of all of them at once, a hundred of them at most (422). */
export function parseAll(parts: { at: string; schema: z.ZodType; value: unknown }[]): unknown[] {
  const details: Detail[] = []
  const parsed = parts.map(({ at, schema, value }) => {
    const result = schema.safeParse(value, { reportInput: true })
    if (!result.success) details.push(...problemsOf(result.error.issues, schema, [at]))
    return result.data
  })
  if (details.length > 0) throw new ProblemError(details.slice(0, MAX_DETAILS))
  return parsed
}

const problemsOf = (issues: z.core.$ZodIssue[], schema: z.ZodType, at: string[]): Detail[] =>
  issues.slice(0, MAX_DETAILS).flatMap(issue => detailsOf(issue, at, schema))

/** Our details for one of zod's issues in a value of the schema. Messages say what is expected and never repeat what was sent. */
function detailsOf(issue: z.core.$ZodIssue, at: string[], schema: z.ZodType): Detail[] {
  const loc = [...at, ...issue.path.map(key => cut(String(key), LONGEST_NAME))]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map(key => ({
        loc: [...loc, cut(key, LONGEST_NAME)],
        msg: 'This field is not part of the request',
        type: 'unknown_field',
      }))
    case 'invalid_type':
      if (issue.input === undefined) return [{ loc, msg: 'This field is required', type: 'missing' }]
      return [{ loc, msg: `Must be ${article(issue.expected)}`, type: 'invalid_type' }]
    case 'invalid_union':
      return unionDetails(issue, loc, schema)
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
 * A union fails with one list of issues per form. The form that was meant is the only one without an unknown key. Where a
 * field tells the forms apart and does not, what is wrong in all of them is named too.
 */
function unionDetails(issue: z.core.$ZodIssueInvalidUnion, loc: string[], schema: z.ZodType): Detail[] {
  const { discriminator } = issue
  if (discriminator) {
    const unions = unionsAt(schema, issue.path.slice(0, -1))
    const forms = unions.find(forms => forms.every(form => hasField(form, discriminator))) ?? []
    const given = (issue.input as Record<string, unknown> | undefined)?.[discriminator]
    const known = 'options' in issue ? (issue.options ?? []) : []
    const telling: Detail =
      given === undefined
        ? { loc, msg: 'This field is required', type: 'missing' }
        : { loc, msg: `Must be ${known.map(String).join(' or ')}`, type: 'invalid_value' }
    return [telling, ...commonDetails(forms, issue.input, loc)]
  }
  const forms = unionsAt(schema, issue.path).find(({ length }) => length === issue.errors.length) ?? []
  if (issue.input === undefined) return [{ loc, msg: 'This field is required', type: 'missing' }]
  const meant = issue.errors.flatMap((errors, n) =>
    errors.some(({ code, path }) => code === 'unrecognized_keys' && path.length === 0) ? [] : [{ errors, n }],
  )
  if (meant.length === 1) return meant[0]!.errors.flatMap(inner => detailsOf(inner, loc, forms[meant[0]!.n] ?? schema))
  return [{ loc, msg: `Must be ${forms.map(formOf).join(' or ')}`, type: 'invalid_union' }]
}

/** What is wrong with a value by every form alike, but for the field that tells them apart. */
function commonDetails(forms: z.ZodType[], input: unknown, telling: string[]): Detail[] {
  const at = telling.slice(0, -1)
  const [first = [], ...others] = forms.map(form => {
    const { error } = form.safeParse(input, { reportInput: true })
    return problemsOf(error?.issues ?? [], form, at).filter(({ loc }) => loc.join('/') !== telling.join('/'))
  })
  const same = (a: Detail) => (b: Detail) => a.type === b.type && a.loc.join('/') === b.loc.join('/')
  return first.filter(detail => others.every(details => details.some(same(detail))))
}

const article = (noun: string): string => (/^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`)

const unit = (origin: string): string =>
  origin === 'string' ? ' characters long' : origin === 'array' ? ' entries long' : ''

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
