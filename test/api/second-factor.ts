import { codeOf, stepAt } from '../../shared/auth/totp.ts'
import type { Person } from './setup.ts'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The bytes that text in base 32 stands for. */
export function fromBase32(text: string): Buffer {
  const bits = [...text].map(letter => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)!.map(byte => Number.parseInt(byte, 2)))
}

/** The code that an app with a secret shows, or will show some steps from now. */
export const codeFor = (secret: string, steps = 0): string => codeOf(fromBase32(secret), stepAt(Date.now()) + steps)

/** Gives somebody a second factor. */
export async function addSecondFactor({ client, password }: Person) {
  const { secret } = await client.auth.setUpSecondFactor({ body: { currentPassword: password } })
  const { recoveryCodes } = await client.auth.enableSecondFactor({ body: { code: codeFor(secret) } })
  return { secret, recoveryCodes }
}
