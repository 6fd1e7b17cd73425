import type * as z from 'zod'
import { forPeople, type PermissionName } from './permission-names.ts'
import type { ProblemType } from './problems.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Who may call: anyone, anyone who is logged in, or holders of a permission. */
export type Access = 'public' | 'session' | PermissionName

/**
 * One endpoint of the contract. The declaration drives the Lambda handler, the API Gateway route, the OpenAPI
 * document, the local server, the typed client and the contract tests.
 */
export type Endpoint = {
  /** Method and path below `{base_url}/api`, the trailing slash as the contract writes it. */
  route: `${Method} /${string}`
  access: Access
  /** One line for the documentation. */
  summary: string
  /** More for the documentation, Markdown. */
  description?: string
  /** Not in the published interface: an addition of this service. */
  extension?: true
  /**
   * Whether calls are recorded in the audit trail: all but GET, unless said otherwise of a POST that only reads or a GET
   * that gives contents out. `disclosures` are calls that note what they gave out: of those of one session about one
   * record, one an hour is recorded, so that waiting for a job doesn't flood the trail.
   */
  audited?: boolean | 'disclosures'
  /** Path parameters that are not the id of a record, by name. */
  path?: Readonly<Record<string, z.ZodType<string>>>
  /** Query parameters; none are accepted when absent. */
  query?: z.ZodObject
  /** JSON body; an absent body counts as `{}`. */
  body?: z.ZodType
  /** The body is `multipart/form-data` instead of JSON, and the handler gets the parsed parts. */
  multipart?: true
  /** The body may also be a form without files, `application/x-www-form-urlencoded`. */
  form?: true
  /** Refusals also say what OAuth calls them (RFC 6749, 5.2), and a form that cannot be read gets 400 as it asks. */
  oauth?: true
  /** Headers that the function reads besides, with what each says. */
  headers?: Readonly<Record<string, string>>
  /** What a success (200) answers; never where there is none. Fields that it doesn't name never leave. */
  reply: z.ZodType
  /**
   * Statuses that the reply comes with besides 200, with what each means; the function sets them by `status` of its call. An
   * answer without a reply has no body.
   */
  statuses?: Readonly<Record<number, string>>
  /** Media type of the reply when it isn't JSON (the reply is then a string). */
  produces?: string
  /** Media types that the reply may be had in besides JSON, by what `format` of the query or `Accept` ask for. */
  formats?: Readonly<Record<string, string>>
  /** Takes credentials: calls are counted by network against a limit of their own (`RATE_LIMIT_PER_ADDRESS`). */
  credentials?: true
  /** The reply is a job that the call has made. */
  createsJob?: true
  /** The reply holds a secret, so it is never kept for a repeated `Idempotency-Key`. */
  secretReply?: true
  /** Open to a user with a temporary password, who may do nothing else than change it. */
  changesPassword?: true
  /** Open to a user whose role needs a second factor, who may do nothing else than set it up. */
  setsUpSecondFactor?: true
  /** Whoever has a second factor, or logs in by a provider, must have done so a short while ago (`SECOND_FACTOR_FRESH_SECONDS`). */
  fresh?: true
  /** Error types, beyond those that any endpoint may answer, that this one answers (see `problems.ts`). */
  problems?: readonly ProblemType[]
}

/** The endpoints of one resource by the name of the operation: `functions/<resource>/<operation>.ts`. */
export type Resource = Record<string, Endpoint>

/** Whether calls of an endpoint are recorded in the audit trail. */
export const isAudited = ({ route, audited }: Endpoint): boolean => Boolean(audited ?? !route.startsWith('GET '))

/** Whether calls of an endpoint may carry an `Idempotency-Key`. */
export const isRepeatable = ({ route, access, secretReply }: Endpoint): boolean =>
  /^(POST|PUT) /.test(route) && access !== 'public' && !secretReply

/** Whether an endpoint refuses keys of service accounts: it is about the caller's own session, or for people to decide. */
export const isForPeople = ({ access }: Endpoint): boolean => access === 'session' || forPeople.has(access)

/** Names in braces of a route: `'GET /rules/{rule_id}'` gives `'rule_id'`. */
export type PathParameter<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

/** Method and path of a route, and the names of its path parameters. */
export function parseRoute(route: string): { method: Method; path: string; parameters: string[] } {
  const space = route.indexOf(' ')
  const path = route.slice(space + 1)
  return {
    method: route.slice(0, space) as Method,
    path,
    parameters: [...path.matchAll(/\{([^}]+)\}/g)].map(match => match[1]!),
  }
}
