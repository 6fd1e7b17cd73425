import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { afterAll, describe, expect, test } from 'vitest'
import { modelsFor, planOf } from '../../../local/anonymise/plan.ts'
import { openRoots } from '../../../local/mcp/roots.ts'
import { createServer } from '../../../local/mcp/server.ts'
import { createWork } from '../../../local/mcp/work.ts'
import { peers, runScenario, scenarios } from './suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The server of the command, over HTTP, which is what the suite speaks. */
async function serve(): Promise<Server> {
  const choices = { preset: 'default', rules: [], models: [], workflow: undefined, folder: undefined }
  const work = createWork({ plan: planOf(choices), models: modelsFor(choices), restores: true, preset: 'default' })
  const tools = { work, roots: openRoots([], folder) }
  const handler = createMcpHandler(() => createServer(tools))
  const server = createHttpServer(async (request, response) => {
    const { method = '', url = '' } = request
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]): [string, string] => [name, `${value}`]),
    )
    const body = method === 'POST' ? await buffer(request) : undefined
    const reply = await handler.fetch(new Request(`http://127.0.0.1${url}`, { method, headers, body }))
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    response.end(Buffer.from(await reply.arrayBuffer()))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}

describe.skipIf(!peers)('the suite of conformance to the Model Context Protocol', { timeout: 120_000 }, () => {
  test.each(scenarios)('%s', async scenario => {
    const server = await serve()
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    const [status, said] = await runScenario(scenario, url)
    server.closeAllConnections()
    server.close()
    expect([status, said]).toEqual([0, expect.stringMatching(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/)])
  })
})
