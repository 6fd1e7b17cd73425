import * as z from 'zod'
import { EmailAddress, Id, Name, upTo } from './common.ts'
import type { Resource } from './endpoint.ts'
import { User } from './users.ts'

/** A new password: 12 to 256 characters; what is easily guessed is refused. */
export const NewPassword = z.string().min(12).max(256).meta({ format: 'password' })

export const Registration = z
  .strictObject({ name: Name, email: EmailAddress, password: NewPassword })
  .meta({ id: 'Registration' })
export type Registration = z.infer<typeof Registration>

const SecondFactorCode = z
  .string()
  .min(1)
  .max(32)
  .describe('Six digits of the app for codes, or a recovery code; spaces and hyphens don’t matter')

export const Credentials = z
  .strictObject({
    email: z.string().max(254),
    password: z.string().max(256).meta({ format: 'password' }),
    code: SecondFactorCode.optional().describe('For users with a second factor; others need none'),
  })
  .meta({ id: 'Credentials' })

export const Tokens = z
  .object({
    access_token: z.string(),
    token_type: z.literal('bearer'),
    expires_in: z.int().describe('Seconds until the access token expires'),
    refresh_token: z
      .string()
      .optional()
      .describe('Valid for one call of `POST /auth/refresh`; the console gets it as a cookie instead'),
    password_change_required: z
      .literal(true)
      .optional()
      .describe(
        'The password is temporary: until you change it with `PUT /auth/password`, everything else returns 403',
      ),
    second_factor_setup_required: z
      .literal(true)
      .optional()
      .describe(
        'Your role needs a second factor: until you set one up with `POST /auth/second-factor`, everything else returns 403',
      ),
  })
  .meta({ id: 'Tokens' })

/** Names of what is exchanged for what (RFC 8693, 2.1 and 3). */
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
const tokenType = <const Name extends string>(name: Name) => `urn:ietf:params:oauth:token-type:${name}` as const
/** Longest token of a workload, characters. */
const LONGEST_TOKEN = 16_384

const Exchange = z
  .strictObject({
    grant_type: z.literal(EXCHANGE),
    client_id: Id.describe('The service account'),
    subject_token: upTo(LONGEST_TOKEN).min(1).describe('The token that the workload got of its issuer, a signed JWT'),
    subject_token_type: z.enum([tokenType('jwt'), tokenType('id_token')]),
    requested_token_type: z.literal(tokenType('access_token')).optional(),
    scope: upTo(4000)
      .regex(/^[\w:.-]+( [\w:.-]+)*$/, 'must be permissions with single spaces between')
      .optional()
      .describe('Permissions that the access token shall have, fewer than the account; all of them by default'),
  })
  .meta({ id: 'TokenExchange' })

const ExchangedToken = z
  .object({
    access_token: z.string(),
    issued_token_type: z.literal(tokenType('access_token')),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds until the access token expires'),
    scope: z.string().describe('Its permissions now, with spaces between'),
  })
  .meta({ id: 'ExchangedToken' })

export const auth = {
  register: {
    route: 'POST /auth/register',
    access: 'public',
    credentials: true,
    summary: 'Register',
    body: Registration,
    reply: User,
    problems: ['email_taken', 'password_too_common', 'registration_closed'],
  },
  login: {
    route: 'POST /auth/login',
    access: 'public',
    credentials: true,
    summary: 'Log in',
    body: Credentials,
    reply: Tokens,
    problems: ['invalid_credentials', 'second_factor_required', 'invalid_code', 'too_many_attempts'],
  },
  refresh: {
    route: 'POST /auth/refresh',
    access: 'public',
    credentials: true,
    extension: true,
    summary: 'Exchange a refresh token for new tokens',
    description:
      'Every refresh token works once. Using an old one again ends the session it belongs to. A session ends after 7 days without a refresh, and 30 days after its log-in in any case.',
    body: z.strictObject({ refresh_token: z.string().max(512).optional() }),
    reply: Tokens,
    problems: ['invalid_refresh_token'],
  },
  exchange: {
    route: 'POST /auth/token',
    access: 'public',
    credentials: true,
    extension: true,
    oauth: true,
    form: true,
    summary: 'Exchange the token of a workload for an access token of a service account',
    description:
      'For programs that keep no secret, such as jobs of a build service: OAuth 2.0 Token Exchange (RFC 8693). The account must trust the workload (`workloads`). Refusals have `error` and `error_description` besides `detail`; a form that cannot be read gets 400, JSON 422.',
    body: Exchange,
    reply: ExchangedToken,
    problems: ['exchange_refused', 'scope_not_allowed', 'too_many_attempts', 'provider_unavailable'],
  },
  changePassword: {
    route: 'PUT /auth/password',
    access: 'session',
    extension: true,
    changesPassword: true,
    summary: 'Change your own password',
    description:
      'The session that changes it continues; all other sessions of the user end. A session that began with a temporary password can only do this; everything else returns 403 `password_change_required`.',
    body: z.strictObject({
      currentPassword: z.string().max(256).meta({ format: 'password' }),
      newPassword: NewPassword,
    }),
    reply: z.object({ ok: z.literal(true) }),
    secretReply: true,
    problems: ['wrong_password', 'password_unchanged', 'password_too_common', 'too_many_attempts'],
  },
  setUpSecondFactor: {
    route: 'POST /auth/second-factor',
    access: 'session',
    extension: true,
    setsUpSecondFactor: true,
    summary: 'Begin to set up a second factor',
    description:
      'Give the secret to an app for codes (TOTP, RFC 6238), then send its first code with `PUT /auth/second-factor` within 15 minutes.',
    body: z.strictObject({ currentPassword: z.string().max(256).meta({ format: 'password' }) }),
    reply: z.object({
      secret: z.string().describe('Base 32'),
      url: z.string().describe('The same as an address (`otpauth:`), which apps read from a QR code'),
    }),
    secretReply: true,
    problems: ['wrong_password', 'second_factor_on', 'too_many_attempts'],
  },
  enableSecondFactor: {
    route: 'PUT /auth/second-factor',
    access: 'session',
    extension: true,
    setsUpSecondFactor: true,
    summary: 'Turn the second factor on, by its first code',
    description:
      'From now on, log-ins need a code. This session continues; all other sessions of the user end. Each recovery code works once in place of a code; they are shown only here.',
    body: z.strictObject({ code: SecondFactorCode }),
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
    secretReply: true,
    problems: ['wrong_code', 'second_factor_on'],
  },
  disableSecondFactor: {
    route: 'DELETE /auth/second-factor',
    access: 'session',
    extension: true,
    summary: 'Turn the second factor off, by a code',
    description: 'This session continues; all other sessions of the user end.',
    body: z.strictObject({ code: SecondFactorCode }),
    reply: z.object({ ok: z.literal(true) }),
    problems: ['wrong_code', 'second_factor_off', 'too_many_attempts'],
  },
  me: {
    route: 'GET /auth/me',
    access: 'session',
    summary: 'Show the current user',
    reply: User.extend({
      permissions: z.array(z.string()).describe('What their role permits; an addition'),
      secondFactor: z.literal(true).optional().describe('Log-ins need a code; an addition'),
    }),
  },
  logout: {
    route: 'POST /auth/logout',
    access: 'public',
    credentials: true,
    summary: 'Log out',
    description: 'Ends the session of the token immediately. Without a token, or with an expired one, nothing happens.',
    reply: z.object({ ok: z.literal(true) }),
  },
} as const satisfies Resource
