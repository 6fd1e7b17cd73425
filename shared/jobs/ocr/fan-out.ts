import { createWriteStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { EngineError } from 'anonymisation-engine'
import { settings } from '../../settings.ts'
import { objectOf } from '../../store/assets.ts'
import { findsValues } from '../../store/found-values.ts'
import { type ObjectKey, putFile, putObject, readObject } from '../../store/objects.ts'
import {
  candidateObject,
  findOcrRound,
  forgetOcrRounds,
  type OcrRound,
  ocrResultObject,
  openOcrRounds,
  saveOcrRound,
} from '../../store/ocr-rounds.ts'
import { sendMessages } from '../../store/queue.ts'
import { storeFound } from '../anonymise/found-values.ts'
import { recordSuccess } from '../anonymise/record-result.ts'
import { isSettled, type WorkItem, withWorkItem } from '../worker/work-item.ts'
import { type Ended, isolatedOf } from '../worker/worker-host.ts'

/** Rounds of reading: one for the document, then one for each output that verification asks to be read. */
const MAX_ROUNDS = 6

/** How much of the work on a document is to read its pictures, once that is shared out. */
const READING = 0.8

type Unread = Extract<Ended, { type: 'unread' }>

/**
 * Anonymises a document that is on disk, or looks for its values, which leaves what was read for the other. While there are more pictures in it, or in its output, than one worker may read,
 * messages for them go out, and whoever reads the last comes here again with what has been read up to `round`. Nothing is
 * kept of a run but what was read: each begins anew, gives the same, and gets further. Again is fine. Answers whether the job has
 * ended with it.
 */
export async function anonymiseDocument(work: WorkItem, path: string, from = 0): Promise<boolean> {
  const { job, asset } = work
  const paths: string[] = []
  for (let round = 0; round < from; round++) paths.push(...(await fetchReadings(work, round)))
  const find = findsValues(job) ? { compared: job.values!.compared } : undefined
  for (let round = from; round < MAX_ROUNDS; round++) {
    const ended = await work.isolate(path, { readings: { paths, most: settings().READ_PAGES }, find })
    if (ended.type === 'marked') {
      await storeFound(job, asset, ended.path)
      return false
    }
    if (ended.type === 'done') {
      const isLast = await recordSuccess(work, isolatedOf(ended))
      if (round > 0) await forgetOcrRounds(job.id, asset.id)
      return isLast
    }
    if (ended.type !== 'unread') throw new EngineError('internal')
    const chunks = await startRound(work, round, ended)
    const waiting = await openOcrRounds(job.id, asset.id, round, chunks)
    const messages = waiting.map(n => ({ type: 'READ' as const, jobId: job.id, assetId: asset.id, round, n }))
    if (messages.length > 0) {
      await sendMessages('work', job.ownerId, messages)
      return false
    }
    paths.push(...(await fetchReadings(work, round)))
  }
  throw new EngineError('limit_exceeded', 'The pictures of the document cannot be read to the end')
}

async function startRound({ job, asset }: WorkItem, round: number, { pages, where, path }: Unread): Promise<number> {
  const chunks = Math.ceil(pages.length / settings().READ_PAGES)
  if (where === 'output') {
    const { size } = await stat(path!)
    await using file = await open(path!)
    await putFile(candidateObject(job.id, asset.id, round), file, size, asset.contentType)
  }
  await saveOcrRound(job.id, asset.id, round, { pages, where, chunks })
  return chunks
}

/**
 * Reads one chunk of a round, once, however often it is asked; the last one goes on with the document. Another attempt may
 * have finished it meanwhile and removed all pieces: none that came later stays behind.
 */
export async function ocrPagesOfDocument(
  { jobId, assetId, round, n }: { jobId: string; assetId: string; round: number; n: number },
  remainingMs: number,
): Promise<void> {
  await withWorkItem({ jobId, assetId, remainingMs }, async work => {
    const plan = await findOcrRound(jobId, assetId, round)
    if (!plan) return false
    const open = await openOcrRounds(jobId, assetId, round, plan.chunks)
    work.progress((work.asset.size ?? 0) * READING * (1 - open.length / plan.chunks))
    if (open.includes(n)) await makeReading(work, plan, round, n)
    if ((await openOcrRounds(jobId, assetId, round, plan.chunks)).length > 0) return false
    return anonymiseDocument(work, await download(work, objectOf(work.asset), 'input'), round + 1)
  })
  if (await isSettled(jobId, assetId)) await forgetOcrRounds(jobId, assetId)
}

async function makeReading(work: WorkItem, plan: OcrRound, round: number, n: number): Promise<void> {
  const { job, asset } = work
  const source = plan.where === 'input' ? objectOf(asset) : candidateObject(job.id, asset.id, round)
  const path = await download(work, source, 'source')
  // Most pages of an output look as they did before, and are known.
  const paths: string[] = []
  for (let before = 0; before < round; before++) paths.push(...(await fetchReadings(work, before)))
  const pages = plan.pages.filter((_, index) => index % plan.chunks === n)
  const ended = await work.isolate(path, {
    readings: { paths, most: pages.length },
    read: { pages, where: plan.where },
  })
  if (ended.type !== 'read') throw new EngineError('internal')
  await putObject(ocrResultObject(job.id, asset.id, round, n), await readFile(ended.path), 'application/json')
}

/** Brings what was read in a round to disk. */
async function fetchReadings(work: WorkItem, round: number): Promise<string[]> {
  const { job, asset } = work
  const plan = await findOcrRound(job.id, asset.id, round)
  if (!plan) throw new Error('The OCR results no longer exist')
  const paths: string[] = []
  for (let n = 0; n < plan.chunks; n++)
    paths.push(await download(work, ocrResultObject(job.id, asset.id, round, n), `read-${round}-${n}`))
  return paths
}

/** Brings an object to disk. */
export async function download({ directory, signal }: WorkItem, object: ObjectKey, name: string): Promise<string> {
  const path = join(directory, name)
  await pipeline(await readObject(object), createWriteStream(path), { signal })
  return path
}
