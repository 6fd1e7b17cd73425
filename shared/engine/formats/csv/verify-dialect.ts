import type { Dialect } from './records.ts'

/** Reads the texts of cells one character after the other, in any dialect; shares nothing with the writer. */
export type TextReader = {
  /** The texts that end in this piece. */
  push(piece: string): string[]
  /** What is left at the end of the table. */
  end(): string[]
}

/** Where the reader stands: before a cell, in one without quotes, in one with, behind a quote or an escape in one with. */
type State = 'before' | 'plain' | 'quoted' | 'closing' | 'escaped'

/** Starts reading a table of a dialect. */
export function createTextReader({ delimiter, quote, escapeWith }: Dialect): TextReader {
  let state: State = 'before'
  let cell = ''
  let waiting = ''
  let inRecord = false
  let afterReturn = false

  const finish = (texts: string[], more: boolean) => {
    texts.push(cell)
    cell = ''
    state = 'before'
    inRecord = more
  }
  const isDoubled = escapeWith === quote
  /** One character inside of quotes or right behind them; false where it is for the cell's end or its plain text. */
  const takesQuoted = (character: string): boolean => {
    if (state === 'escaped') {
      cell += character
      state = 'quoted'
    } else if (state === 'quoted') {
      if (character === quote) state = 'closing'
      else if (character === escapeWith) state = 'escaped'
      else cell += character
    } else if (state === 'closing' && character === quote && isDoubled) {
      cell += quote
      state = 'quoted'
    } else if (state === 'before' && character === quote) state = 'quoted'
    else return false
    return true
  }
  const read = (text: string, last: boolean): string[] => {
    const texts: string[] = []
    let at = 0
    // A delimiter of several characters may be cut in two.
    const stop = last ? text.length : text.length - delimiter.length + 1
    while (at < stop) {
      const character = text[at]!
      const isEndOfReturn = afterReturn && character === '\n'
      afterReturn = false
      if (isEndOfReturn) at++
      else if (takesQuoted(character)) at++
      else if (text.startsWith(delimiter, at)) {
        finish(texts, true)
        at += delimiter.length
      } else if (character === '\n' || character === '\r') {
        finish(texts, false)
        afterReturn = character === '\r'
        at++
      } else {
        cell += character
        state = 'plain'
        at++
      }
    }
    waiting = text.slice(at)
    return texts
  }
  return {
    push: piece => read(waiting + piece, false),
    end() {
      const texts = read(waiting, true)
      if (inRecord || state !== 'before') finish(texts, false)
      return texts
    },
  }
}
