import { test } from 'vitest'
import type { SourceProblem } from '../../shared/api/source-problems.ts'
import { egressPolicy } from '../../shared/sources/addresses.ts'
import { guardedDial } from '../../shared/sources/egress.ts'
import type { Source } from '../../shared/sources/sources.ts'
import type { Case, RowName } from './cells.ts'
import { conformance, type Subject } from './conformance.ts'
import { otherAuthority } from './servers/certificates.ts'

/** Real servers, for whoever has them: the variable that names one, its row, its port, and what it lacks when misspelt. */
const servers: [variable: string, RowName, port: number, place: string][] = [
  ['LIVE_POSTGRESQL', 'PostgreSQL', 5432, 'database'],
  ['LIVE_MYSQL', 'MySQL', 3306, 'database'],
  ['LIVE_MARIADB', 'MariaDB', 3306, 'database'],
  ['LIVE_SQLSERVER', 'SQL Server', 1433, 'database'],
  ['LIVE_ORACLE', 'Oracle', 2484, 'service_name'],
  ['LIVE_SFTP', 'SFTP', 22, 'base_path'],
  ['LIVE_FTPS', 'FTPS', 21, 'base_path'],
  ['LIVE_SHAREPOINT', 'SharePoint', 443, 'folder'],
  ['LIVE_ONEDRIVE', 'OneDrive', 443, 'folder'],
  ['LIVE_GOOGLE_DRIVE', 'Google Drive', 443, 'folder_id'],
  ['LIVE_S3', 'S3', 443, 'bucket'],
]

/** A source, and entries of it: a small one, one of at least 8 MB, and one that its credentials may not read. */
type Live = Source & { name: string; large?: string; denied?: string }

const wide = '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,127.0.0.0/8,::1/128,fc00::/7'
const dial = guardedDial(egressPolicy(process.env.EGRESS_ALLOW ?? wide))
const loopback = guardedDial(egressPolicy('127.0.0.0/8'))
const untrusted: SourceProblem = 'source_tls_untrusted'

/** The failures that can be provoked knowing nothing but a good source, and why the others are not tried. */
function casesOf(
  { secrets, config, denied, large }: Live,
  place: string,
  source: (config: object, secrets?: object) => Source,
) {
  const cells: Subject['cells'] = {
    'nothing there': {
      source: source({ [place]: 'no-such-place' }),
      problem: ['source_not_found', 'source_permission_denied', 'source_auth_failed'],
    },
  }
  const less: Partial<Record<Case, string>> = {}
  const [field] = Object.keys(secrets).filter(name => /password|client_secret|secret_access_key/.test(name))
  if (field)
    cells['wrong password'] = { source: source({}, { [field]: 'wrong-secret' }), problem: 'source_auth_failed' }
  else less['wrong password'] = 'not tried: the source has no password'
  if (denied === undefined) less['no permission'] = 'not tried: `denied` names no entry'
  const tls = config.tls as { ca_pem?: string } | undefined
  const own = (ca_pem?: string) => source('ca_pem' in config ? { ca_pem } : { tls: { ...tls, ca_pem } })
  if (tls?.ca_pem ?? config.ca_pem) cells['untrusted TLS'] = { source: own(), problem: untrusted }
  else less['untrusted TLS'] = 'not tried: the certificate of the server is trusted by everybody'
  if (config.host_key_fingerprints) {
    const other = source({ host_key_fingerprints: [`SHA256:${'A'.repeat(43)}`] })
    cells['another identity'] = { source: other, problem: 'source_host_key_mismatch' }
  } else if (cells['untrusted TLS']) cells['another identity'] = { source: own(otherAuthority()), problem: untrusted }
  else less['another identity'] = 'not tried: the source pins nothing'
  if (large === undefined)
    for (const which of ['lost while reading', 'cancelled'] as const) less[which] = 'not tried: `large` names no entry'
  // Their contents come from other hosts than the one that the relay is put in front of.
  else if (config.host === undefined) less['lost while reading'] = 'not tried: the service has several hosts'
  return { cells, less }
}

for (const [variable, row, standard, place] of servers) {
  const text = process.env[variable]
  if (text === undefined) {
    test.skip(`${variable} names no server to test on`, () => {})
    continue
  }
  const live = JSON.parse(text) as Live
  const source = (config = {}, secrets = {}): Source => ({
    kind: live.kind,
    config: { ...live.config, ...config },
    secrets: { ...live.secrets, ...secrets },
  })
  const { cells, less } = casesOf(live, place, source)
  const { host = 'localhost', port = standard } = live.config as { host?: string; port?: number }
  const begin = async (): Promise<Subject> => ({
    source: source(),
    context: { dial },
    host,
    port,
    at: at => ({ source: source(), context: { dial: (_host, _port, signal) => loopback('127.0.0.1', at, signal) } }),
    cells,
    small: { name: live.name },
    large: live.large,
    ...(live.denied === undefined
      ? {}
      : { denied: { name: live.denied, problem: 'source_permission_denied' as const } }),
    stop: async () => {},
  })
  conformance(row, true, begin, { on: `the server of ${variable}`, less })
}
