import { EngineError } from '../../errors.ts'

/** Receives the keys and scalar values of a JSON text in order, with where they stand (quotes included). */
export type JsonSink = {
  key(start: number, end: number): void
  string(start: number, end: number): void
  number(start: number, end: number): void
  /** An object or array begins or ends. */
  enter?(array: boolean): void
  leave?(): void
  /** What stands in a comment. Without it comments, and commas behind the last item, are no JSON. */
  comment?(start: number, end: number): void
}

const numeral = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const word = /true|false|null/y
const escapeAt = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
/** What means something within a string, or may not stand there. */
const inString = /["\\\x00-\x1f]/g
const quote = 34
const comma = 44
const stroke = 47
/** A comment: up to the end of the line, or of its own. */
const aside = /\/\/([^\r\n]*)|\/\*([^*]*(?:\*(?!\/)[^*]*)*)\*\//y

/**
 * Walks one JSON text (RFC 8259, and nothing looser but where comments are taken) without building values, so that duplicate
 * keys and long numbers are seen as they are. Throws `corrupt_file`, or `limit_exceeded` beyond `depth` levels.
 */
export function scanJson(source: string, sink: JsonSink, depth: number): void {
  const open: boolean[] = [] // true for an array
  let at = source.charCodeAt(0) === 0xfeff ? 1 : 0
  const blank = () => {
    for (;;) {
      const code = source.charCodeAt(at)
      if (code === stroke && sink.comment) {
        aside.lastIndex = at
        const [whole, line, block] = aside.exec(source) ?? []
        if (whole === undefined) throw malformed(at)
        sink.comment(at + 2, at + 2 + (line ?? block)!.length)
        at += whole.length
      } else if (code === 32 || code === 10 || code === 13 || code === 9) at++
      else return code
    }
  }
  const isLast = (after: number) => sink.comment !== undefined && blank() === after
  const key = () => {
    if (blank() !== quote) throw malformed(at, source)
    const end = stringEnd(source, at)
    sink.key(at, end)
    at = end
    if (blank() !== 58) throw malformed(at)
    at++
  }
  for (;;) {
    const code = blank()
    if (code === quote) {
      const end = stringEnd(source, at)
      sink.string(at, end)
      at = end
    } else if (code === 123 || code === 91) {
      const array = code === 91
      open.push(array)
      if (open.length > depth) throw new EngineError('limit_exceeded', 'The JSON is nested too deeply')
      sink.enter?.(array)
      at++
      const next = blank()
      if (next !== (array ? 93 : 125)) {
        if (!array) key()
        continue
      }
    } else if (code === 45 || (code >= 48 && code <= 57)) {
      numeral.lastIndex = at
      if (!numeral.test(source)) throw malformed(at)
      sink.number(at, numeral.lastIndex)
      at = numeral.lastIndex
    } else {
      word.lastIndex = at
      if (!word.test(source)) throw malformed(at, source)
      at = word.lastIndex
    }
    // A value has ended: close what it completes, up to the next value.
    for (;;) {
      const after = blank()
      const inArray = open.at(-1)
      if (inArray === undefined) {
        if (at < source.length) throw malformed(at, source)
        return
      }
      const end = inArray ? 93 : 125
      at++
      if (after === comma && !isLast(end)) {
        if (!inArray) key()
        break
      }
      if (after === comma) at++
      else if (after !== end) throw malformed(at - 1, source)
      open.pop()
      sink.leave?.()
    }
  }
}

function stringEnd(source: string, start: number): number {
  inString.lastIndex = start + 1
  while (inString.test(source)) {
    const at = inString.lastIndex - 1
    const code = source.charCodeAt(at)
    if (code === quote) return at + 1
    if (code < 32) throw malformed(at)
    escapeAt.lastIndex = at
    if (!escapeAt.test(source)) throw malformed(at)
    inString.lastIndex = escapeAt.lastIndex
  }
  throw malformed(source.length)
}

const comment = /\/[/*]/y
const lastComma = /,[ \t\r\n]{0,100}$/

/** Why a text is no JSON; `source`: where a value or a key should stand, as some programs put other things there. */
function malformed(at: number, source = ''): EngineError {
  comment.lastIndex = at
  const end = source.charCodeAt(at)
  const isListed = (end === 93 || end === 125) && lastComma.test(source.slice(Math.max(0, at - 101), at))
  const what = comment.test(source) ? 'comments' : isListed ? 'a comma behind the last item' : undefined
  const reason =
    what === undefined ? `The JSON is malformed (at character ${at})` : `JSON with ${what} is not supported`
  return new EngineError('corrupt_file', reason)
}
