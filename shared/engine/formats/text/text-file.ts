import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { type Embedded, openEmbedded, verifyEmbedded } from '../container/inline-images.ts'
import type { Expected, FormatContext, Input, Leak, OpenFile, WriteReport } from '../format.ts'
import { finishReport, startReport } from '../report.ts'
import { decodeSource, type Source } from './decoded-text.ts'
import { findLeaks } from './leaks.ts'
import { batches, type Draft, editDrafts, type Patch, splice } from './text-nodes.ts'

/** What a format reads out of a text file. */
export type Extracted = {
  drafts: Draft[]
  /** Changes made whatever the rules find: comments taken out and the like. */
  cleaning?: Patch[]
  dropped?: { what: string; count: number }[]
  /** The markup's own words (names of elements and the like), in which a value may stand by chance. */
  structure?: Iterable<string>
  /** The same as places in the source, in order: only there a value is excused. Asked where one is found at all. */
  fixed?: () => Iterable<[number, number]>
  /** Whether the reader puts blanks into texts where the file has none. */
  madeBlanks?: true
  warnings?: string[]
  /** Pictures in the source, but for those that show nothing. */
  embedded?: Embedded[]
}

/** How one format reads a file that is text through and through. Must give the same result each time. */
export type Extract = (source: Source, context: FormatContext, input: Input) => Extracted

/** Opens a text file that is worked on in memory: patches go in by position, all else keeps its bytes. */
export async function openText(
  input: Input,
  context: FormatContext,
  extract: Extract,
  declared?: (bytes: Buffer) => string | undefined,
): Promise<OpenFile> {
  const bytes = Buffer.from(await readAll(input, context.limits.bytes))
  const source = decodeSource(bytes, context.options, declared?.(bytes))
  const extracted = extract(source, context, input)
  const pictures = await openEmbedded(extracted.embedded ?? [], context)
  return {
    async *segments() {
      for (const batch of batches(extracted.drafts)) yield batch.map(draft => draft.segment)
      yield* pictures.segments()
    },
    async write(output, edit, escalations) {
      if (escalations.length > 0) throw new EngineError('internal', 'A text file has no parts to drop')
      const { dropped = [], warnings = [], cleaning = [] } = extracted
      const report: WriteReport = { ...startReport(), warnings: [...warnings] }
      const patches = await editDrafts(extracted.drafts, edit)
      for (const patch of await pictures.write(edit, report)) patches.push(patch)
      const cleaned = splice(source.text, [...patches, ...cleaning])
      await output.write(source.encode(cleaned))
      return finishReport(report, new Map(dropped.map(({ what, count }) => [what, count])))
    },
    close: () => pictures.close(),
  }
}

/**
 * Reads a written text file again: its visible texts, as they are `shown`, are the expected ones, and no value stands anywhere
 * in it.
 */
export async function verifyText(
  output: Input,
  expected: Expected,
  context: FormatContext,
  extract: Extract,
  declared?: (bytes: Buffer) => string | undefined,
  shown?: (text: string) => string,
): Promise<Leak[]> {
  const bytes = Buffer.from(await readAll(output, context.limits.bytes))
  const source = decodeSource(bytes, context.options, declared?.(bytes))
  const { drafts, structure = [], fixed, embedded = [], madeBlanks } = extract(source, context, output)
  const own = { ...expected, visible: expected.visible.filter(({ place }) => !place.part?.includes('!')) }
  const segments = drafts.map(draft => draft.segment)
  const as = madeBlanks ? unspaced : shown
  let leaks = findLeaks(own, segments, [bytes], structure, as)
  if (leaks.length > 0 && fixed)
    leaks = findLeaks(own, segments, [Buffer.from(without(source.text, fixed()), 'utf8')], structure, as)
  return leaks.length > 0 ? leaks : verifyEmbedded(embedded, expected, context)
}

const unspaced = (text: string) => text.replace(/\s/g, '')

/** The source without some of its places. */
function without(source: string, places: Iterable<[number, number]>): string {
  const kept: string[] = []
  let at = 0
  for (const [start, end] of places) {
    kept.push(source.slice(at, start))
    at = end
  }
  return [...kept, source.slice(at)].join('\u0000')
}
