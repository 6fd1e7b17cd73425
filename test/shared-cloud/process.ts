import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { LocalCloud } from '../../local/cloud.ts'
import { administrator, lenient, tellsTrouble } from './settings.ts'

// Answers what tests ask of the local cloud that they share, which starts when the first of them asks.

/** What the tests learn of it. */
export type SharedCloud = Pick<LocalCloud, 'baseUrl' | 'apiUrl' | 'endpoints' | 'logFile'> & { directory: string }

const directory = mkdtempSync(join(tmpdir(), 'shared-cloud-'))
const troubles: string[] = []
let starting: Promise<LocalCloud> | undefined

async function start(): Promise<LocalCloud> {
  const { startLocalCloud } = await import('../../local/cloud.ts')
  return startLocalCloud({
    directory,
    administrator,
    report: message => tellsTrouble(message) && troubles.push(message),
    environment: lenient,
  })
}

async function answer(path: string, request: IncomingMessage): Promise<unknown> {
  starting ??= start()
  const cloud = await starting
  if (path === '/troubles') return troubles
  if (path === '/invoke') {
    const { functionName, event } = (await json(request)) as { functionName: string; event: unknown }
    return cloud.invoke(functionName, event)
  }
  const { baseUrl, apiUrl, endpoints, logFile } = cloud
  return { baseUrl, apiUrl, endpoints, logFile, directory } satisfies SharedCloud
}

const server = createServer((request, response) => {
  answer(request.url ?? '/', request).then(
    body => response.end(JSON.stringify(body)),
    error => response.writeHead(500).end(error instanceof Error ? error.stack : String(error)),
  )
}).listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

process.on('disconnect', async () => {
  const cloud = await starting?.catch(() => undefined)
  await cloud?.close()
  rmSync(directory, { recursive: true, force: true })
  for (const trouble of troubles) console.error(trouble)
  process.exit(troubles.length > 0 ? 1 : 0)
})
