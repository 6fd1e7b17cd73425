import { EngineError } from '../../errors.ts'
import { endOfRun } from '../../long-runs.ts'

/** Receives the tokens of an RTF file in order. Offsets are those of the source, a string of bytes. */
export type RtfSink = {
  open(start: number): void
  close(end: number): void
  /** `\word12 `: the blank that ends it belongs to it. `bare` when there is none. */
  word(name: string, parameter: number | undefined, start: number, end: number, bare: boolean): void
  /** `\'hh`. */
  byte(value: number, start: number, end: number): void
  /** Any other `\x`. */
  symbol(character: string, start: number, end: number): void
  /** Characters as they are, without line ends. */
  text(start: number, end: number): void
  /** The raw bytes of `\binN`. */
  binary(start: number, end: number): void
}

const noText = /[\\{}\r\n\0]/g

/**
 * Splits an RTF file into tokens and tells where it ends; what comes then is shown by no program. Throws `corrupt_file`
 * where groups don't match, `limit_exceeded` beyond `depth`.
 */
export function scanRtf(source: string, sink: RtfSink, depth: number): number {
  let level = 0
  let at = 0
  while (at < source.length) {
    const code = source.charCodeAt(at)
    if (code === 123) {
      if (++level > depth) throw new EngineError('limit_exceeded', 'The RTF is nested too deeply')
      sink.open(at++)
    } else if (code === 125) {
      if (--level < 0) throw new EngineError('corrupt_file', 'The RTF closes a group that was not opened')
      sink.close(++at)
      if (level === 0) return at
    } else if (code === 92) at = control(source, at, sink)
    else if (code === 13 || code === 10 || code === 0) at++
    else {
      const end = endOfRun(source, at, noText)
      sink.text(at, end)
      at = end
    }
  }
  throw new EngineError('corrupt_file', 'The RTF ends too early')
}

const isLetter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
const isDigit = (code: number) => code >= 48 && code <= 57
/** Most digits of a number; what comes behind them is text. */
const mostDigits = 10

/** Where the number ends that may stand at a place. */
function numberEnd(source: string, at: number): number {
  const from = source.charCodeAt(at) === 45 ? at + 1 : at
  let end = from
  while (end - from < mostDigits && isDigit(source.charCodeAt(end))) end++
  return end > from ? end : at
}

/** Reads the control word whose name, of letters alone, ends at a place; where it ends. */
function controlWord(source: string, at: number, nameEnd: number, sink: RtfSink): number {
  const name = source.slice(at + 1, nameEnd)
  const stop = numberEnd(source, nameEnd)
  const parameter = stop > nameEnd ? Number(source.slice(nameEnd, stop)) : undefined
  const isBare = source.charCodeAt(stop) !== 32
  const end = isBare ? stop : stop + 1
  if (name !== 'bin') {
    sink.word(name, parameter, at, end, isBare)
    return end
  }
  const last = end + (parameter ?? 0)
  if (!(last >= end && last <= source.length)) throw new EngineError('corrupt_file', 'The RTF ends too early')
  sink.binary(at, last)
  return last
}

function control(source: string, at: number, sink: RtfSink): number {
  let nameEnd = at + 1
  while (isLetter(source.charCodeAt(nameEnd))) nameEnd++
  if (nameEnd > at + 1) return controlWord(source, at, nameEnd, sink)
  const character = source[at + 1]
  if (character === undefined) throw new EngineError('corrupt_file', 'The RTF ends too early')
  if (character === "'") {
    const hex = source.slice(at + 2, at + 4)
    if (!/^[0-9a-fA-F]{2}$/.test(hex)) throw new EngineError('corrupt_file', 'The RTF holds a broken escape')
    sink.byte(Number.parseInt(hex, 16), at, at + 4)
    return at + 4
  }
  sink.symbol(character, at, at + 2)
  return at + 2
}
