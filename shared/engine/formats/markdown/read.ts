import { readHeldFile } from '../container/data-url-images.ts'
import { allFilesIn } from '../container/file-address.ts'
import type { InlineImage } from '../container/inline-images.ts'
import type { Extract } from '../text/text-file.ts'
import type { TextNode } from '../text/text-nodes.ts'

/** The texts between embedded files, each a segment of its own, and the files: those that are no pictures go. */
export const extractMarkdown: Extract = ({ text }) => {
  const nodes: TextNode[] = []
  const embedded: InlineImage[] = []
  let at = 0
  const between = (end: number) => {
    const part = text.slice(at, end)
    if (part !== '')
      nodes.push({
        segment: { text: part, place: { kind: 'body' }, visible: true },
        runs: [{ text: part, start: at, end, encode: out => out }],
      })
  }
  for (const held of allFilesIn(text)) {
    between(held.start)
    at = held.end
    const file = readHeldFile(text.slice(held.start, at), held, held.start, at)
    if (file) embedded.push(file)
  }
  between(text.length)
  return { nodes, embedded }
}
