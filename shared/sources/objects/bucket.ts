import type { Readable } from 'node:stream'
import { GetObjectCommand, HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { SourceConfig } from '../../api/source-kinds.ts'
import type { SourceProblem } from '../../api/source-problems.ts'
import type { Connector } from '../connector.ts'
import { SourceError, toSourceError } from '../errors.ts'
import { guardedAgents } from '../http.ts'
import { relativePath } from '../paths.ts'
import type { ObjectStore } from './object-store.ts'
import { objectConnector } from './objects.ts'

type Client = Pick<S3Client, 'send' | 'config'>

/**
 * A bucket, or what lies below a prefix of it (with a slash at the end), as a store. The caller's client decides whose
 * rights are used.
 */
export function bucketStore(client: Client, bucket: string, prefix = ''): ObjectStore {
  const s3 = client as S3Client
  const key = (name: string) => prefix + name
  return {
    async list(folder, { cursor, limit }, signal) {
      const answer = await s3.send(
        new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: key(folder),
          Delimiter: '/',
          MaxKeys: limit,
          ContinuationToken: cursor,
        }),
        { abortSignal: signal },
      )
      const name = (full: string) => full.slice(prefix.length)
      return {
        // An object whose key ends in a slash stands for an empty folder.
        objects: (answer.Contents ?? [])
          .filter(({ Key = '' }) => !Key.endsWith('/'))
          .map(({ Key = '', Size = 0, LastModified, ETag }) => ({
            key: name(Key),
            size: Size,
            modifiedAt: LastModified?.toISOString(),
            etag: ETag,
          })),
        folders: (answer.CommonPrefixes ?? []).map(({ Prefix = '' }) => name(Prefix)),
        cursor: answer.NextContinuationToken,
      }
    },

    async head(name, signal) {
      try {
        const {
          ContentLength = 0,
          LastModified,
          ETag,
        } = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: key(name) }), { abortSignal: signal })
        return { key: name, size: ContentLength, modifiedAt: LastModified?.toISOString(), etag: ETag }
      } catch (error) {
        if (statusOf(error) === 404) return
        throw error
      }
    },

    async read(name, start, signal) {
      const { Body } = await s3.send(
        new GetObjectCommand({ Bucket: bucket, Key: key(name), ...(start ? { Range: `bytes=${start}-` } : {}) }),
        { abortSignal: signal },
      )
      return Body as Readable
    },

    async write(name, body, { create }, signal) {
      const upload = new Upload({
        client: s3,
        params: { Bucket: bucket, Key: key(name), Body: body, ...(create ? { IfNoneMatch: '*' } : {}) },
        partSize: 16 * 1024 * 1024,
        queueSize: 2,
      })
      const abort = () => void upload.abort()
      signal.throwIfAborted()
      signal.addEventListener('abort', abort, { once: true })
      try {
        if (create && (await this.head(name, signal))) throw new SourceError('source_conflict')
        await upload.done()
      } finally {
        signal.removeEventListener('abort', abort)
      }
    },
  }
}

const statusOf = (error: unknown) =>
  (error as { $metadata?: { httpStatusCode?: number } } | null)?.$metadata?.httpStatusCode

const names: Record<string, SourceProblem> = {
  InvalidAccessKeyId: 'source_auth_failed',
  SignatureDoesNotMatch: 'source_auth_failed',
  ExpiredToken: 'source_auth_failed',
  InvalidToken: 'source_auth_failed',
  AccessDenied: 'source_permission_denied',
  Forbidden: 'source_permission_denied',
  NoSuchBucket: 'source_not_found',
  NoSuchKey: 'source_not_found',
  NotFound: 'source_not_found',
  PermanentRedirect: 'source_not_found',
  AuthorizationHeaderMalformed: 'source_config_invalid',
  InvalidObjectState: 'source_unsupported',
  PreconditionFailed: 'source_conflict',
  ConditionalRequestConflict: 'source_conflict',
  SlowDown: 'source_throttled',
  TimeoutError: 'source_timeout',
}

const translate = (error: unknown): Error => {
  const name = (error as Error | null)?.name ?? ''
  if (error instanceof SourceError) return error
  if (Object.hasOwn(names, name)) return new SourceError(names[name]!, undefined, { remoteCode: name })
  // The answer to a question for the head of an object has no body that would name the reason.
  return statusOf(error) === 403 ? new SourceError('source_permission_denied') : toSourceError(error)
}

/** CLOUD_DRIVE with provider `s3`: only ever with the keys of its config, never with the rights of this service. */
export const bucketDrive: Connector<Extract<SourceConfig<'CLOUD_DRIVE'>, { provider: 's3' }>> = objectConnector(
  (context, config) => {
    const { region, bucket, endpoint } = config
    const client = new S3Client({
      region,
      // Always said, because the environment may name another endpoint for the service's own buckets.
      endpoint: endpoint ?? `https://s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`,
      forcePathStyle: endpoint !== undefined,
      credentials: {
        accessKeyId: config.access_key_id,
        secretAccessKey: config.secret_access_key,
        sessionToken: config.session_token,
      },
      requestHandler: { ...guardedAgents(context), requestTimeout: context.limits.idleMs, throwOnRequestTimeout: true },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      followRegionRedirects: false,
      maxAttempts: 4,
    })
    return {
      store: bucketStore(client, bucket),
      root: relativePath(config.prefix ?? ''),
      protection: endpoint?.startsWith('http:') ? 'not encrypted' : 'TLS, certificate verified',
      translate,
    }
  },
)
