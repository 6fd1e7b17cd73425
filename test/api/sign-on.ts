import type { JWTPayload } from 'jose'
import { expect } from 'vitest'
import type { Reply, Service } from './setup.ts'
import type { Asked, Tenant } from './test-provider.ts'

/** A log-in that has begun: what the provider is asked, and the cookie of the browser. */
export type Begun = { asked: Asked; cookie: string }

/** A browser without pages, which logs in by providers. */
export function browserOf(service: Service) {
  const at = (provider: string, step: string) => `/identity/providers/${provider}/${step}`

  const begin = async (provider: string, query = ''): Promise<Begun> => {
    const reply = await service.send('GET', `${at(provider, 'start')}${query}`)
    expect([reply.status, reply.text]).toEqual([302, ''])
    const asked = Object.fromEntries(new URL(reply.headers.get('location')!).searchParams) as Asked
    return { asked, cookie: reply.headers.get('set-cookie')!.split(';')[0]! }
  }

  const comeBack = (provider: string, query: Record<string, string>, cookie?: string): Promise<Reply> =>
    service.send('GET', `${at(provider, 'callback')}?${new URLSearchParams(query)}`, {
      headers: cookie === undefined ? {} : { cookie },
    })

  /** The whole way, as somebody of these claims. */
  const signOn = async (provider: string, tenant: Tenant, claims: JWTPayload, query = ''): Promise<Reply> => {
    const { asked, cookie } = await begin(provider, query)
    const code = tenant.code(asked, () => tenant.sign(tenant.claims(asked.nonce, claims)))
    return comeBack(provider, { code, state: asked.state }, cookie)
  }

  /** The access token that the console gets for the cookie of a log-in. */
  const tokenOf = async (reply: Reply): Promise<string> => {
    const [cookie = ''] = reply.headers.get('set-cookie')?.split(';') ?? []
    const headers = { cookie, 'x-console': '1' }
    const renewed = await service.send('POST', '/auth/refresh', { body: {}, headers })
    expect([renewed.status, renewed.text]).toEqual([200, expect.anything()])
    return (renewed.body as { access_token: string }).access_token
  }

  return { begin, comeBack, signOn, tokenOf }
}
