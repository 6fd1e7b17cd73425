import { notFound } from '../api/problems.ts'
import type { Claims } from '../auth/tokens.ts'
import type { Item } from '../store/dynamo.ts'
import type { Kind } from '../store/kinds.ts'
import { type ListQuery, listAhead, type Scope } from '../store/lists.ts'
import { findRecord, type Stored } from '../store/records.ts'
import { builtInPermissions } from '../store/roles.ts'
import { type Caller, hasPermission } from './caller.ts'

/** Resources whose records belong to somebody. */
export type OwnedResource =
  | 'rules'
  | 'lists'
  | 'workflows'
  | 'jobs'
  | 'assets'
  | 'sources'
  | 'schedules'
  | 'webhooks'
  | 'tokens'

/** Whether a caller may see a record: their own, or any with the permission for it. */
export const isVisible = (user: Caller, resource: OwnedResource, ownerId: string): boolean =>
  ownerId === user.id || hasPermission(user, `${resource}:any`)

/** A record that the caller may see; another's answers as if it were not there (404). `loc` is where its id stands. */
export async function findOwned<T extends Stored>(
  kind: Kind,
  id: string,
  user: Caller,
  resource: OwnedResource,
  loc?: string[],
): Promise<T & Item> {
  const record = await findRecord<T>(kind, id)
  if (!record || !isVisible(user, resource, record.ownerId)) throw notFound(kind.name.toLowerCase(), loc)
  return record
}

/** What a page of a caller's list reads, where a built-in role that they had a while ago tells whose records it shows. */
export function ownedAhead(
  kind: Kind,
  resource: OwnedResource,
  { by: { userId, role = '' }, page }: { by: Pick<Claims, 'userId' | 'role'>; page: ListQuery },
): ReturnType<typeof listAhead> {
  const permissions = builtInPermissions(role)
  if (!permissions) return []
  return listAhead(kind, permissions.includes(`${resource}:any`) ? 'all' : { ownerId: userId }, page)
}

/** Whose records a caller's lists show. */
export const scopeOf = (user: Caller, resource: OwnedResource): Scope =>
  hasPermission(user, `${resource}:any`) ? 'all' : { ownerId: user.id }
