import type { IncomingHttpHeaders } from 'node:http'

/** The services that the local cloud emulates, named as in policies and credential scopes. */
export type Service = 'dynamodb' | 's3' | 'sqs' | 'kms' | 'events'

/** One permission that a request needs: `action` and `resource` (an ARN) are spelt as in an IAM policy, without prefix. */
export interface Access {
  accessKeyId: string
  service: Service
  /** For example `PutItem`: a `HeadObject` needs `GetObject`, a batch needs `SendMessage`, as in IAM. */
  action: string
  resource: string
  /** Condition keys with their values, for example `kms:EncryptionContext:source`. */
  conditions: Readonly<Record<string, string>>
}

/** Whether a caller may do something; asked before anything is read or written. */
export type Authorize = (access: Access) => boolean

/** What goes wrong with one request, for tests of reliability. Several may be combined. */
export interface Fault {
  /** Wait so long before acting. */
  delayMs?: number
  /** What is waited for before the request is carried out. */
  after?: Promise<unknown>
  /** Answer with this error (for example `ThrottlingException`, 400) and do nothing. */
  error?: { name: string; status: number; message?: string }
  /** Act, then cut the connection instead of answering. */
  loseReply?: boolean
  /** SQS: a sent message is stored twice; a received one stays visible and comes again at once. */
  duplicate?: boolean
  /** SQS: a sent message is acknowledged and thrown away. */
  lose?: boolean
  /** SQS: messages of a standard queue are received last sent first. */
  reorder?: boolean
  /** DynamoDB: what this request writes reaches the secondary indexes so much later. */
  indexDelayMs?: number
  /** DynamoDB: of a batch, every second entry is left unprocessed. */
  unprocessed?: boolean
}

/**
 * Decides what goes wrong with a request; S3 requests are seen as `{ bucket, key, query }`, others as their JSON body.
 * `caller` is the access key of whoever makes it.
 */
export type Faults = (
  service: Service,
  action: string,
  request: Readonly<Record<string, unknown>>,
  caller: string,
) => Fault | undefined

/** What every emulator is started with. */
export interface EmulatorOptions {
  /** Where the emulator keeps everything; made if missing, usable by one process at a time. */
  directory: string
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  port?: number
  /** Names that a request's `Host` may have beside those of this machine. */
  hosts?: readonly string[]
  /**
   * Names whose pages may ask beside those of this machine: requests of all other pages are refused before they are looked at.
   * Default: pages of any name may, as far as CORS settings of a bucket let them.
   */
  pages?: readonly string[]
  /** The secret key of an access key, or undefined if there is no such key. Default: `local` with secret `local`. */
  credentials?: (accessKeyId: string) => string | undefined
  /** Default: every authentic caller may do everything. */
  authorize?: Authorize
  /** Default: nothing goes wrong. */
  faults?: Faults
  /** The clock, milliseconds since 1970. Default: the real one. */
  now?: () => number
}

/** Who asks within this process, by the secret itself. */
export interface Caller {
  accessKeyId: string
  secretAccessKey: string
  region: string
}

/** A request without a connection. */
export interface Asked {
  method: string
  /** The raw request target. */
  url: string
  headers: IncomingHttpHeaders
  body: Buffer | string
  /** Absent where the request is signed, as every one over HTTP must be. */
  caller?: Caller
}

/** The answer to such a request. */
export interface Answered {
  status: number
  headers: Record<string, string>
  body: string
}

/** Answers a request of a caller in this process; undefined where a fault cuts the connection. It never throws. */
export type Exchange = (asked: Asked, signal?: AbortSignal) => Promise<Answered | undefined>

/** A running emulator; `close` ends its connections and lets go of its files. */
export interface Emulator {
  /** `http://127.0.0.1:PORT` */
  endpoint: string
  /** The same without HTTP; absent where bodies are streams. */
  exchange?: Exchange
  close(): Promise<void>
}

/** The account number in every ARN of the local cloud. */
export const account = '000000000000'

/** The only credentials that exist when none are configured. */
export const defaultCredentials = (accessKeyId: string) => (accessKeyId === 'local' ? 'local' : undefined)
