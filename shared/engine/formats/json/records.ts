import { EngineError } from '../../errors.ts'
import { maxColumns, maxNameCharacters } from '../../limits.ts'
import { pushAll } from '../../lists.ts'
import { byteScan } from '../../verify/byte-scan.ts'
import { textDigest } from '../../verify/digest.ts'
import { chanceWords, without } from '../../verify/name-words.ts'
import { emptyFiles, reportFiles, type Tally } from '../container/emptied-files.ts'
import type { Edit, Expected, FormatContext, Input, Leak, OpenFile, Segment } from '../format.ts'
import { startReport } from '../report.ts'
import { textScan } from '../text/leaks.ts'
import { type Patch, patchesOf, splice, type TextNode } from '../text/text-nodes.ts'
import type { Stretch } from './items.ts'
import { jsonReader } from './read.ts'
import type { RereadRecords } from './verify-records.ts'

/** Cuts a file into its records and what stands between them, many at once. */
type Cut = (pieces: AsyncIterable<string>) => AsyncIterable<Stretch[]>

/** Characters of records that are handed out at once. */
const batchCharacters = 65_536

/** Opens a file of records, streamed: any size, one batch in memory. What no edit touches keeps its bytes. */
export function openRecords(input: Input, context: FormatContext, cut: Cut): OpenFile {
  if (input.size > context.limits.bytes) throw new EngineError('limit_exceeded', 'The file is too large')
  return {
    columns: async () => (await namesOf(input, context, cut))?.columns,
    async *segments() {
      for await (const batch of records(input, context, cut)) yield segmentsOf(batch)
    },
    async write(output, edit) {
      const tally: Tally = { files: 0 }
      for await (const batch of records(input, context, cut, tally)) {
        const edits = await edit(segmentsOf(batch))
        await output.write(Buffer.from(written(batch, edits)))
      }
      return reportFiles(startReport(), tally, context.options.pictures === 'keep')
    },
    async close() {},
  }
}

/** The names of the columns that the records of the first so many characters have; nothing if there are too many. */
async function namesOf(
  input: Input,
  context: FormatContext,
  cut: Cut,
  most = Number.POSITIVE_INFINITY,
): Promise<{ columns: string[]; whole: boolean } | undefined> {
  const names = new Set<string>()
  let read = 0
  for await (const batch of records(input, context, cut)) {
    for (const { place, visible } of segmentsOf(batch)) if (visible && place.column) names.add(place.column)
    if (names.size > maxColumns) return undefined
    for (const { text } of batch) read += text.length
    if (read >= most) return { columns: [...names], whole: false }
  }
  return { columns: [...names], whole: true }
}

/** Characters of a file of records that are read for the names of its columns before any of it is worked on. */
export const namesWithin = 64 * 1024 * 1024

/** The names of the columns that the beginning tells; nothing if there are too many. */
export const firstNames = (input: Input, context: FormatContext, cut: Cut) => namesOf(input, context, cut, namesWithin)

/** Whether the first records have few enough names of fields for those of all chunks to be held against all values. */
export async function hasFewNames(input: Input, context: FormatContext, cut: Cut): Promise<boolean> {
  const names = new Set<string>()
  let characters = 0
  let read = 0
  for await (const batch of records(input, context, cut)) {
    for (const { text, visible } of segmentsOf(batch)) {
      if (visible || names.has(text)) continue
      names.add(text)
      characters += text.length
    }
    // Further on there may be more.
    if (characters > maxNameCharacters / 4) return false
    for (const { text } of batch) read += text.length
    if (read >= namesWithin) break
  }
  return true
}

/**
 * Reads the records again: their values are the expected ones, so that what stands in them as it is was left there by
 * decision; no name of a field holds a replaced value but as a part of a word, and none stands anywhere in another form.
 */
export async function verifyRecords(
  output: Input,
  expected: Expected,
  context: FormatContext,
  reread: RereadRecords,
): Promise<Leak[]> {
  const digest = textDigest()
  const bytes = byteScan(expected.gone)
  const names = textScan(expected.gone)
  const chance = chanceWords(expected.gone)
  /** Names that were just looked at, as records have the same ones again and again. */
  const recent = new Set<string>()
  for await (const { source, shown, hidden } of reread(output, context)) {
    digest.addTexts(shown)
    for (const name of hidden) {
      if (recent.has(name)) continue
      if (recent.size === mostRecent) recent.clear()
      recent.add(name)
      names.add(without(name, chance(name)))
      expected.name?.(name)
    }
    bytes.push(Buffer.from(source))
  }
  const leak = (kind: 'cell' | 'name', reason: string): Leak[] => [{ type: 'leak_detected', place: { kind }, reason }]
  if (digest.hex() !== expected.digest) return leak('cell', 'The text of the output is not the expected one')
  if (names.found().plain.size > 0) return leak('name', 'A replaced value is the name of a field')
  const { plain, hidden } = bytes.found()
  const left = [...hidden].filter(value => !plain.has(value))
  return left.length === 0 ? [] : leak('cell', 'A replaced value stands in an encoded form')
}

/** Names of fields that are remembered. */
const mostRecent = 1000

type JsonRecord = { text: string; nodes: TextNode[] }

function segmentsOf(batch: readonly JsonRecord[]): Segment[] {
  const segments: Segment[] = []
  for (const { nodes } of batch) for (const { segment } of nodes) segments.push(segment)
  return segments
}

/** The records with their edits, which come in the order of their segments. */
function written(batch: readonly JsonRecord[], edits: readonly Edit[][]): string {
  let next = 0
  let out = ''
  for (const { text, nodes } of batch) {
    const patches: Patch[] = []
    for (const node of nodes) {
      const own = edits[next++]
      if (own && own.length > 0) pushAll(patches, patchesOf(node, own))
    }
    out += splice(text, patches)
  }
  return out
}

async function* records(
  input: Input,
  { limits, signal, range, options }: FormatContext,
  cut: Cut,
  tally: Tally = { files: 0 },
): AsyncGenerator<JsonRecord[]> {
  const keep = options.pictures === 'keep'
  let row = 0
  let batch: JsonRecord[] = []
  let size = 0
  const read = jsonReader(true, limits.depth)
  for await (const stretches of cut(decoded(input, range))) {
    signal.throwIfAborted()
    for (const { text: source, item } of stretches) {
      const text = emptyFiles(source, tally, keep)
      batch.push({ text, nodes: item ? read(text, ++row) : [] })
      size += text.length
      if (size < batchCharacters) continue
      yield batch
      batch = []
      size = 0
    }
  }
  if (batch.length > 0) yield batch
}

async function* decoded(input: Input, range: FormatContext['range']): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const decode = (piece?: Uint8Array) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true })
    } catch {
      throw new EngineError('corrupt_file', 'The file is not valid UTF-8')
    }
  }
  for await (const piece of input.stream(range?.start, range?.end)) yield decode(piece)
  yield decode()
}
