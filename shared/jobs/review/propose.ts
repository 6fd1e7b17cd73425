import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createProposedValues, type ProposedPage, type ProposedText, type ProposedValue } from 'anonymisation-engine'
import type { AssetRecord } from '../../store/assets.ts'
import { type EngineFacts, nameOfEngine } from '../../store/evidence.ts'
import type { Begun } from '../../store/jobs.ts'
import {
  loadChunkProposals,
  type Reviewed,
  recordProposals,
  reviewKey,
  saveChunkProposals,
  saveKept,
  savePage,
  saveProposals,
} from '../../store/reviews.ts'
import { startCarrying } from './carry-over.ts'

/** Characters of proposals that are sealed together: what one answer shows. */
const PART_CHARACTERS = 256 * 1024

/** Seals what is proposed for an asset, which is in a file on disk, and counts it. Again is fine. */
export const storeProposals = (
  job: Begun & Reviewed,
  asset: AssetRecord,
  path: string,
  engine: EngineFacts,
): Promise<void> => storeLines(job, asset.id, linesOf(path), [engine])

/** Seals what is proposed for a chunk of a table, which is in a file on disk, until that of all is there. */
export async function storeChunkProposals(job: Reviewed, { id }: AssetRecord, n: number, path: string): Promise<void> {
  await saveChunkProposals(job, id, n, await readFile(path, 'utf8'), await reviewKey(job.id))
}

/** Brings together what is proposed for the chunks of a table, each with so many rows, and seals it. Again is fine. */
export async function storeProposalsOfChunks(
  job: Begun & Reviewed,
  asset: AssetRecord,
  rowsOfChunks: readonly number[],
  engines: readonly EngineFacts[],
): Promise<void> {
  const key = await reviewKey(asset.jobId)
  const values = createProposedValues()
  let rowsBefore = 0
  for (const [n, rows] of rowsOfChunks.entries()) {
    const text = await loadChunkProposals(job, asset.id, n, key)
    for (const line of text.split('\n').filter(Boolean)) {
      const value = JSON.parse(line) as ProposedValue
      values.add({ ...value, rows: value.rows.map(row => row + rowsBefore) })
    }
    rowsBefore += rows
  }
  await storeLines(
    job,
    asset.id,
    Iterator.from(values.all()).map(value => JSON.stringify(value)),
    engines,
  )
}

async function storeLines(
  job: Begun & Reviewed,
  id: string,
  all: AsyncIterable<string> | Iterable<string>,
  engines: readonly EngineFacts[],
): Promise<void> {
  const key = await reviewKey(job.id)
  const carried = await startCarrying(job, id, key)
  let lines: string[] = []
  let held = 0
  let parts = 0
  let pages = 0
  const save = async () => {
    if (lines.length > 0) await saveProposals(job, id, parts++, lines, key)
    lines = []
    held = 0
  }
  for await (const line of all) {
    const proposed = JSON.parse(line) as ProposedPage | ProposedText | ProposedValue
    if ('picture' in proposed) {
      await savePage(job, id, proposed, key)
      pages++
      continue
    }
    carried?.see(proposed)
    lines.push(line)
    held += line.length
    if (held >= PART_CHARACTERS) await save()
  }
  await save()
  const { kept, gone } = carried?.end(pages) ?? {}
  if (kept) await saveKept(job, id, kept, key)
  await recordProposals(job, id, { parts, pages, engines: engines.map(nameOfEngine), gone })
}

/** The lines of a file; each ends with a line feed, and other ends of lines may stand in them. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of createReadStream(path, 'utf8')) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    yield* lines
  }
}
