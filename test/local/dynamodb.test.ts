import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteItemsCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { runs } from '../runs.ts'
import { N, S, TableName, table, update } from './table.ts'

describe('queries', () => {
  test('give every page of any range of any index, in order, both ways', async () => {
    const { db, put } = await table()
    const rank = fc.double({ noNaN: true, min: -1e20, max: 1e20 }).map(value => (Math.abs(value) < 1e-100 ? 0 : value))
    const ranks = fc.array(rank, { minLength: 1, maxLength: 25 })
    let run = 0
    await fc.assert(
      fc.asyncProperty(
        ranks,
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        fc.nat(),
        async (list, forward, Limit, pick) => {
          const owner = `owner${run++}`
          for (const [i, rank] of list.entries())
            await put({ pk: S(owner), sk: S(String(i)), owner: S(owner), rank: N(rank) })
          const least = list[pick % list.length]!
          const found: number[] = []
          let ExclusiveStartKey: Record<string, AttributeValue> | undefined
          do {
            const page = await db.send(
              new QueryCommand({
                TableName,
                IndexName: 'byOwner',
                KeyConditionExpression: '#o = :o AND #r >= :r',
                ExpressionAttributeNames: { '#o': 'owner', '#r': 'rank' },
                ExpressionAttributeValues: { ':o': S(owner), ':r': N(least) },
                ScanIndexForward: forward,
                ...{ Limit, ExclusiveStartKey },
              }),
            )
            expect(page.Count).toBeLessThanOrEqual(Limit)
            found.push(...page.Items!.map(item => Number(item.rank!.N)))
            ExclusiveStartKey = page.LastEvaluatedKey
          } while (ExclusiveStartKey)
          const expected = list.filter(rank => rank >= least).sort((a, b) => (forward ? a - b : b - a))
          expect(found).toEqual(expected)
        },
      ),
      { numRuns: runs(15) },
    )
  })

  test('segments of a scan have every item once', async () => {
    const { db, put } = await table()
    for (let i = 0; i < 40; i++) await put({ pk: S(`p${i % 13}`), sk: S(String(i)) })
    for (const TotalSegments of [1, 2, 7]) {
      const seen: string[] = []
      for (let Segment = 0; Segment < TotalSegments; Segment++) {
        let ExclusiveStartKey: Record<string, AttributeValue> | undefined
        do {
          const page = await db.send(
            new ScanCommand({ TableName, Segment, TotalSegments, Limit: 3, ExclusiveStartKey }),
          )
          seen.push(...page.Items!.map(item => item.sk!.S!))
          ExclusiveStartKey = page.LastEvaluatedKey
        } while (ExclusiveStartKey)
      }
      expect(seen.sort()).toEqual(Array.from({ length: 40 }, (_, i) => String(i)).sort())
    }
  })
})

test('legacy and unknown parameters are refused, not ignored', async () => {
  const { db } = await table()
  const legacy = db.send(new GetItemCommand({ TableName, Key: { pk: S('a'), sk: S('b') }, AttributesToGet: ['pk'] }))
  await expect(legacy).rejects.toThrow(/AttributesToGet/)
})

describe('at the same time', () => {
  test('60 increments are 60', async () => {
    const { db, get } = await table()
    await Promise.all(Array.from({ length: 60 }, () => db.send(update('ADD n :one', { ':one': N(1) }))))
    expect((await get('u'))?.n).toEqual(N(60))
  })

  test('transfers between ten accounts keep the sum and never overdraw', async () => {
    const { db, put } = await table()
    for (let i = 0; i < 10; i++) await put({ pk: S('account'), sk: S(String(i)), amount: N(10) })
    const move = (sk: number, sign: '+' | '-', amount: number) => ({
      Update: {
        TableName,
        Key: { pk: S('account'), sk: S(String(sk)) },
        UpdateExpression: `SET amount = amount ${sign} :a`,
        ConditionExpression: sign === '-' ? 'amount >= :a' : undefined,
        ExpressionAttributeValues: { ':a': N(amount) },
      },
    })
    const results = await Promise.allSettled(
      Array.from({ length: 120 }, (_, i) =>
        db.send(
          new TransactWriteItemsCommand({
            TransactItems: [move(i % 10, '-', 1 + (i % 9)), move((i * 7 + 3) % 10, '+', 1 + (i % 9))].slice(0, 2),
          }),
        ),
      ),
    )
    const refused = results.flatMap(result => (result.status === 'rejected' ? [result.reason.name as string] : []))
    expect(refused.every(name => ['TransactionCanceledException', 'ValidationException'].includes(name))).toBe(true)
    const { Items } = await db.send(new ScanCommand({ TableName }))
    const amounts = Items!.map(item => Number(item.amount!.N))
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(100)
    expect(Math.min(...amounts)).toBeGreaterThanOrEqual(0)
  })
})

test('items expire when their second is over, in the table and in its indexes', async () => {
  let time = Date.now()
  const { db, put, get } = await table({ now: () => time })
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' }
  const second = Math.floor(time / 1000)
  await put({ pk: S('before'), sk: S('-'), ttl: N(second + 50), owner: S('o'), rank: N(1) })
  await db.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
  await put({ pk: S('soon'), sk: S('-'), ttl: N(second + 50), owner: S('o'), rank: N(2) })
  await put({ pk: S('late'), sk: S('-'), ttl: N(second + 5000), owner: S('o'), rank: N(3) })
  await put({ pk: S('long ago'), sk: S('-'), ttl: N(5), owner: S('o'), rank: N(4) })
  await put({ pk: S('text'), sk: S('-'), ttl: S('5'), owner: S('o'), rank: N(5) })
  time += 60_000
  await vi.waitFor(async () => expect(await get('soon')).toBeUndefined(), { timeout: 5000 })
  expect(await get('before')).toBeUndefined()
  const { Items } = await db.send(new ScanCommand({ TableName, IndexName: 'byOwner' }))
  expect(Items!.map(item => item.pk!.S).sort()).toEqual(['late', 'long ago', 'text'])
})

describe('injected faults', () => {
  const owned = new QueryCommand({
    TableName,
    IndexName: 'byOwner',
    KeyConditionExpression: '#o = :o',
    ExpressionAttributeNames: { '#o': 'owner' },
    ExpressionAttributeValues: { ':o': S('o') },
  })

  test('an index lags behind its table, then catches up', async () => {
    let time = Date.now()
    const indexDelayMs = 5000
    let lag = false
    const { db, put, get } = await table({ now: () => time, faults: () => (lag ? { indexDelayMs } : undefined) })
    await put({ pk: S('a'), sk: S('-'), owner: S('o'), rank: N(1), v: N(1) })
    lag = true
    await put({ pk: S('a'), sk: S('-'), owner: S('o'), rank: N(1), v: N(2) })
    await put({ pk: S('b'), sk: S('-'), owner: S('o'), rank: N(2) })
    expect((await get('a'))?.v).toEqual(N(2))
    expect((await db.send(owned)).Items).toEqual([{ pk: S('a'), sk: S('-'), owner: S('o'), rank: N(1), v: N(1) }])
    time += indexDelayMs
    expect((await db.send(owned)).Items!.map(item => [item.pk!.S, item.v?.N])).toEqual([
      ['a', '2'],
      ['b', undefined],
    ])
  })

  test('half of a batch is left unprocessed', async () => {
    let tired = true
    const { db, get } = await table({
      faults: (_, action) => (tired && action.startsWith('Batch') ? { unprocessed: true } : {}),
    })
    const entries = ['a', 'b', 'c'].map(pk => ({ PutRequest: { Item: { pk: S(pk), sk: S('-') } } }))
    const first = await db.send(new BatchWriteItemCommand({ RequestItems: { [TableName]: entries } }))
    expect(first.UnprocessedItems![TableName]).toEqual([entries[1]])
    expect(await get('b')).toBeUndefined()
    const Keys = ['a', 'c'].map(pk => ({ pk: S(pk), sk: S('-') }))
    const read = await db.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys } } }))
    expect([read.Responses![TableName]!.length, read.UnprocessedKeys![TableName]!.Keys]).toEqual([1, [Keys[1]]])
    tired = false
    await db.send(new BatchWriteItemCommand({ RequestItems: first.UnprocessedItems }))
    expect(await get('b')).toBeDefined()
  })
})
