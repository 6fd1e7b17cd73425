import { randomUUID } from 'node:crypto'
import { browserOf } from '../sign-on.ts'
import { exchangeBody } from '../workload.ts'
import type { Provocation, Stage } from './stage.ts'

const person = { sub: 'ada', name: 'Ada', email: 'ada@acme.example', email_verified: true }

/** A log-in by the provider of the stage, as somebody of these claims. */
const signOn =
  (claims: object): Provocation =>
  ({ service, provider }) =>
    browserOf(service).signOn('acme', provider, { ...person, ...claims })

const begun = async ({ service }: Stage) => ({ ...browserOf(service), ...(await browserOf(service).begin('acme')) })

/** A request for each fault of a log-in by a provider. */
export const ofSignOns = {
  sign_on_expired: ({ service }) => browserOf(service).comeBack('acme', { code: 'a', state: 'b' }),
  sign_on_refused: async stage => {
    const { comeBack, asked, cookie } = await begun(stage)
    return comeBack('acme', { error: 'access_denied', state: asked.state }, cookie)
  },
  sign_on_not_allowed: signOn({ email: 'ada@example.org' }),
  second_factor_missing: signOn({ groups: ['guarded'] }),
  invalid_logout_token: ({ send }) => send('POST', '/identity/providers/acme/logout', { logout_token: 'a.b.c' }),
  exchange_refused: ({ send }) => send('POST', '/auth/token', exchangeBody(randomUUID(), 'a.b.c')),
  scope_not_allowed: async ({ send, service, provider }) => {
    const workloads = [{ issuer: provider.issuer, audience: 'service', subject: 'ada' }]
    const body = { name: 'Build', role: 'user', permissions: ['rules:read'], workloads }
    const { id } = await service.admin.client.serviceAccounts.create({ body })
    const token = await provider.sign(provider.claims('', {}))
    return send('POST', '/auth/token', exchangeBody(id, token, { scope: 'rules:write' }))
  },
  provider_unavailable: ({ service }) => service.send('GET', '/identity/providers/gone/start'),
} satisfies Record<string, Provocation>
