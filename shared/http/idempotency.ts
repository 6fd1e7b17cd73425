import type { APIGatewayProxyEvent } from 'aws-lambda'
import { ProblemError } from '../api/problems.ts'
import type { Transact } from '../store/dynamo.ts'
import { claimKey, committing, fingerprint, keepAnswer, releaseKey } from '../store/idempotency.ts'
import { header } from './authenticate.ts'
import type { Caller } from './caller.ts'
import type { UploadedFile } from './request.ts'

const LOC = ['header', 'Idempotency-Key']

/** What a request says, whatever its boundary: the parts of a form as they were parsed, any other body as it was sent. */
export const contentOf = (body: string | null, fields: unknown, files: UploadedFile[] | undefined): string =>
  files
    ? JSON.stringify([
        fields,
        files.map(({ name, contentType, bytes }) => [name, contentType, fingerprint(bytes.toString('latin1'))]),
      ])
    : (body ?? '')

/**
 * Runs a call that carries an `Idempotency-Key` at most once a day: a repetition gets the first answer again,
 * the same key with another request is refused (400). `content` tells requests of one path and query apart. Failures are not
 * remembered, unless they come after the change: `run` makes it by `write` as it is handed one.
 */
export async function idempotently(
  event: APIGatewayProxyEvent,
  user: Caller,
  { content, headers }: { content: string; headers: Record<string, string> },
  write: Transact,
  run: (write: Transact) => Promise<string>,
): Promise<string> {
  const key = header(event, 'idempotency-key')
  if (!key) return run(write)
  if (key.length > 255)
    throw new ProblemError({ type: 'too_big', msg: 'Must be at most 255 characters long', loc: LOC })
  const query = Object.entries(event.queryStringParameters ?? {}).toSorted()
  const print = fingerprint(event.httpMethod, event.path.replace(/\/$/, ''), JSON.stringify(query), content)
  const claim = await claimKey(user.id, key, print)
  if (claim.state === 'mismatch') throw new ProblemError({ type: 'idempotency_mismatch', loc: LOC })
  if (claim.state === 'running') throw new ProblemError({ type: 'idempotency_in_progress', loc: LOC })
  if (claim.state === 'done') {
    headers['Idempotency-Replayed'] = 'true'
    if (claim.answer !== undefined) return claim.answer
    const msg = 'The request was carried out before; its answer was not kept'
    throw new ProblemError({ type: 'idempotency_mismatch', msg, loc: LOC })
  }
  try {
    const body = await run(writes => write([...writes, committing(user.id, key, print)]))
    await keepAnswer(user.id, key, print, body)
    return body
  } catch (error) {
    await releaseKey(user.id, key)
    throw error
  }
}
