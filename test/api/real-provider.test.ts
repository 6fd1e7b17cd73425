import { afterAll, expect, test } from 'vitest'
import { deployed } from './deployed.ts'
import { clientSecret, Jar, startRealProvider } from './real-provider.ts'
import { useOwnService } from './setup.ts'

const provider = await startRealProvider()
afterAll(provider.stop)
const service = await useOwnService({
  environment: {
    IDENTITY_PROVIDERS: JSON.stringify([
      {
        ...{ name: 'real', title: 'Acme', issuer: provider.issuer, clientId: 'service' },
        ...{ domains: ['acme.example'], provision: 'create', scopes: ['email', 'profile', 'groups'] },
        roles: [{ group: 'people', role: 'user' }],
      },
    ]),
  },
})
provider.serve(service.apiUrl)

const start = () => `${service.apiUrl}/identity/providers/real/start`
const isOurs = (url: string) => url.startsWith(service.apiUrl)

/** Logs in at the provider as a browser does, by its forms, up to where it sends the browser back. */
async function goThere(jar: Jar, login: string, query = ''): Promise<string> {
  let { url, response } = await jar.follow(await jar.open(start() + query), isOurs)
  for (const form of [{ prompt: 'login', login, password: 'any' }, { prompt: 'consent' }]) {
    if (isOurs(url)) return url
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining(form.prompt)])
    ;({ url, response } = await jar.follow(await jar.open(url, form as Record<string, string>), isOurs))
  }
  return url
}

/** The whole way; the answer of the service. */
const signOn = async (jar: Jar, login: string, query?: string) => jar.open(await goThere(jar, login, query))

test.skipIf(deployed)(
  'somebody logs in by a real provider, which ends the session when they log out there',
  async () => {
    const keep = await service.send('PUT', '/identity/providers/real/secret', {
      token: service.admin.token,
      body: { secret: clientSecret },
    })
    expect(keep.status).toBe(200)
    const jar = new Jar()
    const reply = await signOn(jar, 'ada')
    expect([reply.status, reply.headers.get('location')]).toEqual([302, `${service.apiUrl}/console/#/signed-on`])
    const cookie = reply.headers.get('set-cookie')!.split(';')[0]!
    const renew = (refresh: string) =>
      service.send('POST', '/auth/refresh', { body: {}, headers: { cookie: refresh, 'x-console': '1' } })
    const renewed = await renew(cookie)
    const { access_token: token } = renewed.body as { access_token: string }
    const who = () => service.send('GET', '/auth/me', { token })
    expect((await who()).body).toMatchObject({ name: 'ada', email: 'ada@acme.example', role: 'user' })

    // Again, without being asked by the provider, which knows the browser.
    const again = await signOn(jar, 'ada')
    expect(again.status).toBe(302)
    // Asked anew, where the log-in must be a recent one.
    const asked = await jar.follow(await jar.open(`${start()}?fresh=true`), isOurs)
    expect(new URL(asked.url).origin).toBe(provider.issuer)

    const page = await (await jar.open(`${provider.issuer}/session/end`)).text()
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)![1]!
    await jar.open(`${provider.issuer}/session/end/confirm`, { xsrf, logout: 'yes' })
    await expect.poll(async () => (await who()).status, { timeout: 30_000 }).toBe(401)
    expect((await renew(renewed.headers.get('set-cookie')!.split(';')[0]!)).status).toBe(401)
    expect(provider.troubles).toEqual([])
  },
)

test.skipIf(deployed)('nobody comes in with an address that the provider has not verified', async () => {
  const reply = await signOn(new Jar(), 'unverified')
  expect([reply.status, await reply.json()]).toMatchObject([403, { detail: [{ type: 'sign_on_not_allowed' }] }])
})

test.skipIf(deployed)('what the provider sent to one browser is of no use in another', async () => {
  const url = await goThere(new Jar(), 'grace')
  const other = new Jar()
  await other.open(start())
  const reply = await other.open(url)
  expect([reply.status, await reply.json()]).toMatchObject([401, { detail: [{ type: 'sign_on_refused' }] }])
})
