import type { Format } from '../format.ts'
import { type Extract, openText } from '../text/text-file.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { verifyText } from '../text/verify-text.ts'
import { rereadFlowed } from './flowed-verify-reader.ts'

const place = { kind: 'body' } as const
const same = (text: string) => text

/**
 * Text of `format=flowed` (RFC 3676): a line that ends with a blank goes on in the next one of the same depth of quoting;
 * a blank at the beginning of a line is none of it.
 * Each paragraph is one text. `delSp` says that the blank itself is none of it.
 */
const extract =
  (delSp: boolean): Extract =>
  ({ text: source }) => {
    const nodes: TextNode[] = []
    let runs: SourceRun[] = []
    let depth = -1
    const flush = () => {
      const text = runs.map(run => run.text).join('')
      if (/\S/.test(text)) nodes.push({ segment: { text, place, visible: true }, runs })
      runs = []
    }
    let broken: number | undefined // where the line before ends, if this one goes on
    for (const { index, 0: line, 1: marks = '', 2: stuffing = '', 3: text = '', 4: end = '' } of source.matchAll(
      /(>*)( ?)([^\r\n]*)(\r?\n|\r|$)/g,
    )) {
      if (line === '') continue
      const isSignature = /^-- $/.test(text)
      const start = index + marks.length + stuffing.length
      if (broken !== undefined && marks.length === depth && !isSignature)
        runs.push({ text: '', start: broken, end: start })
      else flush()
      depth = marks.length
      const isSoft = text.endsWith(' ') && !isSignature && end !== ''
      const stop = start + text.length - (isSoft && delSp ? 1 : 0)
      if (stop > start) runs.push({ text: source.slice(start, stop), start, end: stop, encode: same })
      broken = isSoft ? stop : undefined
    }
    flush()
    return { nodes }
  }

/** A body of flowed text: only inside of mail, which says that it is one. */
export const flowed = (delSp: boolean): Format => ({
  id: 'flowed',
  type: 'DOCUMENT',
  mediaType: 'text/plain',
  extensions: [],
  propagates: true,
  keepsText: true,
  matches: () => 0,
  open: (input, context) => openText(input, context, extract(delSp)),
  verify: (output, expected, context) => verifyText(output, expected, context, rereadFlowed),
})
