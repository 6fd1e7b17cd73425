import { alphabetOf, type CodeEncoding, controls, encodingOf } from './code-encoding.ts'

/**
 * The end of a line within base64, with what stands in front of the next: blanks, signs of quotations, comments and lists, an empty
 * line, the rest of a string of a program and the beginning of the next. As strings of programs write it; and as it is shown in a
 * paragraph, as a space.
 */
const begins = String.raw`[ \t>]{0,99}(?:(?:[#*|;-]|//|--)[ \t]{1,9})?`
const strings = String.raw`(?:\\r)?(?:\\n)?\\?["'\x60][\s+&,._\\]{0,99}b?\\?["'\x60]`
const lineEnd = new RegExp(
  String.raw`[ \t]{0,9}[\\\x60|]?(?:\r?\n[ \t]{0,99}){0,2}\r?\n${begins}\x60?|${strings}|(?:\\r)?\\n| `,
  'y',
)
const letters = /[\w+/-]*/y
/** What may stand behind base64 up to the end of its line. */
const lineRest = /[^\w\n=]{0,20}\n/y
/** Longest beginning of a line, before base64, that is looked for in front of the next line. */
const longestBegin = 120
/** Letters of the shortest line that is taken for one of two: shorter ones may be texts each for itself. */
const shortestLine = 40
/** The same of a second and last line behind a space that is not padded: shorter ones may be words. */
const shortestEnd = 16
/** Characters that are read together at most. */
const longest = 1024 * 1024
/** Letters that tell what a text is in. */
const telling = 12

/** A text that is a line of base64 and nothing else but signs around it. */
export const onlyLine = /^([^\w+/]{0,40})([\w+/-]{16}[\w+/-]*={0,2})[^\w+/=]{0,20}$/

type Line = [start: number, end: number]

function lettersAt(text: string, start: number): Line | undefined {
  letters.lastIndex = start
  letters.test(text)
  return letters.lastIndex > start ? [start, letters.lastIndex] : undefined
}

/** Where letters of base64 go on behind the end of a line, and where those end; nothing where none do. */
function lineBehind(text: string, line: Line): Line | undefined {
  const alike = alikeBehind(text, line)
  if (alike) return alike
  lineEnd.lastIndex = line[1]
  return lineEnd.test(text) ? lettersAt(text, lineEnd.lastIndex) : undefined
}

/** The same where the next line begins as this one does, but for its numbers, as those of logs and settings do. */
function alikeBehind(text: string, [start, end]: Line): Line | undefined {
  lineRest.lastIndex = end
  if (!lineRest.test(text)) return undefined
  const next = lineRest.lastIndex
  const before = text.slice(Math.max(0, start - longestBegin), start)
  const begin = before.lastIndexOf('\n') + 1
  if (begin === 0 && start > before.length) return undefined
  const shape = before
    .slice(begin)
    .split(/\d+/)
    .map(part => part.replace(/[^\w\s]/g, '\\$&'))
    .join('\\d+')
  const behind = new RegExp(shape, 'y')
  behind.lastIndex = next
  return behind.test(text) ? lettersAt(text, behind.lastIndex) : undefined
}

/** Whether short lines are some of several: of whole groups of letters, as long as one another, and the last no longer. */
function areSeveral(text: string, width: number, second: Line): boolean {
  const third = second[1] - second[0] === width && width % 4 === 0 ? lineBehind(text, second) : undefined
  return third !== undefined && third[1] - third[0] <= width
}

/**
 * The lines of base64 the first of which stands between two places. They are as long as one another, but the last may be shorter,
 * and the first may have something else in front of it.
 */
function* linesFrom(text: string, start: number, end: number): Generator<Line> {
  yield [start, end]
  let width = end - start
  let next = lineBehind(text, [start, end])
  for (let isSecond = true; next !== undefined && next[1] - start < longest; isSecond = false) {
    const length = next[1] - next[0]
    if (isSecond && text[end] === ' ' && length < shortestEnd && text[next[1]] !== '=') return
    if (length > width && !isSecond) return
    if (isSecond && Math.max(length, width) < shortestLine && !areSeveral(text, width, next)) return
    yield next
    if (length < width) return
    width = length
    next = lineBehind(text, next)
  }
}

/** Decodes base64 that comes line by line: nothing for what is no text. */
function lineDecoder(encoding: CodeEncoding): (line: string) => string | undefined {
  const decoder = new TextDecoder(encoding === 'utf8' ? 'utf-8' : 'utf-16le', { fatal: true, ignoreBOM: true })
  // Letters that make bytes only with those of the next line.
  let rest = ''
  return line => {
    const code = rest + line
    const whole = line === '' ? code.length : code.length & ~3
    rest = code.slice(whole)
    try {
      const said = decoder.decode(Buffer.from(code.slice(0, whole), 'base64'), { stream: true })
      return controls.test(said) ? undefined : said
    } catch {
      return undefined
    }
  }
}

/** A text in base64 on several lines: where it ends, what it says, and how to write it so again. */
export type WrappedCode = { end: number; text: string; encode: (text: string) => string }

/** The text in base64 whose first line stands between two places, as far as it is one; nothing where it does not go on. */
export function readWrapped(text: string, start: number, end: number): WrappedCode | undefined {
  const second = lineBehind(text, [start, end])
  const encoding = second && encodingOf(Buffer.from(text.slice(start, start + telling), 'base64'))
  if (!encoding) return undefined
  const decode = lineDecoder(encoding)
  const said: string[] = []
  let last = start
  for (const [from, to] of linesFrom(text, start, end)) {
    const part = decode(text.slice(from, to))
    if (part === undefined) break
    said.push(part)
    last = to
  }
  if (last <= end) return undefined
  said.push(decode('') ?? '')
  const written = text.slice(start, last)
  const [padding] = /^={0,2}/.exec(text.slice(last, last + 2))!
  const width = Math.max(end - start, second[1] - second[0])
  const lines = new RegExp(`.{${width}}(?=.)`, 'g')
  const encode = (out: string) => {
    const code = Buffer.from(out, encoding).toString(alphabetOf(written))
    const padded = padding === '' ? code.replace(/=+$/, '') : code.padEnd(Math.ceil(code.length / 4) * 4, '=')
    return padded.replace(lines, line => line + text.slice(end, second[0]))
  }
  return { end: last + padding.length, text: said.join(''), encode }
}
