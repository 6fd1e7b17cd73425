import type { Format } from '../format.ts'
import { type Extract, openText } from '../text/text-file.ts'
import type { TextNode } from '../text/text-nodes.ts'
import { verifyText } from '../text/verify-text.ts'
import { rereadFlowed } from './flowed-verify-reader.ts'

const place = { kind: 'body' } as const

/** Characters of a written line, marks of quoting aside. */
const width = 72

/** A paragraph as it is read: its text, where it stands, and what its first line begins and ends with. */
type Paragraph = { text: string; start: number; stop: number; marks: string; stuffing: string; end: string }

/** A text in flowed lines, each quoted as its paragraph is, the last one without the end of a line. */
function flow(text: string, { marks, stuffing, end }: Paragraph, delSp: boolean): string {
  const lines: string[] = []
  for (const line of text.split(/\r\n?|\n/)) {
    let rest = line.trimEnd()
    for (;;) {
      const cut = rest.length <= width ? 0 : rest.lastIndexOf(' ', width - 1) + 1 || rest.indexOf(' ') + 1
      if (cut === 0) break
      lines.push(`${rest.slice(0, cut)}${delSp ? ' ' : ''}`)
      rest = rest.slice(cut)
    }
    lines.push(rest)
  }
  // Readers take a blank away, and the rest for what it would not be without.
  return lines.map(line => marks + (/^(?:[ >]|From )/.test(line) ? ' ' : stuffing) + line).join(end)
}

/**
 * Text of `format=flowed` (RFC 3676): a line that ends with a blank goes on in the next one of the same depth of quoting;
 * a blank at the beginning of a line is none of it.
 * Each paragraph is one text, and is flowed anew where it is edited. `delSp` says that the blank itself is none of it.
 */
const extract =
  (delSp: boolean): Extract =>
  ({ text: source }) => {
    const nodes: TextNode[] = []
    let paragraph: Paragraph | undefined
    let goesOn = false
    const flush = () => {
      const whole = paragraph
      if (whole === undefined || !/\S/.test(whole.text)) return
      const encode = (text: string) => flow(text, whole, delSp)
      const run = { text: whole.text, start: whole.start, end: whole.stop, encode }
      nodes.push({ segment: { text: whole.text, place, visible: true }, runs: [run] })
    }
    for (const { index, 0: line, 1: marks = '', 2: stuffing = '', 3: text = '', 4: end = '' } of source.matchAll(
      /(>*)( ?)([^\r\n]*)(\r?\n|\r|$)/g,
    )) {
      if (line === '') continue
      const isSignature = text === '-- '
      if (paragraph === undefined || !goesOn || marks !== paragraph.marks || isSignature) {
        flush()
        paragraph = { text: '', start: index, stop: index, marks, stuffing, end }
      }
      goesOn = text.endsWith(' ') && !isSignature && end !== ''
      paragraph.text += goesOn && delSp ? text.slice(0, -1) : text
      paragraph.stop = index + line.length - end.length
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
  verify: (output, expected, context) => verifyText(output, expected, context, source => rereadFlowed(source, delSp)),
})
