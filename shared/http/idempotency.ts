import type { APIGatewayProxyEvent } from 'aws-lambda'
import { Refusal } from '../api/problems.ts'
import { claimKey, fingerprint, keepAnswer, releaseKey } from '../store/idempotency.ts'
import { header } from './authenticate.ts'
import type { Caller } from './caller.ts'

const LOC = ['header', 'Idempotency-Key']

/**
 * Runs a POST or PUT that carries an `Idempotency-Key` at most once a day: a repetition gets the first answer again,
 * the same key with another request is refused (400). Failures are not remembered.
 */
export async function once(
  event: APIGatewayProxyEvent,
  user: Caller,
  headers: Record<string, string>,
  run: () => Promise<string>,
): Promise<string> {
  const key = header(event, 'idempotency-key')
  if (!key || !['POST', 'PUT'].includes(event.httpMethod)) return run()
  if (key.length > 255) throw new Refusal({ type: 'too_big', msg: 'Must be at most 255 characters long', loc: LOC })
  const print = fingerprint(event.httpMethod, event.path.replace(/\/$/, ''), event.body ?? '')
  const claim = await claimKey(user.id, key, print)
  if (claim.state === 'mismatch') throw new Refusal({ type: 'idempotency_mismatch', loc: LOC })
  if (claim.state === 'running') throw new Refusal({ type: 'idempotency_in_progress', loc: LOC })
  if (claim.state === 'done') {
    headers['Idempotency-Replayed'] = 'true'
    if (claim.answer !== undefined) return claim.answer
    const msg = 'The request was carried out before; its answer was too large to keep'
    throw new Refusal({ type: 'idempotency_mismatch', msg, loc: LOC })
  }
  try {
    const body = await run()
    await keepAnswer(user.id, key, print, body)
    return body
  } catch (error) {
    await releaseKey(user.id, key)
    throw error
  }
}
