import type { Tally } from './emptied-files.ts'
import { beginnings, emptyBare, hasLongWord } from './file-address.ts'

const begins = new RegExp(String.raw`(?<![\w+/%\\.-])(?=[\w+/-]{60})(?:${beginnings})`, 'g')
const letters = /[\w+/-]*/y
/** With what stands in front of the next line, or as strings of programs write it. */
const lineEnd = /\r?\n[ \t>]{0,99}|(?:\\r)?\\n/y
const lineEndThatIsCut = /^(?:\r?\n?|\r?\n[ \t>]{0,99}|\\(?:r?|r\\|(?:r\\)?n))$/
/** What stands behind the last line of a file, which may be shorter than the others. */
const behindFile = /[="'<)>]/
/** Letters of the shortest line that a file goes on with. */
const shortestLine = 40
/** Letters at the end of a part with which a file may begin: with more of them it would be known. */
const mayBegin = 70
const lettersAtEnd = /[\w+/-]*$/

/** What a pattern finds at a place. */
function at(pattern: RegExp, text: string, place: number): string | undefined {
  pattern.lastIndex = place
  return pattern.exec(text)?.[0]
}

/**
 * Where a file ends that goes on at a place: `told` is false where that takes more than has come, and then all before
 * `end` belongs to it.
 */
function endOf(text: string, from: number, isLast: boolean): { end: number; told: boolean } {
  for (let end = from; ; ) {
    end += at(letters, text, end)!.length
    if (!isLast && lineEndThatIsCut.test(text.slice(end, end + 102))) return { end, told: false }
    const line = at(lineEnd, text, end)
    const next = line === undefined ? '' : at(letters, text, end + line.length)!
    const behind = end + (line?.length ?? 0) + next.length
    if (next.length >= shortestLine) end = behind
    else if (!isLast && next !== '' && behind === text.length) return { end, told: false }
    else {
      const isOfFile = next !== '' && (behind === text.length || behindFile.test(text[behind]!))
      const last = isOfFile ? behind : end
      const padding = /^={0,2}/.exec(text.slice(last, last + 2))![0].length
      if (!isLast && padding < 2 && last + padding === text.length) return { end: last, told: false }
      return { end: last + padding, told: true }
    }
  }
}

/**
 * A text that comes in parts, with an empty picture in place of every file that stands there in base64 with nothing that says
 * so. With `keep` the files stay and are only counted.
 */
export async function* withEmptyBareFiles(
  parts: AsyncIterable<string>,
  tally: Tally,
  keep: boolean,
): AsyncGenerator<string> {
  /** The character before what waits, and whether that belongs to a file. */
  let before = ''
  let waiting = ''
  let isInside = false
  const take = (part: string, isLast: boolean): string => {
    const text = before + waiting + part
    let out = ''
    let done = before.length
    const wait = (from: number) => {
      before = text.slice(Math.max(0, from - 1), from)
      waiting = text.slice(from)
      return out
    }
    for (;;) {
      if (isInside) {
        const { end, told } = endOf(text, done, isLast)
        if (keep) out += text.slice(done, end)
        done = end
        if (!told) return wait(end)
        isInside = false
      }
      begins.lastIndex = done
      const found = hasLongWord(text) ? begins.exec(text) : null
      const open = isLast ? '' : lettersAtEnd.exec(text.slice(-mayBegin))![0]
      const from = found?.index ?? Math.max(done, text.length - open.length)
      out += text.slice(done, from)
      done = from
      if (found === null || (!isLast && emptyBare.startsWith(text.slice(from)))) return wait(from)
      if (text.startsWith(emptyBare, from) && at(letters, text, from + emptyBare.length) === '') {
        out += emptyBare
        done += emptyBare.length
        continue
      }
      tally.files++
      if (!keep) out += emptyBare
      isInside = true
    }
  }
  for await (const part of parts) {
    const out = take(part, false)
    if (out !== '') yield out
  }
  const out = take('', true)
  if (out !== '') yield out
}
