import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { type InlineImage, openInlineImages } from '../container/inline-images.ts'
import type { FormatContext, Input, OpenFile, WriteReport } from '../format.ts'
import { finishReport, startReport } from '../report.ts'
import { type DecodedText, decodeText } from './decoded-text.ts'
import { batches, charactersOf, editTextNodes, type Patch, segmentsOf, splice, type TextNode } from './text-nodes.ts'

/** What a format reads out of a text file. */
export type Extracted = {
  /** What was read, where that is not the text of the file as it is. */
  text?: string
  nodes: TextNode[]
  /** Changes made whatever the rules find: comments taken out and the like. */
  cleaning?: Patch[]
  dropped?: { what: string; count: number }[]
  warnings?: string[]
  /** Pictures in the source, but for those that show nothing. */
  embedded?: InlineImage[]
}

/** How one format reads a file that is text through and through. Must give the same result each time. */
export type Extract = (source: DecodedText, context: FormatContext, input: Input) => Extracted

/** Opens a text file that is worked on in memory: patches go in by position, all else keeps its bytes. */
export async function openText(
  input: Input,
  context: FormatContext,
  extract: Extract,
  declared?: (bytes: Buffer) => string | undefined,
): Promise<OpenFile> {
  const read = await readAll(input, context.limits.bytes)
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
  const source = decodeText(bytes, context.options, declared?.(bytes))
  const extracted = extract(source, context, input)
  const pictures = await openInlineImages(extracted.embedded ?? [], context)
  return {
    choices: source.told === undefined ? {} : { encoding: source.told },
    extent: () => ({ characters: charactersOf(extracted.nodes) }),
    async *segments() {
      for (const batch of batches(extracted.nodes)) yield segmentsOf(batch)
      yield* pictures.segments()
    },
    async write(output, edit, escalations) {
      if (escalations.length > 0) throw new EngineError('internal', 'A text file has no parts to drop')
      const { dropped = [], warnings = [], cleaning = [] } = extracted
      const report: WriteReport = { ...startReport(), warnings: [...warnings] }
      const patches = await editTextNodes(extracted.nodes, edit)
      for (const patch of await pictures.write(edit, report)) patches.push(patch)
      const cleaned = splice(extracted.text ?? source.text, [...patches, ...cleaning])
      await output.write(source.encode(cleaned))
      return finishReport(report, new Map(dropped.map(({ what, count }) => [what, count])))
    },
    close: () => pictures.close(),
  }
}
