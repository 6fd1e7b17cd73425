import type { Cutting, Edit, Split } from 'anonymisation-engine'
import type { AssetReport, AssetResult } from '../api/results.ts'
import { getItem, getItems, type Item, queryItems, transact } from './dynamo.ts'
import type { EngineFacts } from './evidence.ts'
import { type Begun, JOB, resultKey, whileRunning } from './jobs.ts'
import { abortMultipart, putObject, readIfThere, readWhole } from './objects.ts'
import { attributeOf } from './progress.ts'
import { keyOf } from './records.ts'

/** A large table that is anonymised chunk by chunk into the parts of one multipart upload. */
export type ChunkedAsset = {
  /** What its chunks are kept as: the id of the asset, with more behind it where they propose for a review. */
  assetId: string
  /** The output, and the upload that it is put together in; none where the asset is only looked at. */
  outputId: string
  uploadId?: string
  /** Number of chunks, and how many are done. */
  total: number
  done: number
  /** Whether each chunk waits for the one before it. */
  inOrder?: true
}

/** What came of one chunk. */
export type ChunkResult = {
  n: number
  findings: AssetResult['findings']
  report: AssetReport
  mediaType: string
  bytesOut: number
  /** SHA-256 of what it became, hexadecimal, and what it was made with. */
  sha256?: string
  engine?: EngineFacts
  /** What this chunk changes in the name of the file. */
  nameEdits: Edit[]
  /** Too small for a part of an upload, so kept as an object of its own. */
  small?: true
  /** Whether it left names of fields that are to be checked with those of the other chunks. */
  fields?: true
  /** Bytes of the file that it left of where something was found, and rows of the table in it. */
  places?: { bytes: number; rows: number }
}

/** What was found in one chunk: bytes of the marks of its values. */
export type FoundChunk = { n: number; marks: number }

const assetKey = (jobId: string, assetId: string) => ({ pk: keyOf(JOB, jobId).pk, sk: `CHUNKS#${assetId}` })
/** Key of the row with what came of a chunk. */
export const chunkKey = (jobId: string, assetId: string, n: number) => ({
  pk: keyOf(JOB, jobId).pk,
  sk: `CHUNK#${assetId}#${String(n).padStart(5, '0')}`,
})
/** Named by the output: two workers may cut the same asset, and only one of them wins. */
const splitObject = (jobId: string, outputId: string) => ({
  bucket: 'results' as const,
  key: `${jobId}/chunks-${outputId}.json`,
})

const cuttingObject = (jobId: string, assetId: string) => ({
  bucket: 'results' as const,
  key: `${jobId}/cutting-${assetId}.json`,
})

/** Keeps how far the cutting of an asset has come. */
export const saveCutting = (jobId: string, assetId: string, cutting: Cutting): Promise<void> =>
  putObject(cuttingObject(jobId, assetId), Buffer.from(JSON.stringify(cutting)), 'application/json')

/** How far the cutting of an asset has come; undefined before its first checkpoint. */
export async function loadCutting(jobId: string, assetId: string): Promise<Cutting | undefined> {
  const cutting = await readIfThere(cuttingObject(jobId, assetId))
  return cutting && (JSON.parse(cutting.toString()) as Cutting)
}

/** Keeps how an asset is cut; false when another worker has cut it before, or its job does not run any more as it was begun. */
export async function createChunks(job: Begun, asset: ChunkedAsset, split: Split): Promise<boolean> {
  await putObject(splitObject(job.id, asset.outputId), Buffer.from(JSON.stringify(split)), 'application/json')
  const { condition, names, values } = whileRunning(job)
  const now = { ':now': new Date().toISOString() }
  return transact([
    {
      table: 'jobs',
      put: { ...assetKey(job.id, asset.assetId), ...asset },
      condition: { condition: 'attribute_not_exists(pk)' },
    },
    {
      table: 'jobs',
      update: keyOf(JOB, job.id),
      change: { update: 'SET heartbeatAt = :now', condition, names, values: { ...values, ...now } },
    },
  ])
}

/** How far the chunks of an asset are; undefined when it is not cut. */
export const findChunks = (jobId: string, assetId: string): Promise<(Item & ChunkedAsset) | undefined> =>
  getItem<Item & ChunkedAsset>('jobs', assetKey(jobId, assetId))

/** How an asset is cut. */
export const loadSplit = async (jobId: string, { outputId }: ChunkedAsset): Promise<Split> =>
  JSON.parse((await readWhole(splitObject(jobId, outputId))).toString()) as Split

/** The numbers, from 0, of the chunks that are not done. */
export async function openChunks(jobId: string, { assetId, total }: ChunkedAsset): Promise<number[]> {
  const all = Array.from({ length: total }, (_, n) => n)
  const done = await getItems<Item & ChunkResult>(
    'jobs',
    all.map(n => chunkKey(jobId, assetId, n)),
  )
  const finished = new Set(done.map(({ n }) => n))
  return all.filter(n => !finished.has(n))
}

/** Whether a chunk is done. */
export const isChunkDone = async (jobId: string, assetId: string, n: number): Promise<boolean> =>
  (await getItem('jobs', chunkKey(jobId, assetId, n))) !== undefined

/**
 * Keeps what came of a chunk of so many bytes and counts it, both or neither, at most once, and only while its job is IN
 * PROGRESS as it was begun and its asset has no result.
 */
export function recordChunk(
  job: Begun,
  assetId: string,
  result: ChunkResult | FoundChunk,
  bytesIn: number,
  keptAs = assetId,
): Promise<boolean> {
  const { id: jobId } = job
  const { condition, names, values } = whileRunning(job)
  return transact([
    {
      table: 'jobs',
      put: { ...result, ...chunkKey(jobId, keptAs, result.n) },
      condition: { condition: 'attribute_not_exists(pk)' },
    },
    {
      table: 'jobs',
      update: assetKey(jobId, keptAs),
      change: {
        update: 'ADD #done :one',
        condition: 'attribute_exists(pk)',
        names: { '#done': 'done' },
        values: { ':one': 1 },
      },
    },
    { table: 'jobs', check: resultKey(jobId, assetId), condition: { condition: 'attribute_not_exists(pk)' } },
    {
      table: 'jobs',
      update: keyOf(JOB, jobId),
      change: {
        update: 'ADD #asset :bytes SET heartbeatAt = :now REMOVE #chunk',
        condition,
        names: {
          ...names,
          '#asset': attributeOf({ assetId }),
          '#chunk': attributeOf({ assetId, chunk: result.n }),
        },
        values: { ...values, ':bytes': bytesIn, ':now': new Date().toISOString() },
      },
    },
  ])
}

/** What came of the chunks of an asset, in their order. */
export async function listChunks<Result = ChunkResult>(jobId: string, assetId: string): Promise<Result[]> {
  const rows: Result[] = []
  const partition = { table: 'jobs' as const, key: keyOf(JOB, jobId).pk, prefix: `CHUNK#${assetId}#` }
  for await (const row of queryItems<Item & Result>(partition)) rows.push(row)
  return rows
}

/** Lets go of the unfinished uploads of a job, or of one of its assets. */
export async function abandonChunks(jobId: string, assetId = ''): Promise<void> {
  const partition = { table: 'jobs' as const, key: keyOf(JOB, jobId).pk, prefix: `CHUNKS#${assetId}` }
  for await (const { outputId, uploadId } of queryItems<Item & ChunkedAsset>(partition)) {
    if (uploadId) await abortMultipart({ bucket: 'results', key: `${jobId}/${outputId}` }, uploadId)
  }
}
