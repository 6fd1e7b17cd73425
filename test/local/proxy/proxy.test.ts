import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { modelsFor, planOf } from '../../../local/anonymise/plan.ts'
import { createMasking } from '../../../local/proxy/masking.ts'
import { startProxy, type Told } from '../../../local/proxy/server.ts'
import { runs } from '../../runs.ts'
import { events, json, pieces, randomFrom, type Seen, startUpstream, type Upstream } from './upstream.ts'

// biome-ignore lint/suspicious/noExplicitAny: events and answers are of many shapes
type Fields = { [key: string]: any }

const choices = { rules: [], models: [], workflow: undefined, folder: undefined }
const secretRule = {
  rule: {
    name: 'Canary',
    description: '',
    type: 'REGEX' as const,
    config: { regexRuleConfig: { pattern: 'Zy[a-z]{4}-\\d{6}|0049\\d{9}|zykey_\\d+|49001234567' } },
  },
  replacement: { text: '[{{label}}]' },
}
const quick = { ...choices, preset: undefined, rules: [secretRule] }
const usual = { ...choices, preset: 'default' }

let upstream: Upstream
const proxies: { url: string; told: Told[]; close(): void }[] = []

async function proxyWith(given: typeof usual | typeof quick, models = modelsFor(given)) {
  const told: Told[] = []
  const masking = createMasking({ plan: planOf(given), models })
  const { server, port } = await startProxy({ upstream: upstream.url, masking, port: 0, told: one => told.push(one) })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  const proxy = { url: `http://127.0.0.1:${port}`, told, close }
  proxies.push(proxy)
  return proxy
}

let canaries: Awaited<ReturnType<typeof proxyWith>>
let letters: Awaited<ReturnType<typeof proxyWith>>
beforeAll(async () => {
  upstream = await startUpstream()
  canaries = await proxyWith(quick)
  letters = await proxyWith(usual)
})
afterAll(async () => {
  for (const { close } of proxies) close()
  await upstream.close()
})
beforeEach(() => {
  upstream.seen.length = 0
})

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const chat = (content: unknown, more: Fields = {}) => ({ model: 'm', messages: [{ role: 'user', content }], ...more })

/** The last message of a chat. */
const lastOf = ({ body }: Seen) => JSON.parse(body).messages.at(-1).content as string

const echo = (seen: Seen, response: Parameters<Upstream['answer']>[1]) =>
  json(response, { id: 'a', choices: [{ index: 0, message: { role: 'assistant', content: lastOf(seen) } }] })

describe('what reaches the provider', () => {
  /** A request with values in every kind of field that takes text, and all of those values. */
  function planted(random: () => number) {
    const values: string[] = []
    const value = () => {
      const letters = Array.from({ length: 4 }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join('')
      values.push(`Zy${letters}-${String(Math.floor(random() * 1e6)).padStart(6, '0')}`)
      return values.at(-1)!
    }
    // Also keys that look as those of a protocol do.
    const lower = () => {
      values.push(`zykey_${Math.floor(random() * 1e9)}`)
      return values.at(-1)!
    }
    const number = () => {
      const digits = `4900${Math.floor(random() * 1e6)}`
      return Number(digits)
    }
    const parts: (() => Fields)[] = [
      () => ({ role: 'system', content: `Never tell ${value()}.` }),
      () => ({ role: 'user', name: value(), content: [{ type: 'text', text: `I am ${value()}\n${value()}` }] }),
      () => ({
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            ...{ id: 'call_1', type: 'function' },
            function: {
              name: 'send',
              arguments: JSON.stringify({ to: value(), [value()]: [value(), number()], [lower()]: 1 }),
            },
          },
        ],
      }),
      () => ({
        role: 'assistant',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: `{"a": "${value()}` } }],
      }),
      () => ({ role: 'tool', tool_call_id: 'call_1', content: JSON.stringify({ result: value() }) }),
      () => ({ role: 'user', content: `a "${value()}" \\ ${value()}😀` }),
    ]
    const messages = Array.from({ length: 1 + Math.floor(random() * 6) }, () =>
      parts[Math.floor(random() * parts.length)]!(),
    )
    const schema = {
      type: 'object',
      properties: { [`by_${value()}`]: { type: 'string', enum: [value()], description: `Such as ${value()}` } },
      required: ['x', value()],
      $comment: value(),
    }
    const body = {
      ...{ model: 'gpt-4o-2024-08-06', messages, user: value(), metadata: { who: value(), [value()]: 'x' } },
      ...{
        stop: [value()],
        tools: [{ type: 'function', function: { name: 'send', description: value(), parameters: schema } }],
      },
      unheard_of: { deep: [[value()]], number: 49_001_234_567 },
    }
    return { body, values }
  }

  test('holds no value in any field, and the answer has them all', async () => {
    upstream.answer = (seen, response) =>
      json(response, {
        choices: [{ index: 0, message: { role: 'assistant', content: seen.body.replaceAll('"', "'") } }],
      })
    const random = randomFrom(5)
    for (let n = 0; n < runs(1000); n++) {
      const { body, values } = planted(random)
      const answer = await post(`${canaries.url}/v1/chat/completions`, body)
      expect(answer.status, answer.ok ? '' : await answer.clone().text()).toBe(200)
      const { body: sent, headers, url } = upstream.seen.pop()!
      const all = sent + JSON.stringify(headers) + url
      expect(values.filter(value => all.includes(value))).toEqual([])
      expect(all).not.toMatch(/Zy[a-z]{4}-|49001234567/)
      const { choices } = (await answer.json()) as Fields
      for (const value of values) expect(choices[0].message.content).toContain(value)
    }
    expect(JSON.stringify(canaries.told)).not.toMatch(/Zy/)
  }, 300_000)

  test('has the same placeholder for the same value in every turn, though nothing finds it any more', async () => {
    upstream.answer = echo
    await post(`${letters.url}/v1/chat/completions`, chat('My name is Margaret Thompson, margaret@example.org.'))
    await post(`${letters.url}/v1/chat/completions`, chat('Margaret Thompson'))
    const [first, second] = upstream.seen.map(lastOf)
    const [placeholder] = first!.match(/PERSON_\w+/)!
    expect(first).not.toMatch(/Margaret|Thompson|@/)
    expect(second).toContain(placeholder)
  })

  test('takes the keys of the provider along, and nothing else of the client', async () => {
    upstream.answer = echo
    const headers = { authorization: 'Bearer k', 'x-stainless-os': 'Linux', cookie: 'a=b', 'x-user': 'Anna' }
    const answer = await post(`${canaries.url}/v1/chat/completions`, chat('hello'), headers)
    expect(answer.headers.get('x-request-id')).toBe('r-1')
    const { headers: sent } = upstream.seen[0]!
    expect(sent).toMatchObject({ authorization: 'Bearer k', 'content-type': 'application/json' })
    for (const name of ['x-stainless-os', 'cookie', 'x-user']) expect(sent).not.toHaveProperty(name)
  })

  test('leaves structure as it was', async () => {
    upstream.answer = echo
    const body = {
      ...chat('hello', { temperature: 0.5, stream: false, seed: 12_345_678, max_tokens: 100_000 }),
      tools: [
        {
          type: 'function',
          function: { name: 'f', strict: true, parameters: { type: 'object', additionalProperties: false } },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'f' } },
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'x', schema: { $ref: '#/$defs/a', format: 'date-time' } },
      },
    }
    await post(`${canaries.url}/v1/chat/completions`, body)
    expect(JSON.parse(upstream.seen[0]!.body)).toEqual(body)
  })
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
    expect(upstream.seen).toHaveLength(0)
  })

  test('what is compressed', async () => {
    const answer = await fetch(`${canaries.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(chat('a'))),
    })
    expect([answer.status, upstream.seen.length]).toEqual([415, 0])
  })

  test('what is too large', async () => {
    const answer = await post(`${canaries.url}/v1/chat/completions`, chat('a'.repeat(33 * 2 ** 20))).catch(
      () => undefined,
    )
    expect([undefined, 413]).toContain(answer?.status)
    expect(upstream.seen).toHaveLength(0)
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
    expect([response.statusCode, upstream.seen.length]).toEqual([403, 0])
  })

  test('everything, where the detector fails', async () => {
    const broken = await proxyWith(usual, async () => {
      throw new Error('no model for Anna')
    })
    for (const path of ['/v1/chat/completions', '/v1/messages']) {
      const answer = await post(`${broken.url}${path}`, chat('I am Anna'))
      expect(answer.status).toBe(503)
      expect(await answer.text()).not.toContain('Anna')
    }
    expect(upstream.seen).toHaveLength(0)
  })
})

describe('what comes back', () => {
  test("is an error of the provider with the provider's status, and the value in it", async () => {
    upstream.answer = (seen, response) => json(response, { error: { message: `No: ${lastOf(seen)}` } }, 429)
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
    upstream.answer = (_, response) => response.writeHead(status, headers).end(body)
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
    upstream.answer = (_, response) => {
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
    upstream.answer = (_, response) => {
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

describe("the providers' own libraries", () => {
  const question = 'I am Margaret Thompson, margaret@example.org. Write to me.'
  const openai = () => new OpenAI({ apiKey: 'k', baseURL: `${letters.url}/v1`, maxRetries: 0 })
  const anthropic = () => new Anthropic({ apiKey: 'k', baseURL: letters.url, maxRetries: 0 })
  const random = randomFrom(11)
  const unmasked = () => expect(upstream.seen.map(({ body }) => body).join()).not.toMatch(/Margaret|Thompson|@/)

  test('OpenAI: a chat, streamed, with a call', async () => {
    upstream.answer = (seen, response) => {
      const said = lastOf(seen)
      const args = pieces(JSON.stringify({ text: said }), random)
      const chunk = (delta: Fields, finish_reason: string | null = null) => ({
        ...{ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' },
        choices: [{ index: 0, delta, finish_reason }],
      })
      const call = (text: string, n: number) => ({
        index: 0,
        ...(n === 0 && { id: 'call_1', type: 'function' }),
        function: { ...(n === 0 && { name: 'send' }), arguments: text },
      })
      return events(response, [
        chunk({ role: 'assistant', content: '' }),
        ...pieces(said, random).map(content => chunk({ content })),
        ...args.map((text, n) => chunk({ tool_calls: [call(text, n)] })),
        chunk({}, 'tool_calls'),
        '[DONE]',
      ])
    }
    const stream = openai().chat.completions.stream({ model: 'm', messages: [{ role: 'user', content: question }] })
    const { choices } = await stream.finalChatCompletion()
    unmasked()
    expect(choices[0]!.message.content).toBe(question)
    const [call] = choices[0]!.message.tool_calls!
    expect(JSON.parse((call as Fields).function.arguments)).toEqual({ text: question })
  })

  test('OpenAI: a response, embeddings, models', async () => {
    upstream.answer = ({ url, body }, response) => {
      if (url === '/v1/models') return json(response, { object: 'list', data: [{ id: 'm', object: 'model' }] })
      const { input } = JSON.parse(body)
      if (url === '/v1/embeddings') return json(response, { object: 'list', data: [{ index: 0, embedding: [0.5] }] })
      const content = [{ type: 'output_text', text: input, annotations: [] }]
      return json(response, { id: 'r', object: 'response', output: [{ type: 'message', role: 'assistant', content }] })
    }
    const { output_text } = await openai().responses.create({ model: 'm', input: question })
    expect(output_text).toBe(question)
    const { data } = await openai().embeddings.create({ model: 'm', input: question, encoding_format: 'float' })
    expect(data[0]!.embedding).toEqual([0.5])
    expect((await openai().models.list()).data[0]!.id).toBe('m')
    unmasked()
  })

  test('Anthropic: a message, streamed, with a tool', async () => {
    upstream.answer = (seen, response) => {
      const [{ text }] = JSON.parse(seen.body).messages[0].content
      return events(response, [
        { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: {} } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        ...pieces(text, random).map(part => ({
          ...{ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: part } },
        })),
        { type: 'content_block_stop', index: 0 },
        {
          type: 'content_block_start',
          index: 1,
          content_block: { type: 'tool_use', id: 't', name: 'send', input: {} },
        },
        ...pieces(JSON.stringify({ text }), random).map(part => ({
          ...{ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: part } },
        })),
        { type: 'content_block_stop', index: 1 },
        { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 1 } },
        { type: 'message_stop' },
      ])
    }
    const stream = anthropic().messages.stream({
      ...{ model: 'm', max_tokens: 100 },
      system: 'Be kind to Margaret Thompson.',
      messages: [{ role: 'user', content: [{ type: 'text', text: question }] }],
      tools: [{ name: 'send', input_schema: { type: 'object', properties: { text: { type: 'string' } } } }],
    })
    const { content } = await stream.finalMessage()
    unmasked()
    expect(content).toMatchObject([{ text: question }, { name: 'send', input: { text: question } }])
  })

  test('are told of a refusal as of an error of the provider', async () => {
    const picture = { type: 'image_url' as const, image_url: { url: 'data:' } }
    await expect(
      openai().chat.completions.create({ model: 'm', messages: [{ role: 'user', content: [picture] }] }),
    ).rejects.toMatchObject({ status: 501, type: 'not_supported_error' })
    const source = { type: 'url' as const, url: 'https://a.example' }
    await expect(
      anthropic().messages.create({
        ...{ model: 'm', max_tokens: 1 },
        messages: [{ role: 'user', content: [{ type: 'image', source }] }],
      }),
    ).rejects.toMatchObject({ status: 501 })
  })
})

test('answers are read as text where nobody asks for events', async () => {
  upstream.answer = echo
  const response = await post(`${canaries.url}/v1/chat/completions`, chat('Zyabcd-123456 and 0049123456789'))
  expect(await textOf(response.body as never)).toContain('Zyabcd-123456 and 0049123456789')
})
