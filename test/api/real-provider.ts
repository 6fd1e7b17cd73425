import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'

/** What the provider knows of people, by the name that they log in with there. */
const account = (login: string) => ({
  sub: `subject-of-${login}`,
  name: login,
  email: `${login}@acme.example`,
  email_verified: login !== 'unverified',
  groups: ['people'],
})

/** The client of the service at the provider. */
export const clientSecret = 'of-the-client-at-the-real-provider'

/**
 * A real provider on 127.0.0.1, which shows forms for log-in and consent and believes every password. The address of the
 * service is told later, since the service is told the provider's first.
 */
export async function startRealProvider() {
  const server = createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const troubles: unknown[] = []
  const serve = (apiUrl: string) => {
    const at = `${apiUrl}/identity/providers/real`
    const provider = new Provider(issuer, {
      clients: [
        {
          client_id: 'service',
          client_secret: clientSecret,
          redirect_uris: [`${at}/callback`],
          backchannel_logout_uri: `${at}/logout`,
          backchannel_logout_session_required: true,
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
      scopes: ['openid', 'email', 'profile', 'groups'],
      pkce: { required: () => true },
      cookies: { keys: ['only for tests'] },
      features: { backchannelLogout: { enabled: true }, devInteractions: { enabled: true } },
      // Its own way out leads to no address of this machine, and waits for no busy one.
      fetch: (url: string, { dispatcher: _, signal: __, ...request }: RequestInit & { dispatcher: unknown }) =>
        fetch(url, request),
      findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => account(accountId) }),
    })
    for (const event of ['server_error', 'backchannel.error']) provider.on(event, (...told) => troubles.push(told))
    server.on('request', provider.callback())
  }
  const stop = () =>
    new Promise(done => {
      server.close(done)
      server.closeAllConnections()
    })
  return { issuer, serve, troubles, stop }
}

/** Keeps cookies by origin and path as a browser does, and follows redirects only when told to. */
export class Jar {
  readonly #cookies = new Map<string, { value: string; origin: string; path: string }>()

  async open(url: string, form?: Record<string, string>): Promise<Response> {
    const { origin, pathname } = new URL(url)
    const sent = [...this.#cookies].filter(([, { origin: from, path }]) => from === origin && pathname.startsWith(path))
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: sent.map(([name, { value }]) => `${name.split(' ')[0]}=${value}`).join('; ') },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      const path = /; *path=([^;]+)/i.exec(line)?.[1] ?? '/'
      this.#cookies.set(`${name} ${path}`, { value, origin, path })
    }
    return response
  }

  /** Follows redirects up to a place, or an answer that is none. */
  async follow(response: Response, until: (url: string) => boolean): Promise<{ url: string; response: Response }> {
    let at = response
    for (;;) {
      const location = at.headers.get('location')
      if (location === null) return { url: at.url, response: at }
      const url = new URL(location, at.url).href
      if (until(url)) return { url, response: at }
      at = await this.open(url)
    }
  }
}
