import type { RegexSearch } from './regex/search.ts'
import { separator } from './regex/separator.ts'
import type { Span } from './span.ts'

/** Characters that are searched in one watched call, which takes a thread of its own: room for a usual batch, with what parts its texts. */
const chunk = 128 * 1024

/**
 * Runs pattern rules over many texts. Short ones are joined by fences and searched together, which finds the same (see
 * `regex/fence.ts`); a text that holds a fence itself, or is searched from an offset, is searched alone.
 */
export function findInBatch(search: RegexSearch, texts: readonly string[], from: number, labels: string[]): Span[][] {
  const lists: Span[][] = texts.map(() => [])
  const add = (index: number, rule: number, start: number, end: number) => {
    lists[index]!.push({ start, end, rule, label: labels[rule]!, score: 1 })
  }
  const alone = (index: number) => {
    for (const { rule, at } of search.find(texts[index]!, from, false)) {
      for (let next = 0; next < at.length; next += 2) add(index, rule, at[next]!, at[next + 1]!)
    }
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
    const joined = part.join(separator)
    for (const { rule, at: hits } of search.find(joined, 0, true)) {
      let index = 0
      for (let next = 0; next < hits.length; next += 2) {
        const start = hits[next]!
        while (index + 1 < starts.length && starts[index + 1]! <= start) index++
        add(indexes[index]!, rule, start - starts[index]!, hits[next + 1]! - starts[index]!)
      }
    }
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
