import type { SourceConfig, SourceKind } from '../api/source-kinds.ts'
import type { Connector } from './connector.ts'

type Registry = { [Kind in SourceKind]: (config: SourceConfig<Kind>) => Promise<Connector<never>> }

/** The connector of each kind, loaded with its driver only when a source of the kind is used. */
const connectors: Registry = {
  LOCAL_ASSET: async () => (await import('./objects/local.ts')).local,
  SITE_LIBRARY: async () => (await import('./drives/graph.ts')).siteLibrary,
  CLOUD_DRIVE: async ({ provider }) =>
    provider === 's3'
      ? (await import('./objects/bucket.ts')).bucketDrive
      : provider === 'onedrive'
        ? (await import('./drives/graph.ts')).onedrive
        : (await import('./drives/google.ts')).googleDrive,
  'FTP/SFTP': async ({ protocol }) =>
    protocol === 'sftp' ? (await import('./files/sftp.ts')).sftp : (await import('./files/ftp.ts')).ftp,
  DB_ENGINE_1: async () => (await import('./databases/postgresql.ts')).postgresql,
  DB_ENGINE_2: async () => (await import('./databases/mysql.ts')).mysql,
  DB_ENGINE_3: async () => (await import('./databases/mysql.ts')).mysql,
  DB_ENGINE_4: async () => (await import('./databases/sqlserver.ts')).sqlserver,
  DB_ENGINE_5: async () => (await import('./databases/oracle.ts')).oracle,
}

/** The connector for a complete config. */
export const connectorFor = (kind: SourceKind, config: SourceConfig): Promise<Connector<SourceConfig>> =>
  (connectors[kind] as (config: SourceConfig) => Promise<Connector<SourceConfig>>)(config)
