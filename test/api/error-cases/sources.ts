import type { SourceProblem } from '../../../shared/api/source-problems.ts'
import type { Provocation, Stage } from './stage.ts'

/** Looks into a source with these settings. */
async function preview({ good, send }: Stage, kind: string, config: object) {
  const { id } = await good('POST', '/sources/', { name: 'Drop zone', kind, config })
  return send('POST', `/sources/${id}/preview`, {})
}

const bucket =
  (name: string, endpoint = (stage: Stage) => `http://127.0.0.1:${stage.servers.store}`): Provocation =>
  stage => {
    const keys = { access_key_id: 'KEYOFREADER', secret_access_key: 'secret' }
    const config = { provider: 's3', bucket: name, region: 'eu-west-1', endpoint: endpoint(stage), ...keys }
    return preview(stage, 'CLOUD_DRIVE', config)
  }

const sftp =
  (fingerprints?: string[]): Provocation =>
  stage => {
    const login = { host: '127.0.0.1', port: stage.servers.sftp, username: 'reader', password: 'secret' }
    const config = { protocol: 'sftp', ...login, ...(fingerprints && { host_key_fingerprints: fingerprints }) }
    return preview(stage, 'FTP/SFTP', config)
  }

/** A request for each way in which a source can fail. */
export const ofSources: Record<SourceProblem, Provocation> = {
  source_config_invalid: bucket('wrong-region'),
  source_dns_failed: bucket('any', () => 'http://no-such-host.invalid'),
  source_egress_denied: bucket('any', () => 'http://169.254.169.254'),
  source_unreachable: bucket('any', ({ servers }) => `http://127.0.0.1:${servers.closed}`),
  source_timeout: bucket('any', ({ servers }) => `http://127.0.0.1:${servers.silent}`),
  source_tls_untrusted: bucket('any', ({ servers }) => `https://127.0.0.1:${servers.store}`),
  source_host_key_unknown: sftp(),
  source_host_key_mismatch: sftp([`SHA256:${'A'.repeat(43)}`]),
  source_auth_failed: bucket('wrong-keys'),
  source_permission_denied: bucket('not-allowed'),
  source_not_found: bucket('not-there'),
  source_conflict: bucket('changing'),
  source_throttled: bucket('too-busy'),
  source_limit_exceeded: stage => {
    const login = { host: '127.0.0.1', port: stage.servers.full, username: 'reader', password: 'secret' }
    return preview(stage, 'FTP/SFTP', { protocol: 'ftp', allow_plaintext: true, ...login })
  },
  source_unsupported: bucket('archived'),
  source_connection_lost: bucket('breaking-off'),
  source_failed: bucket('broken'),
}
