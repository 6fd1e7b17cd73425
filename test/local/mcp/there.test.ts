import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, expect, test } from 'vitest'
import { useService } from '../../api/setup.ts'

const service = await useService()
const ada = await service.person()
const folder = mkdtempSync(join(tmpdir(), 'mcp-there-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const script = new URL('../../../local/anonymise.ts', import.meta.url).pathname
const letter = 'C-123456 is Grace Miller, of room 4.'

type Result = { isError?: boolean; structuredContent?: Record<string, unknown>; content?: { text?: string }[] }

/** Starts the command in the folder with a service behind it, and does `work` with a client of it. */
async function served(args: string[], work: (call: Call, client: Client) => Promise<void>) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [script, 'mcp', '--url', service.baseUrl, ...args],
    ...{ cwd: folder, stderr: 'pipe' },
    env: { ANONYMISE_EMAIL: ada.user.email, ANONYMISE_PASSWORD: ada.password },
  })
  const said: Buffer[] = []
  transport.stderr!.on('data', (data: Buffer) => said.push(data))
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(transport)
  try {
    await work(async (name, given = {}) => (await client.callTool({ name, arguments: given })) as Result, client)
  } finally {
    await client.close()
    expect(Buffer.concat(said).toString()).toBe('')
  }
}
type Call = (name: string, given?: Record<string, unknown>) => Promise<Result>

test('anonymise mcp --url has the work done by a service, and lists and uses its workflows', async () => {
  const { client } = ada
  const config = { regexRuleConfig: { pattern: '[0-9]+' } }
  const { id: ruleId } = await client.rules.create({ body: { name: 'Numbers', type: 'REGEX', config } })
  const { id: workflowId } = await client.workflows.create({
    body: {
      name: 'Rooms',
      supportedAssetType: 'DOCUMENT',
      config: { rules: [{ ruleId, replacement: { text: '#' } }] },
    },
  })
  writeFileSync(join(folder, 'own.txt'), letter)
  writeFileSync(join(folder, 'chosen.txt'), letter)
  await served(['--only-rules', '--rule', 'Customer=C-\\d{6}=<{{n}}>'], async (call, mcp) => {
    const { tools } = await mcp.listTools()
    const names = ['anonymise_text', 'explain_text', 'list_presets', 'list_workflows', 'anonymise_file']
    expect(tools.map(({ name }) => name)).toEqual(names)
    const answered = async (name: string, given?: Record<string, unknown>) =>
      (await call(name, given)).structuredContent
    expect(await answered('list_workflows')).toEqual({
      workflows: [{ id: workflowId, name: 'Rooms', description: '' }],
    })
    expect(await answered('anonymise_text', { text: letter })).toMatchObject({
      text: '<1> is Grace Miller, of room 4.',
    })
    expect(await answered('anonymise_text', { text: letter, workflowId })).toMatchObject({
      text: 'C-# is Grace Miller, of room #.',
    })
    expect(await answered('anonymise_text', { text: letter, presetId: 'default' })).toMatchObject({
      text: expect.stringContaining('[PERSON]'),
    })
    expect(await answered('anonymise_file', { path: 'own.txt' })).toMatchObject({ output: 'own.anonymised.txt' })
    expect(await answered('anonymise_file', { path: 'chosen.txt', workflowId })).toMatchObject({
      output: 'chosen.anonymised.txt',
    })
    const refused = await call('anonymise_text', { text: letter, workflowId: ruleId })
    expect([refused.isError, refused.content![0]!.text]).toEqual([true, expect.stringContaining('workflow_not_found')])
    expect(refused.content![0]!.text).not.toContain('Grace')
  })
  expect(readFileSync(join(folder, 'own.anonymised.txt'), 'utf8')).toBe('<1> is Grace Miller, of room 4.')
  expect(readFileSync(join(folder, 'chosen.anonymised.txt'), 'utf8')).toBe('C-# is Grace Miller, of room #.')
  expect(readdirSync(folder).filter(name => name.endsWith('.txt')).length).toBe(4)
  // Nothing of the run stays at the service.
  await expect
    .poll(async () => (await client.workflows.list()).map(({ id }) => id), { timeout: 60_000 })
    .toEqual([workflowId])
  await expect.poll(async () => (await client.rules.list()).length, { timeout: 60_000 }).toBe(1)
  expect(await client.jobs.list()).toEqual([])
})
