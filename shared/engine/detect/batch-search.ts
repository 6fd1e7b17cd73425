import type { Hits, RegexSearch } from './regex/search.ts'
import { separator } from './regex/separator.ts'
import type { Span } from './span.ts'

/** Characters that are searched in one watched call, which takes a thread of its own: room for a usual batch, with what parts its texts. */
const chunk = 128 * 1024

const none: Span[] = []

/** Texts that were joined: where each begins, and which of a batch it is; and what rules are called. */
type Joined = { starts: readonly number[]; indexes: readonly number[]; labels: readonly string[] }

/** How many hits are in each of the texts that were joined. */
function countHits(hits: readonly Hits[], starts: readonly number[]): Uint32Array {
  const counts = new Uint32Array(starts.length)
  for (const { at } of hits) {
    let index = 0
    for (let next = 0; next < at.length; next += 2) {
      while (index + 1 < starts.length && starts[index + 1]! <= at[next]!) index++
      counts[index]!++
    }
  }
  return counts
}

/** Gives each of the texts that were joined what was found in it. */
function share(hits: readonly Hits[], { starts, indexes, labels }: Joined, lists: Span[][]): void {
  const counts = countHits(hits, starts)
  for (let index = 0; index < counts.length; index++)
    if (counts[index]! > 0) lists[indexes[index]!] = new Array(counts[index]!)
  for (const { rule, at } of hits) {
    let index = 0
    for (let next = 0; next < at.length; next += 2) {
      const start = at[next]!
      while (index + 1 < starts.length && starts[index + 1]! <= start) index++
      const list = lists[indexes[index]!]!
      const from = starts[index]!
      list[list.length - counts[index]!--] = spanOf(rule, start - from, at[next + 1]! - from, labels[rule]!)
    }
  }
}

const spanOf = (rule: number, start: number, end: number, label: string): Span => ({
  start,
  end,
  rule,
  label,
  score: 1,
})

/**
 * Runs pattern rules over many texts. Short ones are joined by fences and searched together, which finds the same (see
 * `regex/fence.ts`); a text that holds a fence itself, or is searched from an offset, is searched alone.
 */
export function findInBatch(search: RegexSearch, texts: readonly string[], from: number, labels: string[]): Span[][] {
  const lists: Span[][] = new Array(texts.length).fill(none)
  const alone = (index: number) => {
    const spans: Span[] = []
    for (const { rule, at } of search.find(texts[index]!, from, false)) {
      for (let next = 0; next < at.length; next += 2) spans.push(spanOf(rule, at[next]!, at[next + 1]!, labels[rule]!))
    }
    if (spans.length > 0) lists[index] = spans
  }
  if (from > 0 || texts.length === 1) {
    for (let index = 0; index < texts.length; index++) alone(index)
    return lists
  }

  for (let begun = 0; begun < texts.length; ) {
    const end = chunkEnd(texts, begun)
    const { part, ...joined } = joinable(texts, begun, end, alone)
    share(search.find(part.join(separator), 0, true), { ...joined, labels }, lists)
    begun = end
  }
  return lists
}

/** Where the texts end that are searched in one call with the one at a place. */
function chunkEnd(texts: readonly string[], begun: number): number {
  let length = texts[begun]!.length + 1
  let end = begun + 1
  while (end < texts.length && length + texts[end]!.length + 1 <= chunk) length += texts[end++]!.length + 1
  return end
}

/** The texts of a chunk that can be joined; the others are left to `alone`. */
function joinable(texts: readonly string[], begun: number, end: number, alone: (index: number) => void) {
  const part: string[] = []
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
  return { part, indexes, starts }
}
