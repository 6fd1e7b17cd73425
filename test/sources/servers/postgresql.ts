import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { certificates, openssl } from './certificates.ts'
import { account, freePort, isRoot, program, scratch, start } from './process.ts'

const versions = () => {
  try {
    return readdirSync('/usr/lib/postgresql').map(version => `/usr/lib/postgresql/${version}/bin`)
  } catch {
    return []
  }
}

/** PostgreSQL's programs where they are installed and may be started. */
export const postgresPrograms = {
  initdb: program('initdb', ...versions()),
  postgres: program('postgres', ...versions()),
  ready: program('pg_isready', ...versions()),
  openssl,
}

/** A PostgreSQL server with TLS, whose superuser is `owner` with the password `owner-secret`. */
export async function startPostgresServer() {
  const folder = scratch()
  const tls = certificates(folder.path)
  const as = isRoot ? account('postgres') : {}
  const data = join(folder.path, 'data')
  if (isRoot) execFileSync('chown', ['-R', 'postgres', folder.path])
  execFileSync('sh', ['-c', `printf owner-secret > ${folder.path}/password`], as)
  const init = ['-D', data, '-U', 'owner', '-A', 'scram-sha-256', `--pwfile=${folder.path}/password`, '-E', 'UTF8']
  execFileSync(postgresPrograms.initdb!, [...init, '--locale=C.UTF-8', '--no-sync'], {
    ...as,
    cwd: folder.path,
    stdio: 'pipe',
  })
  const port = await freePort()
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder.path,
    fsync: 'off',
    ssl: 'on',
    ssl_cert_file: tls.certFile,
    ssl_key_file: tls.keyFile,
    max_wal_size: '4GB',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = await start(postgresPrograms.postgres!, ['-D', data, '-p', String(port), ...options], port, {
    ...as,
    cwd: folder.path,
  })
  // It listens before it lets anybody in.
  execFileSync('sh', [
    '-c',
    `for n in $(seq 100); do ${postgresPrograms.ready} -q -h 127.0.0.1 -p ${port} && exit; sleep 0.1; done; exit 1`,
  ])
  return { port, ca: tls.ca, stop: () => server.stop().finally(folder.remove) }
}
