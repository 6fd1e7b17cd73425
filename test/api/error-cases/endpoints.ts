import { generateKeyPairSync } from 'node:crypto'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import ssh2 from 'ssh2'

/** Servers on this machine that misbehave as they are asked to. */
export type Endpoints = {
  /** Port of a store that speaks S3 and answers each bucket with the failure of its name. */
  store: number
  /** Port of a server that takes connections and never says anything. */
  silent: number
  /** Port of an FTP server that has no room for anybody. */
  full: number
  /** Port of an SFTP server whose key nobody has confirmed. */
  sftp: number
  /** A port that nothing listens on. */
  closed: number
  stop(): Promise<void>
}

/** What the store answers for a bucket: status and code of S3. */
const failures: Record<string, [number, string]> = {
  'wrong-keys': [403, 'InvalidAccessKeyId'],
  'not-allowed': [403, 'AccessDenied'],
  'not-there': [404, 'NoSuchBucket'],
  'too-busy': [503, 'SlowDown'],
  'wrong-region': [400, 'AuthorizationHeaderMalformed'],
  archived: [403, 'InvalidObjectState'],
  changing: [409, 'ConditionalRequestConflict'],
  broken: [500, 'InternalError'],
}

function answer(bucket: string, response: ServerResponse): void {
  if (bucket === 'breaking-off') {
    response.writeHead(200, { 'Content-Length': 1000 }).write('<ListBucketResult>')
    setTimeout(() => response.destroy(), 50)
    return
  }
  const [status, code] = failures[bucket] ?? [404, 'NoSuchBucket']
  response.writeHead(status, { 'Content-Type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
}

const portOf = (server: Server) => (server.address() as AddressInfo).port
const listening = (server: Server) =>
  new Promise<Server>(resolve => server.listen(0, '127.0.0.1', () => resolve(server)))

/** Starts them all, on free ports. */
export async function startEndpoints(): Promise<Endpoints> {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'pkcs1', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  const open = new Set<{ destroy(): void }>()
  const store = createHttpServer(({ url = '/' }, response) => answer(url.split(/[/?]/)[1]!, response))
  const silent = createServer()
  const full = createServer(socket => socket.on('error', () => {}).write('552 No room left\r\n'))
  const sftp = new ssh2.Server({ hostKeys: [privateKey] }, client => client.on('error', () => {}))
  const nothing = await listening(createServer())
  const closed = portOf(nothing)
  nothing.close()
  const servers = [store, silent, full, sftp as unknown as Server]
  for (const server of servers) {
    server.on('connection', (socket: { destroy(): void }) => open.add(socket))
    await listening(server)
  }
  return {
    store: portOf(store),
    silent: portOf(silent),
    full: portOf(full),
    sftp: portOf(sftp as unknown as Server),
    closed,
    async stop() {
      for (const socket of open) socket.destroy?.()
      await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))))
    },
  }
}
