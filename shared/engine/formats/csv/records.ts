import { EngineError } from '../../errors.ts'

/** How a table is written down. */
export type Dialect = {
  delimiter: string
  /** Character around cells that need it; the empty text when none is used. */
  quote: string
  /** Character before a quote or itself inside of quotes; the quote itself when quotes are doubled. */
  escapeWith: string
}

/** One cell as it stands in the text: `[start, end)` with its quotes, UTF-16 offsets. */
export type RawCell = { start: number; end: number; quoted: boolean }

/** One record: its cells, and where it ends behind its line end. */
export type RawRecord = { cells: RawCell[]; end: number }

/** The error for a quote that is never closed. */
export const openQuote = () =>
  new EngineError('corrupt_file', 'A quoted cell of the table is not closed; the option quote may help')

/** Longest record, characters: beyond it a quote was surely left open. */
const longestRecord = 64 * 1024 * 1024

const lineFeed = 10
const carriageReturn = 13

/** Where a quoted cell that begins at `start` ends: behind its closing quote and what follows it, or -1 when it doesn't. */
function quotedEnd(text: string, start: number, { quote, escapeWith, delimiter }: Dialect): number {
  let at = start + 1
  for (;;) {
    const next = text.indexOf(quote, at)
    if (next < 0) return -1
    if (escapeWith === quote) {
      if (text[next + 1] === quote) {
        at = next + 2
        continue
      }
    } else {
      let escapes = 0
      while (next - 1 - escapes > start && text[next - 1 - escapes] === escapeWith) escapes++
      if (escapes % 2 === 1) {
        at = next + 1
        continue
      }
    }
    // Whatever stands between the closing quote and the end of the cell belongs to the cell.
    let end = next + 1
    while (end < text.length) {
      const code = text.charCodeAt(end)
      if (code === lineFeed || code === carriageReturn || text.startsWith(delimiter, end)) break
      end++
    }
    return end
  }
}

/**
 * Reads one record from `at`. Nothing comes back when the text may go on and the record isn't surely complete. Throws
 * `corrupt_file` for a quote that is never closed, `limit_exceeded` for a record without end.
 */
export function readRecord(text: string, at: number, dialect: Dialect, last: boolean): RawRecord | undefined {
  const { delimiter, quote } = dialect
  const first = delimiter.charCodeAt(0)
  const cells: RawCell[] = []
  let start = at
  const incomplete = () => {
    if (text.length - at > longestRecord) throw new EngineError('limit_exceeded', 'A record of the table is too long')
    return undefined
  }
  for (;;) {
    let end: number
    const quoted = quote !== '' && text.startsWith(quote, start)
    if (quoted) {
      end = quotedEnd(text, start, dialect)
      if (end < 0) {
        if (last) throw openQuote()
        return incomplete()
      }
    } else {
      end = start
      for (; end < text.length; end++) {
        const code = text.charCodeAt(end)
        if (code === lineFeed || code === carriageReturn) break
        if (code === first && (delimiter.length === 1 || text.startsWith(delimiter, end))) break
      }
    }
    // What follows decides: more of the cell, a delimiter, or the second half of a line end may still come.
    if (!last && end + Math.max(2, delimiter.length) > text.length) return incomplete()
    cells.push({ start, end, quoted })
    if (end >= text.length) return { cells, end }
    const code = text.charCodeAt(end)
    if (code === lineFeed) return { cells, end: end + 1 }
    if (code === carriageReturn) return { cells, end: text.charCodeAt(end + 1) === lineFeed ? end + 2 : end + 1 }
    start = end + delimiter.length
  }
}

/** The text of a cell as people read it: without its quotes. */
export function cellText(text: string, { start, end, quoted }: RawCell, { quote, escapeWith }: Dialect): string {
  const raw = text.slice(start, end)
  if (!quoted) return raw
  let inner = ''
  let at = 1
  while (at < raw.length) {
    const character = raw[at]!
    if (escapeWith !== quote && character === escapeWith && at + 1 < raw.length) {
      inner += raw[at + 1]
      at += 2
    } else if (character === quote) {
      if (escapeWith === quote && raw[at + 1] === quote) {
        inner += quote
        at += 2
      } else return inner + raw.slice(at + 1)
    } else {
      inner += character
      at++
    }
  }
  return inner
}

/**
 * A changed cell as it is written: quoted when it was, when it must be, and when it became empty (so that it isn't taken
 * for a missing one). Throws `invalid_workflow` when it can't be written in a dialect without quotes.
 */
export function writeCell(text: string, quoted: boolean, { delimiter, quote, escapeWith }: Dialect): string {
  const must = text === '' || /[\r\n]/.test(text) || text.includes(delimiter) || (quote !== '' && text.includes(quote))
  if (!quoted && !must && !/^\s|\s$/.test(text)) return text
  if (quote === '') {
    if (!/[\r\n]/.test(text) && !text.includes(delimiter)) return text
    throw new EngineError(
      'invalid_workflow',
      'A replacement contains the delimiter of a table that is written without quotes',
    )
  }
  const escaped = escapeWith === quote ? text : text.replaceAll(escapeWith, escapeWith + escapeWith)
  return quote + escaped.replaceAll(quote, escapeWith + quote) + quote
}
