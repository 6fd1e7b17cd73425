import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  checkFields,
  type Fields,
  figuresOfTallies,
  type Input,
  isNumbered,
  type MeasuredRisk,
  mergeFindings,
  mergeNameEdits,
  mergeReports,
  type RiskPlan,
  renamed,
  type Split,
} from 'anonymisation-engine'
import { settings } from '../../settings.ts'
import { type AssetRecord, newOutput, objectOf } from '../../store/assets.ts'
import {
  type ChunkedAsset,
  type ChunkResult,
  createChunks,
  type FoundChunk,
  findChunks,
  isChunkDone,
  listChunks,
  loadSplit,
  openChunks,
  recordChunk,
} from '../../store/chunks.ts'
import { distinctEngines } from '../../store/evidence.ts'
import { savePlacesIndex } from '../../store/found-places.ts'
import { findsValues, recordFound } from '../../store/found-values.ts'
import type { JobRecord } from '../../store/job-record.ts'
import { planOfAsset } from '../../store/jobs.ts'
import { deriveSecret } from '../../store/keys.ts'
import { objectInput } from '../../store/object-input.ts'
import {
  abortMultipart,
  completeMultipart,
  createMultipart,
  deleteObjects,
  type ObjectKey,
  objectSize,
  putObject,
  putPart,
  readObject,
  readWhole,
} from '../../store/objects.ts'
import { claimName } from '../../store/output-names.ts'
import { sendMessages } from '../../store/queue.ts'
import { inRound } from '../../store/reviews.ts'
import { storeChunkProposals, storeProposalsOfChunks } from '../review/propose.ts'
import { type WorkItem, withWorkItem } from '../worker/work-item.ts'
import { storeMarks } from './found-values.ts'
import { recordOutput, storePlaces } from './record-result.ts'
import { cutTable } from './split-table.ts'

/** Smallest part of an upload but for the last, bytes. */
const PART_BYTES = 5 * 1024 ** 2
/** Beginning of the file that every chunk is given, because it tells how the table is written. */
const HEAD_BYTES = 1024 ** 2

/** Whether an asset is worth cutting. */
export const isLarge = ({ type, size }: AssetRecord): boolean =>
  type === 'TABLE' && (size ?? 0) >= settings().FAN_OUT_BYTES

/**
 * Cuts a table and sends a message per chunk that is not done, or for the first of them where values are numbered in the
 * order in which they stand; false when it can't be cut. Again is fine.
 */
export async function startChunks(attempt: WorkItem): Promise<boolean> {
  const { job, asset } = attempt
  const keptAs = keptAsOf(job, asset)
  let chunks = await findChunks(job.id, keptAs)
  if (!chunks) {
    const plan = await planOfAsset(job, asset)
    const split = (await splitBefore(job, asset)) ?? (await cutTable(attempt, plan))
    if (!split || split === 'later') return split === 'later'
    const inOrder = !findsValues(job) && plan.rules.some(({ replacement }) => isNumbered(replacement))
    const output = outputOf(asset, randomUUID())
    const inspects = job.mode === 'INSPECT' || proposes(job) || findsValues(job)
    const uploadId = inspects ? undefined : await createMultipart(objectOf(output), asset.contentType)
    const cut: ChunkedAsset = {
      ...{ assetId: keptAs, outputId: output.id, total: split.ranges.length, done: 0 },
      ...(uploadId && { uploadId }),
      ...(inOrder && { inOrder }),
    }
    const isFirst = await createChunks(job, cut, split)
    if (uploadId && !isFirst) await abortMultipart(objectOf(output), uploadId)
    chunks = await findChunks(job.id, keptAs)
    // Others begin it anew.
    if (!chunks) return true
  }
  const open = await openChunks(job.id, chunks)
  await sendChunks(asset, job.ownerId, chunks.inOrder ? open.slice(0, 1) : open)
  if (open.length === 0) await finishChunks(attempt, chunks)
  return true
}

/** Whether what is found is to be proposed to those who review. */
const proposes = ({ review }: JobRecord): boolean => review?.state === 'preparing'

/** What the chunks of an asset are kept as that is looked through for its values. */
const foundAs = ({ id }: AssetRecord): string => `${id}.values`

/** What the chunks of an asset are kept as: those that make the output are others than those that come before. */
const keptAsOf = (job: JobRecord, asset: AssetRecord): string =>
  proposes(job) ? `${asset.id}.${inRound(job, 'review')}` : findsValues(job) ? foundAs(asset) : asset.id

/** How an asset was cut to be looked through for its values. */
async function splitBefore(job: JobRecord, asset: AssetRecord): Promise<Split | undefined> {
  const chunks = job.filter && (await findChunks(job.id, foundAs(asset)))
  return chunks && loadSplit(job.id, chunks)
}

const sendChunks = ({ id: assetId, jobId }: AssetRecord, ownerId: string, numbers: number[]): Promise<void> =>
  sendMessages(
    'work',
    ownerId,
    numbers.map(n => ({ type: 'CHUNK', jobId, assetId, n })),
  )

/** Anonymises one chunk into its part of the output, once, however often it is asked; the last one finishes the asset. */
export const anonymiseChunk = (jobId: string, assetId: string, n: number, remainingMs: number): Promise<void> =>
  withWorkItem({ jobId, assetId, chunk: n, remainingMs }, async work => {
    const keptAs = keptAsOf(work.job, work.asset)
    const chunks = await findChunks(jobId, keptAs)
    if (!chunks || (chunks.inOrder && n > chunks.done)) return false
    if (!(await isChunkDone(jobId, keptAs, n))) await makeChunk(work, chunks, n)
    const now = (await findChunks(jobId, keptAs))!
    if (now.done === now.total) await finishChunks(work, now)
    // A message that comes late, when others have gone on, begins no second row of them.
    else if (now.inOrder && now.done === n + 1) await sendChunks(work.asset, work.job.ownerId, [n + 1])
    return false
  })

async function makeChunk(
  { job, asset, directory, run, find, engine }: WorkItem,
  chunks: ChunkedAsset,
  n: number,
): Promise<void> {
  const { ranges, options } = await loadSplit(job.id, chunks)
  const range = ranges[n]!
  const path = join(directory, 'input')
  await writeExcerpt(path, objectOf(asset), asset.size!, range)
  if (findsValues(job)) {
    const marks = await storeMarks(asset, n, await find(path, { range, options }))
    return void (await recordChunk(job, asset.id, { n, marks }, 0, chunks.assetId))
  }
  const made = await run(path, { range, options })
  const output = made.path === undefined ? { bytesOut: 0 } : await keepPart(asset, chunks, n, made.path, made.mediaType)
  if (made.tally) await putObject(tallyObject(asset, n), await readFile(made.tally), 'application/octet-stream')
  if (made.fields) await putObject(fieldsObject(asset, n), Buffer.from(JSON.stringify(made.fields)), 'application/json')
  const places = made.places && { bytes: await keepPlaces(job, asset, n, made.places.path), rows: made.places.rows }
  const { format, findings, mediaType, nameEdits } = made
  const report = { format, ...made.report }
  const result: ChunkResult = { n, findings, report, mediaType, nameEdits, engine: await engine(), ...output }
  const kept = { ...result, ...(places && { places }), ...(made.fields && { fields: true as const }) }
  // What is proposed is not done yet.
  await recordChunk(job, asset.id, kept, proposes(job) ? 0 : made.bytesIn, chunks.assetId)
}

/** Keeps what a chunk tells of where something was found, or what it proposes; answers the bytes of a file that others may read. */
async function keepPlaces(job: JobRecord, asset: AssetRecord, n: number, path: string): Promise<number> {
  if (!proposes(job)) return storePlaces(asset, n, path)
  await storeChunkProposals(job, asset, n, path)
  return 0
}

/** Keeps what a chunk became as a part of the output, or by itself where it is too small for one. */
async function keepPart(asset: AssetRecord, chunks: ChunkedAsset, n: number, path: string, mediaType: string) {
  const bytes = await readFile(path)
  const output = objectOf(outputOf(asset, chunks.outputId))
  const small = bytes.length < PART_BYTES && n < chunks.total - 1
  if (small) await putObject(smallObject(output, n), bytes, mediaType)
  else await putPart(output, chunks.uploadId!, n + 1, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { bytesOut: bytes.length, sha256, ...(small && { small: true as const }) }
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
async function finishChunks({ job, asset }: WorkItem, chunks: ChunkedAsset): Promise<void> {
  if (findsValues(job)) {
    const found = await listChunks<FoundChunk>(asset.jobId, chunks.assetId)
    return void (await recordFound(
      job,
      asset.id,
      found.map(({ marks }) => marks),
    ))
  }
  const results = await listChunks(asset.jobId, chunks.assetId)
  const plan = await planOfAsset(job, asset)
  if (results[0]!.fields) {
    await checkFields(() => fieldsOf(asset, results), plan, await deriveSecret(`pseudonym:${job.id}`))
  }
  if (proposes(job)) {
    await storeProposalsOfChunks(
      job,
      asset,
      results.map(({ places }) => places!.rows),
      enginesOf(results),
    )
    return deleteObjects('results', fieldsObject(asset).key)
  }
  if (!chunks.uploadId) return finishLooking(job, asset, results)
  const risk = plan.risk && (await riskOf(asset, plan.risk, results))
  const parts = outputOf(asset, chunks.outputId)
  const large = results.filter(({ small }) => !small)
  if (!(await completeMultipart(objectOf(parts), chunks.uploadId, large.length))) throw new Error('Parts are missing')
  // Two workers may get here. Each puts the pieces together to an output of its own, and one of them is recorded.
  const output = large.length === results.length ? parts : outputOf(asset, randomUUID())
  if (output !== parts) await assemble(objectOf(parts), objectOf(output), results)
  const size = await objectSize(objectOf(output))
  const bytesOut = results.reduce((sum, result) => sum + result.bytesOut, 0)
  if (size !== bytesOut) throw new Error('The parts do not make the whole')
  const [first] = results
  const findings = mergeFindings(results.map(result => result.findings))
  const report = mergeReports(results.map(result => result.report))
  const made = { findings, report, bytesOut, engines: enginesOf(results), ...(risk && { risk }) }
  const wanted = renamed(asset.name, mergeNameEdits(results.map(result => result.nameEdits)))
  const name = await claimName(job, asset.id, wanted)
  await recordOutput(job, asset, { ...output, name, size, contentType: first!.mediaType }, made)
  if (output !== parts) await deleteObjects('results', objectOf(parts).key)
  if (risk) await deleteObjects('results', tallyObject(asset).key)
  if (first!.fields) await deleteObjects('results', fieldsObject(asset).key)
}

/** Records what was found in the chunks of an asset that is only looked at. */
async function finishLooking(job: JobRecord, asset: AssetRecord, results: ChunkResult[]): Promise<void> {
  let rowsBefore = 0
  const parts = results.map(({ places }) => {
    const { bytes, rows } = places!
    rowsBefore += rows
    return { bytes, rowsBefore: rowsBefore - rows }
  })
  await savePlacesIndex(asset, parts)
  const findings = mergeFindings(results.map(result => result.findings))
  const report = mergeReports(results.map(result => result.report))
  const engines = enginesOf(results)
  await recordOutput(job, asset, undefined, { findings, report, bytesOut: 0, places: parts.length, engines })
  await deleteObjects('results', fieldsObject(asset).key)
}

const enginesOf = (results: ChunkResult[]) => distinctEngines(results.flatMap(({ engine }) => engine ?? []))

/** Some chunks became too small to be parts: they and the pieces of the object that the others make are copied in order. */
async function assemble(from: ObjectKey, to: ObjectKey, results: ChunkResult[]): Promise<void> {
  const uploadId = await createMultipart(to, results[0]!.mediaType)
  let [n, held, offset] = [0, Buffer.alloc(0), 0]
  try {
    for (const result of results) {
      const end = offset + result.bytesOut
      const bytes = result.small ? await readWhole(smallObject(from, result.n)) : await readWhole(from, offset, end)
      if (!result.small) offset = end
      held = Buffer.concat([held, bytes])
      if (held.length < PART_BYTES) continue
      await putPart(to, uploadId, ++n, held)
      held = Buffer.alloc(0)
    }
    if (held.length > 0) await putPart(to, uploadId, ++n, held)
    await completeMultipart(to, uploadId, n)
  } catch (error) {
    // The pieces go when another worker was first or the job was cancelled.
    await abortMultipart(to, uploadId)
    throw error
  }
}

/** The counts of a chunk's records, which the measure of the table's risk is made from. */
const tallyObject = ({ jobId, id }: AssetRecord, n?: number): ObjectKey => ({
  bucket: 'results',
  key: `${jobId}/risk-${id}-${n ?? ''}`,
})

/** What a chunk leaves of the names of its fields, to be checked with those of the others. */
const fieldsObject = ({ jobId, id }: AssetRecord, n?: number): ObjectKey => ({
  bucket: 'results',
  key: `${jobId}/fields-${id}-${n ?? ''}`,
})

async function* fieldsOf(asset: AssetRecord, results: ChunkResult[]): AsyncGenerator<Fields> {
  for (const { n } of results) yield JSON.parse((await readWhole(fieldsObject(asset, n))).toString()) as Fields
}

/** How identifiable the table is, from what its chunks have counted. */
async function riskOf(asset: AssetRecord, plan: RiskPlan, results: ChunkResult[]): Promise<MeasuredRisk> {
  const tallies: Input[] = []
  for (const { n } of results) {
    const object = tallyObject(asset, n)
    const size = await objectSize(object)
    if (size === undefined) throw new Error('The counts of a chunk are missing')
    tallies.push(objectInput(object, '', size))
  }
  return figuresOfTallies(plan, tallies)
}

const smallObject = ({ bucket, key }: ObjectKey, n: number): ObjectKey => ({ bucket, key: `${key}-chunk-${n}` })

/** The output asset of a cut one. Its digest would need it read whole again, so it has none. */
const outputOf = (asset: AssetRecord, id: string): AssetRecord => newOutput(asset, { id })
