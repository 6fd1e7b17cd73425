import type { KeyObject } from 'node:crypto'
import { keyedDigest } from './keyed-digest.ts'
import { type NoOptions, type Operator, takesNone } from './operator.ts'

/** Crockford's base 32 without the letters I, L, O and U, which are taken for others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** The label and 50 bits of a keyed hash, such as `PERSON_7QK2M0XV4T`. */
function nameOf(value: string, label: string, key: KeyObject): string {
  let bits = keyedDigest(value, key).readBigUInt64BE() >> 14n
  let name = ''
  for (let index = 0; index < 10; index++) {
    name += alphabet[Number(bits & 31n)]
    bits >>= 5n
  }
  const prefix = label
    .normalize('NFC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 32)
  return `${prefix || 'VALUE'}_${name}`
}

/** A readable name that is the same for the same value under the same key. */
export const pseudonym: Operator<NoOptions> = {
  validate: takesNone,
  apply: (_, { secrets, remember }) => remember(({ value, label }) => nameOf(value, label, secrets.pseudonym)),
}
