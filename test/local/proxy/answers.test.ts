import { beforeAll, describe, expect, test } from 'vitest'
import { modelsFor, planOf } from '../../../local/anonymise/plan.ts'
import { createMasking } from '../../../local/proxy/masking.ts'
import { startProxy } from '../../../local/proxy/server.ts'
import { chat, type Fields, lastOf, post, quick, type Running, useProxies } from './suite.ts'
import { json } from './upstream.ts'

const proxies = useProxies()
let canaries: Running
beforeAll(async () => {
  canaries = await proxies.proxyWith(quick)
})

describe('what comes back', () => {
  test("is an error of the provider with the provider's status, and the value in it", async () => {
    proxies.upstream.answer = (seen, response) => json(response, { error: { message: `No: ${lastOf(seen)}` } }, 429)
    const answer = await post(`${canaries.url}/v1/chat/completions`, chat('Zyabcd-123456'))
    expect(answer.status).toBe(429)
    expect(await answer.json()).toEqual({ error: { message: 'No: Zyabcd-123456' } })
  })

  test.each([
    ['a redirection', 302, { location: 'https://evil.example' }, '', 502],
    ['a page', 200, { 'content-type': 'text/html' }, '<p>', 502],
    ['a page of a failure', 503, { 'content-type': 'text/html' }, '<p>', 503],
    ['broken JSON', 200, { 'content-type': 'application/json' }, '{', 502],
  ] as const)('is no more than an error for %s', async (_, status, headers, body, expected) => {
    proxies.upstream.answer = (_, response) => response.writeHead(status, headers).end(body)
    const answer = await post(`${canaries.url}/v1/chat/completions`, chat('a'))
    expect(answer.status).toBe(expected)
    expect(((await answer.json()) as Fields).error.message).toMatch(/provider/)
  })

  test('is an error where nobody answers', async () => {
    const masking = createMasking({ plan: planOf(quick), models: modelsFor(quick) })
    const { server, port } = await startProxy({ upstream: 'http://127.0.0.1:9', masking, port: 0 })
    const answer = await post(`http://127.0.0.1:${port}/v1/chat/completions`, chat('a'))
    expect(answer.status).toBe(502)
    server.close()
  })

  test('breaks off where the stream of the provider does', async () => {
    proxies.upstream.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\ndata: {"cho', () => response.destroy())
    }
    const answer = await post(`${canaries.url}/v1/chat/completions`, chat('a', { stream: true }))
    const text = await answer.text().catch(() => 'broken off')
    expect(text).not.toContain('[DONE]')
    expect(text).toMatch(/broken off|event: error/)
  })

  test('the provider learns when the client goes away', async () => {
    const left = Promise.withResolvers<void>()
    proxies.upstream.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"choices":[]}\n\n')
      response.on('close', () => left.resolve())
    }
    const leaving = new AbortController()
    const answer = await fetch(`${canaries.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(chat('a', { stream: true })),
      signal: leaving.signal,
    })
    expect(answer.status).toBe(200)
    leaving.abort()
    await left.promise
  })
})
