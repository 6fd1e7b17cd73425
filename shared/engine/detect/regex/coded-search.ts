import { loadFinder, mostSought, type Sought } from './find-code.ts'
import type { RegexRule } from './rule.ts'
import { separator } from './separator.ts'

/** Most patterns that are found by code together. */
const mostPatterns = 32

type Finder = ReturnType<typeof loadFinder>

/** Finders that this thread has put together, for the next assets of a job: each has a memory of its own. */
const known = new Map<string, Finder>()
const mostKnown = 4

function finderOf(patterns: readonly Sought[]): Finder {
  const key = JSON.stringify(patterns.map(({ parsed: { source, flags } }) => [source, flags]))
  let finder = known.get(key)
  if (!finder) {
    if (known.size >= mostKnown) known.clear()
    finder = loadFinder(patterns)
    known.set(key, finder)
  }
  return finder
}

/** Ends of the parts of a text that are looked through in one go: at fences, or nothing where one text is too long. */
function partsOf(text: string): number[] | undefined {
  const ends: number[] = []
  for (let begun = 0; text.length - begun > mostSought; ) {
    const end = text.lastIndexOf(separator, begun + mostSought)
    if (end < begun) return undefined
    ends.push(end)
    begun = end + 1
  }
  return [...ends, text.length]
}

/** Rules that are found by code, and what finds them. */
export type CodedSearch = {
  rules: readonly RegexRule[]
  /**
   * What each of the rules finds in texts in UTF-8, read as characters and joined by fences: beginning and end of each match in
   * turn; `raw` are those bytes where they are at hand. Nothing where it would take too long, which must be left to a watchdog.
   */
  find(text: string, raw?: Uint8Array): (number[] | Int32Array)[] | undefined
}

/** The search by code for those of some rules that have one; nothing where none has. */
export function createCodedSearch(all: readonly RegexRule[]): CodedSearch | undefined {
  const pairs = all.flatMap(rule => {
    const sought = rule.sought()
    return sought ? [{ rule, sought }] : []
  })
  const chosen = pairs.slice(0, mostPatterns)
  if (chosen.length === 0) return undefined
  const rules = chosen.map(({ rule }) => rule)
  const find = finderOf(chosen.map(({ sought }) => sought))
  return {
    rules,
    find(text, raw) {
      const ends = partsOf(text)
      if (!ends) return undefined
      if (ends.length === 1) return find(text, raw)?.map((at, index) => accepted(rules[index]!, text, at))
      const lists = rules.map((): number[] => [])
      let begun = 0
      for (const end of ends) {
        const part = text.slice(begun, end)
        const found = find(part, raw?.subarray(begun, end))
        if (!found) return undefined
        for (const [index, at] of found.entries())
          for (const place of accepted(rules[index]!, part, at)) lists[index]!.push(begun + place)
        begun = end + 1
      }
      return lists
    },
  }
}

function accepted({ accepts }: RegexRule, text: string, at: Int32Array): Int32Array {
  return accepts ? at.filter((_, place) => accepts(text.slice(at[place & ~1], at[place | 1]))) : at
}
