import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { startDynamoDB } from 'aws-emulators'
import { afterAll, expect, test } from 'vitest'
import { exchange, messageTransport } from '../../local/runner/exchanges.ts'
import { clientFor } from './emulated.ts'

/** An address that nothing listens at: whoever asks there by HTTP fails. */
const nowhere = 'http://127.0.0.1:1'

let lost = 0
const directory = mkdtempSync(join(tmpdir(), 'exchanges-'))
const emulator = await startDynamoDB({
  directory,
  faults: () => (lost-- > 0 ? { loseReply: true } : undefined),
})
afterAll(async () => {
  await emulator.close()
  rmSync(directory, { recursive: true })
})
const exchanges = new Map([[nowhere, emulator.exchange!]])

const { transport, take } = messageTransport(new Set(exchanges.keys()), ask => {
  void exchange(exchanges, structuredClone(ask)).then(reply => take(structuredClone(reply)))
})

const clientWith = (secretAccessKey: string, maxAttempts = 1) =>
  new DynamoDBClient({
    ...clientFor({ endpoint: nowhere }),
    credentials: { accessKeyId: 'local', secretAccessKey },
    maxAttempts,
    ...transport(nowhere),
  })

test('a client asks an emulator without HTTP', async () => {
  expect(await clientWith('local').send(new ListTablesCommand({}))).toMatchObject({ TableNames: [] })
})

test('a request with a wrong secret is refused as over HTTP', async () => {
  await expect(clientWith('another').send(new ListTablesCommand({}))).rejects.toThrow(
    expect.objectContaining({ name: 'InvalidSignatureException' }),
  )
})

test('a request that names nobody is refused, unless it is signed', async () => {
  const { requestHandler } = transport(nowhere)!
  const config = { ...clientFor({ endpoint: nowhere }), requestHandler }
  expect(await new DynamoDBClient(config).send(new ListTablesCommand({}))).toMatchObject({ TableNames: [] })
  const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables' }
  const answered = await emulator.exchange!({ method: 'POST', url: '/', headers, body: '{}' })
  expect(answered).toMatchObject({ status: 400, body: expect.stringContaining('MissingAuthenticationToken') })
})

test('over HTTP nobody is let in by a secret alone', async () => {
  const caller = JSON.stringify({ accessKeyId: 'local', secretAccessKey: 'local', region: 'eu-west-1' })
  const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables', caller, authorization: caller }
  const answered = await fetch(emulator.endpoint, { method: 'POST', headers, body: '{}' })
  expect(answered.status).toBe(400)
  expect(await answered.text()).toContain('MissingAuthenticationToken')
})

test('a lost reply is a cut connection, after which the client asks again', async () => {
  lost = 1
  await expect(clientWith('local').send(new ListTablesCommand({}))).rejects.toThrow(
    expect.objectContaining({ code: 'ECONNRESET' }),
  )
  lost = 1
  const { $metadata } = await clientWith('local', 2).send(new ListTablesCommand({}))
  expect($metadata.attempts).toBe(2)
})

test('a request beyond the limit of its service is refused', async () => {
  const headers = { 'x-amz-target': 'DynamoDB_20120810.ListTables' }
  const answered = await emulator.exchange!({
    method: 'POST',
    url: '/',
    headers,
    body: Buffer.alloc(24 * 1024 * 1024 + 1),
  })
  expect(answered).toMatchObject({ status: 413, body: expect.stringContaining('RequestEntityTooLarge') })
})

test('other addresses are left to HTTP', () => {
  expect(transport('http://127.0.0.1:2')).toBeUndefined()
})
