import type { Edit, Format } from '../format.ts'
import { type Extract, openText } from '../text/text-file.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { verifyText } from '../text/verify-text.ts'
import { rereadFlowed } from './flowed-verify-reader.ts'

const place = { kind: 'body' } as const

/** Characters of a written line, marks of quoting aside. */
const width = 72

/** A paragraph as it is read: its text, where it stands, and what its first line begins and ends with. */
type Paragraph = { text: string; start: number; stop: number; marks: string; stuffing: string; end: string }

const isBlank = (paragraph: Paragraph | undefined) => paragraph !== undefined && !/\S/.test(paragraph.text)

/** Paragraphs that follow each other, as one text of as many lines. */
function joined(paragraphs: readonly Paragraph[], delSp: boolean): SourceRun {
  const first = paragraphs[0]!
  return {
    text: paragraphs.map(({ text }) => text).join('\n'),
    start: first.start,
    end: paragraphs.at(-1)!.stop,
    encode: text => flow(text, first, delSp),
  }
}

/** The same in parts: paragraphs stay apart, but for those that an edit reaches across. */
function* apart(paragraphs: readonly Paragraph[], delSp: boolean, edits: readonly Edit[]): Generator<SourceRun> {
  let first = 0
  let to = -1
  let edit = 0
  for (const [index, { text, stop }] of paragraphs.entries()) {
    to += 1 + text.length
    while (edit < edits.length && edits[edit]!.end <= to) edit++
    const next = paragraphs[index + 1]
    if (next && edit < edits.length && edits[edit]!.start <= to) continue
    yield joined(paragraphs.slice(first, index + 1), delSp)
    if (next) yield { text: '\n', start: stop, end: next.start }
    first = index + 1
  }
}

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
 * Paragraphs without an empty line between them, in one depth, are one text, of which those are flowed anew that are edited.
 * `delSp` says that the blank itself is none of it.
 */
const extract =
  (delSp: boolean): Extract =>
  ({ text: source }) => {
    const nodes: TextNode[] = []
    let paragraphs: Paragraph[] = []
    let goesOn = false
    const flush = () => {
      const together = isBlank(paragraphs.at(-1)) ? paragraphs.slice(0, -1) : paragraphs
      paragraphs = []
      if (together.length === 0) return
      const run = joined(together, delSp)
      if (together.length > 1) run.parts = edits => [...apart(together, delSp, edits)]
      nodes.push({ segment: { text: run.text, place, visible: true }, runs: [run] })
    }
    for (const { index, 0: line, 1: marks = '', 2: stuffing = '', 3: text = '', 4: end = '' } of source.matchAll(
      /(>*)( ?)([^\r\n]*)(\r?\n|\r|$)/g,
    )) {
      if (line === '') continue
      const isSignature = text === '-- '
      const before = paragraphs.at(-1)
      const isWithin = goesOn && marks === before?.marks && !isSignature
      goesOn = text.endsWith(' ') && !isSignature && end !== ''
      const own = goesOn && delSp ? text.slice(0, -1) : text
      const stop = index + line.length - end.length
      if (isWithin && before) {
        before.text += own
        before.stop = stop
      } else {
        if (isSignature || marks !== before?.marks || isBlank(before)) flush()
        paragraphs.push({ text: own, start: index, stop, marks, stuffing, end })
      }
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
