import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Fields, lastOf, type Running, useProxies, usual } from './suite.ts'
import { events, json, pieces, randomFrom } from './upstream.ts'

const proxies = useProxies()
let letters: Running
beforeAll(async () => {
  letters = await proxies.proxyWith(usual)
})

describe("the providers' own libraries", () => {
  const question = 'I am Margaret Thompson, margaret@example.org. Write to me.'
  const openai = () => new OpenAI({ apiKey: 'k', baseURL: `${letters.url}/v1`, maxRetries: 0 })
  const anthropic = () => new Anthropic({ apiKey: 'k', baseURL: letters.url, maxRetries: 0 })
  const random = randomFrom(11)
  const unmasked = () => expect(proxies.upstream.seen.map(({ body }) => body).join()).not.toMatch(/Margaret|Thompson|@/)

  test('OpenAI: a chat, streamed, with a call', async () => {
    proxies.upstream.answer = (seen, response) => {
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
    proxies.upstream.answer = ({ url, body }, response) => {
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
    proxies.upstream.answer = (seen, response) => {
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
