import { EngineError } from '../../errors.ts'
import type { FormatContext, Input } from '../format.ts'
import { decodedAgain } from '../text/verify-decoder.ts'
import { jsonTexts } from './verify.ts'

/** Some of an output as it is written, and the values and names of fields that end in it. */
type RereadPart = { source: string; shown: string[]; hidden: string[] }

/** Reads records again, piece by piece. */
export type RereadRecords = (output: Input, context: FormatContext) => AsyncGenerator<RereadPart>

const asUtf8 = (context: FormatContext) => ({ ...context, options: { ...context.options, encoding: 'utf-8' } })

/** Reads a file of one JSON text a line. */
export async function* rereadLines(output: Input, context: FormatContext): AsyncGenerator<RereadPart> {
  let begun = ''
  const read = (source: string, lines: readonly string[]): RereadPart => {
    const part: RereadPart = { source, shown: [], hidden: [] }
    for (const line of lines) if (/[^ \t\r]/.test(line)) jsonTexts(line, part)
    return part
  }
  for await (const piece of decodedAgain(output, asUtf8(context))) {
    const lines = (begun + piece).split('\n')
    begun = lines.pop()!
    yield read(piece, lines)
  }
  yield read('', [begun])
}

const outside = /["[\]{},]/g
const inside = /["\\]/g

/** Reads a file that is one array. */
export async function* rereadArray(output: Input, context: FormatContext): AsyncGenerator<RereadPart> {
  let text = ''
  let at = 0
  let start = 0
  let depth = 0
  let isString = false
  const step = (part: RereadPart): boolean => {
    const marks = isString ? inside : outside
    marks.lastIndex = at
    const mark = marks.exec(text)?.[0]
    const found = mark === undefined ? text.length : marks.lastIndex - 1
    at = found
    // What a backslash stands before may come with the next piece.
    if (mark === undefined || (mark === '\\' && found + 1 === text.length)) return false
    at = found + (mark === '\\' ? 2 : 1)
    if (mark === '"') isString = !isString
    else if (isString) return true
    else if (mark === '[' || mark === '{') {
      if (depth++ === 0) start = at
    } else {
      const isLast = mark !== ',' && --depth === 0
      if (!isLast && (mark !== ',' || depth !== 1)) return true
      const item = text.slice(start, found)
      if (/\S/.test(item)) jsonTexts(item, part)
      start = at
    }
    return true
  }
  for await (const piece of decodedAgain(output, asUtf8(context))) {
    text = text.slice(start) + piece
    at = Math.max(0, at - start)
    start = 0
    const part: RereadPart = { source: piece, shown: [], hidden: [] }
    while (step(part)) {}
    yield part
  }
  if (depth !== 0 || isString || /\S/.test(text.slice(start)))
    throw new EngineError('corrupt_file', 'The JSON of the output cannot be read')
}
