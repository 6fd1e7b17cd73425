import type * as z from 'zod'
import type { NewSource } from './sources.ts'

/** One body of `POST /sources/` for each way to be configured, by the heading that it stands below. A test sends them all. */
export const sourceExamples: { title: string; body: z.input<typeof NewSource> }[] = [
  { title: '`LOCAL_ASSET`', body: { name: 'My files', kind: 'LOCAL_ASSET', config: { prefix: 'letters/2026' } } },
  {
    title: '`SITE_LIBRARY` (SharePoint)',
    body: {
      name: 'Records',
      kind: 'SITE_LIBRARY',
      config: {
        site_url: 'https://example.sharepoint.com/sites/records',
        client_id: '0f6c1d1e-6f0e-4d8a-9f57-3f4f6a1b2c3d',
        client_secret: 'secret of the application',
        library: 'Case files',
      },
    },
  },
  {
    title: '`CLOUD_DRIVE` with `onedrive`',
    body: {
      name: 'Drive of Ada',
      kind: 'CLOUD_DRIVE',
      config: {
        provider: 'onedrive',
        tenant_id: 'example.onmicrosoft.com',
        client_id: '0f6c1d1e-6f0e-4d8a-9f57-3f4f6a1b2c3d',
        client_secret: 'secret of the application',
        user: 'ada@example.org',
        folder: 'Letters',
      },
    },
  },
  {
    title: '`CLOUD_DRIVE` with `google_drive`',
    body: {
      name: 'Shared drive',
      kind: 'CLOUD_DRIVE',
      config: {
        provider: 'google_drive',
        client_email: 'reader@example.iam.gserviceaccount.com',
        private_key: '-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n',
        subject: 'ada@example.org',
      },
    },
  },
  {
    title: '`CLOUD_DRIVE` with `s3`',
    body: {
      name: 'Archive',
      kind: 'CLOUD_DRIVE',
      config: {
        provider: 's3',
        bucket: 'example-archive',
        region: 'eu-central-1',
        prefix: 'letters',
        access_key_id: 'EXAMPLEKEYID',
        secret_access_key: 'secret of the key',
      },
    },
  },
  {
    title: '`FTP/SFTP` with `sftp`',
    body: {
      name: 'Exchange',
      kind: 'FTP/SFTP',
      config: {
        protocol: 'sftp',
        host: 'files.example.org',
        username: 'reader',
        password: 'secret',
        base_path: 'outgoing',
        host_key_fingerprints: ['SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU'],
      },
    },
  },
  {
    title: '`FTP/SFTP` with `ftps` or `ftps_implicit`',
    body: {
      name: 'Exchange',
      kind: 'FTP/SFTP',
      config: { protocol: 'ftps', host: 'files.example.org', username: 'reader', password: 'secret' },
    },
  },
  {
    title: '`FTP/SFTP` with `ftp`',
    body: {
      name: 'Old scanner',
      kind: 'FTP/SFTP',
      config: {
        protocol: 'ftp',
        host: 'scanner.example.org',
        username: 'reader',
        password: 'secret',
        allow_plaintext: true,
      },
    },
  },
  {
    title: '`DB_ENGINE_1` (PostgreSQL)',
    body: {
      name: 'Clinic',
      kind: 'DB_ENGINE_1',
      config: {
        host: 'db.example.org',
        database: 'clinic',
        username: 'reader',
        password: 'secret',
        schemas: ['public'],
        tls: { mode: 'verify-full' },
      },
    },
  },
  {
    title: '`DB_ENGINE_2` (MySQL)',
    body: {
      name: 'Shop',
      kind: 'DB_ENGINE_2',
      config: { host: 'db.example.org', database: 'shop', username: 'reader', password: 'secret' },
    },
  },
  {
    title: '`DB_ENGINE_3` (MariaDB)',
    body: {
      name: 'Shop',
      kind: 'DB_ENGINE_3',
      config: { host: 'db.example.org', port: 3307, database: 'shop', username: 'reader', password: 'secret' },
    },
  },
  {
    title: '`DB_ENGINE_4` (SQL Server)',
    body: {
      name: 'Payroll',
      kind: 'DB_ENGINE_4',
      config: { host: 'db.example.org', database: 'payroll', username: 'reader', password: 'secret', schemas: ['dbo'] },
    },
  },
  {
    title: '`DB_ENGINE_5` (Oracle)',
    body: {
      name: 'Registry',
      kind: 'DB_ENGINE_5',
      config: { host: 'db.example.org', service_name: 'REGISTRY', username: 'reader', password: 'secret' },
    },
  },
]
