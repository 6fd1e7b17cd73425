import { randomBytes } from 'node:crypto'
import { UserError } from './lock.ts'
import type { Outcome } from './runner/pool.ts'

/** How to log in. */
export type Login = { email: string; password: string }

/** Name of the function that creates the first administrator. */
const functionName = 'pipeline-bootstrap-admin'

/**
 * Creates the first administrator as a deployer would, by the function without a route. Undefined when there is one
 * already, whose password nobody can tell.
 */
export async function createAdministrator(
  invoke: (functionName: string, event: unknown) => Promise<Outcome>,
  wanted: Partial<Login> = {},
): Promise<Login | undefined> {
  const login = {
    email: wanted.email ?? 'admin@example.org',
    password: wanted.password ?? randomBytes(15).toString('base64url'),
  }
  const outcome = await invoke(functionName, { ...login, name: 'Administrator' })
  if ('payload' in outcome) return JSON.parse(outcome.payload) as Login
  if (/exists/.test(outcome.failure.errorMessage)) return undefined
  throw new UserError(`The first administrator cannot be created: ${outcome.failure.errorMessage}`)
}
