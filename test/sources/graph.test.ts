import { Readable } from 'node:stream'
import {
  AuthenticationHandler,
  Client,
  FileUpload,
  LargeFileUploadTask,
  RetryHandler,
} from '@microsoft/microsoft-graph-client'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dialSecure } from '../../shared/sources/egress.ts'
import {
  checkSource,
  locateInSource,
  openFromSource,
  previewSource,
  type Source,
  writeToSource,
} from '../../shared/sources/sources.ts'
import { conformance } from './conformance.ts'
import { bytesOf, localContext } from './context.ts'
import { openssl } from './servers/certificates.ts'
import { clientId, clientSecret, startGraph, tenant } from './servers/graph.ts'
import { available } from './servers/process.ts'

const runs = available('openssl for the fake of Microsoft Graph', openssl)
const large = Buffer.alloc(9_000_001, 'abcdefghij')

let fake: Awaited<ReturnType<typeof startGraph>> | undefined
const fakeOfGraph = async () => {
  if (fake) return fake
  fake = await startGraph()
  fake.put('in')
  fake.put('in/a b#1%.docx', Buffer.from('document'))
  fake.put('in/large.bin', large)
  fake.put('in/notes', Buffer.from('x'), { package: { type: 'oneNote' } })
  fake.put('in/virus.exe', Buffer.from('x'), { malware: { description: 'bad' } })
  fake.put('in/ü 😀.csv', Buffer.from('id\n1\n'))
  fake.put('top.pdf', Buffer.from('%PDF'))
  return fake
}
afterAll(() => fake?.stop())
const context = (changes = {}) => localContext({ dial: fake!.dial, trust: fake!.trust, ...changes })
const site = (config = {}, secrets = { client_secret: clientSecret }): Source => ({
  kind: 'SITE_LIBRARY',
  config: { site_url: 'https://example.sharepoint.com/sites/records', client_id: clientId, ...config },
  secrets,
})
const personal = (config = {}, secrets = { client_secret: clientSecret }): Source => ({
  kind: 'CLOUD_DRIVE',
  config: { provider: 'onedrive', tenant_id: 'example.org', client_id: clientId, user: 'ada@example.org', ...config },
  secrets,
})

for (const [name, source, denied] of [
  ['SharePoint', site, { site_url: 'https://example.sharepoint.com/sites/locked', tenant_id: tenant }],
  ['OneDrive', personal, { user: 'locked@example.org' }],
] as const)
  conformance(name, runs, async () => {
    const { port, dial, dialAt, trust } = await fakeOfGraph()
    return {
      port,
      source: source(),
      context: { dial, trust },
      at: port => ({ source: source(), context: { dial: dialAt(port) } }),
      cells: {
        'wrong password': { source: source({}, { client_secret: 'wrong-secret' }), problem: 'source_auth_failed' },
        'nothing there': { source: source({ folder: 'none' }), problem: 'source_not_found' },
        'no permission': { source: source(denied), problem: 'source_permission_denied' },
        'untrusted TLS': { source: source(), problem: 'source_tls_untrusted', context: { trust: undefined } },
      },
      failures: {
        'no such tenant': { source: source({ tenant_id: 'other.example' }), problem: 'source_config_invalid' },
        ...(name === 'SharePoint'
          ? {
              'no such library': { source: source({ library: 'None' }), problem: 'source_not_found' },
              'no such site': {
                source: source({ site_url: 'https://example.sharepoint.com/sites/none', tenant_id: tenant }),
                problem: 'source_not_found',
              },
            }
          : { 'no such user': { source: source({ user: 'nobody@example.org' }), problem: 'source_not_found' } }),
      },
      small: { name: 'in/ü 😀.csv', text: 'id\n1\n' },
      large: 'in/large.bin',
      entries: {
        path: 'in',
        names: ['in/a b#1%.docx', 'in/large.bin', 'in/notes', 'in/virus.exe', 'in/ü 😀.csv'],
      },
      stop: async () => {},
    }
  })

describe.skipIf(!runs)('Microsoft Graph', () => {
  const read = async (name: string, source = site(), start = 0) =>
    bytesOf((await openFromSource(source, context(), name, { start })).body)
  let fake: Awaited<ReturnType<typeof startGraph>>
  beforeAll(async () => {
    fake = await fakeOfGraph()
  })

  test('the vendor’s own client accepts the fake', async () => {
    const agent = new Agent({
      connect: ({ hostname, port, protocol }, done) => {
        dialSecure(context(), hostname, Number(port) || 443, protocol === 'https:').then(
          socket => done(null, socket),
          error => done(error, null),
        )
      },
    })
    const authentication = new AuthenticationHandler({ getAccessToken: async () => 'graph-token' })
    const retries = new RetryHandler()
    authentication.setNext(retries)
    retries.setNext({
      async execute(call) {
        const { method, headers, body } = call.options as {
          method: string
          headers: Record<string, string>
          body: never
        }
        const answer = await fetch(String(call.request), {
          method,
          headers: new Headers(headers) as never,
          body,
          dispatcher: agent,
        })
        call.response = answer as unknown as Response
      },
    })
    const client = Client.initWithMiddleware({ middleware: authentication })
    expect(await client.api('/sites/example.sharepoint.com:/sites/records').get()).toMatchObject({ id: 'site,1,2' })
    expect((await client.api('/drives/b!1/root:/in:/children').top(2).get()).value).toHaveLength(2)
    fake.state.throttle = 1
    expect(await client.api('/drives/b!1/root:/top.pdf').get()).toMatchObject({ name: 'top.pdf', size: 4 })
    await expect(client.api('/drives/b!1/root:/none').get()).rejects.toMatchObject({
      statusCode: 404,
      code: 'itemNotFound',
    })
    const session = await LargeFileUploadTask.createUploadSession(
      client,
      '/drives/b!1/root:/sdk.bin:/createUploadSession',
      {
        item: { '@microsoft.graph.conflictBehavior': 'fail' },
      },
    )
    const task = new LargeFileUploadTask(
      client,
      new FileUpload(Uint8Array.from(large).buffer, 'sdk.bin', large.length),
      session,
      {
        rangeSize: 16 * 320 * 1024,
      },
    )
    expect((await task.upload()).responseBody).toMatchObject({ name: 'sdk.bin', size: large.length })
    expect(fake.items.get('sdk.bin')!.content!.equals(large)).toBe(true)
    fake.items.delete('sdk.bin')
    await agent.close()
  })

  test('good settings, with the tenant found, a library named, or a user’s drive', async () => {
    for (const source of [
      site(),
      site({ tenant_id: tenant }),
      site({ library: 'Records' }),
      site({ folder: 'in' }),
      personal(),
    ])
      expect(await checkSource(source, context())).toMatchObject({ ok: true, checks: { length: 4 } })
    expect(fake.requests.some(({ url }) => url.pathname.endsWith('client.svc'))).toBe(true)
  })

  test('the preview pages through a folder; packages and malware are not offered', async () => {
    const seen: unknown[][] = []
    let cursor: string | undefined
    do {
      const page = await previewSource(site(), context(), { path: 'in', limit: 2, cursor })
      seen.push(...page.entries.map(({ name, supported }) => [name, supported]))
      cursor = page.cursor
    } while (cursor)
    expect(seen).toEqual([
      ['in/a b#1%.docx', true],
      ['in/large.bin', false],
      ['in/notes', false],
      ['in/virus.exe', false],
      ['in/ü 😀.csv', true],
    ])
    await expect(previewSource(site(), context(), { path: 'in', cursor: '/v1.0/users?x' })).rejects.toMatchObject({
      type: 'source_not_found',
    })
    const located = await locateInSource(site({ folder: 'in' }), context(), [
      'ü 😀.csv',
      'none',
      '../top.pdf',
      'a b#1%.docx',
    ])
    expect(located.map(entry => entry?.name)).toEqual(['ü 😀.csv', undefined, undefined, 'a b#1%.docx'])
  })

  test('files are read whole, and from the middle, and the token is not sent along', async () => {
    expect((await read('in/a b#1%.docx')).toString()).toBe('document')
    expect((await read('in/large.bin', personal())).equals(large)).toBe(true)
    expect((await read('in/large.bin', site(), 8_999_999)).toString()).toBe('ja')
    for (const { host, headers } of fake.requests)
      if (host !== 'graph.microsoft.com' && headers.authorization) expect(headers.authorization).toBe('Bearer')
    for (const name of ['none', 'in', '', '../top.pdf', 'in/../top.pdf'])
      await expect(read(name)).rejects.toMatchObject({ type: 'source_not_found' })
    for (const name of ['in/notes', 'in/virus.exe'])
      await expect(read(name)).rejects.toMatchObject({ type: 'source_unsupported' })
  })

  test.each([
    'https://169.254.169.254/latest',
    'https://localhost/x',
    'https://10.0.0.1/',
    'https://[::1]/',
    'http://example.org/',
  ])('a download that is sent to %s is refused', async redirect => {
    fake.state.redirect = redirect
    await expect(read('top.pdf')).rejects.toMatchObject({
      type: expect.stringMatching(/^source_(egress_denied|failed)$/),
    })
    fake.state.redirect = undefined
  })

  test('throttling is waited for, and told when it lasts', async () => {
    fake.state.throttle = 2
    expect((await read('top.pdf')).toString()).toBe('%PDF')
    fake.state.throttle = 1
    fake.state.retryAfter = '120'
    await expect(read('top.pdf')).rejects.toMatchObject({
      type: 'source_throttled',
      retryable: true,
      retryAfterMs: 120_000,
    })
    fake.state.retryAfter = '0'
    fake.state.throttle = 100
    await expect(read('top.pdf')).rejects.toMatchObject({ type: 'source_throttled' })
    fake.state.throttle = 0
  })

  test('files are created and replaced in fragments, what the service missed is sent again', async () => {
    const write = (mode: 'create' | 'replace', body: Buffer, size = body.length) =>
      writeToSource(site(), context(), { name: 'out/x.bin', mode, size }, Readable.from([body]))
    fake.state.dropBytes = 1
    expect(await write('create', large)).toEqual({ name: 'out/x.bin', bytes: large.length })
    expect(fake.items.get('out/x.bin')!.content!.equals(large)).toBe(true)
    fake.state.dropBytes = 0
    await expect(write('create', Buffer.from('no'))).rejects.toMatchObject({ type: 'source_conflict' })
    await write('replace', Buffer.from('two'))
    await expect(write('replace', Buffer.from('short'), 500)).rejects.toMatchObject({ type: 'source_failed' })
    await expect(write('replace', Buffer.from('longer'), 3)).rejects.toMatchObject({ type: 'source_failed' })
    expect(fake.items.get('out/x.bin')!.content!.toString()).toBe('two')
  })
})
