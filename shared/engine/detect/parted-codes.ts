import type { Segment } from '../formats/format.ts'
import { onlyLine } from '../formats/text/wrapped-codes.ts'
import { shortestCode } from './codes.ts'
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
const letters = /[\w+/-]{16}[\w+/-]*$/

function lineIn({ text, hint, before, after }: Segment, line: RegExp): { start: number; written: string } | undefined {
  if (line === onlyLine && text.length < shortestCode) return undefined
  const found = hint || before !== undefined || after !== undefined ? null : line.exec(text)
  return found ? { start: found[1]!.length, written: found[2]! } : undefined
}

/** Cells of a table are edited each by itself: only those of one row and column, as lists in records are, belong together. */
const areAlike = ({ place: one, visible }: Segment, { place: other, visible: isOther }: Segment): boolean =>
  one.row === other.row &&
  one.column === other.column &&
  one.kind === other.kind &&
  one.part === other.part &&
  visible === isOther

/** Texts of other kinds that may stand between two lines. */
const mostBetween = 8

/** The next text of the same kind behind one, but for numbers of lines. */
function nextAlike(batch: readonly Segment[], from: number): number | undefined {
  for (let index = from + 1; index < Math.min(batch.length, from + mostBetween); index++)
    if (areAlike(batch[from]!, batch[index]!) && !lineNumber.test(batch[index]!.text)) return index
  return undefined
}

function addLine(code: PartedCode, index: number, { start, written }: { start: number; written: string }): void {
  if (code.text !== '') code.text += '\n'
  code.lines.push({ index, start, at: code.text.length, length: written.length })
  code.text += written
}

/** The line that is the end of the text before one. */
function lineBefore(batch: readonly Segment[], index: number): { start: number; written: string } | undefined {
  const before = batch[index - 1]
  if (!before || before.hint || before.after !== undefined || !areAlike(before, batch[index]!)) return undefined
  const written = letters.exec(before.text.slice(-longestLine))?.[0]
  return written === undefined ? undefined : { start: before.text.length - written.length, written }
}

/** Lines that stand one under the other, in texts of the same kind. */
function partedCodes(batch: readonly Segment[]): PartedCode[] {
  const found: PartedCode[] = []
  const done = new Set<number>()
  for (let first = 0; first < batch.length; first++) {
    const line = done.has(first) ? undefined : lineIn(batch[first]!, onlyLine)
    const second = line && nextAlike(batch, first)
    if (second === undefined) continue
    const code: PartedCode = { text: '', lines: [] }
    const before = lineBefore(batch, first)
    if (before) addLine(code, first - 1, before)
    addLine(code, first, line!)
    for (let next: number | undefined = second; next !== undefined; ) {
      const more = lineIn(batch[next]!, onlyLine)
      const last = more ?? lineIn(batch[next]!, shortLine)
      if (last) addLine(code, next, last)
      done.add(next)
      next = more && nextAlike(batch, next)
    }
    if (code.lines.length > 1) found.push(code)
  }
  return found
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
  find: (segments: Segment[]) => Promise<Span[][]>,
): Promise<void> {
  for (const code of partedCodes(batch)) {
    const last = batch[code.lines.at(-1)!.index]!
    const [found = []] = await find([{ ...last, text: code.text, marks: undefined, isDecoded: undefined }])
    for (const span of found)
      if (span.coded)
        for (const part of spansOfLines(span, code)) result[part.index] = [...result[part.index]!, part.span]
  }
}
