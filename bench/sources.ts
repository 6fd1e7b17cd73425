// How fast sources are read, against the command-line client of each server on the same data in the same run.
//   npm run bench:sources                      all, at the sizes of the goals: about four minutes
//   npm run bench:sources -- sftp ftps         some of them
//   ROWS=100000 MB=64 npm run bench:sources    smaller
//   EVERY=1 npm run bench:sources              without encryption and in parts, too
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { build } from 'esbuild'
import { options } from '../infra/bundle.ts'
import type { Source } from '../shared/sources/sources.ts'
import { host } from '../test/sources/context.ts'
import {
  ftpPrograms,
  mayServeFiles,
  password,
  sshPrograms,
  startFtpServer,
  startSshServer,
} from '../test/sources/servers/files.ts'
import { mariadbPrograms, startMariadbServer } from '../test/sources/servers/mariadb.ts'
import { postgresPrograms, startPostgresServer } from '../test/sources/servers/postgresql.ts'
import { available, program } from '../test/sources/servers/process.ts'
import { startRelay } from '../test/sources/servers/relay.ts'
import type { Measure } from './source-reader.ts'

const ROWS = Number(process.env.ROWS ?? 10_000_000)
const MARIADB_ROWS = Math.min(ROWS, 1_000_000)
const MB = Number(process.env.MB ?? 1024)
/** Of the file that comes over a slow line. */
const SLOW_MB = Math.min(MB, 256)
const EVERY = process.env.EVERY !== undefined

const folder = mkdtempSync(join(tmpdir(), 'bench-sources-'))
const reader = join(folder, 'reader.cjs')
await build({ ...options, entryPoints: ['bench/source-reader.ts'], outfile: reader })

/** Reads an entry to its end in a process of its own, so that its memory is its own too. */
async function measured(source: Source, name: string, parts = 1): Promise<Measure> {
  const child = spawn(process.execPath, [reader, JSON.stringify({ source, name, parts })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of child.stdout) said += chunk
  return JSON.parse(said)
}

/** Runs a client to its end with its output thrown away; seconds. */
function peer(command: string, args: string[], env: Record<string, string> = {}): number {
  const started = performance.now()
  const { status, stderr } = spawnSync(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
  return (performance.now() - started) / 1000
}

type Peer = { name: string; seconds: number }
/** What is to be reached: rows or MB a second, and the most memory, MB. */
type Goal = { rate: number; rss?: number }

const verdict = (rate: number, rss: number, goal: Goal | undefined, unit: string) => {
  if (!goal) return ''
  const reached = rate >= goal.rate && rss <= (goal.rss ?? Number.POSITIVE_INFINITY)
  const wanted = `${goal.rate.toLocaleString('en')} ${unit}${goal.rss ? ` in ${goal.rss} MB` : ''}`
  return `; goal ${wanted}: ${reached ? 'reached' : 'MISSED'}`
}

function table(title: string, { seconds, cpu, lines, bytes, rss }: Measure, other?: Peer, goal?: Goal) {
  const rate = (lines - 1) / seconds
  console.log(
    `${title}: ${Math.round(rate).toLocaleString('en')} rows/s, ${(bytes / seconds / 1e6).toFixed(0)} MB/s, ` +
      `${((cpu / lines) * 1e6).toFixed(2)} s CPU per 1 M rows, peak ${rss.toFixed(0)} MB` +
      (other
        ? `; ${other.name}: ${Math.round((lines - 1) / other.seconds).toLocaleString('en')} rows/s, ratio ${(other.seconds / seconds).toFixed(2)}`
        : '') +
      verdict(rate, rss, goal, 'rows/s'),
  )
}

function file(title: string, { seconds, cpu, bytes, rss, digest }: Measure, wanted: string, other?: Peer, goal?: Goal) {
  if (digest !== wanted) throw new Error(`${title}: the bytes are not those of the file`)
  console.log(
    `${title}: ${(bytes / seconds / 1e6).toFixed(1)} MB/s (${(bytes / cpu / 1e6).toFixed(0)} per second of CPU), peak ${rss.toFixed(0)} MB, bytes equal` +
      (other
        ? `; ${other.name}: ${(bytes / other.seconds / 1e6).toFixed(1)} MB/s, ratio ${(other.seconds / seconds).toFixed(2)}`
        : '') +
      verdict(bytes / seconds / 1e6, rss, goal, 'MB/s'),
  )
}

/** 15 columns of the usual kinds, about 200 bytes a row. */
const columns = (n: string, text: (n: string) => string, at: string) => `
  ${n} as id, ${text(`md5v(${n})`)} as a, ${text(`md5v(${n} + 1)`)} as b, ${n} * 7 as c, ${n} * 1.25 as d, ${n} / 7.0 as e,
  ${at} as f, ${n} % 2 as g, null as h, '' as i, 'a "quoted", text' as j, ${n} % 100 as k, 'constant' as l, ${n} + 0.5 as m,
  ${text(`md5v(${n} + 2)`)} as o`

async function postgresql() {
  const psqlProgram = program('psql')!
  const server = await startPostgresServer()
  const connection = [
    '-h',
    '127.0.0.1',
    '-p',
    String(server.port),
    '-U',
    'owner',
    '-d',
    'postgres',
    '-q',
    '-v',
    'ON_ERROR_STOP=1',
  ]
  const env = { PGPASSWORD: 'owner-secret' }
  const made = columns(
    'n',
    text => text.replace('md5v', 'md5').replace(/\((.*)\)/, '(($1)::text)'),
    `timestamp '2026-01-01' + n * interval '1 s'`,
  )
  const sql = `create unlogged table big as select ${made} from generate_series(1::bigint, ${ROWS}) n; vacuum analyze big`
  for (const statement of sql.split(';'))
    execFileSync(psqlProgram, [...connection, '-c', statement], { env: { ...process.env, ...env } })
  const source: Source = {
    kind: 'DB_ENGINE_1',
    config: { host, port: server.port, database: 'postgres', username: 'owner', tls: { ca_pem: server.ca } },
    secrets: { password: 'owner-secret' },
  }
  const plain = { ...source, config: { ...source.config, tls: { mode: 'disable' } } }
  const copy = 'copy (select * from big) to stdout (format csv, header)'
  const psql = {
    name: 'psql, COPY',
    seconds: peer(psqlProgram, [...connection, '-c', copy], { ...env, PGSSLMODE: 'require' }),
  }
  table(`PostgreSQL, ${ROWS} rows × 15 columns, TLS`, await measured(source, 'public.big'), psql, {
    rate: 300_000,
    rss: 120,
  })
  if (!EVERY) return server.stop()
  const open = {
    name: 'psql, COPY',
    seconds: peer(psqlProgram, [...connection, '-c', copy], { ...env, PGSSLMODE: 'disable' }),
  }
  table('PostgreSQL, not encrypted', await measured(plain, 'public.big'), open)
  table('PostgreSQL, not encrypted, 2 parts of one snapshot', await measured(plain, 'public.big', 2), open)
  await server.stop()
}

async function mariadb() {
  const server = await startMariadbServer()
  const rows = MARIADB_ROWS
  const made = columns('seq', text => text.replace('md5v', 'md5'), `timestamp('2026-01-01') + interval seq second`)
  server.sql(`create database bench; create user reader@'%' identified by 'reader-secret'; grant all on bench.* to reader@'%';
    use bench; create table big as select ${made} from seq_1_to_${rows}; analyze table big`)
  const source: Source = {
    kind: 'DB_ENGINE_3',
    config: { host, port: server.port, database: 'bench', username: 'reader', tls: { ca_pem: server.ca } },
    secrets: { password: 'reader-secret' },
  }
  const plain = { ...source, config: { ...source.config, tls: { mode: 'disable' } } }
  const client = [
    '--no-defaults',
    '-h127.0.0.1',
    `-P${server.port}`,
    '-ureader',
    '-preader-secret',
    '--quick',
    '-B',
    '-e',
    'select * from bench.big',
  ]
  const quick = { name: 'mariadb --quick', seconds: peer('mariadb', client) }
  table(`MariaDB, ${rows} rows × 15 columns, TLS`, await measured(source, 'big'))
  table('MariaDB, not encrypted', await measured(plain, 'big'), quick, { rate: 300_000 })
  await server.stop()
}

/** A file of bytes that cannot be compressed, and its digest. */
async function bigFile(path: string, megabytes = MB): Promise<string> {
  const digest = createHash('sha256')
  function* pieces() {
    const piece = Buffer.alloc(1024 * 1024)
    for (let written = 0; written < megabytes; written++) {
      for (let at = 0; at < piece.length; at += 4)
        piece.writeUInt32LE(((written * 262_144 + at / 4) * 2_654_435_761) >>> 0, at)
      digest.update(piece)
      yield Buffer.from(piece)
    }
  }
  await pipeline(Readable.from(pieces()), createWriteStream(path))
  execFileSync('chmod', ['644', path])
  if (statSync(path).size !== megabytes * 1024 * 1024) throw new Error('short file')
  return digest.digest('hex')
}

async function sftp() {
  const server = await startSshServer()
  const wanted = await bigFile(join(server.drop, 'big.bin'))
  const sourceAt = (port: number): Source => ({
    kind: 'FTP/SFTP',
    config: {
      protocol: 'sftp',
      host,
      port,
      username: server.user,
      base_path: 'drop',
      host_key_fingerprints: [server.hostKey],
    },
    secrets: { password },
  })
  const key = join(server.home, 'key')
  execFileSync('sh', ['-c', `cat > ${key} && chmod 600 ${key}`], { input: server.plainKey })
  const options = [
    '-q',
    '-P',
    String(server.port),
    '-i',
    key,
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    'UserKnownHostsFile=/dev/null',
  ]
  const scp = program('scp')
  const other =
    scp === undefined
      ? undefined
      : {
          name: 'scp',
          seconds: peer(scp, [...options, `${server.user}@127.0.0.1:drop/big.bin`, '/dev/null']),
        }
  file(`SFTP, ${MB} MB on loopback`, await measured(sourceAt(server.port), 'big.bin'), wanted, other, {
    rate: 80,
  })
  const slowly = await bigFile(join(server.drop, 'slow.bin'), SLOW_MB)
  const relay = await startRelay(server.port)
  relay.delayMs = 20
  file(`SFTP, ${SLOW_MB} MB at 40 ms round trip`, await measured(sourceAt(relay.port), 'slow.bin'), slowly, undefined, {
    rate: 15,
  })
  await relay.close()
  await server.stop()
}

async function ftps() {
  const server = await startFtpServer('ftps')
  const wanted = await bigFile(join(server.drop, 'big.bin'))
  const source: Source = {
    kind: 'FTP/SFTP',
    config: { protocol: 'ftps', host, port: server.port, username: server.user, base_path: 'drop', ca_pem: server.ca },
    secrets: { password },
  }
  const curl = program('curl')
  const url = `ftp://127.0.0.1:${server.port}/drop/big.bin`
  const other =
    curl === undefined
      ? undefined
      : {
          name: 'curl',
          seconds: peer(curl, ['-sk', '--ssl-reqd', '-u', `${server.user}:${password}`, '-o', '/dev/null', url]),
        }
  file(`FTPS, ${MB} MB`, await measured(source, 'big.bin'), wanted, other, { rate: 100 })
  await server.stop()
}

const only = process.argv.slice(2)
const wanted = (name: string) => !only.length || only.includes(name)
if (wanted('postgresql') && available('PostgreSQL', ...Object.values(postgresPrograms))) await postgresql()
if (wanted('mariadb') && available('MariaDB', ...Object.values(mariadbPrograms))) await mariadb()
if (wanted('sftp') && available('OpenSSH', ...Object.values(sshPrograms), ...mayServeFiles)) await sftp()
if (wanted('ftps') && available('vsftpd', ...Object.values(ftpPrograms), ...mayServeFiles)) await ftps()
rmSync(folder, { recursive: true })
