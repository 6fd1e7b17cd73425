import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import { readItem } from '../../local/emulators/dynamodb/value.ts'
import { N, S, TableName, table, update } from './table.ts'

describe('updates', () => {
  const list = { L: [N(0), N(1), N(2), N(3)] }
  test.each([
    ['removes positions of a list as they were', 'REMOVE l[0], l[2]', {}, { l: { L: [N(1), N(3)] } }],
    [
      'appends what is set behind the end',
      'SET l[9] = :v',
      { ':v': N(9) },
      { l: { L: [N(0), N(1), N(2), N(3), N(9)] } },
    ],
    [
      'appends in the order of positions',
      'SET l[12] = :b, l[11] = :a',
      { ':a': N(8), ':b': N(9) },
      { l: { L: [N(0), N(1), N(2), N(3), N(8), N(9)] } },
    ],
    ['reads everything before it writes', 'SET a = b, b = a', {}, { l: list, a: N(2), b: N(1) }],
    ['adds exactly', 'SET a = :x + :y', { ':x': N('0.1'), ':y': N('0.2') }, { l: list, a: N('0.3') }],
    [
      'adds where large and small meet',
      'SET a = :x - :y',
      { ':x': N('1e30'), ':y': N(1) },
      { l: list, a: N('999999999999999999999999999999') },
    ],
    ['makes a set of what is added', 'ADD c :c', { ':c': { SS: ['x'] } }, { l: list, c: { SS: ['x'] } }],
    ['drops a set with its last element', 'DELETE s :s', { ':s': { SS: ['x'] } }, { l: list }],
  ] as [string, string, Record<string, AttributeValue>, Record<string, AttributeValue>][])(
    '%s',
    async (_, expression, values, expected) => {
      const { db, put } = await table()
      await put({ pk: S('u'), sk: S('-'), l: list, a: N(1), b: N(2), s: { SS: ['x'] } })
      const { Attributes } = await db.send(update(expression, values))
      const rest = { pk: S('u'), sk: S('-'), a: N(1), b: N(2), s: { SS: ['x'] } }
      const whole: Record<string, AttributeValue> = { ...rest, ...expected }
      if (expression.startsWith('DELETE')) delete whole.s
      expect(Attributes).toEqual(whole)
    },
  )

  test.each([
    ['a number that grows beyond 38 digits', 'SET a = a + :v', { ':v': N('1e-38') }],
    ['text as a number', 'SET a = a + :v', { ':v': S('1') }],
    ['an attribute that is not there', 'SET a = nothing', {}],
    ['a path through text', 'SET t.x = :v', { ':v': N(1) }],
    ['one place twice', 'SET a = :v REMOVE a', { ':v': N(1) }],
    ['a place within another', 'SET l[0] = :v REMOVE l', { ':v': N(1) }],
    ['a place as a list and as a map', 'SET m.x = :v, m[0] = :v', { ':v': N(1) }],
    ['a set taken out of what has no such place', 'DELETE m.x :s', { ':s': { SS: ['x'] } }],
    ['a sum with text that is given', 'SET b = if_not_exists(a, :v) + :v', { ':v': S('x') }],
    ['a place within a key of an index', 'SET #rank.x = :v', { ':v': N(1) }],
    ['a section twice', 'SET a = :v SET b = :v', { ':v': N(1) }],
    ['a key', 'SET sk = :v', { ':v': S('x') }],
    ['a wrong type for an index', 'SET #rank = :v', { ':v': S('x') }],
  ] as [string, string, Record<string, AttributeValue>][])(
    'refuse %s, and change nothing',
    async (_, expression, values) => {
      const { db, put, get } = await table()
      const item = { pk: S('u'), sk: S('-'), l: list, a: N(1), t: S('text') }
      await put(item)
      const names: Record<string, string> = expression.includes('#rank') ? { '#rank': 'rank' } : {}
      await expect(db.send(update(expression, values, names))).rejects.toThrow(
        expect.objectContaining({ name: 'ValidationException' }),
      )
      expect(await get('u')).toEqual(item)
    },
  )

  test('take any attribute name', async () => {
    const { db, get } = await table()
    const names = ['constructor', 'hasOwnProperty', 'a.b', 'ü', "'; DROP TABLE rows; --"]
    const placeholders = Object.fromEntries(names.map((name, i) => [`#n${i}`, name]))
    const { Attributes } = await db.send(
      update(`SET ${names.map((_, i) => `#n${i} = :v`).join(', ')}`, { ':v': S('x') }, placeholders),
    )
    for (const name of names) expect(Object.getOwnPropertyDescriptor(Attributes, name)?.value).toEqual(S('x'))
    expect(Object.keys((await get('u'))!)).toHaveLength(names.length + 2)
    const absent = db.send(
      new PutItemCommand({
        TableName,
        Item: { pk: S('v'), sk: S('-') },
        ConditionExpression: 'attribute_not_exists(#c)',
        ExpressionAttributeNames: { '#c': 'toString' },
      }),
    )
    await expect(absent).resolves.toBeDefined()
    // The SDK itself loses this name, so it is shown below it.
    const item = readItem(JSON.parse('{"__proto__":{"S":"x"}}'))
    expect([Object.keys(item), Object.getPrototypeOf(item)]).toEqual([['__proto__'], Object.prototype])
  })
})
