import { assets } from './assets.ts'
import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { certificates } from './certificates.ts'
import { browserConsole } from './console.ts'
import { type Endpoint, type Method, parseRoute } from './endpoint.ts'
import { identity } from './identity.ts'
import { jobs } from './jobs.ts'
import { lists } from './lists.ts'
import { mcp } from './mcp.ts'
import { models } from './models.ts'
import { notifications } from './notifications.ts'
import { permissions } from './permissions.ts'
import { presets } from './presets.ts'
import { reidentifications } from './reidentifications.ts'
import { reviews } from './reviews.ts'
import { roles } from './roles.ts'
import { rules } from './rules.ts'
import { schedules } from './schedules.ts'
import { service } from './service.ts'
import { serviceAccounts } from './service-accounts.ts'
import { sources } from './sources.ts'
import { texts } from './texts.ts'
import { tokenKeys } from './token-keys.ts'
import { transparency } from './transparency.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'
import { workflows } from './workflows.ts'

/** The whole contract, by resource and operation. */
export const api = {
  service,
  console: browserConsole,
  auth,
  identity,
  sources,
  assets,
  workflows,
  presets,
  rules,
  lists,
  models,
  jobs,
  reviews,
  texts,
  mcp,
  users,
  roles,
  permissions,
  serviceAccounts,
  schedules,
  notifications,
  webhooks,
  tokenKeys,
  reidentifications,
  audit,
  certificates,
  transparency,
}

export type Api = typeof api

/** One row per endpoint: where it is declared, its method and path. */
export type DeclaredEndpoint = {
  resource: string
  operation: string
  method: Method
  /** Path below `{base_url}/api`, as the contract writes it. */
  path: string
  parameters: string[]
  endpoint: Endpoint
}

/** Every endpoint of the contract as a flat list. */
export const endpoints: readonly DeclaredEndpoint[] = Object.entries(api).flatMap(([resource, operations]) =>
  Object.entries(operations).map(([operation, endpoint]) => ({
    resource,
    operation,
    endpoint,
    ...parseRoute(endpoint.route),
  })),
)
