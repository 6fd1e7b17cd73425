import { type Endpoint, isAudited, isRepeatable } from '../shared/api/endpoint.ts'
import { endpoints } from '../shared/api/index.ts'
import type { Grant } from './grant.ts'

/** What a function needs to count requests. */
const counted = (more: Grant = {}): Grant => ({ ...more, tables: { rates: 'count', ...more.tables } })

/**
 * What a function needs to know its caller, besides: session, user or service account, role, the key that tokens are
 * checked with, and the count of wrong keys.
 */
const known = (more: Grant = {}): Grant =>
  counted({
    ...more,
    tables: { rates: 'limit', sessions: 'find', users: 'read', roles: 'read', ...more.tables },
    keys: { tokens: ['verify'], ...more.keys },
  })

/** What a function needs to tell of events, besides. */
const telling = (more: Grant): Grant => ({
  ...more,
  tables: { ...more.tables, notifications: 'write' },
  sends: [...(more.sends ?? []), 'events'],
})

/** One row per function, `<resource>.<operation>`: the whole of what its role allows besides its own logs. */
export const grants: Readonly<Record<string, Grant>> = {
  // It shows callers their quota, where they say who they are.
  'service.root': known({ tables: { users: 'find', roles: 'find' } }),
  'service.openapi': counted(),
  'service.docs': counted(),

  'console.page': counted({ signsOn: true }),
  'console.file': counted(),

  'auth.register': counted({ tables: { users: 'write' } }),
  'auth.login': counted({
    tables: { sessions: 'write', users: 'read' },
    keys: { tokens: ['sign', 'verify'], hash: ['mac'] },
  }),
  'auth.refresh': counted({
    tables: { sessions: 'write', users: 'read' },
    keys: { tokens: ['sign', 'verify'], hash: ['mac'] },
  }),
  'auth.exchange': counted({
    tables: { rates: 'limit', users: 'find', roles: 'read' },
    keys: { tokens: ['sign', 'verify'] },
    connects: true,
  }),
  'auth.changePassword': known(
    telling({
      tables: { sessions: 'write', users: 'write' },
      keys: { hash: ['mac'] },
    }),
  ),
  'auth.setUpSecondFactor': known({ tables: { sessions: 'write' }, keys: { hash: ['mac'] } }),
  'auth.enableSecondFactor': known(
    telling({
      tables: { sessions: 'write', users: 'write' },
      keys: { hash: ['mac'] },
    }),
  ),
  'auth.disableSecondFactor': known(
    telling({
      tables: { sessions: 'write', users: 'write' },
      keys: { hash: ['mac'] },
    }),
  ),
  'auth.me': known(),
  'auth.logout': known({ tables: { sessions: 'write' } }),

  'identity.providers': counted({ signsOn: true }),
  'identity.start': counted({ tables: { sessions: 'write' }, connects: true, signsOn: true }),
  'identity.callback': counted(
    telling({
      tables: { sessions: 'write', users: 'write', roles: 'write' },
      keys: { hash: ['mac'], data: ['decrypt'] },
      connects: true,
      signsOn: true,
    }),
  ),
  'identity.logout': counted({ tables: { sessions: 'write', users: 'find' }, connects: true, signsOn: true }),
  'identity.setSecret': known({ tables: { users: 'write' }, keys: { data: ['encrypt'] }, signsOn: true }),

  'rules.list': known({ tables: { rules: 'read' } }),
  'rules.create': known({ tables: { rules: 'write', lists: 'write' }, buckets: { models: ['read'] } }),
  'rules.get': known({ tables: { rules: 'read' } }),
  'rules.update': known({ tables: { rules: 'write', lists: 'write' }, buckets: { models: ['read'] } }),
  'rules.test': known({
    tables: { rules: 'read', lists: 'read' },
    buckets: { models: ['read'], lists: ['read'] },
    comprehends: true,
  }),
  'rules.delete': known({ tables: { rules: 'write', lists: 'write', workflows: 'read' } }),

  'workflows.list': known({ tables: { workflows: 'read' } }),
  'workflows.create': known({ tables: { workflows: 'write', rules: 'write', lists: 'write' } }),
  'workflows.get': known({ tables: { workflows: 'read' } }),
  'workflows.update': known({ tables: { workflows: 'write', rules: 'write', lists: 'write' } }),
  'workflows.delete': known({ tables: { workflows: 'write', rules: 'write', lists: 'write', jobs: 'read' } }),

  'lists.list': known({ tables: { lists: 'read' } }),
  'lists.create': known({ tables: { lists: 'write' } }),
  'lists.get': known({ tables: { lists: 'read' } }),
  'lists.update': known({ tables: { lists: 'write' } }),
  'lists.delete': known({
    tables: { lists: 'write', rules: 'read', workflows: 'read' },
    buckets: { lists: ['read', 'delete'] },
    sends: ['jobs'],
  }),
  'lists.entries': known({ tables: { lists: 'read' }, buckets: { lists: ['read'] } }),
  'lists.add': known({ tables: { lists: 'write' }, buckets: { lists: ['read', 'write', 'delete'] } }),
  'lists.remove': known({ tables: { lists: 'write' }, buckets: { lists: ['read', 'write', 'delete'] } }),
  'lists.load': known({
    tables: { lists: 'write', jobs: 'read' },
    buckets: { lists: ['read', 'write', 'delete'], uploads: ['read'] },
  }),

  'presets.list': known(),
  'presets.get': known(),

  'models.list': known({ buckets: { models: ['read'] } }),

  'jobs.list': known({ tables: { jobs: 'read' } }),
  'jobs.upload': known({ tables: { jobs: 'write' }, buckets: { uploads: ['write'] } }),
  'jobs.uploads': known({ tables: { jobs: 'write' }, buckets: { uploads: ['write'] } }),
  'jobs.completeUploads': known({ tables: { jobs: 'write' }, buckets: { uploads: ['read', 'write'] } }),
  'jobs.get': known({ tables: { jobs: 'read' }, buckets: { results: ['read'] } }),
  'jobs.update': known({ tables: { jobs: 'write', workflows: 'write' } }),
  'jobs.delete': known({
    tables: { jobs: 'write' },
    buckets: { uploads: ['delete', 'abort'], results: ['write', 'delete'] },
    sends: ['jobs'],
  }),
  'jobs.estimate': known({ tables: { jobs: 'read', workflows: 'read', rules: 'read' } }),
  'jobs.execute': known({
    tables: { jobs: 'write', workflows: 'read', rules: 'read', lists: 'read', keys: 'write' },
    buckets: { uploads: ['read', 'write'], results: ['write'], lists: ['read'] },
    keys: { wrapping: ['wrap'] },
    sends: ['jobs', 'work'],
  }),
  'jobs.status': known({ tables: { jobs: 'read' } }),
  'jobs.cancel': known(
    telling({
      tables: { jobs: 'write' },
      buckets: { results: ['read'] },
      sends: ['jobs'],
    }),
  ),
  'jobs.assets': known({ tables: { jobs: 'read' } }),
  'jobs.review': known({ tables: { jobs: 'read' }, buckets: { results: ['read'] }, keys: { hash: ['mac'] } }),
  'jobs.proposals': known({ tables: { jobs: 'read' }, buckets: { results: ['read'] }, keys: { hash: ['mac'] } }),
  'jobs.page': known({ tables: { jobs: 'read' }, buckets: { results: ['read'] }, keys: { hash: ['mac'] } }),
  'jobs.decisions': known({ tables: { jobs: 'read' }, buckets: { results: ['read'] }, keys: { hash: ['mac'] } }),
  'jobs.decide': known({
    tables: { jobs: 'write', lists: 'write' },
    buckets: { results: ['read', 'write', 'delete'], lists: ['read', 'write', 'delete'] },
    keys: { hash: ['mac'] },
  }),
  'jobs.release': known({ tables: { jobs: 'write' }, sends: ['jobs'] }),
  'jobs.rejectReview': known(
    telling({
      tables: { jobs: 'write' },
      buckets: { results: ['delete'] },
      sends: ['jobs'],
    }),
  ),
  'jobs.findings': known({ tables: { jobs: 'read' }, buckets: { results: ['read'] } }),
  'jobs.certificate': known({
    tables: { jobs: 'write', audit: 'append' },
    buckets: { results: ['read', 'write'], transparency: ['read'] },
    keys: { certificates: ['sign', 'verify'], transparency: ['verify'] },
  }),
  'jobs.removeAssets': known({ tables: { jobs: 'write' }, buckets: { uploads: ['delete', 'abort'] } }),
  'jobs.load': known({
    tables: { jobs: 'write', sources: 'read' },
    buckets: { files: ['read'] },
    keys: { data: ['decrypt'] },
    sends: ['jobs'],
    connects: true,
  }),
  'jobs.copy': known({
    tables: { jobs: 'write', workflows: 'write' },
    buckets: { uploads: ['read'] },
    sends: ['jobs'],
  }),
  'jobs.deliver': known({
    tables: { jobs: 'write', sources: 'read' },
    buckets: { results: ['read'] },
    sends: ['jobs'],
  }),

  'reviews.list': known({ tables: { jobs: 'read' } }),

  'texts.anonymise': known({
    tables: { workflows: 'read', rules: 'read', jobs: 'read' },
    buckets: { models: ['read'], uploads: ['read'] },
    keys: { hash: ['mac'] },
    comprehends: true,
  }),

  'mcp.call': known({
    tables: { workflows: 'read', rules: 'read', jobs: 'read' },
    buckets: { models: ['read'], uploads: ['read'] },
    keys: { hash: ['mac'] },
    comprehends: true,
  }),
  'mcp.listen': known(),

  'texts.restore': known({ keys: { hash: ['mac'] } }),

  'assets.get': known({ tables: { jobs: 'read' } }),
  'assets.update': known({ tables: { jobs: 'write' } }),
  'assets.delete': known({ tables: { jobs: 'write' }, buckets: { uploads: ['delete', 'abort'], results: ['delete'] } }),
  'assets.url': known({ tables: { jobs: 'read' }, buckets: { uploads: ['read'], results: ['read'] } }),

  'assets.page': known({ tables: { jobs: 'read' }, buckets: { uploads: ['read'], results: ['read'] } }),
  // It opens tables, and so has no access to secrets of sources.
  'assets.columns': known({ tables: { jobs: 'read' }, buckets: { uploads: ['read'], results: ['read'] } }),
  'assets.report': known({ tables: { jobs: 'read' }, buckets: { results: ['read'] } }),

  'sources.list': known({ tables: { sources: 'read' } }),
  'sources.create': known({ tables: { sources: 'write' }, keys: { data: ['encrypt'] } }),
  'sources.test': known({
    tables: { sources: 'write' },
    buckets: { files: ['read'] },
    keys: { data: ['decrypt'] },
    connects: true,
  }),
  'sources.get': known({ tables: { sources: 'read' } }),
  'sources.update': known({ tables: { sources: 'write' }, keys: { data: ['encrypt'] } }),
  'sources.delete': known({ tables: { sources: 'write' } }),
  'sources.preview': known({
    tables: { sources: 'read' },
    buckets: { files: ['read'] },
    keys: { data: ['decrypt'] },
    connects: true,
  }),
  'sources.discover': known({
    tables: { sources: 'read' },
    buckets: { files: ['read'] },
    keys: { data: ['decrypt'] },
    connects: true,
  }),

  'schedules.list': known({ tables: { schedules: 'read' } }),
  'schedules.create': known({ tables: { schedules: 'write', sources: 'read', workflows: 'read' } }),
  'schedules.get': known({ tables: { schedules: 'read' } }),
  'schedules.update': known({ tables: { schedules: 'write', sources: 'read', workflows: 'read' } }),
  'schedules.delete': known({ tables: { schedules: 'write' }, sends: ['jobs'] }),
  'schedules.run': known({ tables: { schedules: 'write' }, sends: ['transfers'] }),
  'schedules.runs': known({ tables: { schedules: 'read' } }),
  'schedules.parked': known({ tables: { schedules: 'read' } }),
  'schedules.retry': known({ tables: { schedules: 'write' } }),

  'users.list': known(),
  'users.get': known(),
  'users.update': known({ tables: { users: 'write', roles: 'write' } }),
  'users.delete': known({ tables: { sessions: 'write', users: 'write', roles: 'write' }, sends: ['jobs'] }),
  'users.block': known(telling({ tables: { sessions: 'write', users: 'write' } })),
  'users.resetPassword': known(telling({ tables: { sessions: 'write', users: 'write' } })),
  'users.resetSecondFactor': known(telling({ tables: { sessions: 'write', users: 'write' } })),

  'roles.list': known(),
  'roles.create': known({ tables: { roles: 'write' } }),
  'roles.get': known(),
  'roles.update': known({ tables: { roles: 'write' } }),
  'roles.delete': known({ tables: { roles: 'write' } }),
  'permissions.list': known(),
  'permissions.create': known({ tables: { roles: 'write' } }),
  'permissions.createDefault': known({ tables: { roles: 'write' } }),

  'serviceAccounts.list': known(),
  'serviceAccounts.create': known({ tables: { users: 'write', roles: 'write' } }),
  'serviceAccounts.get': known(),
  'serviceAccounts.update': known({ tables: { users: 'write', roles: 'write' } }),
  'serviceAccounts.delete': known({ tables: { users: 'write', roles: 'write' }, sends: ['jobs'] }),
  'serviceAccounts.createKey': known({ tables: { users: 'write' } }),
  'serviceAccounts.revokeKeys': known({ tables: { users: 'write' } }),

  'tokenKeys.list': known({ tables: { keys: 'read' } }),
  'tokenKeys.rotate': known({ tables: { keys: 'write' }, keys: { wrapping: ['wrap'] } }),
  'tokenKeys.destroy': known({ tables: { keys: 'write' } }),

  'reidentifications.create': known({
    tables: { reidentifications: 'write', jobs: 'read' },
    buckets: { results: ['read'] },
    keys: { hash: ['mac'] },
  }),
  'reidentifications.list': known({ tables: { reidentifications: 'read' } }),
  'reidentifications.get': known({ tables: { reidentifications: 'read' } }),
  'reidentifications.approve': known(telling({ tables: { reidentifications: 'write' } })),
  'reidentifications.reject': known(telling({ tables: { reidentifications: 'write' } })),
  // The only function behind an endpoint that may unwrap keys, beside the worker.
  'reidentifications.open': known(
    telling({
      tables: { reidentifications: 'write', keys: 'find', jobs: 'write' },
      buckets: { uploads: ['delete', 'abort'], results: ['read', 'write', 'delete'] },
      keys: { hash: ['mac'], wrapping: ['decrypt'] },
      sends: ['jobs'],
    }),
  ),

  'audit.list': known({ tables: { audit: 'read' } }),
  'audit.heads': known({ tables: { audit: 'read' } }),
  'audit.key': known({ keys: { audit: ['verify'] } }),

  'certificates.keys': counted({ tables: { audit: 'read' }, keys: { certificates: ['verify'] } }),

  'transparency.key': counted({ keys: { transparency: ['verify'] } }),
  'transparency.checkpoint': counted({ buckets: { transparency: ['read'] }, keys: { transparency: ['verify'] } }),
  'transparency.tile': counted({ buckets: { transparency: ['read'] }, keys: { transparency: ['verify'] } }),
  'transparency.receipt': counted({
    tables: { jobs: 'find' },
    buckets: { transparency: ['read'] },
    keys: { transparency: ['verify'] },
  }),
  'transparency.consistency': counted({ buckets: { transparency: ['read'] }, keys: { transparency: ['verify'] } }),

  'webhooks.list': known({ tables: { webhooks: 'read' } }),
  'webhooks.create': known({ tables: { webhooks: 'write' }, keys: { data: ['encrypt'] } }),
  'webhooks.get': known({ tables: { webhooks: 'read' } }),
  'webhooks.update': known({ tables: { webhooks: 'write' } }),
  'webhooks.delete': known({ tables: { webhooks: 'write' } }),
  'webhooks.rotate': known({ tables: { webhooks: 'write' }, keys: { data: ['encrypt'] } }),
  'webhooks.test': known({ tables: { webhooks: 'write' }, keys: { data: ['decrypt'] } }),
  'webhooks.deliveries': known({ tables: { webhooks: 'read' } }),
  'webhooks.redeliver': known({ tables: { webhooks: 'write' }, sends: ['events'] }),

  'notifications.list': known({ tables: { notifications: 'read' } }),
  'notifications.read': known({ tables: { notifications: 'write' } }),

  'pipeline.planner': telling({
    tables: {
      users: 'read',
      rules: 'write',
      workflows: 'write',
      lists: 'write',
      jobs: 'write',
      sources: 'write',
      schedules: 'write',
      keys: 'write',
      reidentifications: 'write',
      webhooks: 'write',
      audit: 'append',
    },
    buckets: {
      uploads: ['delete', 'abort'],
      results: ['read', 'write', 'delete'],
      files: ['delete'],
      lists: ['delete'],
    },
    keys: { certificates: ['sign', 'verify'] },
    sends: ['jobs', 'work', 'transfers'],
    consumes: 'jobs',
  }),
  'pipeline.worker': telling({
    tables: { jobs: 'write', keys: 'find' },
    buckets: { uploads: ['read'], results: ['read', 'write', 'delete'], models: ['read'] },
    keys: { hash: ['mac'], wrapping: ['decrypt'] },
    sends: ['work', 'jobs'],
    consumes: 'work',
    comprehends: true,
  }),
  'pipeline.transfer': telling({
    tables: {
      users: 'find',
      roles: 'find',
      workflows: 'find',
      jobs: 'write',
      sources: 'read',
      schedules: 'write',
      rates: 'limit',
    },
    buckets: { uploads: ['read', 'write'], results: ['read'], files: ['read', 'write'] },
    keys: { data: ['decrypt'] },
    sends: ['jobs', 'transfers'],
    consumes: 'transfers',
    connects: true,
  }),
  'pipeline.events': telling({
    tables: { webhooks: 'write', users: 'find', roles: 'find' },
    keys: { data: ['decrypt'] },
    consumes: 'events',
    tellsBus: true,
  }),
  'pipeline.dead-letters': telling({
    tables: { jobs: 'write', schedules: 'write', rates: 'count' },
    buckets: { results: ['write', 'delete'] },
    sends: ['jobs'],
    consumes: 'dead',
  }),
  'pipeline.sweeper': telling({
    tables: { jobs: 'write', webhooks: 'read', audit: 'read' },
    buckets: { uploads: ['delete', 'abort'], results: ['delete'], transparency: ['read', 'write'] },
    keys: { transparency: ['sign', 'verify'] },
    sends: ['jobs'],
  }),
  // It executes and delivers as the owners of schedules do by the endpoints for it.
  'pipeline.scheduler': telling({
    tables: {
      users: 'find',
      roles: 'find',
      rules: 'read',
      workflows: 'write',
      lists: 'read',
      jobs: 'write',
      sources: 'find',
      schedules: 'write',
      keys: 'write',
    },
    buckets: { uploads: ['read', 'write', 'delete'], results: ['read', 'write', 'delete'], lists: ['read'] },
    keys: { wrapping: ['wrap'] },
    sends: ['jobs', 'work', 'transfers'],
    consumes: 'arrivals',
  }),
  'pipeline.bootstrap-admin': { tables: { users: 'write', roles: 'write' } },
}

/** The endpoints by the names of their functions. */
const endpointOf = new Map(
  endpoints.map(({ resource, operation, endpoint }) => [`${resource}.${operation}`, endpoint as Endpoint]),
)

/**
 * The row of a function, with what its declaration asks for besides: the rights to append to the audit trail and to sign
 * the entry where its calls are recorded there, and to keep answers where calls may be repeated. Throws where there is no
 * row, so that no function is deployed without a decision.
 */
export function grantFor(name: string): Grant {
  const grant = grants[name]
  if (!grant) throw new Error(`${name} has no row in infra/grants.ts`)
  const endpoint = endpointOf.get(name)
  if (!endpoint) return grant
  const recorded = isAudited(endpoint)
  return {
    ...grant,
    tables: {
      ...grant.tables,
      ...(recorded && { audit: 'append' }),
      ...(endpoint.audited === 'disclosures' && { rates: 'note' }),
      ...(isRepeatable(endpoint) && { replies: 'keep' }),
    },
    keys: { ...grant.keys, ...(recorded && { audit: ['sign'] }) },
  }
}
