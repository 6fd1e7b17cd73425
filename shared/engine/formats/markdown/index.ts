import { fileAddress, readFileAddress } from '../container/data-url-images.ts'
import type { Embedded } from '../container/inline-images.ts'
import type { Format, Input } from '../format.ts'
import { plain } from '../plain/index.ts'
import { looksLikeText } from '../text/encoding.ts'
import { type Extract, openText, verifyText } from '../text/text-file.ts'
import type { Draft } from '../text/text-nodes.ts'
import { rereadMarkdown } from './verify-reader.ts'

/** The texts between embedded files, each a segment of its own, and the files: those that are no pictures go. */
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
  for (const { index, 0: uri } of text.matchAll(fileAddress)) {
    between(index)
    at = index + uri.length
    const file = readFileAddress(uri, index, at)
    if (file) embedded.push(file)
  }
  between(text.length)
  return { drafts, embedded }
}

const mark = ';base64,'

/** Whether a file may hold pictures, whatever the width of its characters; it is read piece by piece. */
async function mayHoldPictures(input: Input): Promise<boolean> {
  let end = ''
  for await (const piece of input.stream()) {
    const text = (end + Buffer.from(piece).toString('latin1').replaceAll('\0', '')).toLowerCase()
    if (text.includes(mark)) return true
    end = text.slice(-mark.length)
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
