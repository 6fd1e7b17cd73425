import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { certificates, openssl } from './certificates.ts'
import { account, freePort, isRoot, program, scratch, start } from './process.ts'

/** MariaDB's programs where they are installed and may be started. */
export const mariadbPrograms = {
  install: program('mariadb-install-db'),
  mariadbd: program('mariadbd'),
  client: program('mariadb'),
  openssl,
}

/** A MariaDB server with TLS; `sql` runs statements as its administrator. */
export async function startMariadbServer() {
  const folder = scratch()
  const tls = certificates(folder.path)
  const as = isRoot ? account('mysql') : {}
  const data = join(folder.path, 'data')
  const socket = join(folder.path, 'socket')
  if (isRoot) execFileSync('chown', ['-R', 'mysql', folder.path])
  const admin = ['--auth-root-authentication-method=normal', '--skip-test-db']
  execFileSync(mariadbPrograms.install!, ['--no-defaults', `--datadir=${data}`, ...admin], { ...as, stdio: 'pipe' })
  const port = await freePort()
  const server = await start(
    mariadbPrograms.mariadbd!,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${socket}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--ssl-ca=${tls.caFile}`,
      `--ssl-cert=${tls.certFile}`,
      `--ssl-key=${tls.keyFile}`,
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=256M',
      '--skip-log-bin',
      '--max-allowed-packet=64M',
    ],
    port,
    { ...as, cwd: folder.path },
  )
  const sql = (text: string) =>
    execFileSync(
      mariadbPrograms.client!,
      ['--no-defaults', `--socket=${socket}`, '-uroot', '--default-character-set=utf8mb4', '-N', '-B'],
      { input: text, maxBuffer: 1e9, stdio: ['pipe', 'pipe', 'pipe'] },
    ).toString()
  return { port, ca: tls.ca, sql, stop: () => server.stop().finally(folder.remove) }
}
