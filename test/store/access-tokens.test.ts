import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { ACCESS_SECONDS } from '../../shared/api/bounds.ts'
import { createAccessToken, readToken } from '../../shared/auth/tokens.ts'
import { variable } from '../../shared/settings.ts'
import { startTables } from './tables.ts'

afterAll(await startTables())
afterEach(() => void vi.useRealTimers())

const kms = new KMSClient({})
const { KeyMetadata } = await kms.send(new CreateKeyCommand({ KeySpec: 'ECC_NIST_P256', KeyUsage: 'SIGN_VERIFY' }))
process.env[variable.key('tokens')] = KeyMetadata!.KeyId
kms.destroy()

const claims = { userId: 'user', sessionId: 'session', role: 'user' }
const typeOf = (token: string) => readToken(token).catch(({ detail: [{ type }] }) => type)

/** The same token with the last character of its signature that counts changed. */
const forged = (token: string): string => `${token.slice(0, -3)}${token.at(-3) === 'A' ? 'B' : 'A'}${token.slice(-2)}`

test('a token says the same each time it is read', async () => {
  const token = await createAccessToken(claims)
  expect(await readToken(token)).toEqual(claims)
  expect(await readToken(token)).toEqual(claims)
})

test('one that was good and is changed is refused, before and after', async () => {
  const token = await createAccessToken(claims)
  expect(await typeOf(forged(token))).toBe('invalid_token')
  await readToken(token)
  expect(await typeOf(forged(token))).toBe('invalid_token')
  expect(await typeOf(token.replace(/\.[^.]+\./, '.e30.'))).toBe('invalid_token')
})

test('one that was read before ends when it says', async () => {
  const token = await createAccessToken(claims)
  const made = Date.now()
  await readToken(token)
  vi.useFakeTimers({ toFake: ['Date'], now: made + (ACCESS_SECONDS - 2) * 1000 })
  expect(await readToken(token)).toEqual(claims)
  vi.setSystemTime(made + (ACCESS_SECONDS + 1) * 1000)
  expect(await typeOf(token)).toBe('token_expired')
  expect(await typeOf(token)).toBe('token_expired')
})

test('more tokens than are remembered are all read right', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 210 }, (_, n) => createAccessToken({ ...claims, userId: `user-${n}` })),
  )
  for (const [n, token] of [...tokens, ...tokens].entries())
    expect(await readToken(token)).toEqual({ ...claims, userId: `user-${n % 210}` })
})
