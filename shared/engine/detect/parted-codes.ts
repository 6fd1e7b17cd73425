import type { Segment } from '../formats/format.ts'
import { onlyLine } from '../formats/text/wrapped-codes.ts'
import type { Span } from './span.ts'

/** A line of base64 that is all of a text but for the signs around it: where it begins there, and where in the code. */
type Line = { index: number; start: number; at: number; length: number }

/** Lines of base64, each in a text of its own, as paragraphs, cells and items of lists hold them: as one text. */
type PartedCode = { text: string; lines: Line[] }

/** What may be the last line of several. */
const shortLine = /^([^\w+/]{0,40})([\w+/-]{1,15}={0,2})[^\w+/=]{0,20}$/
/** What may stand between two lines, in a table that numbers them. */
const lineNumber = /^[\d\s.:)#-]{0,12}$/
/** Characters of the longest line that is the end of a text. */
const longestLine = 1000
const letters = /[\w+/-]{16,}$/

function lineIn({ text, hint, before, after }: Segment, line: RegExp): { start: number; written: string } | undefined {
  const found = hint || before !== undefined || after !== undefined ? null : line.exec(text)
  return found ? { start: found[1]!.length, written: found[2]! } : undefined
}

/** Cells of a table are edited each by itself: only those of one row and column, as lists in records are, belong together. */
const keyOf = ({ place: { kind, row = 0, column = '', part = '' }, visible }: Segment) =>
  [kind, visible, part, row, column].join(' ')

/** Lines that stand one under the other, in texts of the same kind. */
function partedCodes(batch: readonly Segment[]): PartedCode[] {
  const found: PartedCode[] = []
  const open = new Map<string, PartedCode>()
  const add = (code: PartedCode, index: number, start: number, written: string) => {
    if (code.text !== '') code.text += '\n'
    code.lines.push({ index, start, at: code.text.length, length: written.length })
    code.text += written
  }
  /** The line that is the end of the text before. */
  const begin = (index: number, key: string): PartedCode => {
    const code: PartedCode = { text: '', lines: [] }
    const before = batch[index - 1]
    const isOne = before && !before.hint && before.after === undefined && keyOf(before) === key
    const end = isOne ? letters.exec(before.text.slice(-longestLine))?.[0] : undefined
    if (end) add(code, index - 1, before!.text.length - end.length, end)
    open.set(key, code)
    return code
  }
  for (let index = 0; index < batch.length; index++) {
    const segment = batch[index]!
    const line = lineIn(segment, onlyLine)
    if (line === undefined && open.size === 0) continue
    const key = keyOf(segment)
    const code = open.get(key)
    if (line) add(code ?? begin(index, key), index, line.start, line.written)
    else if (code && !lineNumber.test(segment.text)) {
      const last = lineIn(segment, shortLine)
      if (last) add(code, index, last.start, last.written)
      found.push(code)
      open.delete(key)
    }
  }
  return [...found, ...open.values()].filter(({ lines }) => lines.length > 1)
}

/** What of a span in such a text each of the texts holds that it takes, by their index. */
const spansOfLines = (span: Span, { lines }: PartedCode): { index: number; span: Span }[] =>
  lines.flatMap(({ index, start, at, length }) => {
    const from = Math.max(span.start, at)
    const to = Math.min(span.end, at + length)
    if (from >= to) return []
    return [{ index, span: { ...span, start: start + from - at, end: start + to - at, value: span.said } }]
  })

/** Adds to what was found in the texts of a batch what `find` finds in codes each line of which is one of them. */
export async function addParted(
  batch: readonly Segment[],
  result: Span[][],
  find: (segment: Segment) => Promise<Span[]>,
): Promise<void> {
  for (const code of partedCodes(batch)) {
    const last = batch[code.lines.at(-1)!.index]!
    for (const span of await find({ ...last, text: code.text, marks: undefined, isDecoded: undefined }))
      if (span.coded)
        for (const part of spansOfLines(span, code)) result[part.index] = [...result[part.index]!, part.span]
  }
}
