import { expect, test } from 'vitest'
import * as z from 'zod'
import { boundChanges, type SourceKind, sourceKinds, splitSecrets } from '../../shared/api/source-kinds.ts'

const pem = '-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n'
const database = { host: 'db.example.org', database: 'clinic', username: 'reader', password: 'secret' }
const oracle = { host: 'db.example.org', service_name: 'CLINIC', username: 'reader', password: 'secret' }
const sftp = { protocol: 'sftp', host: 'files.example.org', username: 'drop', password: 'secret' }
const site = { site_url: 'https://example.sharepoint.com/sites/records', client_id: 'c', client_secret: 'secret' }
const onedrive = {
  provider: 'onedrive',
  tenant_id: 'example.org',
  client_id: 'c',
  client_secret: 's',
  user: 'a@example.org',
}
const s3 = {
  provider: 's3',
  bucket: 'drop-zone',
  region: 'eu-west-1',
  access_key_id: 'AKIAEXAMPLE',
  secret_access_key: 's',
}

const accepted: [SourceKind, Record<string, unknown>][] = [
  ['LOCAL_ASSET', {}],
  ['LOCAL_ASSET', { prefix: 'incoming/2026' }],
  ['SITE_LIBRARY', site],
  ['CLOUD_DRIVE', onedrive],
  ['CLOUD_DRIVE', { provider: 'google_drive', client_email: 'a@b.iam.gserviceaccount.com', private_key: pem }],
  ['CLOUD_DRIVE', s3],
  ['FTP/SFTP', sftp],
  ['FTP/SFTP', { ...sftp, password: undefined, private_key: pem, passphrase: 'x' }],
  ['FTP/SFTP', { protocol: 'ftps', host: '10.0.0.7', port: 2121, username: 'u', password: 'p' }],
  ['FTP/SFTP', { protocol: 'ftp', host: '::1', username: 'u', password: 'p', allow_plaintext: true }],
  ['DB_ENGINE_1', { ...database, schemas: ['public'] }],
  ['DB_ENGINE_2', database],
  ['DB_ENGINE_3', database],
  ['DB_ENGINE_4', database],
  ['DB_ENGINE_5', oracle],
]

const refused: [string, SourceKind, Record<string, unknown>, string][] = [
  ['a field that is not named', 'LOCAL_ASSET', { root: '/' }, ''],
  ['a folder above', 'LOCAL_ASSET', { prefix: 'a/../../b' }, 'prefix'],
  ['a backslash', 'LOCAL_ASSET', { prefix: 'a\\b' }, 'prefix'],
  ['a site elsewhere', 'SITE_LIBRARY', { ...site, site_url: 'https://example.sharepoint.com.evil.org/' }, 'site_url'],
  ['a site over plain HTTP', 'SITE_LIBRARY', { ...site, site_url: 'http://example.sharepoint.com/' }, 'site_url'],
  [
    'a site with a log-in',
    'SITE_LIBRARY',
    { ...site, site_url: 'https://u:SECRET@example.sharepoint.com/' },
    'site_url',
  ],
  ['a store with a log-in', 'CLOUD_DRIVE', { ...s3, endpoint: 'http://u:SECRET@host/' }, 'endpoint'],
  ['a store with a user name', 'CLOUD_DRIVE', { ...s3, endpoint: 'http://SECRET@host/' }, 'endpoint'],
  ['no provider', 'CLOUD_DRIVE', { ...onedrive, provider: undefined }, 'provider'],
  ['fields of another provider', 'CLOUD_DRIVE', { ...onedrive, bucket: 'x' }, ''],
  ['no credentials', 'FTP/SFTP', { ...sftp, password: undefined }, 'password'],
  ['plain FTP unsaid', 'FTP/SFTP', { ...sftp, protocol: 'ftp' }, 'allow_plaintext'],
  ['a fingerprint in MD5', 'FTP/SFTP', { ...sftp, host_key_fingerprints: ['MD5:00:11'] }, 'host_key_fingerprints'],
  ['a URL as host', 'DB_ENGINE_1', { ...database, host: 'http://db/' }, 'host'],
  ['a host with a path', 'DB_ENGINE_1', { ...database, host: '../var/run' }, 'host'],
  ['a socket as host', 'DB_ENGINE_1', { ...database, host: '/var/run/postgresql' }, 'host'],
  ['port 0', 'DB_ENGINE_3', { ...database, port: 0 }, 'port'],
  ['an unknown mode', 'DB_ENGINE_1', { ...database, tls: { mode: 'prefer' } }, 'tls'],
  ['a database for Oracle', 'DB_ENGINE_5', database, 'service_name'],
]

test.each(accepted)('%s takes %j', (kind, config) => {
  expect(sourceKinds[kind].config.safeParse(config).error?.issues).toBeUndefined()
})

test.each(refused)('%s: refused for %s', (_, kind, config, field) => {
  const { success, error } = sourceKinds[kind].config.safeParse(config)
  expect(success).toBe(false)
  if (field) expect(error!.issues.map(issue => issue.path[0])).toContain(field)
})

test.each(accepted)('%s: secrets are split off, may be left out of a change and are never shown', (kind, config) => {
  const parsed = sourceKinds[kind].config.parse(config) as Record<string, unknown>
  const { config: open, secrets } = splitSecrets(kind, parsed)
  expect(Object.keys({ ...open, ...secrets }).sort()).toEqual(
    Object.keys(parsed)
      .filter(field => parsed[field] !== undefined)
      .sort(),
  )
  expect(sourceKinds[kind].changes.parse(open)).toEqual(open)
  expect(sourceKinds[kind].shown.parse(parsed)).toEqual(open)
  expect(sourceKinds[kind].config.parse({ ...open, ...secrets })).toEqual({ ...open, ...secrets })
})

test('TLS is verified unless the config says otherwise', () => {
  expect(sourceKinds.DB_ENGINE_1.config.parse(database).tls).toEqual({ mode: 'verify-full' })
})

test('a change of where secrets go is told from any other change', () => {
  const before = sourceKinds.DB_ENGINE_1.config.parse(database)
  expect(boundChanges('DB_ENGINE_1', before, { ...before, database: 'other' })).toEqual([])
  expect(boundChanges('DB_ENGINE_1', before, { ...before, host: 'evil.example' })).toEqual(['host'])
  expect(boundChanges('DB_ENGINE_1', before, { ...before, port: 1, tls: { mode: 'require' } })).toEqual(['port', 'tls'])
  expect(boundChanges('DB_ENGINE_1', { tls: { mode: 'a', ca_pem: 'b' } }, { tls: { ca_pem: 'b', mode: 'a' } })).toEqual(
    [],
  )
})

test('every kind has a JSON Schema', () => {
  for (const { config, changes, shown } of Object.values(sourceKinds))
    for (const schema of [config, changes, shown])
      for (const io of ['input', 'output'] as const) expect(z.toJSONSchema(schema, { io })).toHaveProperty('$schema')
})
