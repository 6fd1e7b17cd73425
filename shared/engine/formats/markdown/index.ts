import type { Format, Input } from '../format.ts'
import { plain } from '../plain/index.ts'
import { looksLikeText } from '../text/encoding.ts'
import { openText } from '../text/text-file.ts'
import { verifyText } from '../text/verify-text.ts'
import { extractMarkdown } from './read.ts'
import { rereadMarkdown } from './verify.ts'

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
    (await mayHoldPictures(input)) ? openText(input, context, extractMarkdown) : plain.open(input, context),
  verify: async (output, expected, context) =>
    (await mayHoldPictures(output))
      ? verifyText(output, expected, context, rereadMarkdown)
      : plain.verify(output, expected, context),
}
