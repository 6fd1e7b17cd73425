import { createItem, getItem, getItems, type Item, updateItem } from './dynamo.ts'
import { JOB } from './jobs.ts'
import { keyOf } from './records.ts'

type Row = Item & { number: number }

/** Numbers that are written at the same time. */
const AT_ONCE = 16

/**
 * The numbers that a job gives its distinct values, counted from 1 in the order in which they were first asked for.
 * Keys are digests, never values. Every worker of the job gets the same number for the same key. Those for new keys are
 * reserved together: when two ask at the same moment, or a worker ends in between, some may be left out.
 */
export async function numberValues(jobId: string, keys: string[]): Promise<number[]> {
  const { pk } = keyOf(JOB, jobId)
  const rowOf = (key: string) => ({ pk, sk: `NUMBER#${key}` })
  const distinct = [...new Set(keys)]
  const known = new Map((await getItems<Row>('jobs', distinct.map(rowOf))).map(row => [row.sk, row.number]))
  const fresh = distinct.map(rowOf).filter(({ sk }) => !known.has(sk))
  if (fresh.length > 0) {
    const first = (await reserve(pk, fresh.length)) - fresh.length + 1
    const keep = async (row: Row) => known.set(row.sk, await written(row))
    const rows = fresh.map((row, index) => ({ ...row, number: first + index }))
    for (let at = 0; at < rows.length; at += AT_ONCE) await Promise.all(rows.slice(at, at + AT_ONCE).map(keep))
  }
  return keys.map(key => known.get(rowOf(key).sk)!)
}

/** The number that counts once this one is written down: the other worker's if that was faster. */
async function written({ pk, sk, number }: Row): Promise<number> {
  const mine = await createItem('jobs', { pk, sk, number })
  return mine ? number : (await getItem<Row>('jobs', { pk, sk }))!.number
}

/** The last of so many numbers that nobody else gets. */
async function reserve(pk: string, count: number): Promise<number> {
  const counter = await updateItem<Row>(
    'jobs',
    { pk, sk: 'NUMBERS' },
    { update: 'ADD #number :count', names: { '#number': 'number' }, values: { ':count': count } },
  )
  return counter!.number
}
