import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { EngineError } from '../errors.ts'

/** What reversible replacements of one scope are made with and undone by. */
export type TokenKey = {
  /** Number of the data key among those of its owner: 0 to 65,535. */
  number: number
  /** The data key, 64 bytes. */
  secret: KeyObject
  /** What the replacements belong to, and nothing else can undo: deployment, owner, and job or document, or project. */
  bound: readonly string[]
}

/** The keys that a plan needs, by scope. */
export type TokenKeys = Readonly<Partial<Record<string, TokenKey>>>

/** A key for one purpose (`token/v1`), of so many bytes, that nothing but the same purpose and binding derives. */
export function deriveKey({ secret, bound }: TokenKey, scope: string, purpose: string, bytes: number): Uint8Array {
  const info = JSON.stringify([purpose, scope, ...bound])
  return new Uint8Array(hkdfSync('sha256', secret, '', info, bytes))
}

/** The key of a scope; throws `invalid_workflow` where there is none, as on a laptop or where no project is named. */
export function tokenKeyOf(keys: TokenKeys | undefined, scope: string): TokenKey {
  const key = keys?.[scope]
  if (!key) throw new EngineError('invalid_workflow', `A reversible replacement has no key for the scope ${scope} here`)
  return key
}

/** A data key from its bytes. */
export const dataKey = (bytes: Uint8Array): KeyObject => createSecretKey(bytes)
