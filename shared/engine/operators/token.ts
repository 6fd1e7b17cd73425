import { kindOf } from '../tokens/form.ts'
import { tokenKeyOf } from '../tokens/key.ts'
import type { Sealer } from '../tokens/seal.ts'
import type { Operator, Target } from './operator.ts'
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
    const key = tokenKeyOf(secrets.tokens, scope)
    let sealer: Sealer | undefined
    const make = ({ text, label }: { text: string; label: string }) =>
      sealer!.seal(text, kindOf(as ?? (isLabelled ? label : '')))
    const known = remember(make)
    const render = (target: Target) => (target.text === target.value ? known(target) : make(target))
    const prepare = async () => {
      // The cipher makes its tables when it is loaded, and whoever only checks workflows does without.
      sealer ??= (await import('../tokens/seal.ts')).createSealer(key, scope)
    }
    return Object.assign(render, { prepare })
  },
}
