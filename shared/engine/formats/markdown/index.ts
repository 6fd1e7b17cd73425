import { smallText } from '../../limits.ts'
import { digestOfPieces } from '../../verify/digest.ts'
import type { Format, Input } from '../format.ts'
import { plain } from '../plain/index.ts'
import { looksLikeText } from '../text/first-bytes.ts'

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

/** Markdown: its marks are text like any other, and known to be marks. Files with pictures in them are held in memory. */
export const markdown: Format = {
  id: 'md',
  type: 'DOCUMENT',
  mediaType: 'text/markdown',
  extensions,
  propagates: smallText,
  keepsText: true,
  matches: (head, name) =>
    looksLikeText(head) && extensions.includes(name.toLowerCase().split('.').at(-1) ?? '') ? 0.4 : 0,
  // Loaded when a file is opened or verified: telling formats apart needs none of it.
  async open(input, context) {
    const { markedFile } = await import('./marked-file.ts')
    if (!(await mayHoldPictures(input))) return markedFile(await plain.open(input, context))
    const { openText } = await import('../text/text-file.ts')
    return markedFile(await openText(input, context, (await import('./read.ts')).extractMarkdown))
  },
  async verify(output, expected, context) {
    if (!(await mayHoldPictures(output)))
      return plain.verify(output, { ...expected, digest: digestOfPieces(expected.visible) }, context)
    const { verifyText } = await import('../text/verify-text.ts')
    return verifyText(output, expected, context, (await import('./verify.ts')).rereadMarkdown)
  },
}
