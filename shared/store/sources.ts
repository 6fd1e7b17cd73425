import { boundChanges, type SourceKind, sourceKinds } from '../api/source-kinds.ts'
import type { Source } from '../api/sources.ts'
import { setting, type Transact } from './dynamo.ts'
import { openSecret, sealSecret } from './keys.ts'
import { type Kind, kinds } from './kinds.ts'
import { keyOf, type Stored } from './records.ts'

export const SOURCE: Kind = kinds.source_id

/** A source as stored: `sealed` holds the secrets by field, each openable for this source only. */
export type SourceRecord = Stored & {
  name: string
  kind: SourceKind
  config: Record<string, unknown>
  sealed: Record<string, string>
}

/** A source as it may be shown: of its secrets, which there are, and URLs without the log-ins that they could once hold. */
export const showSource = ({ sealed, config, ...source }: SourceRecord): Source =>
  ({
    ...source,
    config: Object.fromEntries(Object.entries(config).map(([field, value]) => [field, withoutLogin(value)])),
    secrets: Object.fromEntries(Object.keys(sealed).map(field => [field, true])),
  }) as unknown as Source

const withoutLogin = (value: unknown): unknown =>
  typeof value === 'string' && /^https?:/i.test(value) ? value.replace(/^([a-z]+:[/\\]*)[^/\\?#]*@/i, '$1') : value

/**
 * Holds a server to the host keys that it showed. Nothing happens when the source has been changed since it was read: the
 * keys may be those of another server then.
 */
export async function pinHostKeys(source: SourceRecord, fingerprints: string[], write: Transact): Promise<void> {
  const config = { ...source.config, host_key_fingerprints: fingerprints }
  const set = setting({ config, updatedAt: new Date().toISOString() })
  const change = { ...set, condition: 'updatedAt = :seen', values: { ...set.values, ':seen': source.updatedAt } }
  await write([{ table: 'sources', update: keyOf(SOURCE, source.id), change }])
}

/** Secrets as they are stored. */
export const sealSecrets = (sourceId: string, secrets: Record<string, string>): Promise<Record<string, string>> =>
  eachValue(secrets, secret => sealSecret(sourceId, secret))

/** A source as connectors take it, its secrets opened. */
export const openSource = async ({
  id,
  kind,
  config,
  sealed,
}: Pick<SourceRecord, 'id' | 'kind' | 'config' | 'sealed'>) => ({
  kind,
  config,
  secrets: await eachValue(sealed, secret => openSecret(id, secret)),
})

/**
 * The stored secrets that a changed config keeps: those that it does not give itself. None while it changes where they
 * would go; `lost` then names the fields without which the new config is not complete.
 */
export function keptSecrets(
  source: SourceRecord,
  config: Record<string, unknown>,
  given: Record<string, string>,
): { kept: Record<string, string>; lost: string[] } {
  const others = Object.entries(source.sealed).filter(([field]) => !(field in given))
  if (boundChanges(source.kind, source.config, config).length === 0)
    return { kept: Object.fromEntries(others), lost: [] }
  const complete = sourceKinds[source.kind].config.safeParse({ ...config, ...given }).success
  return { kept: {}, lost: complete ? [] : others.map(([field]) => field) }
}

async function eachValue(
  values: Record<string, string>,
  change: (value: string) => Promise<string>,
): Promise<Record<string, string>> {
  const changed = Object.entries(values).map(async ([field, value]) => [field, await change(value)] as const)
  return Object.fromEntries(await Promise.all(changed))
}
