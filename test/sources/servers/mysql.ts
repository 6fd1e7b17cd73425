import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mysql2'
import { certificates } from './certificates.ts'
import { freePort, scratch, start } from './process.ts'

const folder = join(import.meta.dirname, 'mysql')
const version = createHash('sha256')
for (const file of ['main.go', 'go.mod', 'go.sum']) version.update(readFileSync(join(folder, file)))
const built = join(tmpdir(), `mysql-server-${version.digest('hex').slice(0, 16)}`)

/** The server's program, where `npm run build:mysql-server` has built it on this machine. */
export const mysqlProgram = existsSync(built) ? built : undefined

/** Longest time that a build may take, milliseconds: some two minutes of a processor, and time to get its modules. */
const BUILD_MS = 600_000

/** Neither optimised nor with tables for debuggers: that takes a third less time to build. */
const quickly = ['-gcflags=all=-N -l', '-ldflags=-s -w']

/** Builds the server with Go and keeps it in the system's temporary folder for later runs. Throws where it cannot. */
function build() {
  const partial = `${built}.${process.pid}`
  const env = { ...process.env, CGO_ENABLED: '0' }
  const options = { cwd: folder, env, timeout: BUILD_MS, stdio: 'inherit' } as const
  execFileSync('go', ['build', '-buildvcs=false', '-mod=readonly', ...quickly, '-o', partial, '.'], options)
  renameSync(partial, built)
}

/** A server that speaks MySQL's protocol, with TLS; `sql` runs statements one after the other as its administrator. */
export async function startMysqlServer(mysqld: string) {
  const at = scratch()
  const tls = certificates(at.path)
  const port = await freePort()
  const server = await start(mysqld, [`127.0.0.1:${port}`, tls.certFile, tls.keyFile, 'root-secret'], port)
  async function sql(...statements: string[]): Promise<unknown[][]> {
    const ssl = { ca: tls.ca }
    const login = { host: 'localhost', port, user: 'root', password: 'root-secret', ssl }
    const connection = createConnection({ ...login, rowsAsArray: true, dateStrings: true, supportBigNumbers: true })
    try {
      let rows: unknown[][] = []
      for (const text of statements) {
        const { promise, resolve, reject } = Promise.withResolvers<unknown[][]>()
        connection.query(text, (error, answer) => (error ? reject(error) : resolve(answer as never)))
        rows = await promise
      }
      return rows
    } finally {
      connection.destroy()
    }
  }
  return { port, ca: tls.ca, sql, stop: () => server.stop().finally(at.remove) }
}

if (import.meta.main && !mysqlProgram) build()
