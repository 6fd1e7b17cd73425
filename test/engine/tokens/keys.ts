import { createSecretKey } from 'node:crypto'
import type { Scope } from '../../../shared/engine/operators/scope.ts'
import type { TokenKey, TokenKeys } from '../../../shared/engine/tokens/key.ts'

/** A key of a test: the same for the same words. */
export const testKey = (change: Partial<{ number: number; secret: number; bound: string[] }> = {}): TokenKey => {
  const { number = 7, secret = 3, bound = ['deployment', 'owner', 'place'] } = change
  return { number, secret: createSecretKey(Buffer.alloc(64, secret)), bound }
}

/** Keys for every scope. */
export const testKeys = (): TokenKeys => {
  const scopes: Scope[] = ['document', 'job', 'project', 'deployment']
  return Object.fromEntries(scopes.map((scope, n) => [scope, testKey({ number: n })]))
}
