import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { modelsFor } from '../../../local/anonymise/plan.ts'
import { chat, echo, type Fields, post, quick, type Running, useProxies, usual } from './suite.ts'

const proxies = useProxies()
let canaries: Running
beforeAll(async () => {
  canaries = await proxies.proxyWith(quick)
})

describe('what is refused, and reaches nobody', () => {
  const refused: [string, string, unknown, number, Record<string, string>?][] = [
    ['paths that are not known', '/v1/files', chat('a'), 501],
    ['paths beside known ones', '/v1/chat/completions/../files', chat('a'), 501],
    ['queries with text', '/v1/chat/completions?who=Anna', chat('a'), 400],
    ['pictures', '/v1/chat/completions', chat([{ type: 'image_url', image_url: { url: 'data:' } }]), 501],
    ['pictures of Anthropic', '/v1/messages', chat([{ type: 'image', source: { data: 'x' } }]), 501],
    ['documents', '/v1/messages', chat([{ type: 'document', source: { type: 'text', data: 'x' } }]), 501],
    ['sounds', '/v1/chat/completions', chat([{ type: 'input_audio', input_audio: {} }]), 501],
    [
      'files',
      '/v1/responses',
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'x' }] }] },
      501,
    ],
    ['tools of the provider', '/v1/responses', { model: 'm', input: 'a', tools: [{ type: 'web_search' }] }, 501],
    ['tokens', '/v1/embeddings', { model: 'm', input: [1, 2, 3] }, 501],
    ['lists of tokens', '/v1/embeddings', { model: 'm', input: [[1, 2, 3]] }, 501],
    ['values in names', '/v1/chat/completions', chat('I am Zyabcd-123456', { model: 'Zyabcd-123456' }), 400],
    ['names that are none', '/v1/chat/completions', chat('a', { model: 'Anna Müller' }), 400],
    ['what is no JSON', '/v1/chat/completions', '{"model":', 400],
    ['what is no object', '/v1/chat/completions', '["a"]', 400],
    ['halves of characters', '/v1/chat/completions', '{"messages":[{"role":"user","content":"\\ud800"}]}', 400],
    ['nesting without end', '/v1/chat/completions', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400],
    ['another type', '/v1/chat/completions', chat('a'), 415, { 'content-type': 'text/plain' }],
    ['another origin', '/v1/chat/completions', chat('a'), 403, { origin: 'https://evil.example' }],
  ]

  test.each(refused)('%s', async (_, path, body, status, headers) => {
    const answer = await post(`${canaries.url}${path}`, body, headers)
    expect(answer.status).toBe(status)
    const told = (await answer.json()) as Fields
    expect(told.error.message).toEqual(expect.any(String))
    expect(told.type).toBe(path.startsWith('/v1/messages') ? 'error' : undefined)
    expect(JSON.stringify(told)).not.toMatch(/Zy|Anna/)
    expect(proxies.upstream.seen).toHaveLength(0)
  })

  test('what is compressed', async () => {
    const answer = await fetch(`${canaries.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(chat('a'))),
    })
    expect([answer.status, proxies.upstream.seen.length]).toEqual([415, 0])
  })

  test('what is too large', async () => {
    const answer = await post(`${canaries.url}/v1/chat/completions`, chat('a'.repeat(33 * 2 ** 20))).catch(
      () => undefined,
    )
    expect([undefined, 413]).toContain(answer?.status)
    expect(proxies.upstream.seen).toHaveLength(0)
  })

  test('requests of pages that have pointed their own name here', async () => {
    const { port } = new URL(canaries.url)
    const request = httpRequest({
      port,
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { host: 'evil.example' },
    })
    request.end()
    const [response] = await once(request, 'response')
    expect([response.statusCode, proxies.upstream.seen.length]).toEqual([403, 0])
  })

  test('everything, where the detector fails', async () => {
    const broken = await proxies.proxyWith(usual, async () => {
      throw new Error('no model for Anna')
    })
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      const answer = await post(`${broken.url}${path}`, chat('I am Anna'))
      expect(answer.status).toBe(503)
      expect(await answer.text()).not.toContain('Anna')
    }
    expect(proxies.upstream.seen).toHaveLength(0)
  })

  test('everything from the moment on in which the detector dies, also what it has in its hands', {
    timeout: 240_000,
  }, async () => {
    let alive = true
    const models = modelsFor(usual)
    const dying: typeof models = async reference => {
      const model = await models(reference)
      const find: typeof model.find = async (texts, ...more) => {
        const found = await model.find(texts, ...more)
        if (!alive) throw new Error(`killed over ${texts[0]}`)
        return found
      }
      return { ...model, find }
    }
    const proxy = await proxies.proxyWith(usual, dying)
    proxies.upstream.answer = echo
    const ask = async (n: number) => {
      const answer = await post(`${proxy.url}/v1/chat/completions`, chat(`I am Anna Achterberg, letter ${n}`))
      return [answer.status, await answer.text()] as const
    }
    const first = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n)))
    expect(first.filter(([status]) => status !== 200)).toEqual([])
    const midway = Array.from({ length: 100 }, (_, n) => ask(100 + n))
    const passed = () => proxies.upstream.seen.length
    await expect.poll(passed, { interval: 1, timeout: 30_000 }).toBeGreaterThan(30)
    alive = false
    const answers = await Promise.all(midway)
    const refused = answers.filter(([status]) => status === 503)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.filter(([, text]) => text.includes('Achterberg'))).toEqual([])
    // What it let pass before was forwarded, once each, and nothing else.
    expect(proxies.upstream.seen).toHaveLength(first.length + answers.length - refused.length)
    for (const [status] of await Promise.all(Array.from({ length: 100 }, (_, n) => ask(300 + n))))
      expect(status).toBe(503)
    expect(proxies.upstream.seen).toHaveLength(first.length + answers.length - refused.length)
    expect(proxies.upstream.seen.filter(({ body }) => body.includes('Achterberg'))).toEqual([])
  })
})
