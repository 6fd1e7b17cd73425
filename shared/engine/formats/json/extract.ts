import type { InlineImage } from '../container/inline-images.ts'
import type { Extract } from '../text/text-file.ts'
import { notebookOf } from './notebook.ts'
import { jsonReader } from './read.ts'

/** The texts of a JSON document, and the files within them. */
export const extractJson: Extract = (source, context) => {
  const embedded: InlineImage[] = []
  const nodes = jsonReader(source.unicode, context.limits.depth, embedded, notebookOf(source.text))(source.text)
  return { nodes, embedded }
}
