import { existsSync, readdirSync } from 'node:fs'
import { request as send } from 'node:http'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import * as dynamodb from '@aws-sdk/client-dynamodb'
import { KMSClient, ListKeysCommand } from '@aws-sdk/client-kms'
import * as s3 from '@aws-sdk/client-s3'
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { startDynamoDB, startKMS, startS3, startSQS } from 'aws-emulators'
import { describe, expect, test, vi } from 'vitest'
import { parseXml } from '../../local/emulators/s3/xml.ts'
import { Bucket, bucket } from './bucket.ts'
import { clientFor, emulated, temporaryDirectory } from './emulated.ts'
import { N, S, TableName, table } from './table.ts'

const services = {
  dynamodb: {
    ...{ start: startDynamoDB, target: 'DynamoDB_20120810.ListTables' },
    call: (config: object) => new dynamodb.DynamoDBClient(config).send(new dynamodb.ListTablesCommand({})),
    names: ['MissingAuthenticationTokenException', 'UnrecognizedClientException', 'InvalidSignatureException'],
  },
  sqs: {
    ...{ start: startSQS, target: 'AmazonSQS.ListQueues' },
    call: (config: object) => new SQSClient(config).send(new ListQueuesCommand({})),
    names: ['MissingAuthenticationToken', 'InvalidClientTokenId', 'SignatureDoesNotMatch'],
  },
  kms: {
    ...{ start: startKMS, target: 'TrentService.ListKeys' },
    call: (config: object) => new KMSClient(config).send(new ListKeysCommand({})),
    names: ['MissingAuthenticationTokenException', 'UnrecognizedClientException', 'InvalidSignatureException'],
  },
  s3: {
    ...{ start: startS3, target: '' },
    call: (config: object) => new s3.S3Client(config).send(new s3.ListBucketsCommand({})),
    names: ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch'],
  },
}

describe.each(Object.entries(services))('%s', (_, { start, target, call, names: [missing, unknown, wrong] }) => {
  const post = (endpoint: string, more: RequestInit = {}) =>
    fetch(endpoint, {
      method: target ? 'POST' : 'GET',
      body: target ? '{}' : undefined,
      ...more,
      headers: { 'x-amz-target': target, ...more.headers },
    })

  test('answers no one who is not who they say', async () => {
    const emulator = await emulated(start)
    const config = clientFor(emulator)
    const as = (accessKeyId: string, secretAccessKey: string) =>
      call({ ...config, credentials: { accessKeyId, secretAccessKey } })
    await expect(as('local', 'local')).resolves.toBeDefined()
    await expect(as('nobody', 'local')).rejects.toThrow(expect.objectContaining({ name: unknown }))
    await expect(as('local', 'wrong')).rejects.toThrow(expect.objectContaining({ name: wrong }))
    expect(await (await post(emulator.endpoint)).text()).toContain(missing)
    for (const authorization of ['AWS4-HMAC-SHA256', 'AWS4-HMAC-SHA256 Credential=a/b/c', 'Basic bG9jYWw6bG9jYWw=']) {
      const { status } = await post(emulator.endpoint, { headers: { authorization } })
      expect([400, 403]).toContain(status)
    }
    const hourAgo = call({ ...config, systemClockOffset: -3_600_000 })
    await expect(hourAgo).rejects.toThrow()
  })

  test('refuses pages from elsewhere before it looks at what they ask, where it is told to', async () => {
    const seen = vi.fn()
    const [keen, lax] = [await emulated(start, { pages: ['app.test'], credentials: seen }), await emulated(start)]
    const from = async (origin: string, { endpoint } = keen, method?: string) => {
      const headers = {
        ...{ origin, 'access-control-request-method': 'PUT' },
        authorization:
          'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0',
      }
      const reply = await post(endpoint, { headers, ...(method && { method, body: undefined }) })
      return [reply.status, reply.headers.get('access-control-allow-origin'), await reply.text()]
    }
    for (const origin of [
      ...['https://evil.example', 'http://127.0.0.1.evil.example', 'http://localhost.evil.example:80', 'null'],
      ...['http://evil.example@localhost', 'file://', 'chrome-extension://localhost', 'http://app.test.example', ''],
    ]) {
      expect([origin, ...(await from(origin))]).toEqual([origin, 403, null, ''])
      expect([origin, ...(await from(origin, keen, 'OPTIONS'))]).toEqual([origin, 403, null, ''])
    }
    expect(seen).not.toHaveBeenCalled()
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1:8000', 'http://[::1]:1', 'https://app.test'])
      expect((await from(origin))[2]).not.toBe('')
    expect((await from('https://evil.example', lax))[2]).not.toBe('')
  })

  test('survives headers too large, broken requests and clients that go away', async () => {
    const emulator = await emulated(start)
    const port = Number(new URL(emulator.endpoint).port)
    expect((await post(emulator.endpoint, { headers: { 'x-large': 'x'.repeat(40_000) } })).status).toBe(431)
    for (const text of [
      '\0\0\0\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{',
      'PUT %zz HTTP/1.1\r\nHost: a\r\n\r\n',
    ])
      await new Promise<void>(resolve => {
        const socket = connect(port, '127.0.0.1', () =>
          socket.write(text, () => setTimeout(() => socket.destroy(), 30)),
        )
        socket.on('close', () => resolve()).on('error', () => undefined)
      })
    for (const path of ['/%zz', '/%00', '/?%zz=1', '//', '/..', '/%2e%2e/%2e%2e/etc/passwd', `/${'a'.repeat(5000)}`])
      expect((await post(emulator.endpoint + path)).status).toBeLessThan(500)
    await expect(call(clientFor(emulator))).resolves.toBeDefined()
  })
})

test('a body changed on its way is refused', async () => {
  const { db, put, get } = await table()
  db.middlewareStack.add(
    next => args => {
      const request = args.request as { body: Uint8Array }
      request.body = Buffer.from(new TextDecoder().decode(request.body).replace('honest', 'forged'))
      return next(args)
    },
    { name: 'forge', step: 'finalizeRequest', priority: 'low' },
  )
  const forged = put({ pk: S('a'), sk: S('-'), v: S('honest') })
  await expect(forged).rejects.toThrow(expect.objectContaining({ name: 'InvalidSignatureException' }))
  expect(await get('a')).toBeUndefined()
})

test.each(['constructor', 'toString', '__proto__', '', 'GetItem2'])('the operation %j is unknown', async operation => {
  const { db } = await table()
  db.middlewareStack.add(
    next => args => {
      const request = args.request as { headers: Record<string, string> }
      request.headers['x-amz-target'] = `DynamoDB_20120810.${operation}`
      return next(args)
    },
    { name: 'rename', step: 'build', priority: 'low' },
  )
  const call = db.send(new dynamodb.ListTablesCommand({}))
  await expect(call).rejects.toThrow(expect.objectContaining({ name: 'UnknownOperationException' }))
})

test('what nests too deep, or is too large, is refused', async () => {
  const { db, put } = await table()
  let deep: dynamodb.AttributeValue = N(1)
  for (let i = 0; i < 500; i++) deep = { L: [deep] }
  await expect(put({ pk: S('a'), sk: S('-'), deep })).rejects.toThrow(
    expect.objectContaining({ name: 'ValidationException' }),
  )
  const query = (FilterExpression: string) =>
    db.send(new dynamodb.ScanCommand({ TableName, FilterExpression, ExpressionAttributeValues: { ':v': S('x') } }))
  for (const filter of [
    `${'('.repeat(2000)}a = :v${')'.repeat(2000)}`,
    `${'NOT '.repeat(900)}a = :v`,
    `a${'.b'.repeat(100)} = :v`,
    `a = :v ${'OR a = :v '.repeat(350)}`,
  ])
    await expect(query(filter)).rejects.toThrow(expect.objectContaining({ name: 'ValidationException' }))
})

describe('S3', () => {
  test('a bucket or a key is never a path', async () => {
    const parent = temporaryDirectory()
    const { s3: client, put, get } = await bucket({ directory: `${parent}/a/b/c` })
    const keys = [
      '../../../../out',
      '..',
      '../',
      '/etc/passwd',
      'a/../../b',
      '..\\..\\out',
      'C:\\out',
      '%2e%2e%2fout',
      's3.sqlite',
      'blobs/x',
    ]
    for (const Key of keys) await put(Key, Key)
    for (const Key of keys) expect((await get(Key)).toString()).toBe(Key)
    for (const name of ['..', '.', '../x', 'a/b', 'A', 'a', '.hidden', 'a..b', '192.168.0.1']) {
      const made = client.send(new s3.CreateBucketCommand({ Bucket: name }))
      await expect(made, name).rejects.toThrow()
    }
    expect(readdirSync(parent)).toEqual(['a'])
    expect(readdirSync(`${parent}/a/b/c`).filter(name => !name.startsWith('s3.sqlite'))).toEqual(['blobs'])
    expect(readdirSync(`${parent}/a/b/c/blobs`).every(name => /^[0-9a-f-]{36}$/.test(name))).toBe(true)
    expect(existsSync(`${dirname(parent)}/out`)).toBe(false)
  })

  test('a key with a null character is refused', async () => {
    const { put } = await bucket()
    await expect(put('a\0b', 'x')).rejects.toThrow(expect.objectContaining({ name: 'InvalidArgument' }))
  })

  test('an upload that ends too early, or is not what was announced, leaves nothing', async () => {
    const directory = temporaryDirectory()
    const { s3: client, put } = await bucket({ directory })
    const url = await getSignedUrl(client, new s3.PutObjectCommand({ Bucket, Key: 'cut' }), { expiresIn: 60 })
    await new Promise<void>(resolve => {
      const request = send(url, { method: 'PUT', headers: { 'content-length': 100_000 } })
      request.on('error', () => resolve())
      request.write('x'.repeat(1000), () => setTimeout(() => request.destroy(), 50))
    })
    for (const more of [
      { ContentMD5: 'x'.repeat(22) },
      { ContentMD5: 'AAAAAAAAAAAAAAAAAAAAAA==' },
      { ChecksumSHA256: 'x' },
    ])
      await expect(put('wrong', 'content', more)).rejects.toThrow()
    const form = new FormData()
    form.append('key', 'x')
    expect((await fetch(url.replace(/\/cut.*/, ''), { method: 'POST', body: form })).status).toBe(400)
    const { KeyCount } = await client.send(new s3.ListObjectsV2Command({ Bucket }))
    expect(KeyCount).toBe(0)
    await vi.waitFor(() => expect(readdirSync(`${directory}/blobs`)).toEqual([]))
  })

  test.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b "b">]><Delete><Object><Key>&b;</Key></Object></Delete>'],
    ['an unknown entity', '<Delete><Object><Key>&b;</Key></Object></Delete>'],
    ['no end', '<Delete><Object><Key>'],
    ['another root', '<Remove/>'],
    ['a crossing of elements', '<Delete><Object></Delete></Object>'],
    ['a thousand levels', `<Delete>${'<Object>'.repeat(1000)}${'</Object>'.repeat(1000)}</Delete>`],
    ['nothing', ''],
  ])('XML with %s is refused', (_, body) => {
    expect(() => parseXml(body, 'Delete')).toThrow(expect.objectContaining({ code: 'MalformedXML' }))
  })
})

test('nothing of what is stored or sent is printed, whatever goes wrong', async () => {
  const printed: unknown[] = []
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...args) => void printed.push(...args))
  const broken = () => {
    throw new Error('secret-in-an-error\n    at secret (file:///secret:1:2)')
  }
  const { put } = await bucket({ faults: broken }).catch(() => ({ put: undefined }))
  expect(put).toBeUndefined()
  const { db } = await table({ authorize: access => access.action !== 'PutItem' || broken() })
  const Item = { pk: S('secret-key'), sk: S('-'), v: S('secret-value') }
  const failed = db.send(new dynamodb.PutItemCommand({ TableName, Item }))
  await expect(failed).rejects.toThrow(expect.objectContaining({ name: 'InternalServerError' }))
  vi.restoreAllMocks()
  expect(printed.length).toBeGreaterThan(0)
  expect(printed.join('\n')).not.toContain('secret')
})
