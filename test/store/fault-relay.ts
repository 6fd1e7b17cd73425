import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Faults } from 'aws-emulators'

/**
 * Stands before a DynamoDB that knows no faults, on 127.0.0.1: requests go on to it as they are, unless `faults` has them fail,
 * or their answers lost. Any other kind of fault is the emulator's own, and refused.
 */
export async function relay(target: string, faults: Faults): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const server = createServer((request, response) => {
    pass(request, response, target, faults).catch(error => response.destroy(error))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      const closed = new Promise(done => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}

async function pass(request: IncomingMessage, response: ServerResponse, target: string, faults: Faults): Promise<void> {
  const body = await buffer(request)
  const action = `${request.headers['x-amz-target']}`.split('.')[1]!
  const { error, loseReply, ...others } = faults('dynamodb', action, JSON.parse(`${body}`), 'local') ?? {}
  if (Object.keys(others).length > 0) throw new Error(`The relay has no faults of the kind ${Object.keys(others)}`)
  if (error) {
    const { name, status, message = 'Injected fault' } = error
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' })
    response.end(JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${name}`, message }))
    return
  }
  const names = ['authorization', 'content-type', 'x-amz-date', 'x-amz-target']
  const headers = names.map(name => [name, `${request.headers[name]}`] as [string, string])
  const answer = await fetch(target, { method: 'POST', headers, body: new Uint8Array(body) })
  const bytes = Buffer.from(await answer.arrayBuffer())
  if (loseReply) return void request.socket.destroy()
  const checksum = answer.headers.get('x-amz-crc32')
  response.writeHead(answer.status, {
    'Content-Type': 'application/x-amz-json-1.0',
    ...(checksum && { 'x-amz-crc32': checksum }),
  })
  response.end(bytes)
}
