/**
 * Longest part of a text that is read at once, and what two neighbouring parts share, in UTF-16 units. All of that is
 * read twice; the half of it that stands on either side of the border is still as much as a window of `pii-ner`.
 */
const LONGEST = 65_536
const SHARED = 1024

/** A part of a text, and the stretch of it (`from` to `to`) that the part answers for. */
export type Part = { start: number; end: number; from: number; to: number }

/** Parts that cover a text. They overlap, so that whatever crosses the border of one lies well inside another. */
export function* textWindows(text: string): Generator<Part> {
  let start = 0
  let from = 0
  while (true) {
    if (text.length - start <= LONGEST) {
      yield { start, end: text.length, from, to: text.length }
      return
    }
    const end = blank(text, start + LONGEST)
    const next = blank(text, end - SHARED)
    const to = Math.floor((next + end) / 2)
    yield { start, end, from, to }
    start = next
    from = to
  }
}

/** The last blank at most 256 units before a place, or the place itself, never inside a surrogate pair. */
function blank(text: string, at: number): number {
  for (let i = at; i > at - 256; i--) if (/\s/.test(text[i]!)) return i
  const low = text.charCodeAt(at)
  return low >= 0xdc00 && low <= 0xdfff ? at - 1 : at
}
