import { type Plan, type Scope, scopeOf } from 'anonymisation-engine'
import type { AssetRecord } from '../../store/assets.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { deriveHashSecret, deriveSecret } from '../../store/keys.ts'
import { keysForAsset, type TokenKeyBytes } from '../../tokens/job-keys.ts'

/** The keys of a job as they are handed to the thread of an asset. */
export type SecretBytes = Record<'hash' | 'pseudonym', Uint8Array> &
  Partial<Record<Exclude<Scope, 'job'>, Uint8Array>> & { tokens?: Partial<Record<Scope, TokenKeyBytes>> }

/** What the secret of a scope is derived for; nothing where the plan names no project. */
function purposeOf(scope: Exclude<Scope, 'job'>, plan: Plan, jobId: string, assetId: string): string | undefined {
  if (scope === 'document') return `document:${jobId}:${assetId}`
  if (scope === 'project') return plan.project && `project:${plan.project}`
  return scope
}

/** Derives what an asset needs of the deployment's secrets: those of its job, and of the scopes that its plan names. */
export async function secretsOf(plan: Plan, job: JobRecord, asset: AssetRecord): Promise<SecretBytes> {
  const [jobId, assetId] = [job.id, asset.id]
  const named = new Set(plan.rules.map(({ replacement }) => scopeOf(replacement)))
  const others = [...named].filter(scope => scope !== undefined).filter(scope => scope !== 'job')
  const purposes = others.map(scope => [scope, purposeOf(scope, plan, jobId, assetId)] as const)
  const asked = [['pseudonym', `pseudonym:${jobId}`], ...purposes] as const
  const derived = asked.map(async ([name, purpose]) => purpose && [name, (await deriveSecret(purpose)).export()])
  const tokens = await keysForAsset(job, asset, plan)
  const secrets = Object.fromEntries((await Promise.all(derived)).filter(Array.isArray))
  const hash = (await deriveHashSecret()).export()
  return { ...secrets, hash, ...(tokens && { tokens }) }
}
