import { createHash } from 'node:crypto'
import { numberedName } from '../engine/file-names.ts'
import { createItem, getItem, type Item, updateItem } from './dynamo.ts'
import { JOB } from './jobs.ts'
import { keyOf } from './records.ts'

type Given = Item & { name: string; wanted: string }

/** How many outputs of a job have asked for a name, this one included. Systems differ in whether they tell case apart. */
async function uses(pk: string, name: string): Promise<number> {
  const key = createHash('sha256').update(name.normalize('NFC').toLowerCase()).digest('hex')
  const row = await updateItem<Item & { uses: number }>(
    'jobs',
    { pk, sk: `NAME#${key}` },
    { update: 'ADD uses :one', values: { ':one': 1 } },
  )
  return row!.uses
}

/**
 * The name of an asset's output: the one that is wanted, or that with a number where another output of the job has it.
 * The same each time that it is asked for.
 */
export async function claimName(jobId: string, assetId: string, wanted: string): Promise<string> {
  const { pk } = keyOf(JOB, jobId)
  const own = { pk, sk: `NAMED#${assetId}` }
  const given = await getItem<Given>('jobs', own)
  if (given?.wanted === wanted) return given.name
  let n = await uses(pk, wanted)
  let name = numberedName(wanted, n)
  // A file may be called so from the beginning.
  while (n > 1 && (await uses(pk, name)) > 1) name = numberedName(wanted, ++n)
  if (await createItem('jobs', { ...own, name, wanted })) return name
  const other = await getItem<Given>('jobs', own)
  return other?.wanted === wanted ? other.name : name
}
