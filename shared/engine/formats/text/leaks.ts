import { spellings } from '../../detect/normalise.ts'
import { byteScan, type Found } from '../../verify/byte-scan.ts'
import { plainForms } from '../../verify/encodings.ts'
import { border, TextJoiner } from '../../verify/joined-texts.ts'
import { buildSearch } from '../../verify/search.ts'
import type { Leak, Place } from '../format.ts'

const file: Place = { kind: 'body' }

/**
 * The values that an output still holds, given its texts as read again, its bytes (decompressed), the words of its markup, and
 * texts that have no place of their own. A value that stands in the bytes alone is a leak unless it is one of those words.
 */
export function findValues(
  gone: readonly string[],
  texts: readonly { text: string; place?: Place }[],
  bytes: Iterable<Uint8Array>,
  structure: Iterable<string>,
  placeless: readonly string[] = [],
): Leak[] {
  if (gone.length === 0) return []
  const raw = byteScan(gone)
  for (const part of bytes) {
    raw.push(part)
    raw.next()
  }
  const held = standIn(gone, joiner => {
    addTexts(joiner, texts)
    addAll(joiner, placeless)
  })
  const words = standIn(gone, joiner => addAll(joiner, structure))
  const { plain, hidden } = raw.found()
  const leaks: Leak[] = []
  gone.forEach((value, index) => {
    if (held.has(index)) {
      const place = texts.find(({ text }) => spellings(text).some(one => one.includes(value)))?.place ?? file
      leaks.push(leak(place, 'A replaced value is still in a text'))
    } else if ((plain.has(index) || hidden.has(index)) && !words.has(index))
      leaks.push(leak(file, 'A replaced value still stands in the file, encoded or outside of its texts'))
  })
  return leaks
}

function leak(place: Place, reason: string): Leak {
  return { type: 'leak_detected', place, reason }
}

/** Characters that are searched at once; a scan is slow to start anew for each of many short texts. */
const atOnce = 256 * 1024

/** A search for values in many short texts. */
export type TextScan = { add(text: string): void; found(): Found }

/** Starts a search; nothing is found across the border of two texts. */
export function textScan(values: readonly string[]): TextScan {
  const scan = byteScan(values)
  let waiting: string[] = []
  let size = 0
  const push = () => {
    scan.push(Buffer.from(waiting.join(border)))
    scan.next()
    waiting = []
    size = 0
  }
  return {
    add(text) {
      waiting.push(text)
      size += text.length
      if (size >= atOnce) push()
    },
    found() {
      push()
      return scan.found()
    },
  }
}

function addTexts(joiner: TextJoiner, texts: readonly { text: string }[]): void {
  for (const { text } of texts) joiner.add(text)
}

function addAll(joiner: TextJoiner, texts: Iterable<string>): void {
  for (const text of texts) joiner.add(text)
}

/** Which values stand as they are in the texts that `tell` adds, by their index. */
function standIn(values: readonly string[], tell: (texts: TextJoiner) => void): Set<number> {
  const found = new Set<number>()
  const search = buildSearch(values.flatMap((text, value) => plainForms(text).map(bytes => ({ bytes, value }))))
  const texts = new TextJoiner(bytes => search.run(bytes, value => void found.add(value)))
  tell(texts)
  texts.end()
  return found
}
