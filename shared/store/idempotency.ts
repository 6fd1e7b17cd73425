import { createHash } from 'node:crypto'
import { IDEMPOTENCY_SECONDS } from '../api/bounds.ts'
import { createItem, getItem, type Item, putItem, transact, ttlIn, type Write } from './dynamo.ts'

/** How long an unfinished request blocks its key, seconds: a little longer than any request may take. */
const RUNNING_SECONDS = 60
/** Largest answer kept; DynamoDB's items hold 400 KB. */
const LARGEST = 350_000

/** `committedUntil`: its change was made, and until then (seconds since the epoch) it may still be answered. */
type Row = Item & { fingerprint: string; answer?: string; tooLarge?: true; committedUntil?: number }

/** What is known of an idempotency key. */
export type Claim =
  | { state: 'new' }
  | { state: 'running' }
  | { state: 'mismatch' }
  /** Carried out: the body that was answered, or undefined when it was too large to keep or there was none. */
  | { state: 'done'; answer?: string }

const keyOf = (userId: string, key: string) => ({
  pk: `IDEMPOTENCY#${userId}#${createHash('sha256').update(key).digest('hex')}`,
  sk: 'IDEMPOTENCY',
})

/** Digest that tells two requests apart: method, path, query and body. */
export const fingerprint = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('hex')

/** Claims a key for a request; only one of several callers gets `new`. */
export async function claimKey(userId: string, key: string, print: string): Promise<Claim> {
  const id = keyOf(userId, key)
  if (await createItem('replies', { ...id, fingerprint: print, ttl: ttlIn(RUNNING_SECONDS) })) return { state: 'new' }
  const row = await getItem<Row>('replies', id)
  if (!row) return { state: 'running' }
  if (row.fingerprint !== print) return { state: 'mismatch' }
  const isOver = row.answer !== undefined || row.tooLarge || (row.committedUntil ?? Infinity) <= ttlIn(0)
  if (!isOver) return { state: 'running' }
  return { state: 'done', answer: row.answer }
}

/** The write that goes with the change of a request, after which the request is not carried out again, whatever becomes of its answer. */
export const committing = (userId: string, key: string, print: string): Write => ({
  table: 'replies',
  put: {
    ...keyOf(userId, key),
    fingerprint: print,
    committedUntil: ttlIn(RUNNING_SECONDS),
    ttl: ttlIn(IDEMPOTENCY_SECONDS),
  },
})

/** Remembers the answer for the rest of the day. */
export async function keepAnswer(userId: string, key: string, print: string, answer: string): Promise<void> {
  const kept = answer.length <= LARGEST ? { answer } : { tooLarge: true }
  await putItem('replies', { ...keyOf(userId, key), fingerprint: print, ...kept, ttl: ttlIn(IDEMPOTENCY_SECONDS) })
}

/** Frees a key whose request failed before it made its change, so that it can be tried again. */
export async function releaseKey(userId: string, key: string): Promise<void> {
  const missing = ['committedUntil', 'answer', 'tooLarge'].map(name => `attribute_not_exists(${name})`)
  const condition = { condition: missing.join(' AND ') }
  await transact([{ table: 'replies', delete: keyOf(userId, key), condition }])
}
