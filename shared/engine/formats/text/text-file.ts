import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { type Embedded, openEmbedded, verifyEmbedded } from '../container/inline-images.ts'
import type { Expected, FormatContext, Input, Leak, OpenFile, WriteReport } from '../format.ts'
import { finishReport, startReport } from '../report.ts'
import { decodeSource, type Source } from './decoded-text.ts'
import { findValues } from './leaks.ts'
import { type Reread, sameShown } from './reread.ts'
import { batches, charactersOf, type Draft, editDrafts, type Patch, splice } from './text-nodes.ts'

/** What a format reads out of a text file. */
export type Extracted = {
  drafts: Draft[]
  /** Changes made whatever the rules find: comments taken out and the like. */
  cleaning?: Patch[]
  dropped?: { what: string; count: number }[]
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
    extent: () => ({ characters: charactersOf(extracted.drafts) }),
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

/** Reads a written text file again by another reader than the one it was opened with: {@link Reread}. */
export async function verifyText(
  output: Input,
  expected: Expected,
  context: FormatContext,
  reread: (source: string) => Reread,
  declared?: (bytes: Buffer) => string | undefined,
): Promise<Leak[]> {
  const bytes = Buffer.from(await readAll(output, context.limits.bytes))
  const source = decodeSource(bytes, context.options, declared?.(bytes)).text
  const found = reread(source)
  const wanted = expected.visible.filter(({ place }) => !place.part?.includes('!')).map(({ text }) => text)
  const pictures = sameShown(found, wanted)
  if (pictures === undefined)
    return [
      { type: 'leak_detected', place: { kind: 'body' }, reason: 'The text of the output is not the expected one' },
    ]
  const texts = [...found.shown.filter(({ unsure }) => !unsure), ...found.hidden.map(text => ({ text }))]
  const gone = new Set(expected.gone)
  const structure = [...(found.structure ?? []), ...[...(found.compounds ?? [])].filter(word => !gone.has(word))]
  const search = (raw: Uint8Array) => findValues(expected.gone, texts, [raw], structure)
  let leaks = search(bytes)
  if (leaks.length > 0 && found.fixed) leaks = search(Buffer.from(without(source, found.fixed()), 'utf8'))
  return leaks.length > 0 ? leaks : verifyEmbedded([...pictures, ...(found.pictures ?? [])], expected, context)
}

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
