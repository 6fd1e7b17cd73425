import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { EngineError } from '../errors.ts'
import type { TokenKeys } from '../tokens/key.ts'

/** Where the same value is replaced by the same thing: in one file or table, one job, one project, or everywhere. */
export const scopes = ['document', 'job', 'project', 'deployment'] as const

/** One of {@link scopes}. */
export type Scope = (typeof scopes)[number]

/**
 * Keys: `hash` for the operator of that name, `pseudonym` for the job's pseudonyms and numbers and whatever else has the scope
 * `job`, those of the other scopes, and `tokens` for what is reversible, as far as the plan needs them.
 */
export type Secrets = Record<'hash' | 'pseudonym', KeyObject> &
  Partial<Record<Exclude<Scope, 'job'>, KeyObject>> & { tokens?: TokenKeys }

/** Whether a value names a scope. */
export const isScope = (value: unknown): value is Scope => scopes.some(scope => scope === value)

/** The secret of a scope. Each is derived apart from the others, so that what two scopes made can't be joined without both. */
const secretOf = (secrets: Secrets, scope: Scope) => (scope === 'job' ? secrets.pseudonym : secrets[scope])

/**
 * The key of an operator in a scope. `purpose` names operator and version of its scheme, such as `surrogate/v2`: no two of
 * them share a key. Throws `invalid_workflow` where the scope has no secret: of scope `project` where none is named.
 */
export function scopedKey(secrets: Secrets, scope: Scope, purpose: string): KeyObject {
  const secret = secretOf(secrets, scope)
  if (!secret)
    throw new EngineError('invalid_workflow', `A replacement has the scope ${scope}, which is not known here`)
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `${purpose}|${scope}`, 32)))
}

/** The key of what is kept of the values of a job, so that none of them becomes the surrogate of another. */
export const foundKey = ({ pseudonym }: Pick<Secrets, 'pseudonym'>): KeyObject =>
  scopedKey({ hash: pseudonym, pseudonym }, 'job', 'found/v1')
