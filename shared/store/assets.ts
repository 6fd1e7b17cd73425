import { randomUUID } from 'node:crypto'
import type { Asset } from '../api/assets.ts'
import { notFound } from '../api/problems.ts'
import { keepAhead } from './ahead.ts'
import {
  beginQuery,
  getItem,
  getItems,
  getTogether,
  type Item,
  type Key,
  queryItems,
  setting,
  type Transact,
  transact,
  updateItem,
  type Write,
} from './dynamo.ts'
import type { JobRecord } from './job-record.ts'
import { kinds } from './kinds.ts'
import type { ObjectKey } from './objects.ts'
import { keyOf } from './records.ts'

/** An asset as stored: a row of its job, and a row of its own that leads from its id to the job. */
export type AssetRecord = Omit<Asset, 'upload'> & {
  /** ETag of its file as it was when it became READY: no other content is read. */
  etag?: string
  /** Multipart upload in progress, and its number of parts. */
  uploadId?: string
  parts?: number
  /** The output that it is restored from, with job and input of that. */
  restores?: { jobId: string; assetId: string; outputId: string }
  /** The input of another job that it is copied from. */
  copies?: { jobId: string; id: string; etag?: string }
  /** Name of the file or table in the source. */
  sourceName?: string
}

type AssetRow = Item & AssetRecord

/** What a new asset must say of itself; the rest is not known, unless given. */
type NewAsset = Pick<AssetRecord, 'jobId' | 'name' | 'type' | 'contentType' | 'status'> & Partial<AssetRecord>

/** The record of a new asset. */
export function newAsset(fields: NewAsset): AssetRecord {
  const now = new Date().toISOString()
  return { id: randomUUID(), size: null, sha256: null, createdAt: now, updatedAt: now, ...fields }
}

/** The record of an output that was made from an asset. */
export const newOutput = (
  { id: derivedFrom, jobId, name, type, contentType }: AssetRecord,
  fields: Partial<AssetRecord>,
): AssetRecord => newAsset({ jobId, name, type, contentType, status: 'READY', derivedFrom, ...fields })

const pointerKey = (assetId: string) => keyOf(kinds.asset_id, assetId)

/** Outputs are kept apart, so that a job lists the assets that it was given. */
const rowKey = ({ jobId, id, derivedFrom }: Pick<AssetRecord, 'jobId' | 'id' | 'derivedFrom'>) => ({
  pk: `JOB#${jobId}`,
  sk: `${derivedFrom ? 'OUTPUT' : 'ASSET'}#${id}`,
})

/** Key of the row of an asset that a job was given. */
export const inputKey = (jobId: string, id: string): Key => rowKey({ jobId, id })

/** What of an asset says where its file is kept. */
export type Located = Pick<AssetRecord, 'jobId' | 'id' | 'derivedFrom' | 'restores' | 'etag'>

/** Where the file of an asset is kept. */
export const objectOf = ({ jobId, id, derivedFrom, restores, etag }: Located): ObjectKey =>
  restores
    ? { bucket: 'results', key: `${restores.jobId}/${restores.outputId}`, etag }
    : { bucket: derivedFrom ? 'results' : 'uploads', key: `${jobId}/${id}`, etag }

/** Whether the file of an asset was uploaded or loaded for it: that of an output or of a restored asset is a result. */
export const isUploaded = (asset: Located): boolean => objectOf(asset).bucket === 'uploads'

/** Where the file of an asset is kept that is not known yet, unless it is that of another one. */
export const objectAt = ({ id, jobId, isOutput }: AssetPlace): ObjectKey =>
  objectOf({ id, jobId, derivedFrom: isOutput ? 'an input' : undefined })

/** The writes that create an asset, once. */
export const assetWrites = (asset: AssetRecord): Write[] => [
  {
    table: 'jobs',
    put: { ...asset, ...rowKey(asset) },
    condition: { condition: 'attribute_not_exists(pk)' },
  },
  { table: 'jobs', put: { ...pointerKey(asset.id), ...pointing(asset) } },
]

/** The row that leads from the id of an asset to its job; in older ones outputs don't say what they are derived from. */
type Pointer = { jobId: string; output?: true; derivedFrom?: string }

const pointing = ({ jobId, derivedFrom }: AssetRecord): Pointer => ({
  jobId,
  ...(derivedFrom && { output: true, derivedFrom }),
})

/** Where an asset is: its job, and the input that it is or, as far as that is known, is derived from. */
export type AssetPlace = { id: string; jobId: string; isOutput: boolean; inputId: string | undefined }

/**
 * An asset with its job; refuses an unknown one (404), also when its job is being erased.
 * @param also is told where the asset is and says which rows to read with it, for when they are asked for.
 */
export async function getAsset(
  id: string,
  also: (place: AssetPlace) => Key[] = () => [],
): Promise<{ asset: AssetRecord; job: JobRecord }> {
  const pointer = await getItem<Item & Pointer>('jobs', pointerKey(id))
  if (!pointer) throw notFound('asset')
  const { jobId, output: isOutput = false, derivedFrom } = pointer
  const more = also({ id, jobId, isOutput, inputId: isOutput ? derivedFrom : id })
  const keys = [
    { pk: `JOB#${jobId}`, sk: 'JOB' },
    rowKey({ jobId, id, derivedFrom: isOutput ? 'an input' : undefined }),
  ]
  const [job, asset] = await readTogether(keys, more)
  if (!job || !asset) throw notFound('asset')
  return { job: job as unknown as JobRecord, asset: asset as unknown as AssetRecord }
}

/** Items of the table, and others that are kept for when they are asked for. */
async function readTogether(keys: Key[], others: Key[]): Promise<(Item | undefined)[]> {
  const places = [...keys, ...others].map(key => ({ table: 'jobs' as const, key }))
  const items = await getTogether(places)
  keepAhead(places.slice(keys.length), items.slice(keys.length))
  return items
}

const assetsOf = (jobId: string) => ({ table: 'jobs' as const, key: `JOB#${jobId}`, prefix: 'ASSET#' })

/** The assets that a job was given, in the order of their ids. */
export async function listAssets(jobId: string, limit?: number): Promise<AssetRecord[]> {
  const rows: AssetRow[] = []
  for await (const row of queryItems<AssetRow>(assetsOf(jobId), limit)) rows.push(row)
  return rows
}

/** Begins to read assets of a job before they are asked for. */
export const assetsAhead = (jobId: string, most: number): void => beginQuery(assetsOf(jobId), most)

/** The assets of a job that have these ids. */
export const listAssetsNamed = (jobId: string, ids: string[]): Promise<AssetRow[]> =>
  getItems<AssetRow>(
    'jobs',
    ids.map(id => rowKey({ jobId, id })),
  )

/** The outputs of a job that have these ids; those that were deleted are left out. */
export const listOutputs = (jobId: string, ids: string[]): Promise<AssetRow[]> =>
  getItems<AssetRow>(
    'jobs',
    ids.map(id => rowKey({ jobId, id, derivedFrom: 'an input' })),
  )

/** All outputs of a job that are still there. */
export async function listAllOutputs(jobId: string): Promise<AssetRecord[]> {
  const rows: AssetRow[] = []
  for await (const row of queryItems<AssetRow>({ table: 'jobs', key: `JOB#${jobId}`, prefix: 'OUTPUT#' }))
    rows.push(row)
  return rows
}

/** Sets fields of an asset; undefined when there is none any more. */
export function changeAsset(asset: AssetRecord, changes: Partial<AssetRecord>): Promise<AssetRow | undefined> {
  const change = setting({ ...changes, updatedAt: new Date().toISOString() })
  return updateItem<AssetRow>('jobs', rowKey(asset), { ...change, condition: 'attribute_exists(pk)' })
}

/** Says that an asset failed whose file was announced and has not come; nothing happens once it has been taken in. */
export async function failUpload(asset: AssetRecord, errors: AssetRecord['errors']): Promise<void> {
  const set = setting({ status: 'FAILED', errors, updatedAt: new Date().toISOString() })
  await updateItem<AssetRow>('jobs', rowKey(asset), {
    ...set,
    condition: '#status = :uploading',
    names: { ...set.names, '#status': 'status' },
    values: { ...set.values, ':uploading': 'UPLOADING' },
  })
}

/**
 * Changes fields of up to 90 assets of a job that matter to execution, all or none: only while the job is PENDING, and the status of
 * none that has failed.
 */
export function changePendingAssets(
  jobId: string,
  changed: (readonly [AssetRecord, Partial<AssetRecord>])[],
  write: Transact = transact,
): Promise<boolean> {
  const updatedAt = new Date().toISOString()
  const updates = changed.map(([asset, changes]): Write => {
    const set = setting({ ...changes, updatedAt })
    const change = changes.status ? { ...set, ...unlessFailed(set) } : { ...set, condition: 'attribute_exists(pk)' }
    return { table: 'jobs', update: rowKey(asset), change }
  })
  return write([...updates, revising(jobId, 0)])
}

const unlessFailed = ({ names, values }: ReturnType<typeof setting>) => ({
  condition: 'attribute_exists(pk) AND #status <> :failed',
  names: { ...names, '#status': 'status' },
  values: { ...values, ':failed': 'FAILED' },
})

/** Says what came of loading an asset, once: only while it is LOADING and its job PENDING. */
export function settleLoad(asset: AssetRecord, changes: Partial<AssetRecord>): Promise<boolean> {
  const set = setting({ ...changes, updatedAt: new Date().toISOString() })
  const change = {
    ...set,
    condition: '#status = :loading',
    names: { ...set.names, '#status': 'status' },
    values: { ...set.values, ':loading': 'LOADING' },
  }
  return transact([{ table: 'jobs', update: rowKey(asset), change }, revising(asset.jobId, 0)])
}

/** Says how many bytes of an asset have come, while it is LOADING. */
export const reportLoad = (asset: AssetRecord, loaded: number): Promise<unknown> =>
  updateItem('jobs', rowKey(asset), {
    update: 'SET loaded = :loaded',
    condition: '#status = :loading',
    names: { '#status': 'status' },
    values: { ':loaded': loaded, ':loading': 'LOADING' },
  })

/** Assets per transaction: each takes two of the hundred writes. */
const AT_ONCE = 40

/** Removes assets from a job while it is PENDING; false when it is not any more. */
export async function removeAssets(jobId: string, assets: AssetRecord[], write: Transact = transact): Promise<boolean> {
  for (let at = 0; at < assets.length; at += AT_ONCE) {
    const some = assets.slice(at, at + AT_ONCE)
    const deletions = some.flatMap((asset): Write[] => [
      { table: 'jobs', delete: rowKey(asset), condition: { condition: 'attribute_exists(pk)' } },
      { table: 'jobs', delete: pointerKey(asset.id) },
    ])
    if (!(await write([...deletions, revising(jobId, -some.length)]))) return false
  }
  return true
}

/** Removes the rows of an asset whatever the state of its job; `also` is written with it, if it can be. */
export async function removeAssetRows(asset: AssetRecord, also: Write[], write: Transact): Promise<void> {
  const removals: Write[] = [
    { table: 'jobs', delete: rowKey(asset) },
    { table: 'jobs', delete: pointerKey(asset.id) },
  ]
  if (!(await write([...removals, ...also]))) await write(removals)
}

/** The write that says that a PENDING job's assets change, and by how many. */
const revising = (jobId: string, by: number): Write => ({
  table: 'jobs',
  update: { pk: `JOB#${jobId}`, sk: 'JOB' },
  change: {
    update: 'ADD revision :one, assetCount :by',
    condition: '#status = :pending',
    names: { '#status': 'status' },
    values: { ':one': 1, ':by': by, ':pending': 'PENDING' },
  },
})
