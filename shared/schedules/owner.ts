import type { PermissionName } from '../api/permission-names.ts'
import { ProblemError } from '../api/problems.ts'
import { lacksSecondFactor } from '../auth/second-factor.ts'
import { type Caller, hasPermission, limiting } from '../http/caller.ts'
import { findRecord } from '../store/records.ts'
import { type Standing, standingOf } from '../store/roles.ts'
import type { ScheduleRecord } from '../store/schedules.ts'
import { SERVICE_ACCOUNT, type ServiceAccountRecord, standingOfAccount } from '../store/service-accounts.ts'
import { USER, type UserRecord } from '../store/users.ts'

/** The permissions that a schedule needs, whoever makes it and whenever it runs. */
const needed = ({ deliver }: Pick<ScheduleRecord, 'deliver'>): PermissionName[] => [
  'schedules:write',
  'sources:read',
  'jobs:write',
  'jobs:execute',
  ...(deliver ? (['jobs:deliver'] as const) : []),
]

/** Refuses a schedule of somebody who may not do what it does (403). */
export function requireNeeded(caller: Caller, schedule: Pick<ScheduleRecord, 'deliver'>): void {
  const lacking = needed(schedule).filter(name => !hasPermission(caller, name))
  if (lacking.length === 0) return
  throw new ProblemError({ type: 'permission_denied', msg: `This needs the permissions ${lacking.join(', ')}` })
}

/**
 * The owner of a schedule as a caller, with the permissions and quota of this moment. Refuses an owner who is gone or blocked, who
 * would first have to change a password or set up a second factor, or who lacks a permission (403).
 */
export async function ownerAsCaller(schedule: ScheduleRecord): Promise<Caller> {
  const { permissions, quota } = await standingNow(schedule.ownerId)
  const rank = { permissions: new Set(permissions), quota: limiting(quota) }
  const caller = { id: schedule.ownerId, ...rank, ...nobodyThere }
  requireNeeded(caller, schedule)
  return caller
}

/** What a caller is who is not there: no session, and nothing that a recent log-in would allow. */
const nobodyThere = {
  amr: 'key',
  authTime: 0,
  sessionId: '',
  mustChangePassword: false,
  mustSetUpSecondFactor: false,
} as const satisfies Partial<Caller>

async function standingNow(id: string): Promise<Partial<Standing>> {
  const [user, account] = await Promise.all([
    findRecord<UserRecord>(USER, id),
    findRecord<ServiceAccountRecord>(SERVICE_ACCOUNT, id),
  ])
  const owner = user ?? account
  if (!owner) throw refusal('The owner of the schedule is gone')
  if (owner.blocked) throw refusal('The owner of the schedule is blocked')
  if (user) refuseDuties(user)
  return user ? ((await standingOf(user.role)) ?? {}) : standingOfAccount(account!)
}

/**
 * Refuses a user who would first have to do something here. Who logs in by a provider does none of it here: they have no
 * password and no second factor of ours, and a session in which they make a schedule has proved what their role needs.
 */
function refuseDuties(user: UserRecord): void {
  if (user.identity) return
  if (user.mustChangePassword) throw refusal('The owner of the schedule has a temporary password')
  if (lacksSecondFactor(user)) throw refusal('The owner of the schedule must set up a second factor first')
}

const refusal = (msg: string) => new ProblemError({ type: 'permission_denied', msg })
