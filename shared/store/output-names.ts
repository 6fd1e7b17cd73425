import { createHash } from 'node:crypto'
import { numberedName } from 'anonymisation-engine'
import { createItem, getItem, type Item, updateItem } from './dynamo.ts'
import type { JobRecord } from './job-record.ts'
import { JOB } from './jobs.ts'
import { keyOf } from './records.ts'

type Given = Item & { name: string; wanted: string }
type Taken = Item & { assetId: string }

/** Systems differ in whether they tell case apart, so names that differ in nothing else are one. */
const digestOf = (name: string) => createHash('sha256').update(name.normalize('NFC').toLowerCase()).digest('hex')

/** Takes a name for an asset, once and for all; false where another has it. */
async function take(pk: string, name: string, assetId: string): Promise<boolean> {
  const key = { pk, sk: `NAME#${digestOf(name)}` }
  if (await createItem('jobs', { ...key, assetId })) return true
  return (await getItem<Taken>('jobs', key))?.assetId === assetId
}

/** How many assets have asked for a name that was taken, this one included: numbers begin behind them. */
async function latecomers(pk: string, name: string): Promise<number> {
  const key = { pk, sk: `NAMES#${digestOf(name)}` }
  const row = await updateItem<Item & { late: number }>('jobs', key, { update: 'ADD late :one', values: { ':one': 1 } })
  return row!.late
}

/**
 * The name of an asset's output: the one that is wanted, or that with a number where another output of the job has it.
 * The same each time that it is asked for, also after a worker that was stopped on the way.
 */
export async function claimName(
  { id: jobId, assetCount }: Pick<JobRecord, 'id' | 'assetCount'>,
  assetId: string,
  wanted: string,
): Promise<string> {
  // The output of an only asset is alone, and no asset is added to a job that runs.
  if (assetCount === 1) return wanted
  const { pk } = keyOf(JOB, jobId)
  const own = { pk, sk: `NAMED#${assetId}` }
  const given = await getItem<Given>('jobs', own)
  if (given?.wanted === wanted) return given.name
  let name = wanted
  while (!(await take(pk, name, assetId))) name = numberedName(wanted, 1 + (await latecomers(pk, wanted)))
  if (await createItem('jobs', { ...own, name, wanted })) return name
  const other = await getItem<Given>('jobs', own)
  return other?.wanted === wanted ? other.name : name
}
