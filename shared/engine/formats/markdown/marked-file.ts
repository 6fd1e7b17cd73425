import type { Editor, OpenFile, Segment } from '../format.ts'
import { marksOf } from './marks.ts'

/** A segment that knows its markup. */
function marked(segment: Segment): Segment {
  const { place, before = '', text, after = '' } = segment
  if (place.kind !== 'body') return segment
  const base = before.length
  const marks = marksOf(before + text + after)
  for (const mark of base > 0 ? marks : []) {
    mark.start -= base
    mark.end -= base
    mark.partner -= base
  }
  return { ...segment, marks }
}

/** A file of plain text as one of Markdown. */
export const markedFile = (file: OpenFile): OpenFile => ({
  ...file,
  async *segments() {
    for await (const batch of file.segments()) yield batch.map(marked)
  },
  write(output, edit, escalations) {
    const { cells, show } = edit
    const ask: Editor = Object.assign((batch: Segment[]) => edit(batch.map(marked)), { cells, show })
    return file.write(output, ask, escalations)
  },
})
