import { createItem, getItem, getItems, type Item, updateItem } from './dynamo.ts'
import { JOB } from './jobs.ts'
import { keyOf } from './records.ts'

type Row = Item & { number: number }

/**
 * The numbers that a job gives its distinct values, counted from 1 in the order in which they were first asked for.
 * Keys are digests, never values. Every worker of the job gets the same number for the same key; when two ask at the
 * same moment one number may be left out.
 */
export async function numberValues(jobId: string, keys: string[]): Promise<number[]> {
  const { pk } = keyOf(JOB, jobId)
  const rowOf = (key: string) => ({ pk, sk: `NUMBER#${key}` })
  const known = new Map((await getItems<Row>('jobs', [...new Set(keys)].map(rowOf))).map(row => [row.sk, row.number]))
  for (const key of keys) {
    const row = rowOf(key)
    if (known.has(row.sk)) continue
    const counter = await updateItem<Row>(
      'jobs',
      { pk, sk: 'NUMBERS' },
      {
        update: 'ADD #number :one',
        names: { '#number': 'number' },
        values: { ':one': 1 },
      },
    )
    const number = counter!.number
    const mine = await createItem('jobs', { ...row, number })
    known.set(row.sk, mine ? number : (await getItem<Row>('jobs', row))!.number)
  }
  return keys.map(key => known.get(rowOf(key).sk)!)
}
