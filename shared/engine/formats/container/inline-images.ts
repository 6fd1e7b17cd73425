import type { Editor, Expected, FormatContext, Leak, Segment, WriteReport } from '../format.ts'
import { mergeReport } from '../report.ts'
import type { Patch } from '../text/text-nodes.ts'
import { isDrawn } from './drawn.ts'
import {
  type EmbeddedFile,
  embeddedSegments,
  isPicture,
  type OpenEmbeddedOptions,
  openEmbedded,
  verifyEmbedded,
  writeEmbedded,
} from './embedded-files.ts'

/** A picture that stands in the source of a text file, in letters or digits. */
export type InlineImage = {
  start: number
  end: number
  bytes: Uint8Array
  /** Whether it is a drawing (SVG), whose texts are read as those of XML. */
  isDrawing?: true
  /** The source for another picture of the same format. */
  encode(bytes: Uint8Array): string
  /** The source for a picture that shows nothing. */
  blank: string
}

/** The pictures of a file, opened: those that nothing can read are shown as empty ones. */
export type InlineImages = {
  segments(): AsyncIterable<Segment[]>
  /** The patches that put the anonymised pictures in place; adds to the report. */
  write(edit: Editor, report: WriteReport): Promise<Patch[]>
  close(): Promise<void>
}

const partOf = (index: number) => `picture ${index + 1}`

const drawing: OpenEmbeddedOptions = { format: 'xml' }

/** Opens the pictures of a file; the option `pictures` may say `keep` (as they are, unread, but for drawings) or `blank`. */
export async function openInlineImages(given: readonly InlineImage[], context: FormatContext): Promise<InlineImages> {
  const way = context.options.pictures
  const all = way === 'keep' ? given.filter(({ isDrawing }) => isDrawing) : given
  const opened: { part: string; nested: EmbeddedFile | undefined }[] = []
  // Only those that are still seen in the output count.
  let next = 0
  for (const { bytes, isDrawing } of all) {
    context.signal.throwIfAborted()
    const nested =
      way === 'blank'
        ? undefined
        : await openEmbedded(bytes, 'picture', context, isDrawing ? drawing : { accepts: isPicture })
    opened.push({ part: partOf(nested ? next++ : next), nested })
  }
  return {
    async *segments() {
      for (const { part, nested } of opened) if (nested) yield* embeddedSegments(nested, part)
    },
    async write(edit, report) {
      const patches: Patch[] = []
      if (given.length > all.length) report.warnings.push('Pictures were kept as they are and not looked into')
      const lost = opened.filter(({ nested }) => nested === undefined).length
      if (lost > 0) report.dropped.push({ what: 'pictures', count: lost })
      for (const [index, { part, nested }] of opened.entries()) {
        const { start, end, encode, blank } = all[index]!
        if (nested === undefined) patches.push({ start, end, text: blank })
        else {
          const { bytes, report: inner } = await writeEmbedded(nested, part, edit)
          mergeReport(report, inner)
          patches.push({ start, end, text: encode(bytes) })
        }
      }
      return patches
    },
    async close() {
      for (const { nested } of opened) await nested?.file.close()
    },
  }
}

/** Verifies the pictures of an output, each by its own format. */
export async function verifyInlineImages(
  all: readonly Uint8Array[],
  expected: Expected,
  context: FormatContext,
): Promise<Leak[]> {
  const leaks: Leak[] = []
  const read = context.options.pictures === 'keep' ? all.filter(isDrawn) : all
  for (const [index, bytes] of read.entries()) {
    const way = isDrawn(bytes) ? drawing : {}
    leaks.push(...(await verifyEmbedded(bytes, 'picture', partOf(index), expected, context, way)))
  }
  return leaks
}
