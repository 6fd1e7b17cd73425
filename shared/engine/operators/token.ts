import { kindOf } from '../tokens/form.ts'
import { tokenKeyOf } from '../tokens/key.ts'
import { createSealer } from '../tokens/seal.ts'
import type { Operator } from './operator.ts'
import { checkKind, checkScope, unknownOption } from './options.ts'
import type { Scope } from './scope.ts'

/**
 * The value encrypted (AES-SIV), so that people who are allowed to can recover it: `PERSON~2400…`, the same for the same value in
 * a scope. What stands there is what comes back, so a part of a value is a token of its own.
 */
export const token: Operator<{ scope?: Scope; as?: string }> = {
  validate: options => unknownOption(options, ['scope', 'as']) ?? [...checkScope(options), ...checkKind(options)],
  scope: ({ scope = 'job' }) => scope,
  isReversible: true,
  apply({ scope = 'job', as }, { secrets, isLabelled, remember }) {
    const { seal } = createSealer(tokenKeyOf(secrets.tokens, scope), scope)
    const make = ({ text, label }: { text: string; label: string }) =>
      seal(text, kindOf(as ?? (isLabelled ? label : '')))
    const known = remember(make)
    return target => (target.text === target.value ? known(target) : make(target))
  },
}
