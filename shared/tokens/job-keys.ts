import { EngineError, type Plan } from 'anonymisation-engine'
import { isReversible, type Scope, scopeOf } from 'anonymisation-engine/tokens'
import type { AssetRecord } from '../store/assets.ts'
import type { JobRecord } from '../store/job-record.ts'
import { deriveSecret } from '../store/keys.ts'
import { openTokenKey, provideTokenKey, type TokenKeyRef } from '../store/token-keys.ts'

/** The keys of a job's reversible replacements, as frozen when it was executed: what reaches over all projects, and the rest. */
export type JobKeys = { wide?: TokenKeyRef; own?: TokenKeyRef }

/** A key as it is handed to the thread of an asset. */
export type TokenKeyBytes = { number: number; bytes: Uint8Array; bound: string[] }

/** Whose values they are, and where: nothing made for one place is made or undone for another. */
export type Place = { ownerId: string; jobId: string; assetId: string }

/** The scopes of a plan's reversible replacements. */
const scopesOf = ({ rules }: Plan): Set<Scope> =>
  new Set(rules.flatMap(({ replacement }) => (isReversible(replacement) ? (scopeOf(replacement) ?? []) : [])))

/** The keys that a job of these plans works with; nothing where nothing is reversible. */
export async function provideJobKeys(
  ownerId: string,
  plans: readonly Plan[],
  project?: string,
): Promise<JobKeys | undefined> {
  const scopes = new Set(plans.flatMap(plan => [...scopesOf(plan)]))
  if (scopes.size === 0) return undefined
  const wide = scopes.has('deployment') ? await provideTokenKey(ownerId) : undefined
  const own = scopes.size > (wide ? 1 : 0) ? await provideTokenKey(ownerId, project) : undefined
  return { ...(wide && { wide }), ...(own && { own }) }
}

/** What a key is bound to in a scope, besides the scope itself. */
export async function bindingOf(scope: Scope, { ownerId, jobId, assetId }: Place, project: string): Promise<string[]> {
  const deployment = (await deriveSecret('deployment')).export().toString('base64url')
  const places = { document: `${jobId}:${assetId}`, job: jobId, project, deployment: '' }
  return [deployment, ownerId, places[scope]]
}

/** The key of a scope among those of a job. */
export const refIn = ({ wide, own }: JobKeys, scope: Scope): TokenKeyRef | undefined =>
  scope === 'deployment' ? wide : own

/** The keys that an asset needs, by scope; an asset whose key was destroyed fails. */
async function keysOfAsset(
  keys: JobKeys,
  place: Place,
  scopes: ReadonlySet<Scope>,
): Promise<Partial<Record<Scope, TokenKeyBytes>>> {
  const opened = new Map<number, ReturnType<typeof openTokenKey>>()
  const found = [...scopes].map(async scope => {
    const ref = refIn(keys, scope)
    if (!ref) throw new EngineError('internal', 'The job has no key for its reversible replacements')
    const opening = opened.get(ref.number) ?? openTokenKey(place.ownerId, ref)
    opened.set(ref.number, opening)
    const key = await opening
    if (!key) throw new EngineError('invalid_workflow', 'The key of the reversible replacements has been destroyed')
    return [scope, { number: ref.number, bytes: key.bytes, bound: await bindingOf(scope, place, key.project) }] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

/** Every scope that a job's tokens may be of. */
const scopesOfKeys = ({ wide, own }: JobKeys): Scope[] => [
  ...(wide ? (['deployment'] as const) : []),
  ...(own ? (['document', 'job', 'project'] as const) : []),
]

/** The keys that an asset of a job needs, by scope: those of its plan, or of the job whose output it restores. */
export async function keysForAsset(job: JobRecord, asset: AssetRecord, plan: Plan) {
  const { tokenKeys, restores: restored } = job
  if (!tokenKeys) return undefined
  const { restores } = asset
  if (restored && restores) {
    const place = { ownerId: restored.ownerId, jobId: restores.jobId, assetId: restores.assetId }
    return keysOfAsset(tokenKeys, place, new Set(scopesOfKeys(tokenKeys)))
  }
  return keysOfAsset(tokenKeys, { ownerId: job.ownerId, jobId: job.id, assetId: asset.id }, scopesOf(plan))
}
