import { randomBytes } from 'node:crypto'
import { ProblemError } from '../api/problems.ts'
import type { Write } from '../store/dynamo.ts'
import { pendingFactor, puttingInForce, secretOf, useRecoveryCode, useStep } from '../store/second-factors.ts'
import { inBase32, stepOf } from './totp.ts'

const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

/** The refusal of a code in the body (400). */
export const wrongCode = () => new ProblemError({ type: 'wrong_code', loc: ['body', 'code'] })

const bareCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toUpperCase()

/**
 * What puts the factor in force that a code proves: its name, recovery codes as they are shown, and the writes that belong
 * to the change of the user. Refuses a wrong code, and one without a factor that was begun (400 `wrong_code`).
 */
export async function provenFactor(
  userId: string,
  code: string,
): Promise<{ factor: string; recoveryCodes: string[]; writes: Write[] }> {
  const factor = await pendingFactor(userId)
  if (factor === undefined) throw wrongCode()
  const step = stepOf(await secretOf(userId, factor), bareCode(code), Date.now())
  if (step === undefined) throw wrongCode()
  const bare = Array.from({ length: RECOVERY_CODES }, () => inBase32(randomBytes(RECOVERY_BYTES)))
  const writes = await puttingInForce(userId, { factor, step, recoveryCodes: bare })
  return { factor, recoveryCodes: bare.map(text => text.match(/.{4}/g)!.join('-')), writes }
}

/**
 * Uses up a code of somebody's factor: of the app, where no later one was used before, or a recovery code. False when it is
 * not good, or no longer.
 */
export async function useCode(
  { id, secondFactor: factor }: { id: string; secondFactor?: string | null },
  code: string,
): Promise<boolean> {
  if (!factor) return false
  const bare = bareCode(code)
  const step = stepOf(await secretOf(id, factor), bare, Date.now())
  return step === undefined ? useRecoveryCode(id, factor, bare) : useStep(id, factor, step)
}
