import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { peers, runScenario, scenarios } from '../local/mcp/suite.ts'
import { deployed } from './deployed.ts'
import { problemsOf } from './http.ts'
import { makeRule } from './requests.ts'
import { type Person, useService } from './setup.ts'

const service = await useService()
const ada = await service.person()

const SECRETS = ['Grace Miller', 'ada@example.org']
const letter = 'Dear Grace Miller, write to ada@example.org in room 4.'

type Result = { isError?: boolean; structuredContent?: Record<string, unknown>; content?: { text?: string }[] }
type Call = (name: string, given?: Record<string, unknown>) => Promise<Result>

/** A client of the protocol itself, in the version that was current before or in whichever both know. */
async function connected<T>(
  { token }: Person,
  mode: 'legacy' | 'auto',
  work: (call: Call, client: Client) => Promise<T>,
) {
  const transport = new StreamableHTTPClientTransport(new URL(`${service.apiUrl}/mcp`), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  const failures: Error[] = []
  client.onerror = error => failures.push(error)
  await client.connect(transport)
  try {
    const call: Call = async (name, given = {}) => (await client.callTool({ name, arguments: given })) as Result
    return await work(call, client)
  } finally {
    await client.close()
    expect(failures).toEqual([])
  }
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  service.send('POST', '/mcp', { token: ada.token, body, headers })
const message = (method: string, params?: object) => ({ jsonrpc: '2.0', id: 7, method, ...(params && { params }) })

/** What the version of 2026-07-28 puts into every request. */
const current = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
}
const sendCurrent = (method: string, params: object = {}) =>
  post(message(method, { ...params, ...current }), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method })

/** A workflow of Ada's that looks for numbers. */
async function workflowOf(name: string, supportedAssetType: 'DOCUMENT' | 'TABLE' = 'DOCUMENT') {
  const rules = [{ ruleId: await makeRule(ada.client), replacement: { text: '<{{n}}>' } }]
  return (await ada.client.workflows.create({ body: { name, supportedAssetType, config: { rules } } })).id
}

describe.each(['legacy', 'auto'] as const)('POST /mcp, %s version of the protocol', mode => {
  test('lists its tools, which only read', async () => {
    await connected(ada, mode, async (_, client) => {
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toEqual([
        'anonymise_text',
        'explain_text',
        'list_presets',
        'list_workflows',
      ])
      expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
    })
  })

  test('anonymises and explains texts by the default preset, another one, or a workflow', async () => {
    const workflowId = await workflowOf(`Numbers, ${mode}`)
    await connected(ada, mode, async call => {
      const made = await call('anonymise_text', { text: letter })
      expect(made.structuredContent).toEqual({
        text: 'Dear [PERSON], write to [EMAIL] in room 4.',
        counts: { PERSON: 1, EMAIL: 1 },
      })
      const explained = await call('explain_text', { text: letter })
      expect(explained.structuredContent!.findings).toMatchObject([
        { start: 5, end: 17, label: 'PERSON' },
        { start: 28, end: 43, label: 'EMAIL' },
      ])
      for (const secret of SECRETS) expect(JSON.stringify([made, explained])).not.toContain(secret)
      const { workflows } = (await call('list_workflows', { search: `Numbers, ${mode}` })).structuredContent!
      expect(workflows).toEqual([{ id: workflowId, name: `Numbers, ${mode}`, description: '' }])
      expect((await call('anonymise_text', { text: letter, workflowId })).structuredContent!.text).toBe(
        letter.replace('4', '<1>'),
      )
      const { presets } = (await call('list_presets')).structuredContent as {
        presets: { id: string; chosen: boolean }[]
      }
      expect(presets.filter(({ chosen }) => chosen).map(({ id }) => id)).toEqual(['default'])
      expect((await call('anonymise_text', { text: '4111 1111 1111 1111', presetId: 'pci-dss' })).isError).toBeFalsy()
    })
  })

  test('refuses in words that quote nothing, and goes on', async () => {
    const table = await workflowOf('Table', 'TABLE')
    const bob = await service.person()
    const own = await workflowOf('Own')
    const refused = async (person: Person, given: Record<string, unknown>) =>
      connected(person, mode, async call => {
        const said = await call('anonymise_text', given).then(
          ({ isError, content }) => (isError ? content![0]!.text! : ''),
          (error: Error) => error.message,
        )
        for (const secret of SECRETS) expect(said).not.toContain(secret)
        return said
      })
    expect(await refused(bob, { text: letter, workflowId: own })).toContain('workflow_not_found')
    expect(await refused(ada, { text: letter, workflowId: table })).toContain('asset_type_mismatch')
    expect(await refused(ada, { text: letter, presetId: 'none' })).toContain('preset_not_found')
    expect(await refused(ada, { text: letter, presetId: 'default', workflowId: own })).toContain('conflicting_values')
    for (const given of [{}, { text: 5 }, { text: [letter] }, { text: '' }, { text: letter, more: 1 }])
      expect(await refused(ada, given)).toMatch(/Invalid arguments/)
    expect(await refused(ada, { text: `${letter}${'x'.repeat(200_001)}` })).toMatch(/200000/)
  })
})

test('lists only workflows that the caller may see', async () => {
  const { client } = service.admin
  const role = await client.roles.create({ body: { name: `texts-${Date.now()}`, permissions: ['texts:anonymise'] } })
  const narrow = await service.person(role.name)
  const carol = await service.person()
  await workflowOf('Hidden')
  await connected(narrow, 'auto', async call => {
    const { isError, content } = await call('list_workflows')
    expect([isError, content![0]!.text]).toEqual([true, expect.stringContaining('workflows:read')])
  })
  await connected(carol, 'auto', async call => {
    expect((await call('list_workflows')).structuredContent).toEqual({ workflows: [] })
  })
})

test('answers as the protocol says: notifications, what it does not know, other versions, streams', async () => {
  const notified = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
  expect([notified.status, notified.text]).toEqual([202, ''])
  const unknown = await post(message('nothing/at-all'))
  expect([unknown.status, unknown.body]).toMatchObject([200, { id: 7, error: { code: -32601 } }])
  const currently = await sendCurrent('nothing/at-all')
  expect([currently.status, currently.body]).toMatchObject([404, { id: 7, error: { code: -32601 } }])
  const older = await post(message('tools/list'), { 'mcp-protocol-version': '1999-01-01' })
  expect([older.status, older.body]).toMatchObject([400, { error: { code: -32000 } }])
  // A stream of changes, which would never end.
  const listening = await sendCurrent('subscriptions/listen', { filter: {} })
  expect((listening.body as { error: unknown }).error).toBeTruthy()
  const stream = await service.send('GET', '/mcp', { token: ada.token })
  expect([stream.status, stream.headers.get('allow'), problemsOf(stream)[0]!.type]).toEqual([
    405,
    'POST',
    'method_not_allowed',
  ])
  const header = await post(message('tools/list'), { 'mcp-protocol-version': '\u00e9' })
  expect([header.status, problemsOf(header)[0]]).toMatchObject([422, { loc: ['header', 'MCP-Protocol-Version'] }])
})

describe('a body that is no message', () => {
  test.each([
    [[message('ping')], 'invalid_type', ['body']],
    [{ ...message('ping'), jsonrpc: '1.0' }, 'invalid_value', ['body', 'jsonrpc']],
    [{ jsonrpc: '2.0', id: 7 }, 'missing', ['body', 'method']],
    [{ jsonrpc: '2.0', id: 7, result: {} }, 'missing', ['body', 'method']],
    [{ ...message('ping'), id: { a: 1 } }, 'invalid_union', ['body', 'id']],
    [{ ...message('ping'), params: [1] }, 'invalid_type', ['body', 'params']],
  ])('%j', async (wrong, type, loc) => {
    const reply = await post(wrong)
    expect([reply.status, problemsOf(reply)]).toEqual([
      422,
      expect.arrayContaining([expect.objectContaining({ type, loc })]),
    ])
  })
})

/** Hands everything on to the service with Ada's token, which the suite has no way to send. */
async function withToken() {
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const target = `${service.apiUrl.replace(/\/api$/, '')}${url}`
    const onward = send(target, { method, headers: { ...headers, authorization: `Bearer ${ada.token}` } }, reply => {
      outgoing.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(outgoing)
    })
    incoming.pipe(onward)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

describe.skipIf(!peers || deployed)(
  'the suite of conformance to the Model Context Protocol',
  { timeout: 120_000 },
  () => {
    test.each(scenarios)('%s', async scenario => {
      const server = await withToken()
      const [status, said] = await runScenario(
        scenario,
        `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/mcp`,
      )
      server.closeAllConnections()
      server.close()
      expect([status, said]).toEqual([0, expect.stringMatching(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)])
    })
  },
)
