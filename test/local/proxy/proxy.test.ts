import { text as textOf } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { exhaustive, runs } from '../../runs.ts'
import { chat, echo, type Fields, lastOf, post, quick, type Running, useProxies, usual } from './suite.ts'
import { json, randomFrom } from './upstream.ts'

const proxies = useProxies()
let canaries: Running
let letters: Running
beforeAll(async () => {
  canaries = await proxies.proxyWith(quick)
  letters = await proxies.proxyWith(usual)
})

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
    proxies.upstream.answer = (seen, response) =>
      json(response, {
        choices: [{ index: 0, message: { role: 'assistant', content: seen.body.replaceAll('"', "'") } }],
      })
    const random = randomFrom(5)
    const used = [canaries]
    for (let n = 0; n < runs(exhaustive ? 1000 : 200); n++) {
      const { body, values } = planted(random)
      // A request takes the longer the more values its proxy has seen.
      if (n > 0 && n % 100 === 0) used.push(await proxies.proxyWith(quick))
      const answer = await post(`${used.at(-1)!.url}/v1/chat/completions`, body)
      expect(answer.status, answer.ok ? '' : await answer.clone().text()).toBe(200)
      const { body: sent, headers, url } = proxies.upstream.seen.pop()!
      const all = sent + JSON.stringify(headers) + url
      expect(values.filter(value => all.includes(value))).toEqual([])
      expect(all).not.toMatch(/Zy[a-z]{4}-|49001234567/)
      const { choices } = (await answer.json()) as Fields
      for (const value of values) expect(choices[0].message.content).toContain(value)
    }
    expect(JSON.stringify(used.map(({ told }) => told))).not.toMatch(/Zy/)
  }, 900_000)

  test('has the same placeholder for the same value in every turn, though nothing finds it any more', async () => {
    proxies.upstream.answer = echo
    await post(`${letters.url}/v1/chat/completions`, chat('My name is Margaret Thompson, margaret@example.org.'))
    await post(`${letters.url}/v1/chat/completions`, chat('Margaret Thompson'))
    const [first, second] = proxies.upstream.seen.map(lastOf)
    const [placeholder] = first!.match(/PERSON_\w+/)!
    expect(first).not.toMatch(/Margaret|Thompson|@/)
    expect(second).toContain(placeholder)
  })

  test('takes the keys of the provider along, and nothing else of the client', async () => {
    proxies.upstream.answer = echo
    const headers = { authorization: 'Bearer k', 'x-stainless-os': 'Linux', cookie: 'a=b', 'x-user': 'Anna' }
    const answer = await post(`${canaries.url}/v1/chat/completions`, chat('hello'), headers)
    expect(answer.headers.get('x-request-id')).toBe('r-1')
    const { headers: sent } = proxies.upstream.seen[0]!
    expect(sent).toMatchObject({ authorization: 'Bearer k', 'content-type': 'application/json' })
    for (const name of ['x-stainless-os', 'cookie', 'x-user']) expect(sent).not.toHaveProperty(name)
  })

  test('leaves structure as it was', async () => {
    proxies.upstream.answer = echo
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
    expect(JSON.parse(proxies.upstream.seen[0]!.body)).toEqual(body)
  })
})

test('answers are read as text where nobody asks for events', async () => {
  proxies.upstream.answer = echo
  const response = await post(`${canaries.url}/v1/chat/completions`, chat('Zyabcd-123456 and 0049123456789'))
  expect(await textOf(response.body as never)).toContain('Zyabcd-123456 and 0049123456789')
})
