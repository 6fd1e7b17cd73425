import { tokensIn } from '../tokens/form.ts'
import { type NoOptions, type Operator, type Target, takesNone } from './operator.ts'

/**
 * The other way round: the value of a token, and the token itself where no key opens it. Not for workflows: only an approved
 * re-identification runs with it.
 */
export const restore: Operator<NoOptions> = {
  validate: takesNone,
  apply(_, { secrets, remember }) {
    let open: ((token: string) => string | undefined) | undefined
    const make = ({ text }: { text: string }) => {
      for (const { start, token } of tokensIn(text)) {
        const value = open!(token)
        if (value !== undefined) return text.slice(0, start) + value + text.slice(start + token.length)
      }
      return text
    }
    const known = remember(make)
    const render = (target: Target) => (target.text === target.value ? known(target) : make(target))
    const prepare = async () => {
      open ??= (await import('../tokens/seal.ts')).createOpener(secrets.tokens ?? {})
    }
    return Object.assign(render, { prepare })
  },
}
