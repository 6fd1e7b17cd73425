import { createOpener, dataKey, keyAskedFor, type Scope } from 'anonymisation-engine/tokens'
import { findKeyOfNumber, openTokenKey } from '../store/token-keys.ts'
import { bindingOf, type Place } from './job-keys.ts'

type Opener = (token: string) => string | undefined

const nothing: Opener = () => undefined

/** Makes what opens the tokens of one number and scope; nothing where no key of the owner has the number. */
async function openerOf(number: number, scope: Scope, place: Place): Promise<Opener> {
  const ref = await findKeyOfNumber(place.ownerId, number)
  const key = ref && (await openTokenKey(place.ownerId, ref))
  if (!key) return nothing
  const bound = await bindingOf(scope, place, key.project)
  return createOpener({ [scope]: { number, secret: dataKey(key.bytes), bound } })
}

/**
 * The values of tokens, in their order; null for whatever is none of this owner, place and these kinds. A stranger's token,
 * one whose key was destroyed, and garbage are the same.
 */
export async function openTokens(
  tokens: readonly string[],
  place: Place,
  kinds: readonly string[] | null,
): Promise<(string | null)[]> {
  const openers = new Map<string, Promise<Opener>>()
  const open = async (token: string) => {
    const asked = keyAskedFor(token)
    if (!asked || (kinds && !kinds.includes(asked.kind))) return null
    const name = `${asked.number}|${asked.scope}`
    const opener = openers.get(name) ?? openerOf(asked.number, asked.scope, place)
    openers.set(name, opener)
    return (await opener)(token) ?? null
  }
  const values: (string | null)[] = []
  // One after the other, so that strangers' numbers don't become a storm of requests.
  for (const token of tokens) values.push(await open(token))
  return values
}
