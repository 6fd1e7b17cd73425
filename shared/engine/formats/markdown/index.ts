import { emptyPicture, pictureAddress, readPicture } from '../container/data-url-images.ts'
import type { Embedded } from '../container/inline-images.ts'
import type { Format, Input } from '../format.ts'
import { plain } from '../plain/index.ts'
import { looksLikeText } from '../text/encoding.ts'
import { type Extract, openText, verifyText } from '../text/text-file.ts'
import type { Draft } from '../text/text-nodes.ts'
import { rereadMarkdown } from './verify-reader.ts'

/** The texts between pictures, each a segment of its own, and the pictures. */
const extract: Extract = ({ text }) => {
  const drafts: Draft[] = []
  const embedded: Embedded[] = []
  let at = 0
  const between = (end: number) => {
    const part = text.slice(at, end)
    if (part !== '')
      drafts.push({
        segment: { text: part, place: { kind: 'body' }, visible: true },
        runs: [{ text: part, start: at, end, encode: out => out }],
      })
  }
  for (const { index, 0: uri } of text.matchAll(pictureAddress)) {
    const end = index + uri.length
    const picture = uri === emptyPicture ? undefined : readPicture(uri, index, end)
    if (!picture) continue
    between(index)
    embedded.push(picture)
    at = end
  }
  between(text.length)
  return { drafts, embedded }
}

const mark = Buffer.from(';base64,')

/** Whether a file may hold pictures; it is read piece by piece. */
async function mayHoldPictures(input: Input): Promise<boolean> {
  let end = Buffer.alloc(0)
  for await (const piece of input.stream()) {
    const bytes = Buffer.concat([end, piece])
    if (bytes.includes(mark)) return true
    end = Buffer.from(bytes.subarray(-mark.length))
  }
  return false
}

const extensions = ['md', 'markdown', 'mdown']

/** Markdown: its marks are text like any other. Files with pictures in them are held in memory. */
export const markdown: Format = {
  id: 'md',
  type: 'DOCUMENT',
  mediaType: 'text/markdown',
  extensions,
  propagates: false,
  keepsText: true,
  matches: (head, name) =>
    looksLikeText(head) && extensions.includes(name.toLowerCase().split('.').at(-1) ?? '') ? 0.4 : 0,
  open: async (input, context) =>
    (await mayHoldPictures(input)) ? openText(input, context, extract) : plain.open(input, context),
  verify: async (output, expected, context) =>
    (await mayHoldPictures(output))
      ? verifyText(output, expected, context, rereadMarkdown)
      : plain.verify(output, expected, context),
}
