import { afterAll, beforeAll, beforeEach } from 'vitest'
import { modelsFor, planOf } from '../../../local/anonymise/plan.ts'
import { createMasking } from '../../../local/proxy/masking.ts'
import { startProxy, type Told } from '../../../local/proxy/server.ts'
import { json, type Seen, startUpstream, type Upstream } from './upstream.ts'

// biome-ignore lint/suspicious/noExplicitAny: events and answers are of many shapes
export type Fields = { [key: string]: any }

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
/** What to look for: a pattern, which is quick, or all that the command does. */
export const quick = { ...choices, preset: undefined, rules: [secretRule] }
export const usual = { ...choices, preset: 'default' }

type Given = typeof usual | typeof quick

/** A proxy, and what it told of its requests. */
export type Running = { url: string; told: Told[]; close(): void }

/** A provider for the tests of a file, which forgets between them what it has seen, and proxies in front of it. */
export function useProxies() {
  const started: Running[] = []
  let upstream: Upstream
  beforeAll(async () => {
    upstream = await startUpstream()
  })
  afterAll(async () => {
    for (const { close } of started) close()
    await upstream.close()
  })
  beforeEach(() => {
    upstream.seen.length = 0
  })
  return {
    get upstream() {
      return upstream
    },
    async proxyWith(given: Given, models = modelsFor(given)): Promise<Running> {
      const told: Told[] = []
      const masking = createMasking({ plan: planOf(given), models })
      const tell = (one: Told) => told.push(one)
      const { server, port } = await startProxy({ upstream: upstream.url, masking, port: 0, told: tell })
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      const proxy = { url: `http://127.0.0.1:${port}`, told, close }
      started.push(proxy)
      return proxy
    },
  }
}

export const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

export const chat = (content: unknown, more: Fields = {}) => ({
  model: 'm',
  messages: [{ role: 'user', content }],
  ...more,
})

/** The last message of a chat. */
export const lastOf = ({ body }: Seen) => JSON.parse(body).messages.at(-1).content as string

/** Answers what was asked. */
export const echo = (seen: Seen, response: Parameters<Upstream['answer']>[1]) =>
  json(response, { id: 'a', choices: [{ index: 0, message: { role: 'assistant', content: lastOf(seen) } }] })
