import { EngineError } from '../../errors.ts'
import { embeddedSegments } from '../container/embedded-files.ts'
import type { FormatContext, Input, OpenFile } from '../format.ts'
import { batches, charactersOf } from '../text/text-nodes.ts'
import { closeOdf, isObject, openOdf } from './package.ts'
import { writeDocument } from './write.ts'

/** Opens an OpenDocument text or presentation; see `Format.open`. */
export async function openDocument(input: Input, context: FormatContext): Promise<OpenFile> {
  const opened = await openOdf(input, context)
  // What charts show of numbers is told by what becomes of these in the text.
  for (const part of opened.parts.filter(isObject))
    for (const { segment } of part.content?.nodes ?? []) if (segment.visible) segment.later = true
  return {
    extent: () => ({ characters: charactersOf(opened.parts.flatMap(({ content }) => content?.nodes ?? [])) }),
    async *segments() {
      for (const { content, nested, name } of opened.parts) {
        for (const batch of batches(content?.nodes ?? [])) yield batch.map(({ segment }) => segment)
        if (nested !== undefined) yield* embeddedSegments(nested, name)
      }
    },
    async write(output, edit, escalations) {
      if (escalations.length > 0) throw new EngineError('internal', 'An OpenDocument file has no pages to escalate')
      return writeDocument(opened, output, edit)
    },
    close: () => closeOdf(opened),
  }
}
