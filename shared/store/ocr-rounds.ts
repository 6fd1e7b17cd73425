import type { PendingIn } from 'anonymisation-engine'
import { deleteObjects, listObjects, type ObjectKey, putObject, readIfThere } from './objects.ts'

/** The pages (from 0) of a document whose pictures are read by several workers before it can go on. */
export type OcrRound = { where: PendingIn; pages: number[]; chunks: number }

const folderOf = (jobId: string, assetId: string) => `${jobId}/readings-${assetId}/`
const inFolder = (jobId: string, assetId: string, name: string): ObjectKey => ({
  bucket: 'results',
  key: folderOf(jobId, assetId) + name,
})
const numbered = (round: number, n: number) => `${round}-${String(n).padStart(5, '0')}`

const planObject = (jobId: string, assetId: string, round: number) => inFolder(jobId, assetId, `plan-${round}.json`)

/** The output whose pictures a round reads. */
export const candidateObject = (jobId: string, assetId: string, round: number): ObjectKey =>
  inFolder(jobId, assetId, `candidate-${round}`)

/** What one worker has read in a round: document text, so it goes with the asset's other pieces. */
export const ocrResultObject = (jobId: string, assetId: string, round: number, n: number): ObjectKey =>
  inFolder(jobId, assetId, `read-${numbered(round, n)}.json`)

/** Keeps what a round is to read. */
export const saveOcrRound = (jobId: string, assetId: string, round: number, plan: OcrRound): Promise<void> =>
  putObject(planObject(jobId, assetId, round), Buffer.from(JSON.stringify(plan)), 'application/json')

/** What a round is to read; undefined when its pieces have been removed. */
export async function findOcrRound(jobId: string, assetId: string, round: number): Promise<OcrRound | undefined> {
  const plan = await readIfThere(planObject(jobId, assetId, round))
  return plan && (JSON.parse(plan.toString()) as OcrRound)
}

/** The numbers, from 0, of a round's chunks that are not read. */
export async function openOcrRounds(jobId: string, assetId: string, round: number, chunks: number): Promise<number[]> {
  const done = new Set<string>()
  const prefix = `${folderOf(jobId, assetId)}read-${round}-`
  for await (const { key } of listObjects('results', prefix, chunks)) done.add(key)
  const all = Array.from({ length: chunks }, (_, n) => n)
  return all.filter(n => !done.has(ocrResultObject(jobId, assetId, round, n).key))
}

/** Removes all that was read of an asset. */
export const forgetOcrRounds = (jobId: string, assetId: string): Promise<void> =>
  deleteObjects('results', folderOf(jobId, assetId))
