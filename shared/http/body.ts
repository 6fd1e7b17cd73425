import { ProblemError, type ProblemType } from '../api/problems.ts'
import { repeatedKey } from './repeated-key.ts'
import { cut } from './truncate.ts'

/** Deepest nesting of a body. */
const DEEPEST = 32
/** Most keys of an object: many more than any endpoint knows, few enough to name those that are unknown. */
const MAX_KEYS = 500
/** Most entries of an array: the largest that any endpoint takes is one of the assets of a job. */
const MAX_ENTRIES = 10_000
/** Most values of a whole body: the largest is a hierarchy of 2,000 rows of 101 cells. */
const MAX_VALUES = 250_000

/** A JSON body; an absent one is `{}`. Refuses what is not JSON, is no Unicode text, has a key twice, or is nested too deeply or too large (422). */
export function parseJson(text: string): unknown {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ProblemError({ type: 'json_invalid', loc: ['body'] })
  }
  const fault = faultOf(value, DEEPEST, { values: MAX_VALUES })
  if (fault) throw new ProblemError({ ...fault, loc: ['body', ...fault.loc] })
  const twice = repeatedKey(text)
  if (twice !== undefined) throw onlyOnce(twice)
  return value
}

/**
 * The fields of a form. Those without a value count as absent, and one that is there twice is refused (422): each of two
 * readers could take another.
 */
export function parseForm(text: string): Record<string, string> {
  const fields = [...new URLSearchParams(text)].filter(([, value]) => value !== '')
  if (fields.length > MAX_KEYS) throw new ProblemError({ ...tooMany('fields', MAX_KEYS), loc: ['body'] })
  const names = fields.map(([name]) => name)
  const twice = names.find((name, n) => names.indexOf(name) < n)
  if (twice === undefined) return Object.fromEntries(fields)
  throw onlyOnce(twice)
}

const onlyOnce = (name: string) =>
  new ProblemError({ type: 'conflicting_values', msg: 'Must be there only once', loc: ['body', cut(name, 100)] })

/**
 * The text of a body. Refuses bytes that are no UTF-8 (422). API Gateway decodes bodies that it takes for text itself, and puts
 * the replacement character for what it cannot; whoever means that character writes it as an escape.
 */
export function textOf(body: string, isBase64: boolean): string {
  const notText = (msg: string) => new ProblemError({ type: 'json_invalid', loc: ['body'], msg })
  if (!isBase64) {
    if (body.includes('\ufffd')) throw notText('The body is not UTF-8; U+FFFD itself is written as \\ufffd')
    return body
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'base64'))
  } catch {
    throw notText('The body is not UTF-8')
  }
}

type Fault = { type: ProblemType; loc: string[]; msg?: string }

/** What keeps a value from being checked against a schema at all, before the time for it is spent. */
function faultOf(value: unknown, levels: number, left: { values: number }): Fault | undefined {
  if (--left.values < 0) return tooMany('values in the body', MAX_VALUES)
  if (typeof value === 'string') return value.isWellFormed() ? undefined : halfPair
  if (typeof value !== 'object' || value === null) return undefined
  if (levels === 0) return { type: 'too_deep', loc: [] }
  if (Array.isArray(value) && value.length > MAX_ENTRIES) return tooMany('entries', MAX_ENTRIES)
  const keys = Object.keys(value)
  if (!Array.isArray(value)) {
    if (keys.length > MAX_KEYS) return tooMany('fields', MAX_KEYS)
    if (!keys.every(key => key.isWellFormed())) return halfPair
    // A key that schemas of records would pass over in silence.
    if (keys.includes('__proto__')) return { type: 'unknown_field', loc: ['__proto__'] }
  }
  for (const key of keys) {
    const fault = faultOf((value as Record<string, unknown>)[key], levels - 1, left)
    if (fault) return fault.type === 'too_big' ? { ...fault, loc: [key, ...fault.loc] } : fault
  }
  return undefined
}

const tooMany = (what: string, most: number): Fault => ({
  type: 'too_big',
  loc: [],
  msg: `Must be at most ${most} ${what}`,
})

// Halves of surrogate pairs have no UTF-8, so stores refuse them or change them.
const halfPair: Fault = { type: 'json_invalid', loc: [], msg: 'The body holds half of a surrogate pair' }
