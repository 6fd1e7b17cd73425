import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import {
  CreateTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { CreateKeyCommand, KMSClient, ListKeysCommand } from '@aws-sdk/client-kms'
import {
  CreateBucketCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { startS3 } from 'aws-emulators'
import { expect, onTestFinished, test } from 'vitest'
import { clientFor, temporaryDirectory } from './emulated.ts'

const names = { dynamodb: 'startDynamoDB', s3: 'startS3', sqs: 'startSQS', kms: 'startKMS' }

/** An emulator in a process of its own, which can be killed. */
async function spawned(service: keyof typeof names, directory: string) {
  const script = `const { ${names[service]}: start } = await import('aws-emulators')
    console.log((await start({ directory: ${JSON.stringify(directory)} })).endpoint)`
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const gone = new Promise(resolve => child.once('exit', resolve))
  const endpoint = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve)
    child.once('exit', () => reject(new Error('The emulator did not start')))
  })
  return {
    endpoint,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** What each writer has done at least before the emulator is killed, however slow the machine is. */
const FEWEST = 5

/** Lets writers write until the emulator is killed; none may fail before that. */
async function until(kill: () => Promise<void>, milliseconds: number, writers: ((n: number) => Promise<unknown>)[]) {
  const failures: unknown[] = []
  let killed = false
  let n = 0
  const done = writers.map(() => 0)
  const running = writers.map(async (write, writer) => {
    try {
      for (; !killed; done[writer]!++) await write(n++)
    } catch (error) {
      if (!killed) failures.push(error)
    }
  })
  await setTimeout(milliseconds)
  while (failures.length === 0 && Math.min(...done) < FEWEST) await setTimeout(5)
  killed = true
  await kill()
  await Promise.all(running)
  expect(failures).toEqual([])
}

const ROUNDS = [150, 400, 700]

test('DynamoDB: what was acknowledged is there after kill -9, and transactions are there whole or not at all', async () => {
  const directory = temporaryDirectory()
  const acknowledged = new Set<string>()
  for (const [round, milliseconds] of ROUNDS.entries()) {
    const emulator = await spawned('dynamodb', directory)
    const db = new DynamoDBClient(clientFor(emulator))
    const TableName = 'records'
    if (round === 0)
      await db.send(
        new CreateTableCommand({
          ...{ TableName, BillingMode: 'PAY_PER_REQUEST' },
          KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
          AttributeDefinitions: ['pk', 'half'].map(AttributeName => ({ AttributeName, AttributeType: 'S' as const })),
          GlobalSecondaryIndexes: [
            {
              IndexName: 'byHalf',
              KeySchema: [{ AttributeName: 'half', KeyType: 'HASH' }],
              Projection: { ProjectionType: 'ALL' },
            },
          ],
        }),
      )
    const all = async (IndexName?: string) => {
      const { Items } = await db.send(new ScanCommand({ TableName, IndexName }))
      return Items!.map(item => item.pk!.S!)
    }
    const found = new Set(await all())
    expect([...acknowledged].filter(key => !found.has(key))).toEqual([])
    const halves = [...found].filter(key => key.endsWith('/left') || key.endsWith('/right'))
    expect(halves.filter(key => !found.has(key.replace(/\w+$/, half => (half === 'left' ? 'right' : 'left'))))).toEqual(
      [],
    )
    expect((await all('byHalf')).sort()).toEqual(halves.sort())
    const half = (key: string, side: string) => ({
      Put: { TableName, Item: { pk: { S: `${key}/${side}` }, half: { S: side } } },
    })
    await until(emulator.kill, milliseconds, [
      async n => {
        await db.send(new PutItemCommand({ TableName, Item: { pk: { S: `${round}/${n}` } } }))
        acknowledged.add(`${round}/${n}`)
      },
      ...Array.from({ length: 3 }, () => async (n: number) => {
        const key = `${round}/${n}`
        await db.send(new TransactWriteItemsCommand({ TransactItems: [half(key, 'left'), half(key, 'right')] }))
        acknowledged.add(`${key}/left`).add(`${key}/right`)
      }),
    ])
  }
  expect(acknowledged.size).toBeGreaterThan(20)
})

test('S3: acknowledged objects are whole after kill -9, others are whole or absent, and nothing is left lying about', async () => {
  const directory = temporaryDirectory()
  const digests = new Map<string, string>()
  const acknowledged = new Set<string>()
  const Bucket = 'files'
  const of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  for (const [round, milliseconds] of ROUNDS.entries()) {
    const emulator = await spawned('s3', directory)
    const s3 = new S3Client(clientFor(emulator))
    if (round === 0) await s3.send(new CreateBucketCommand({ Bucket }))
    const keys = ((await s3.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(entry => entry.Key!)
    expect([...acknowledged].filter(key => !keys.includes(key))).toEqual([])
    for (const Key of keys) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }))
      expect(of(await Body!.transformToByteArray())).toBe(digests.get(Key))
    }
    const put = async (n: number) => {
      const Key = `${round}/${n}`
      const Body = randomBytes(100_000)
      digests.set(Key, of(Body))
      await s3.send(new PutObjectCommand({ Bucket, Key, Body }))
      acknowledged.add(Key)
    }
    await until(emulator.kill, milliseconds, [put, put, put])
  }
  expect(acknowledged.size).toBeGreaterThan(5)
  // Files that a crash cut off are swept away by the next start, once they are older than that.
  await setTimeout(1100)
  const last = await startS3({ directory })
  onTestFinished(() => last.close())
  const { KeyCount } = await new S3Client(clientFor(last)).send(new ListObjectsV2Command({ Bucket }))
  await expect.poll(() => readdirSync(join(directory, 'blobs')).length, { timeout: 5000 }).toBe(KeyCount)
})

test('SQS: what was sent is there after kill -9, and what was deleted is gone', async () => {
  const directory = temporaryDirectory()
  const [sent, deleted, doubtful] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const [round, milliseconds] of [...ROUNDS, 0].entries()) {
    const emulator = await spawned('sqs', directory)
    const sqs = new SQSClient(clientFor(emulator))
    const QueueName = 'work'
    if (round === 0) await sqs.send(new CreateQueueCommand({ QueueName, Attributes: { VisibilityTimeout: '0' } }))
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }))
    const receive = async (VisibilityTimeout: number, WaitTimeSeconds = 0) => {
      const input = { QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout, WaitTimeSeconds }
      return (await sqs.send(new ReceiveMessageCommand(input))).Messages ?? []
    }
    if (milliseconds === 0) {
      const left: string[] = []
      // What was taken just before the end stays hidden for a second.
      for (let page = await receive(600, 2); page.length; page = await receive(600, 2))
        left.push(...page.map(message => message.Body!))
      const expected = [...sent].filter(body => !deleted.has(body) && !doubtful.has(body))
      expect(expected.filter(body => !left.includes(body))).toEqual([])
      expect(left.filter(body => deleted.has(body))).toEqual([])
      expect(new Set(left).size).toBe(left.length)
      await emulator.kill()
      continue
    }
    await until(emulator.kill, milliseconds, [
      ...Array.from({ length: 3 }, () => async (n: number) => {
        await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: `${round}/${n}` }))
        sent.add(`${round}/${n}`)
      }),
      async () => {
        const [message] = await receive(1)
        if (!message) return
        doubtful.add(message.Body!)
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }))
        deleted.add(message.Body!)
        doubtful.delete(message.Body!)
      },
    ])
  }
  expect(Math.min(sent.size, deleted.size)).toBeGreaterThan(10)
})

test('KMS: every key that was made is there after kill -9', async () => {
  const directory = temporaryDirectory()
  const made = new Set<string>()
  for (const milliseconds of [...ROUNDS, 0]) {
    const emulator = await spawned('kms', directory)
    const kms = new KMSClient(clientFor(emulator))
    const { Keys } = await kms.send(new ListKeysCommand({ Limit: 1000 }))
    expect([...made].filter(id => !Keys!.some(key => key.KeyId === id))).toEqual([])
    await until(emulator.kill, milliseconds / 3, [
      async () => made.add((await kms.send(new CreateKeyCommand({}))).KeyMetadata!.KeyId!),
    ])
  }
  expect(made.size).toBeGreaterThan(3)
})

test('a folder belongs to one emulator at a time', async () => {
  const directory = temporaryDirectory()
  await spawned('dynamodb', directory)
  const { startDynamoDB } = await import('aws-emulators')
  await expect(startDynamoDB({ directory })).rejects.toThrow(/locked/)
})
