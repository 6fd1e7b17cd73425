import { endOfRun } from '../../long-runs.ts'
import type { WriteReport } from '../format.ts'
import { bareFilesIn, emptyBare, emptyPicture, holdsFile } from './file-address.ts'

/** How many files in addresses a text held. */
export type Tally = { files: number }

const beginning = /data:[\w.+/\\-]{0,199}(?:;[\w.=+-]{1,99}){0,9};base64,/gi
const noContent = /[^\w+/\\=%-]/g

/** Characters of the longest beginning of an address that may be cut off at the end of a part. */
const longest = 1200

/**
 * A text that comes in parts, with an empty picture in place of every file in an address (`data:…;base64,…`): where texts
 * are streamed, nobody looks into those. In JSON a stroke may be escaped. With `keep` the files stay and are only counted.
 */
export async function* withEmptyFiles(
  parts: AsyncIterable<string>,
  tally: Tally,
  keep: boolean,
): AsyncGenerator<string> {
  let waiting = ''
  let skipping = false
  for await (const part of parts) {
    const text = waiting + part
    const { out, rest, isInside } = emptied(text, skipping, tally, keep)
    skipping = isInside
    waiting = rest
    if (out !== '') yield out
  }
  if (waiting !== '' && (keep || !skipping)) yield waiting
}

/** The same of a whole text. */
export function emptyFiles(text: string, tally: Tally, keep: boolean): string {
  if (!holdsFile(text)) return text
  const { out, rest, isInside } = emptied(text, false, tally, keep)
  return withoutBareFiles(isInside && !keep ? out : out + rest, tally, keep)
}

function withoutBareFiles(text: string, tally: Tally, keep: boolean): string {
  const files = bareFilesIn(text)
  tally.files += files.length
  if (keep || files.length === 0) return text
  const pieces: string[] = []
  let at = 0
  for (const { start, end } of files) {
    pieces.push(text.slice(at, start), emptyBare)
    at = end
  }
  return pieces.join('') + text.slice(at)
}

/** Works on what has come: what may go on in the next part waits, and inside of a file nothing does. */
function emptied(text: string, isInside: boolean, tally: Tally, keep: boolean) {
  let out = ''
  let at = 0
  /** Goes behind the content of a file; what may be the beginning of another address does not belong to it. */
  const skip = () => {
    const found = text.slice(at, endOfRun(text, at, noContent))
    const isCut = at + found.length === text.length
    const next = isCut ? /(?:d|da|dat|data)$/i.exec(found) : text[at + found.length] === ':' && /data$/i.exec(found)
    const end = at + (next ? next.index : found.length)
    if (keep) out += text.slice(at, end)
    at = end
    return isCut
  }
  const inside = () => ({ out, rest: text.slice(at), isInside: true })
  if (isInside && skip()) return inside()
  beginning.lastIndex = at
  for (let found = beginning.exec(text); found; found = beginning.exec(text)) {
    out += text.slice(at, found.index)
    if (emptyPicture.length > text.length - found.index && emptyPicture.startsWith(text.slice(found.index)))
      return { out, rest: text.slice(found.index), isInside: false }
    if (text.startsWith(emptyPicture, found.index)) {
      out += emptyPicture
      at = found.index + emptyPicture.length
    } else {
      tally.files++
      out += keep ? found[0] : emptyPicture
      at = found.index + found[0].length
      if (skip()) return inside()
    }
    beginning.lastIndex = at
  }
  const tail = Math.max(at, text.length - longest)
  const begun = text.slice(tail).search(/d(?:a(?:t(?:a(?::[\s\S]*)?)?)?)?$/i)
  const end = begun < 0 ? text.length : tail + begun
  return { out: out + text.slice(at, end), rest: text.slice(end), isInside: false }
}

const keptUnread = 'Pictures were kept as they are and not looked into'

/** Adds to the report what became of files in addresses. */
export function reportFiles(report: WriteReport, { files }: Tally, keep: boolean): WriteReport {
  if (files > 0 && keep) report.warnings = [...new Set([...report.warnings, keptUnread])]
  else if (files > 0) report.dropped.push({ what: 'embedded files', count: files })
  return report
}
