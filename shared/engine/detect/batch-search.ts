import type { Hits, RegexSearch } from './regex/search.ts'
import { separator } from './regex/separator.ts'
import type { Span } from './span.ts'

/** Characters that are searched in one watched call, which takes a thread of its own: room for a usual batch, with what parts its texts. */
const chunk = 128 * 1024

const none: Span[] = []

/** Tells each hit in texts that were joined: in which one, by its place among them, and where in it. */
function eachHit(
  hits: readonly Hits[],
  starts: readonly number[],
  tell: (index: number, rule: number, start: number, end: number) => void,
): void {
  for (const { rule, at } of hits) {
    let index = 0
    for (let next = 0; next < at.length; next += 2) {
      const start = at[next]!
      while (index + 1 < starts.length && starts[index + 1]! <= start) index++
      tell(index, rule, start - starts[index]!, at[next + 1]! - starts[index]!)
    }
  }
}

/**
 * Runs pattern rules over many texts. Short ones are joined by fences and searched together, which finds the same (see
 * `regex/fence.ts`); a text that holds a fence itself, or is searched from an offset, is searched alone.
 */
export function findInBatch(search: RegexSearch, texts: readonly string[], from: number, labels: string[]): Span[][] {
  const lists: Span[][] = new Array(texts.length).fill(none)
  const spanOf = (rule: number, start: number, end: number): Span => ({
    start,
    end,
    rule,
    label: labels[rule]!,
    score: 1,
  })
  const alone = (index: number) => {
    const spans: Span[] = []
    for (const { rule, at } of search.find(texts[index]!, from, false)) {
      for (let next = 0; next < at.length; next += 2) spans.push(spanOf(rule, at[next]!, at[next + 1]!))
    }
    if (spans.length > 0) lists[index] = spans
  }
  if (from > 0 || texts.length === 1) {
    for (let index = 0; index < texts.length; index++) alone(index)
    return lists
  }

  let begun = 0
  let length = 0
  const flush = (end: number) => {
    const part: string[] = []
    /** Which text each one of the part is, and where it begins in the joined text. */
    const indexes: number[] = []
    const starts: number[] = []
    let at = 0
    for (let index = begun; index < end; index++) {
      const text = texts[index]!
      if (text.includes(separator)) {
        alone(index)
        continue
      }
      part.push(text)
      indexes.push(index)
      starts.push(at)
      at += text.length + 1
    }
    const hits = search.find(part.join(separator), 0, true)
    const counts = new Uint32Array(starts.length)
    eachHit(hits, starts, index => counts[index]!++)
    counts.forEach((count, index) => {
      if (count > 0) lists[indexes[index]!] = new Array(count)
    })
    eachHit(hits, starts, (index, rule, start, end) => {
      const list = lists[indexes[index]!]!
      list[list.length - counts[index]!--] = spanOf(rule, start, end)
    })
  }
  for (let index = 0; index < texts.length; index++) {
    const size = texts[index]!.length + 1
    if (length > 0 && length + size > chunk) {
      flush(index)
      begun = index
      length = 0
    }
    length += size
  }
  if (begun < texts.length) flush(texts.length)
  return lists
}
