import type { KeyObject } from 'node:crypto'
import { keyedDigest } from './keyed-digest.ts'
import { isObject, type Operator, problem } from './operator.ts'
import { isScope, type Scope, scopedKey, scopes } from './scope.ts'

/** Crockford's base 32 without the letters I, L, O and U, which are taken for others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The kind and 50 bits of a keyed hash, such as `PERSON_7QK2M0XV4T`. */
function nameOf(value: string, kind: string, key: KeyObject): string {
  let bits = keyedDigest(value, key).readBigUInt64BE() >> 14n
  let name = ''
  for (let index = 0; index < 10; index++) {
    name += alphabet[Number(bits & 31n)]
    bits >>= 5n
  }
  const prefix = kind
    .normalize('NFC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 32)
  return `${prefix || 'VALUE'}_${name}`
}

/** What a kind may be written with. */
const kindForm = /^[A-Z][A-Z0-9_]{0,31}$/

/** A readable name that is the same for the same value in a scope. It shows what a model says that the value is, or `as`. */
export const pseudonym: Operator<{ scope?: Scope; as?: string }> = {
  validate(options) {
    if (!isObject(options)) return problem('Must be an object')
    const { scope = 'job', as = 'VALUE', ...others } = options
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) return problem('Is not known', unknown)
    if (!isScope(scope)) return problem(`Must be one of ${scopes.join(', ')}`, 'scope')
    return typeof as === 'string' && kindForm.test(as) ? [] : problem('Must be capitals, digits and underscores', 'as')
  },
  scope: ({ scope = 'job' }) => scope,
  apply({ scope = 'job', as }, { secrets, isLabelled, remember }) {
    const key = scope === 'job' ? secrets.pseudonym : scopedKey(secrets, scope, 'pseudonym/v1')
    return remember(({ value, label }) => nameOf(value, as ?? (isLabelled ? label : ''), key))
  },
}
