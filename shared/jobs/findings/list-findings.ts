import type { Placed } from 'anonymisation-engine'
import * as z from 'zod'
import { Id } from '../../api/common.ts'
import type { FindingPage, FindingQuery, PlacedFinding } from '../../api/findings.ts'
import { ProblemError } from '../../api/problems.ts'
import type { Position } from '../../http/cursor.ts'
import { writeCursor } from '../../http/cursor.ts'
import type { Place } from '../../store/ahead.ts'
import { loadPlacesIndex, type PlacesPart, placesObject } from '../../store/found-places.ts'
import { findResult, type ResultRecord, resultKey, resultsAhead, resultsFrom } from '../../store/jobs.ts'
import { type ObjectKey, readPiece } from '../../store/objects.ts'

/** Bytes of findings that one page looks at, those that it passes over included, and files of them. */
const PAGE_BYTES = 8 * 1024 ** 2
const PAGE_FILES = 100
/** Characters of findings that one page shows: an answer has room for them in any format. */
const PAGE_CHARACTERS = 2_000_000
/** Bytes that are read at once: some hundred findings. */
const PIECE_BYTES = 128 * 1024

/** Where a page begins: in which file of which asset, and at which byte of that. */
type At = { assetId: string; part: number; byte: number }

const Written = z.tuple([Id, z.coerce.number().int().min(0), z.coerce.number().int().min(0)])

const badCursor = () =>
  new ProblemError({ type: 'invalid_format', msg: 'Must be the cursor of a page before', loc: ['query', 'cursor'] })

function readAt(after: string): At {
  const { data } = Written.safeParse(after.split('.'))
  if (!data) throw badCursor()
  const [assetId, part, byte] = data
  return { assetId, part, byte }
}

const cursorOf = ({ assetId, part, byte }: At): string =>
  writeCursor({ skip: 0, after: [assetId, part, byte].join('.') })

/** What is left of what a page may look at. */
type Budget = { bytes: number; files: number; shown: number }

/** The lines of a file from a byte on, each with the byte behind it; none where there is no such file. */
async function* linesOf(object: ObjectKey, from: number, bytes: number, budget: Budget) {
  let held = Buffer.alloc(0)
  for (let [at, size] = [from, bytes]; at < size; ) {
    const piece = await readPiece(object, at, PIECE_BYTES)
    if (!piece) return
    let begun = at - held.length
    size = piece.size
    at += piece.bytes.length
    budget.bytes -= piece.bytes.length
    held = Buffer.concat([held, piece.bytes])
    for (let end = held.indexOf(10); end >= 0; end = held.indexOf(10)) {
      const text = held.toString('utf8', 0, end)
      held = held.subarray(end + 1)
      begun += end + 1
      yield { text, end: begun }
    }
  }
}

/** The files of an asset; how long a single one is its first bytes tell. */
const partsOf = async (jobId: string, { assetId: id, places = 0 }: ResultRecord): Promise<PlacesPart[]> =>
  places > 1
    ? loadPlacesIndex({ jobId, id })
    : Array.from({ length: places }, () => ({ bytes: Number.POSITIVE_INFINITY, rowsBefore: 0 }))

function present(text: string, { assetId, findings }: ResultRecord, part: number, rowsBefore: number): PlacedFinding {
  let placed: Placed
  try {
    placed = JSON.parse(text) as Placed
  } catch {
    // A line that is none was not written here: the cursor leads into the middle of one.
    throw badCursor()
  }
  const { rule, place, ...told } = placed
  const { ruleId, name } = findings[rule]!
  const row = place.row === undefined ? {} : { row: place.row + rowsBefore }
  return {
    ...told,
    id: part > 0 ? `${part}.${told.id}` : told.id,
    assetId,
    ruleId,
    rule: name,
    place: { ...place, ...row },
  }
}

const isAsked = ({ label, minScore = 0, maxScore = 1 }: FindingQuery, finding: PlacedFinding): boolean =>
  (label === undefined || finding.label === label) && finding.score >= minScore && finding.score <= maxScore

/** About how many characters a finding takes: three ids, scores and keys are alike in all. */
const sizeOf = ({ label, rule, reason, place }: PlacedFinding): number =>
  300 + 2 * (label.length + rule.length) + JSON.stringify([reason, place]).length

/** Results that are read before it is known how many a page looks at. */
const RESULTS_AHEAD = 10

const startOf = ({ assetId }: FindingQuery, after: string | undefined): At =>
  after === undefined ? { assetId: assetId ?? '', part: 0, byte: 0 } : readAt(after)

/** Where a page reads what came of the assets, which is begun to be read. */
export function findingsAhead(jobId: string, query: FindingQuery, { after }: Position): Place[] {
  if (query.assetId !== undefined) return [{ table: 'jobs', key: resultKey(jobId, query.assetId) }]
  resultsAhead(jobId, startOf(query, after).assetId, RESULTS_AHEAD)
  return []
}

/** What came of the assets that a page is about, from the one on that it begins with. */
async function* resultsOf(jobId: string, { assetId }: FindingQuery, start: At): AsyncGenerator<ResultRecord> {
  if (assetId === undefined) return yield* resultsFrom(jobId, start.assetId)
  const result = assetId === start.assetId ? await findResult(jobId, assetId) : undefined
  if (result) yield result
}

/** A page of what was found in the assets of a job, which has finished. */
export async function listFindings(
  jobId: string,
  query: FindingQuery,
  { limit, after }: Position & { limit: number },
): Promise<FindingPage> {
  const start = startOf(query, after)
  const page: Omit<FindingPage, 'cursor'> = { findings: [], unlisted: [] }
  const budget: Budget = { bytes: PAGE_BYTES, files: PAGE_FILES, shown: PAGE_CHARACTERS }
  const upTo = (assetId: string, part: number, byte: number) => ({ ...page, cursor: cursorOf({ assetId, part, byte }) })
  for await (const result of resultsOf(jobId, query, start)) {
    const { assetId, places, status } = result
    if (places === undefined && status === 'SUCCEEDED') page.unlisted.push(assetId)
    if (!places) continue
    const from = assetId === start.assetId ? start : { part: 0, byte: 0 }
    const parts = await partsOf(jobId, result)
    for (let part = from.part; part < parts.length; part++) {
      const begin = part === from.part ? from.byte : 0
      if (budget.files-- <= 0) return upTo(assetId, part, begin)
      const { bytes, rowsBefore } = parts[part]!
      for await (const { text, end } of linesOf(placesObject({ jobId, id: assetId }, part), begin, bytes, budget)) {
        const finding = present(text, result, part, rowsBefore)
        if (isAsked(query, finding)) {
          page.findings.push(finding)
          budget.shown -= sizeOf(finding)
        }
        if (page.findings.length === limit || budget.bytes <= 0 || budget.shown <= 0) return upTo(assetId, part, end)
      }
    }
  }
  return { ...page, cursor: null }
}
