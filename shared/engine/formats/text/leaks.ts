import { spellings } from '../../detect/normalise.ts'
import { byteScan, type Found } from '../../verify/byte-scan.ts'
import type { Expected, Leak, Place, Segment } from '../format.ts'

const file: Place = { kind: 'body' }

/**
 * What is wrong with an output that is held in memory, given its texts as read again, its bytes (decompressed) and the
 * words of its markup; texts are compared as they are `shown`. A value that stands in the bytes alone is a leak unless it is one of those words.
 */
export function findLeaks(
  expected: Expected,
  segments: readonly Segment[],
  bytes: Iterable<Uint8Array>,
  structure: Iterable<string>,
  shown?: (text: string) => string,
): Leak[] {
  if (!sameTexts(expected, segments, shown)) return [leak(file, 'The text of the output is not the expected one')]
  return findValues(expected.gone, segments, bytes, structure)
}

/** Whether the visible texts are the expected ones, in order. Texts that show nothing don't count. */
function sameTexts(expected: Expected, segments: readonly Segment[], as = (text: string) => text): boolean {
  const shown = segments.filter(segment => segment.visible && segment.text.trim() !== '')
  const wanted = expected.visible.filter(({ text }) => text.trim() !== '')
  return shown.length === wanted.length && shown.every(({ text }, index) => as(text) === as(wanted[index]!.text))
}

/** The part of {@link findLeaks} that looks for values and not at the expected text. */
export function findValues(
  gone: readonly string[],
  segments: readonly Segment[],
  bytes: Iterable<Uint8Array>,
  structure: Iterable<string>,
): Leak[] {
  if (gone.length === 0) return []
  const raw = byteScan(gone)
  for (const part of bytes) {
    raw.push(part)
    raw.next()
  }
  const texts = scanTexts(gone, segments)
  const words = scanTexts(
    gone,
    [...structure].map(text => ({ text })),
  )
  const { plain, hidden } = raw.found()
  const leaks: Leak[] = []
  gone.forEach((value, index) => {
    if (texts.plain.has(index)) {
      const place = segments.find(({ text }) => spellings(text).some(one => one.includes(value)))?.place ?? file
      leaks.push(leak(place, 'A replaced value is still in a text'))
    } else if ((plain.has(index) || hidden.has(index)) && !words.plain.has(index))
      leaks.push(leak(file, 'A replaced value is still in the bytes'))
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
    scan.push(Buffer.from(waiting.join('\u0000\n')))
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

function scanTexts(values: readonly string[], texts: Iterable<{ text: string }>): Found {
  const scan = textScan(values)
  for (const { text } of texts) for (const spelling of spellings(text)) scan.add(spelling)
  return scan.found()
}
