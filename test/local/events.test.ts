import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge'
import { startEvents } from 'aws-emulators'
import { expect, test } from 'vitest'
import { clientFor, emulated, temporaryDirectory } from './emulated.ts'

const entry: PutEventsRequestEntry = {
  EventBusName: 'Events',
  Source: 'anonymisation',
  DetailType: 'job.succeeded',
  Time: new Date('2026-11-20T09:30:00Z'),
  Detail: '{"id":"1"}',
}

async function bus(options = {}) {
  const directory = temporaryDirectory()
  const client = new EventBridgeClient({
    ...clientFor(await emulated(startEvents, { directory, ...options })),
    maxAttempts: 1,
  })
  const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }))
  const lines = () => readFileSync(join(directory, 'events.ndjson'), 'utf8').split('\n').filter(Boolean)
  return { put, lines }
}

test('events are kept as targets of rules get them', async () => {
  const { put, lines } = await bus()
  const { FailedEntryCount, Entries } = await put(entry)
  expect(FailedEntryCount).toBe(0)
  expect(lines().map(line => JSON.parse(line))).toEqual([
    {
      ...{ version: '0', id: Entries![0]!.EventId, source: 'anonymisation', 'detail-type': 'job.succeeded' },
      ...{ account: '000000000000', region: 'eu-central-1', time: '2026-11-20T09:30:00.000Z', resources: [] },
      ...{ detail: { id: '1' }, bus: 'Events' },
    },
  ])
})

test('an entry whose detail is no object is refused by itself', async () => {
  const { put, lines } = await bus()
  const { FailedEntryCount, Entries } = await put({ ...entry, Detail: '[1]' }, entry, { ...entry, Detail: 'x' })
  expect([FailedEntryCount, Entries!.map(one => one.ErrorCode)]).toEqual([
    2,
    ['MalformedDetail', undefined, 'MalformedDetail'],
  ])
  expect(lines()).toHaveLength(1)
})

test.each([
  ['no bus', { ...entry, EventBusName: undefined }],
  ['an empty source', { ...entry, Source: '' }],
  ['what the emulator does not know', { ...entry, Resources: ['arn:aws:s3:::x'] }],
])('%s is refused', async (_, wrong) => {
  const { put } = await bus()
  await expect(put(wrong)).rejects.toThrow(expect.objectContaining({ name: 'ValidationException' }))
})

test('only those may put events on a bus whose role says so, and on no other', async () => {
  const asked: string[] = []
  const authorize = ({ service, action, resource }: { service: string; action: string; resource: string }) => {
    asked.push(`${service}:${action} ${resource}`)
    return resource.endsWith('/Events')
  }
  const { put, lines } = await bus({ authorize })
  await put(entry)
  await expect(put(entry, { ...entry, EventBusName: 'default' })).rejects.toThrow(
    expect.objectContaining({ name: 'AccessDeniedException' }),
  )
  expect(asked).toContain('events:PutEvents arn:aws:events:eu-central-1:000000000000:event-bus/default')
  expect(lines()).toHaveLength(1)
})
