import { ProblemError } from '../../shared/api/problems.ts'
import { tokenKeys } from '../../shared/api/token-keys.ts'
import { findOwned } from '../../shared/http/authorise.ts'
import { handle } from '../../shared/http/endpoint.ts'
import { destroyGenerations, TOKEN_KEY, type TokenKeyRecord, untilUnchanged } from '../../shared/store/token-keys.ts'

export const handler = handle(tokenKeys.destroy)(
  ({ params, body, user, note, write }) =>
    untilUnchanged(
      () => findOwned<TokenKeyRecord>(TOKEN_KEY, params.key_id, user, 'tokens'),
      key => {
        const named = key.generations.filter(({ generation }) => body.generations?.includes(generation) ?? true)
        if (named.length < (body.generations?.length ?? 0))
          throw new ProblemError({ type: 'generation_unknown', loc: ['body', 'generations'] })
        const doomed = named.filter(({ wrapped }) => wrapped !== undefined)
        if (doomed.length === 0) throw new ProblemError({ type: 'already_destroyed' })
        note({ subject: doomed.map(({ fingerprint }) => fingerprint).join(' ') })
        return destroyGenerations(key, new Set(doomed.map(({ generation }) => generation)), write)
      },
    ),
  { tellsSubject: true },
)
