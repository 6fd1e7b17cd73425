import * as z from 'zod'
import { DEFAULT_RATES } from './api/bounds.ts'
import { IdentityProviders } from './api/identity.ts'

/**
 * Tables of the service, one per kind of record. Every table has the string keys `pk` and `sk` and the time-to-live
 * attribute `ttl` (epoch seconds); those marked have the two list indexes described in `listIndexes`.
 */
export const tables = {
  users: { list: true },
  sessions: { list: false },
  roles: { list: true },
  rules: { list: true },
  lists: { list: true },
  workflows: { list: true },
  jobs: { list: true },
  sources: { list: true },
  schedules: { list: true },
  notifications: { list: true },
  webhooks: { list: true },
  keys: { list: true },
  reidentifications: { list: true },
  audit: { list: false },
  rates: { list: false },
  replies: { list: false },
} as const satisfies Record<string, { list: boolean }>

export type TableName = keyof typeof tables

/**
 * Indexes that lists are read from: the records of one owner, and those of everybody, by time of creation. They carry
 * the fields that lists filter, search and sort by, so that a page costs its keys and its own records only.
 */
export const listIndexes = {
  owner: { partitionKey: 'listOwner', sortKey: 'listOrder' },
  all: { partitionKey: 'listKind', sortKey: 'listOrder' },
} as const

/** Fields projected into the list indexes besides the keys. */
export const listFields = [
  'name',
  'email',
  'type',
  'kind',
  'status',
  'read',
  'role',
  'blocked',
  'supportedAssetType',
  'updatedAt',
  'ttl',
] as const

/**
 * Buckets of the service; `files` holds what the operator puts there for sources of kind LOCAL_ASSET, below `{userId}/`,
 * `transparency` the log of certificates and of the audit trail.
 */
export const buckets = ['uploads', 'results', 'models', 'files', 'lists', 'transparency'] as const
export type BucketName = (typeof buckets)[number]

/**
 * Queues of the service: `jobs` plans and finishes jobs, `work` carries one message per document or chunk, `transfers` one
 * per file or table that is copied from or to a source, `events` one per event, and per attempt to send it to a webhook.
 */
export const queues = ['jobs', 'work', 'transfers', 'events'] as const
export type QueueName = (typeof queues)[number]

/**
 * Keys of the service in AWS KMS: `data` (symmetric) encrypts at rest and seals source secrets, `tokens`
 * (ECC_NIST_P256) signs access tokens, `hash` (HMAC_256) derives the secrets of hashes and pseudonyms, `audit`
 * (ECC_NIST_P256) signs the entries of the audit trail, `wrapping` (symmetric) wraps the data keys of reversible
 * replacements, `certificates` (ECC_NIST_P256) signs the certificates of jobs, `transparency` (ECC_NIST_EDWARDS25519) signs
 * the checkpoints of the log.
 */
export const keys = ['data', 'tokens', 'hash', 'audit', 'wrapping', 'certificates', 'transparency'] as const
export type KeyName = (typeof keys)[number]

/** Name of the environment variable that tells a function where a resource is: `TABLE_RULES`, `QUEUE_WORK`. */
export const variable = {
  table: (name: TableName) => `TABLE_${name.toUpperCase()}`,
  bucket: (name: BucketName) => `BUCKET_${name.toUpperCase()}`,
  queue: (name: QueueName) => `QUEUE_${name.toUpperCase()}`,
  key: (name: KeyName) => `KEY_${name.toUpperCase()}`,
  bus: 'EVENT_BUS',
} as const

/** Namespace of the service's own metrics in CloudWatch; its dimension `service` is the name of the stack. */
export const metricsNamespace = 'Anonymisation'

const flag = z.enum(['true', 'false']).transform(value => value === 'true')

const networksIn = (text: string) => text.split(',').flatMap(part => part.trim() || [])
const isNetwork = (text: string) => z.union([z.cidrv4(), z.cidrv6()]).safeParse(text).success

/** Settings that an operator may change, with their defaults: names of environment variables of every function. */
export const Settings = z.object({
  RATE_LIMIT_PER_USER: z.coerce
    .number()
    .int()
    .min(1)
    .default(DEFAULT_RATES.user)
    .describe('Requests a minute of one user'),
  RATE_LIMIT_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .default(DEFAULT_RATES.address)
    .describe('Requests a minute to /auth from one address'),
  RUNNING_JOBS_PER_USER: z.coerce
    .number()
    .int()
    .min(0)
    .default(2000)
    .describe('Jobs of one user that may run or wait to run at the same time; 0 lets no job start'),
  SELF_REGISTRATION: flag.default(true).describe('Whether anyone may register'),
  SECOND_FACTOR_ROLES: z
    .string()
    .default('')
    .describe('Names of the roles whose users must have a second factor, separated by commas'),
  SECOND_FACTOR_FRESH_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(300)
    .describe(
      'Time after a log-in with a second factor in which users may do what needs a recent one, such as changing roles',
    ),
  IDENTITY_PROVIDERS: IdentityProviders.describe(
    'Identity providers that people may log in by, a JSON array; [Single sign-on](single-sign-on.md) shows one',
  ),
  CORS_ORIGINS: z.string().default('').describe('Origins that may call from a browser, separated by commas'),
  RETENTION_DAYS: z.coerce.number().int().min(1).default(30).describe('Days that uploads and results are kept'),
  NOTIFICATION_DAYS: z.coerce.number().int().min(1).default(90).describe('Days that notifications are kept'),
  FAN_OUT_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(128 * 1024 ** 2)
    .describe('Size from which a table is anonymised in chunks, bytes'),
  CHUNK_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(64 * 1024 ** 2)
    .describe('Size of a chunk of a large table, bytes'),
  CHECKPOINT_BYTES: z.coerce
    .number()
    .int()
    .min(1)
    .default(16 * 1024 ** 3)
    .describe('Bytes of a table that must be read to be split, after which another run of the function continues'),
  OCR_LANGUAGES: z
    .string()
    .regex(/^[a-z]{3}(_[a-z]+)?(\+[a-z]{3}(_[a-z]+)?)*$/i)
    .default('eng')
    .describe('Languages of text in pictures, in Tesseract’s names, joined by plus signs: `eng+deu`'),
  OCR_MIN_CONFIDENCE: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe(
      'Mean confidence, from 0 to 1, below which an asset fails whose pictures look like text; a warning says when it is below 0.5',
    ),
  READ_PAGES: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(24)
    .describe('Pages with pictures that one worker reads; several workers read a larger scan'),
  STALLED_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .default(1200)
    .describe('Time without progress after which a job’s messages count as lost'),
  SOURCE_CONNECTIONS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(4)
    .describe('Files and tables that are read from or written to one source at the same time'),
  LEASE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(900)
    .default(60)
    .describe('Time without a sign of life after which a worker’s connection to a source is released'),
  EGRESS_ALLOW: z
    .string()
    .refine(text => networksIn(text).every(isNetwork), 'must be networks in CIDR notation with commas between')
    .default('')
    .describe('Non-public networks that sources and webhooks may be in, in CIDR notation, separated by commas'),
  WEBHOOK_HTTP: flag
    .default(false)
    .describe('Whether addresses of webhooks may begin with http://, without encryption'),
  WITNESSES: z
    .string()
    .refine(
      text =>
        text.split(',').every(part => /^\s*([^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44} +https?:\/\/\S+\s*)?$/.test(part)),
      'must be keys and addresses of witnesses, `KEY URL`, with commas between',
    )
    .default('')
    .describe(
      'Witnesses that sign the checkpoints of the log: the key and the address of each, `KEY URL`, separated by commas',
    ),
  LOCAL_ASSET_ROOT: z
    .string()
    .default('')
    .describe('Folder with the local files of users, below their ids; if empty, they are in a bucket'),
  REIDENTIFICATION_APPROVALS: z.coerce
    .number()
    .int()
    .min(0)
    .max(10)
    .default(1)
    .describe(
      'People other than the requester who must approve before tokens are opened; with 0 everybody can open their own',
    ),
  REIDENTIFICATION_WINDOW_MINUTES: z.coerce
    .number()
    .int()
    .min(1)
    .max(1440)
    .default(60)
    .describe('Minutes during which an approved request can be opened'),
  MAX_UPLOAD_BYTES: z.coerce.number().int().min(1).default(4_000_000).describe('Largest multipart upload, bytes'),
})
export type Settings = z.infer<typeof Settings>

/** Names of the settings, for the stack and the documentation. */
export const settingNames = Object.keys(Settings.shape) as (keyof Settings)[]

let parsed: Settings | undefined

/** The settings of this function; read once, at first use, and refused when one is wrong. */
export function settings(): Settings {
  parsed ??= Settings.parse(process.env)
  return parsed
}

/** The value of an environment variable that the stack sets, such as a table's name. */
export function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`The environment variable ${name} is not set`)
  return value
}
