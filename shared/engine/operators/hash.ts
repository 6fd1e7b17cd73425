import { keyedDigest } from './keyed-digest.ts'
import { type NoOptions, type Operator, takesNone } from './operator.ts'

/** A keyed hash of the value: HMAC-SHA-256, 64 hexadecimal digits. */
export const hash: Operator<NoOptions> = {
  validate: takesNone,
  apply: (_, { secrets, remember }) => remember(({ value }) => keyedDigest(value, secrets.hash).toString('hex')),
}
