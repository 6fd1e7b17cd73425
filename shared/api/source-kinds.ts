import * as z from 'zod'
import { upTo } from './common.ts'

const Host = z
  .string()
  .trim()
  .min(1)
  .max(253, { abort: true })
  .regex(
    /^[A-Za-z0-9_]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?$|^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$/,
    'must be a host name or an IP address',
  )
  .describe('Host name or IP address')
const Port = z.int().min(1).max(65_535).describe('The protocol’s usual port by default')
const text = (longest: number) =>
  upTo(longest)
    .min(1)
    .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters')
const Login = text(256).describe('Whom the service logs in as')
const Secret = z.string().min(1).max(4096).meta({ format: 'password', writeOnly: true })
const SecretPem = upTo(50_000)
  .regex(/^\s*-----BEGIN [A-Z0-9 ]+-----/, 'must be PEM')
  .meta({ format: 'password', writeOnly: true })
const Pem = upTo(200_000).regex(/^\s*-----BEGIN CERTIFICATE-----/, 'must be PEM')
const Certificates = Pem.describe('Certificates of the authorities to trust instead of the public ones, PEM')
const Tenant = upTo(253)
  .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,252}$/, 'must be an identifier or a domain name of a tenant')
  .describe('The tenant of Microsoft Entra: identifier or domain name')
const ClientId = text(128).describe('Identifier of the application that the service is to Microsoft')

/** Folder below which a source is read: parts separated by `/`, none of them `.` or `..`. */
export const Folder = upTo(1024)
  .regex(/^[^\p{Cc}\\]*$/u, 'must not hold control characters or backslashes')
  .refine(path => !path.split('/').some(part => part === '.' || part === '..'), 'must not hold the parts . and ..')

/** URLs are stored readable and shown, so they carry no password. */
const withoutLogin = [
  (url: string) => !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === ''),
  'must not hold a user name or a password',
] as const

/** How a connection is protected. Only `verify-full` shows that the server is the one meant. */
const Tls = z
  .strictObject({
    mode: z
      .enum(['verify-full', 'require', 'disable'])
      .default('verify-full')
      .describe(
        '`verify-full` checks certificate and name, `require` encrypts only, `disable` sends everything readable',
      ),
    ca_pem: Certificates.optional(),
    client_cert: Pem.optional().describe('Own certificate, PEM; goes with `client_key`'),
  })
  .prefault({})

/** The schemas of one shape of a config: `fields` may be shown, `secrets` only go in. */
const shape = <Fields extends z.ZodRawShape, Secrets extends z.ZodRawShape>(fields: Fields, secrets: Secrets) => ({
  config: z.strictObject(fields).extend(secrets),
  changes: z.strictObject(fields).extend(z.object(secrets).partial().shape),
  shown: z.object(fields),
})

const database = <Fields extends z.ZodRawShape>(fields: Fields) =>
  shape(
    { host: Host, port: Port.optional(), username: Login, tls: Tls, ...fields },
    { password: Secret, client_key: SecretPem.optional().describe('Key of `client_cert`, PEM') },
  )
const Database = text(128).describe('Name of the database')
const schemas = z
  .array(text(128))
  .min(1)
  .max(100)
  .optional()
  .describe('Only these schemas; by default all that may be read')

const drive = {
  onedrive: shape(
    {
      provider: z.literal('onedrive'),
      tenant_id: Tenant,
      client_id: ClientId,
      user: text(320).describe('Whose drive: e-mail address or identifier of the user'),
      folder: Folder.optional().describe('Only what is below this folder'),
    },
    { client_secret: Secret },
  ),
  google: shape(
    {
      provider: z.literal('google_drive'),
      client_email: upTo(320).check(z.email()).describe('The service account'),
      subject: upTo(320).check(z.email()).optional().describe('The user in whose name the service account acts'),
      drive_id: text(128).optional().describe('A shared drive'),
      folder_id: text(128).optional().describe('Only this folder and what is in it'),
    },
    { private_key: SecretPem.describe('Key of the service account, PEM') },
  ),
  s3: shape(
    {
      provider: z.literal('s3'),
      bucket: upTo(63).regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
      region: upTo(40).regex(/^[a-z0-9-]{2,40}$/, 'must be the name of a region'),
      prefix: Folder.optional().describe('Only what is below this path'),
      endpoint: upTo(500)
        .check(z.url({ protocol: /^https?$/ }))
        .refine(...withoutLogin)
        .optional()
        .describe('Of a store that speaks the same protocol'),
      access_key_id: upTo(128).regex(/^[A-Za-z0-9_./+=-]{3,128}$/, 'must be an access key id'),
    },
    { secret_access_key: Secret, session_token: z.string().max(4096).optional().meta({ writeOnly: true }) },
  ),
}

const transfer = {
  host: Host,
  port: Port.optional(),
  username: Login,
  base_path: Folder.optional().describe('Only what is below this folder'),
}
const Fingerprint = upTo(64).regex(
  /^SHA256:[A-Za-z0-9+/]{43}$/,
  'must be SHA256: and 43 characters of base64, as ssh-keygen -l prints it',
)
const file = {
  sftp: shape(
    {
      protocol: z.literal('sftp'),
      ...transfer,
      host_key_fingerprints: z
        .array(Fingerprint)
        .min(1)
        .max(10)
        .optional()
        .describe('Accepted keys of the server; the connection test returns its current one'),
    },
    {
      password: Secret.optional().describe('This, `private_key`, or both'),
      private_key: SecretPem.optional().describe('OpenSSH or PEM'),
      passphrase: Secret.optional().describe('Of `private_key`, where it is encrypted'),
    },
  ),
  ftps: shape(
    { protocol: z.enum(['ftps', 'ftps_implicit']), ...transfer, ca_pem: Certificates.optional() },
    { password: Secret },
  ),
  ftp: shape(
    {
      protocol: z.literal('ftp'),
      ...transfer,
      allow_plaintext: z.literal(true).describe('Accepts that password and files are sent unencrypted'),
    },
    { password: Secret },
  ),
}

const site = shape(
  {
    site_url: upTo(500)
      .check(z.url({ protocol: /^https$/, hostname: /^[a-z0-9-]+\.sharepoint\.(com|us|cn)$/i }))
      .refine(...withoutLogin)
      .meta({ description: 'Address of the site', examples: ['https://example.sharepoint.com/sites/records'] }),
    client_id: ClientId,
    tenant_id: Tenant.optional().describe('The tenant of Microsoft Entra; by default requested from the site'),
    library: text(256).optional().describe('Name of the document library; the default one by default'),
    folder: Folder.optional().describe('Only what is below this folder'),
  },
  { client_secret: Secret },
)

const relational = {
  plain: database({ database: Database }),
  withSchemas: database({ database: Database, schemas }),
  oracle: database({ service_name: text(128).describe('Name of the database service'), schemas }),
}

const credentials = (config: { password?: string; private_key?: string }) =>
  config.password !== undefined || config.private_key !== undefined

/**
 * Every kind of source: the schema of its config (`config`), of a change of it in which a secret that is absent is
 * kept (`changes`) and of what is shown of it (`shown`); whether it holds files or tables; its fields that are `secret`; and those that decide where
 * secrets go and how they are protected (`bound`): after a change of one of these the secrets must be given again.
 */
export const sourceKinds = {
  LOCAL_ASSET: {
    ...shape({ prefix: Folder.optional().describe('Folder of the owner’s local files; all of them by default') }, {}),
    title: 'Local file storage',
    holds: 'files',
    secret: [],
    bound: [],
  },
  SITE_LIBRARY: {
    ...site,
    title: 'SharePoint document library',
    holds: 'files',
    secret: ['client_secret'],
    bound: ['site_url', 'tenant_id'],
  },
  CLOUD_DRIVE: {
    config: z.discriminatedUnion('provider', [drive.onedrive.config, drive.google.config, drive.s3.config]),
    changes: z.discriminatedUnion('provider', [drive.onedrive.changes, drive.google.changes, drive.s3.changes]),
    shown: z.discriminatedUnion('provider', [drive.onedrive.shown, drive.google.shown, drive.s3.shown]),
    title: 'OneDrive, Google Drive or S3',
    holds: 'files',
    secret: ['client_secret', 'private_key', 'secret_access_key', 'session_token'],
    bound: ['provider', 'tenant_id', 'endpoint', 'region'],
  },
  'FTP/SFTP': {
    config: z.discriminatedUnion('protocol', [
      file.sftp.config.refine(credentials, { path: ['password'], message: 'give a password or a private key' }),
      file.ftps.config,
      file.ftp.config,
    ]),
    changes: z.discriminatedUnion('protocol', [file.sftp.changes, file.ftps.changes, file.ftp.changes]),
    shown: z.discriminatedUnion('protocol', [file.sftp.shown, file.ftps.shown, file.ftp.shown]),
    title: 'SFTP, FTPS or FTP server',
    holds: 'files',
    secret: ['password', 'private_key', 'passphrase'],
    bound: ['protocol', 'host', 'port', 'host_key_fingerprints', 'ca_pem'],
  },
  DB_ENGINE_1: {
    ...relational.withSchemas,
    title: 'PostgreSQL',
    holds: 'tables',
    secret: ['password', 'client_key'],
    bound: ['host', 'port', 'tls'],
  },
  DB_ENGINE_2: {
    ...relational.plain,
    title: 'MySQL',
    holds: 'tables',
    secret: ['password', 'client_key'],
    bound: ['host', 'port', 'tls'],
  },
  DB_ENGINE_3: {
    ...relational.plain,
    title: 'MariaDB',
    holds: 'tables',
    secret: ['password', 'client_key'],
    bound: ['host', 'port', 'tls'],
  },
  DB_ENGINE_4: {
    ...relational.withSchemas,
    title: 'SQL Server',
    holds: 'tables',
    secret: ['password', 'client_key'],
    bound: ['host', 'port', 'tls'],
  },
  DB_ENGINE_5: {
    ...relational.oracle,
    title: 'Oracle Database',
    holds: 'tables',
    secret: ['password', 'client_key'],
    bound: ['host', 'port', 'tls'],
  },
} as const satisfies Record<
  string,
  {
    config: z.ZodType
    changes: z.ZodType
    shown: z.ZodType
    title: string
    holds: 'files' | 'tables'
    secret: string[]
    bound: string[]
  }
>

export type SourceKind = keyof typeof sourceKinds

/** Config of a kind as the connectors take it: complete, secrets included. */
export type SourceConfig<Kind extends SourceKind = SourceKind> = z.infer<(typeof sourceKinds)[Kind]['config']>

/** Splits a config into what may be stored readable and shown, and its secrets by field. */
export function splitSecrets(kind: SourceKind, config: Record<string, unknown>) {
  const secret: readonly string[] = sourceKinds[kind].secret
  const entries = Object.entries(config).filter(([, value]) => value !== undefined)
  return {
    config: Object.fromEntries(entries.filter(([field]) => !secret.includes(field))),
    secrets: Object.fromEntries(entries.filter(([field]) => secret.includes(field))) as Record<string, string>,
  }
}

/** Fields of `bound` in which two configs differ: while there are any, secrets of the one must not go to the other. */
export function boundChanges(kind: SourceKind, before: Record<string, unknown>, after: Record<string, unknown>) {
  return sourceKinds[kind].bound.filter(field => canonical(before[field]) !== canonical(after[field]))
}

const canonical = (value: unknown): string =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : (JSON.stringify(value) ?? '')
