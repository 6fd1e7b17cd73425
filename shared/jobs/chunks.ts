import { randomUUID } from 'node:crypto'
import { open, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { splitAsset } from '../engine/split.ts'
import { settings } from '../settings.ts'
import { type AssetRecord, objectOf } from '../store/assets.ts'
import {
  type ChunkedAsset,
  type ChunkResult,
  createChunks,
  findChunks,
  listChunks,
  loadSplit,
  openChunks,
  recordChunk,
} from '../store/chunks.ts'
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  type ObjectKey,
  objectInput,
  objectSize,
  putObject,
  putPart,
  readObject,
  readWhole,
} from '../store/objects.ts'
import { sendMessages } from '../store/queue.ts'
import { type Attempt, attempt } from './attempt.ts'
import { recordOutput } from './result.ts'

/** Smallest part of an upload but for the last, bytes. */
const PART_BYTES = 5 * 1024 ** 2
/** Most chunks of an asset; an upload takes 10,000 parts. */
const MOST_CHUNKS = 9000
/** Beginning of the file that every chunk is given, because it tells how the table is written. */
const HEAD_BYTES = 1024 ** 2

/** Whether an asset is worth cutting. */
export const isLarge = ({ type, size }: AssetRecord): boolean =>
  type === 'TABLE' && (size ?? 0) >= settings().FAN_OUT_BYTES

/** Cuts a table and sends a message per chunk that is not done; false when it can't be cut. Again is fine. */
export async function startChunks({ job, asset, signal }: Attempt): Promise<boolean> {
  let chunks = await findChunks(job.id, asset.id)
  if (!chunks) {
    const size = Math.max(settings().CHUNK_BYTES, Math.ceil(asset.size! / MOST_CHUNKS))
    const split = await splitAsset({ input: objectInput(objectOf(asset), asset.name, asset.size!), size, signal })
    if (!split || split.ranges.length < 2) return false
    const output = outputOf(asset, randomUUID())
    const uploadId = await createMultipart(objectOf(output), asset.contentType)
    const cut = { assetId: asset.id, outputId: output.id, uploadId, total: split.ranges.length, done: 0 }
    if (!(await createChunks(job.id, cut, split))) await abortMultipart(objectOf(output), uploadId)
    chunks = await findChunks(job.id, asset.id)
  }
  const open = await openChunks(job.id, chunks!)
  const messages = open.map(n => ({ type: 'CHUNK' as const, jobId: job.id, assetId: asset.id, n }))
  await sendMessages('work', job.ownerId, messages)
  if (open.length === 0) await finishChunks(asset, chunks!)
  return true
}

/** Anonymises one chunk into its part of the output, once, however often it is asked; the last one finishes the asset. */
export const anonymiseChunk = (jobId: string, assetId: string, n: number, remainingMs: number): Promise<void> =>
  attempt({ jobId, assetId, remainingMs }, async work => {
    const chunks = await findChunks(jobId, assetId)
    if (!chunks) return
    if ((await openChunks(jobId, chunks)).includes(n)) await makeChunk(work, chunks, n)
    const now = (await findChunks(jobId, assetId))!
    if (now.done === now.total) await finishChunks(work.asset, now)
  })

async function makeChunk({ job, asset, directory, run }: Attempt, chunks: ChunkedAsset, n: number): Promise<void> {
  const { ranges, options } = await loadSplit(job.id, asset.id)
  const range = ranges[n]!
  const path = join(directory, 'input')
  await writeExcerpt(path, objectOf(asset), asset.size!, range)
  const made = await run(path, { range, options })
  const bytes = await readFile(made.path)
  const output = objectOf(outputOf(asset, chunks.outputId))
  const small = bytes.length < PART_BYTES && n < chunks.total - 1
  if (small) await putObject(smallObject(output, n), bytes, made.mediaType)
  else await putPart(output, chunks.uploadId, n + 1, bytes)
  const { format, findings, mediaType } = made
  const result: ChunkResult = { n, findings, report: { format, ...made.report }, mediaType, bytesOut: bytes.length }
  await recordChunk(job.id, asset.id, small ? { ...result, small } : result)
}

/** A file of the asset's size that holds only its beginning and one range; what lies between takes no room on disk. */
async function writeExcerpt(path: string, object: ObjectKey, size: number, range: { start: number; end: number }) {
  await writeFile(path, await readWhole(object, 0, Math.min(HEAD_BYTES, size)))
  await truncate(path, size)
  await using file = await open(path, 'r+')
  let at = range.start
  for await (const piece of await readObject(object, range.start, range.end)) {
    await file.write(piece as Buffer, 0, (piece as Buffer).length, at)
    at += (piece as Buffer).length
  }
}

/** Puts the chunks together and records the asset. Again is fine. */
async function finishChunks(asset: AssetRecord, chunks: ChunkedAsset): Promise<void> {
  const results = await listChunks(asset.jobId, asset.id)
  const output = outputOf(asset, chunks.outputId)
  const object = objectOf(output)
  if (results.some(({ small }) => small)) await assemble(object, chunks, results)
  else if (!(await completeMultipart(object, chunks.uploadId, chunks.total))) throw new Error('Parts are missing')
  const size = await objectSize(object)
  const bytesOut = results.reduce((sum, result) => sum + result.bytesOut, 0)
  if (size !== bytesOut) throw new Error('The parts do not make the whole')
  const [first] = results
  const findings = first!.findings.map((finding, n) => ({
    ...finding,
    count: results.reduce((sum, result) => sum + (result.findings[n]?.count ?? 0), 0),
  }))
  const report = {
    ...first!.report,
    examined: results.reduce((sum, result) => sum + result.report.examined, 0),
    neutralised: results.reduce((sum, result) => sum + result.report.neutralised, 0),
    warnings: [...new Set(results.flatMap(result => result.report.warnings))],
  }
  await recordOutput(asset, { ...output, size, contentType: first!.mediaType }, { findings, report, bytesOut })
}

/**
 * Some chunks became too small to be parts. The others are put together to one object, whose pieces are then copied
 * with the small ones between them into the final one.
 */
async function assemble(object: ObjectKey, chunks: ChunkedAsset, results: ChunkResult[]): Promise<void> {
  if ((await objectSize(object)) === results.reduce((sum, { bytesOut }) => sum + bytesOut, 0)) return
  const large = results.filter(({ small }) => !small)
  await completeMultipart(object, chunks.uploadId, large.length)
  const uploadId = await createMultipart(object, results[0]!.mediaType)
  let [n, held, offset] = [0, Buffer.alloc(0), 0]
  for (const result of results) {
    const end = offset + result.bytesOut
    const bytes = result.small ? await readWhole(smallObject(object, result.n)) : await readWhole(object, offset, end)
    if (!result.small) offset = end
    held = Buffer.concat([held, bytes])
    if (held.length < PART_BYTES) continue
    await putPart(object, uploadId, ++n, held)
    held = Buffer.alloc(0)
  }
  if (held.length > 0) await putPart(object, uploadId, ++n, held)
  await completeMultipart(object, uploadId, n)
}

const smallObject = ({ bucket, key }: ObjectKey, n: number): ObjectKey => ({ bucket, key: `${key}-chunk-${n}` })

/** The output asset of a cut one. Its digest would need it read whole again, so it has none. */
function outputOf(asset: AssetRecord, id: string): AssetRecord {
  const { jobId, name, type, contentType } = asset
  const now = new Date().toISOString()
  const times = { createdAt: now, updatedAt: now }
  return {
    id,
    jobId,
    name,
    type,
    contentType,
    size: null,
    sha256: null,
    status: 'READY',
    derivedFrom: asset.id,
    ...times,
  }
}
