import * as z from 'zod'
import { upTo } from './common.ts'
import type { Resource } from './endpoint.ts'

/** What a provider is called in paths. */
const ProviderName = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be small letters, digits and hyphens')
  .meta({ examples: ['acme'] })

const isLocal = ({ hostname }: URL) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Whether an issuer is an address without query and fragment, encrypted unless it is on the machine itself. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const isPlain = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  return isPlain && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url)))
}

const text = upTo(200).min(1)

/** The address by which an issuer of tokens names itself. */
export const Issuer = text.refine(isIssuer, 'must be an https address, or an http one of this machine')

/** A provider that people may log in by, as the operator configures it. Nothing in it is secret. */
export const IdentityProvider = z.strictObject({
  name: ProviderName.describe('Its name in addresses, which never changes'),
  title: text.describe('What its button says'),
  issuer: Issuer,
  clientId: text,
  scopes: z.array(text).default(['openid', 'email', 'profile']),
  domains: z
    .array(upTo(253).regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'must be a domain in small letters'))
    .min(1)
    .describe('Domains of e-mail addresses that the provider speaks for'),
  provision: z
    .enum(['existing', 'create'])
    .default('existing')
    .describe('Whether only existing users may log in, or new ones are created too'),
  role: upTo(64).default('user').describe('Role of users that are created where no group says otherwise'),
  roles: z
    .array(z.strictObject({ group: text, role: upTo(64).min(1) }))
    .default([])
    .describe('Roles by group, the first that fits; where there are any, nobody without such a group may log in'),
  groupsClaim: text.default('groups').describe('The claim that names the groups'),
  verifiedClaim: text.default('email_verified').describe('The claim that says that the e-mail address is verified'),
  multiFactor: z.array(text).default([]).describe('Values of `acr` that mean several factors, besides `mfa` in `amr`'),
})
export type IdentityProvider = z.infer<typeof IdentityProvider>

/** All that a function may be told: with the rest of its environment it must stay within 4 KB. */
const LONGEST_SETTING = 2000

/** Every provider of a setting, a JSON array; refuses a text that isn't that. */
export const IdentityProviders = z
  .string()
  .max(LONGEST_SETTING)
  .default('')
  .transform((setting, context) => {
    const fail = (message: string): IdentityProvider[] => {
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    if (setting.trim() === '') return []
    let value: unknown
    try {
      value = JSON.parse(setting)
    } catch {
      return fail('must be a JSON array of providers')
    }
    const { data, error } = z.array(IdentityProvider).safeParse(value)
    if (!data) return fail(error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
    for (const field of ['name', 'issuer'] as const) {
      const all = data.map(provider => provider[field])
      if (new Set(all).size < all.length) return fail(`two providers have the same ${field}`)
    }
    return data
  })

const parameter = z.string().max(2000).optional()

/** What providers send back besides what is read of it. */
const unread = { session_state: parameter, scope: parameter, authuser: parameter, prompt: parameter, hd: parameter }

const path = { provider: ProviderName }

export const identity = {
  providers: {
    route: 'GET /identity/providers/',
    access: 'public',
    extension: true,
    summary: 'List the providers that people may log in by',
    reply: z.array(z.object({ name: z.string(), title: z.string() })),
  },
  start: {
    route: 'GET /identity/providers/{provider}/start',
    access: 'public',
    extension: true,
    summary: 'Log in by a provider: send the browser there',
    description:
      'OpenID Connect, authorization code with PKCE. What comes back must come to the same browser within ten minutes; a cookie tells.',
    path,
    query: z.strictObject({
      fresh: z.enum(['true']).optional().describe('The provider must ask the person again, whoever is logged in there'),
    }),
    reply: z.undefined(),
    statuses: { 302: 'The browser goes to the provider' },
    problems: ['provider_unavailable'],
  },
  callback: {
    route: 'GET /identity/providers/{provider}/callback',
    access: 'public',
    audited: true,
    extension: true,
    summary: 'End a log-in by a provider: where the provider sends the browser back to',
    description: 'Begins a session of the console, which gets its refresh token as a cookie.',
    path,
    query: z.strictObject({
      code: parameter,
      state: parameter,
      iss: parameter,
      error: parameter,
      error_description: parameter,
      error_uri: parameter,
      ...unread,
    }),
    reply: z.undefined(),
    statuses: { 302: 'The browser goes to the console' },
    problems: [
      'sign_on_expired',
      'sign_on_refused',
      'sign_on_not_allowed',
      'second_factor_missing',
      'provider_unavailable',
    ],
  },
  logout: {
    route: 'POST /identity/providers/{provider}/logout',
    access: 'public',
    extension: true,
    summary: 'End the sessions of somebody who has logged out at the provider',
    description: 'For providers: OpenID Connect Back-Channel Logout.',
    path,
    form: true,
    body: z.strictObject({ logout_token: z.string().max(16_384) }),
    reply: z.object({ ok: z.literal(true) }),
    problems: ['invalid_logout_token', 'provider_unavailable'],
  },
  setSecret: {
    route: 'PUT /identity/providers/{provider}/secret',
    access: 'users:manage',
    extension: true,
    fresh: true,
    summary: 'Keep the secret that the provider knows this service by',
    description:
      'It is sealed, never shown, and belongs to this issuer and client: after either changes it must be given again. `null` removes it.',
    path,
    body: z.strictObject({ secret: z.string().min(1).max(2000).meta({ format: 'password' }).nullable() }),
    reply: z.object({ ok: z.literal(true) }),
    secretReply: true,
  },
} as const satisfies Resource
