import { createHash } from 'node:crypto'
import { createItem, getItem, type Item, transact, ttlIn } from './dynamo.ts'

/** Time between going to a provider and coming back, seconds. */
export const SIGN_ON_SECONDS = 600

/** What is remembered of a log-in by a provider until the browser comes back. */
export type SignOn = {
  provider: string
  state: string
  nonce: string
  /** The secret of PKCE (RFC 7636). */
  verifier: string
  /** Whether the provider was told to ask the person again. */
  fresh: boolean
}

/** Nobody who reads the table can take up a log-in of another browser. */
const keyOf = (secret: string) => ({
  pk: `SIGN_ON#${createHash('sha256').update(secret).digest('hex')}`,
  sk: 'SIGN_ON',
})

/** Remembers a log-in that begins, by a secret that only its browser has. */
export async function beginSignOn(secret: string, signOn: SignOn): Promise<void> {
  await createItem('sessions', { ...keyOf(secret), ...signOn, ttl: ttlIn(SIGN_ON_SECONDS) })
}

/** The log-in that began with a secret, once: undefined for another secret, the second time, and after its time. */
export async function takeSignOn(secret: string): Promise<SignOn | undefined> {
  const key = keyOf(secret)
  const row = await getItem<Item & SignOn>('sessions', key)
  const condition = { condition: 'attribute_exists(pk)' }
  return row && (await transact([{ table: 'sessions', delete: key, condition }])) ? row : undefined
}
