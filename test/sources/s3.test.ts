import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { Emulator } from 'aws-emulators'
import { startS3 } from 'aws-emulators'
import { afterAll, describe, expect, test } from 'vitest'
import { bucketStore } from '../../shared/sources/objects/bucket.ts'
import { checkSource, openFromSource, previewSource, type Source, writeToSource } from '../../shared/sources/sources.ts'
import { conformance } from './conformance.ts'
import { bytesOf, host, localContext } from './context.ts'
import { openssl } from './servers/certificates.ts'
import { startEncrypted } from './servers/encrypted.ts'
import { available } from './servers/process.ts'

const directory = mkdtempSync(join(tmpdir(), 's3-source-'))
const large = Buffer.alloc(12_000_000, 'abcdefghij')
let emulator: Emulator | undefined
let client: S3Client
let encrypted: Awaited<ReturnType<typeof startEncrypted>>
afterAll(async () => {
  await encrypted?.close()
  await emulator?.close()
  rmSync(directory, { recursive: true })
})

const keys = { KEYOFREADER: 'reader-secret' } as Record<string, string>
const port = () => Number(new URL(emulator!.endpoint).port)
const source = (config = {}, secrets = { secret_access_key: 'reader-secret' }, at = port()): Source => ({
  kind: 'CLOUD_DRIVE',
  config: {
    provider: 's3',
    bucket: 'drop-zone',
    region: 'eu-west-1',
    prefix: 'in',
    endpoint: `http://${host}:${at}`,
    access_key_id: 'KEYOFREADER',
    ...config,
  },
  secrets,
})

const runs = available('openssl for the TLS before S3', openssl)

conformance('S3', runs, async () => {
  emulator = await startS3({
    directory,
    credentials: key => keys[key],
    authorize: ({ resource, action }) => !(action === 'GetObject' && resource.endsWith('/denied.txt')),
  })
  client = new S3Client({
    endpoint: emulator.endpoint,
    region: 'eu-west-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'KEYOFREADER', secretAccessKey: 'reader-secret' },
  })
  await client.send(new CreateBucketCommand({ Bucket: 'drop-zone' }))
  for (const [Key, Body] of Object.entries({
    'in/a.csv': 'id\n1\n',
    'in/denied.txt': 'not for you',
    'in/large.bin': large,
    'in/sub folder/ü 😀+%.txt': 'unicode',
    'out.txt': 'outside',
  }))
    await client.send(new PutObjectCommand({ Bucket: 'drop-zone', Key, Body }))
  encrypted = await startEncrypted(port())
  return {
    port: port(),
    source: source(),
    at: port => ({ source: source({}, undefined, port) }),
    cells: {
      'wrong password': { source: source({}, { secret_access_key: 'wrong-secret' }), problem: 'source_auth_failed' },
      'nothing there': { source: source({ bucket: 'no-such-bucket' }), problem: 'source_not_found' },
      'untrusted TLS': { source: source({ endpoint: encrypted.endpoint }), problem: 'source_tls_untrusted' },
    },
    failures: {
      'no such key': { source: source({ access_key_id: 'KEYOFNOBODY' }), problem: 'source_auth_failed' },
      'no such host': { source: source({ endpoint: 'http://no-such-host.invalid' }), problem: 'source_dns_failed' },
      'no TLS where it is asked for': {
        source: source({ endpoint: `https://${host}:${port()}` }),
        problem: 'source_tls_untrusted',
      },
    },
    small: { name: 'a.csv', text: 'id\n1\n' },
    large: 'large.bin',
    denied: { name: 'denied.txt', problem: 'source_permission_denied' },
    entries: { names: ['a.csv', 'denied.txt', 'large.bin', 'sub folder'] },
    stop: async () => {},
  }
})

describe.skipIf(!runs)('S3: what is its own', () => {
  const read = async (name: string, start = 0, from = source()) =>
    bytesOf((await openFromSource(from, localContext(), name, { start })).body)
  const write = (name: string, mode: 'create' | 'replace', body: Readable, signal?: AbortSignal) =>
    writeToSource(source(), localContext(signal ? { signal } : {}), { name, mode }, body)

  test('names of every script, parts of files, and nothing above the prefix', async () => {
    const { entries } = await previewSource(source(), localContext(), { path: 'sub folder' })
    expect(entries.map(({ name }) => name)).toEqual(['sub folder/ü 😀+%.txt'])
    expect((await read('sub folder/ü 😀+%.txt')).toString()).toBe('unicode')
    expect((await read('large.bin', 11_999_998)).toString()).toBe('ij')
    for (const name of ['../out.txt', 'out.txt', '/../out.txt', 'sub folder/../../out.txt'])
      await expect(read(name)).rejects.toMatchObject({ type: 'source_not_found' })
  })

  test('over TLS, where its authority is trusted', async () => {
    const context = localContext({ trust: encrypted.ca })
    expect(await checkSource(source({ endpoint: encrypted.endpoint }), context)).toMatchObject({ ok: true })
  })

  test('the rights of this service are never used, whatever the environment says', async () => {
    process.env.AWS_ENDPOINT_URL_S3 = emulator!.endpoint
    process.env.AWS_ACCESS_KEY_ID = 'KEYOFREADER'
    process.env.AWS_SECRET_ACCESS_KEY = 'reader-secret'
    const asked: string[] = []
    const dial = async (name: string) => {
      asked.push(name)
      throw new Error('nothing is reached')
    }
    const own = source({ endpoint: undefined, access_key_id: 'OTHERKEY' }, { secret_access_key: 'x' })
    expect(await checkSource(own, localContext({ dial }))).toMatchObject({ ok: false })
    expect(new Set(asked)).toEqual(new Set(['drop-zone.s3.eu-west-1.amazonaws.com']))
    for (const name of ['AWS_ENDPOINT_URL_S3', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) delete process.env[name]
  })

  test('files are created, replaced, and never half written', async () => {
    expect(await write('out/x.bin', 'create', Readable.from([large]))).toEqual({
      name: 'out/x.bin',
      bytes: large.length,
    })
    expect((await read('out/x.bin')).equals(large)).toBe(true)
    await expect(write('out/x.bin', 'create', Readable.from([Buffer.from('no')]))).rejects.toMatchObject({
      type: 'source_conflict',
    })
    await write('out/x.bin', 'replace', Readable.from([Buffer.from('two')]))
    const breaks = Readable.from(
      (async function* () {
        yield Buffer.alloc(6_000_000)
        throw new Error('lost')
      })(),
    )
    await expect(write('out/x.bin', 'replace', breaks)).rejects.toMatchObject({ type: 'source_failed' })
    const controller = new AbortController()
    const endless = Readable.from(
      (async function* () {
        for (let sent = 0; ; sent++) {
          if (sent === 40) controller.abort()
          yield Buffer.alloc(1_000_000)
          await new Promise(setImmediate)
        }
      })(),
    )
    await expect(write('out/x.bin', 'replace', endless, controller.signal)).rejects.toThrow()
    expect((await read('out/x.bin')).toString()).toBe('two')
  })

  test('local files in a bucket are those below the owner’s prefix', async () => {
    const localFiles = bucketStore(client, 'drop-zone', 'in/')
    const local: Source = { kind: 'LOCAL_ASSET', config: {}, secrets: {} }
    const context = localContext({ localFiles })
    const { entries } = await previewSource(local, context)
    expect(entries.map(({ name }) => name)).toContain('a.csv')
    expect((await bytesOf((await openFromSource(local, context, 'a.csv')).body)).toString()).toBe('id\n1\n')
    for (const name of ['../out.txt', 'out.txt', '/out.txt', '..'])
      await expect(openFromSource(local, context, name)).rejects.toMatchObject({ type: 'source_not_found' })
  })
})
