import { type BeginningTables, placesIn, tablesOf } from './beginning-tables.ts'
import { beginningsOf } from './beginnings.ts'
import { parsePattern } from './syntax.ts'

/** Many patterns in one text, each by its index. */
export type Searched = {
  /** Whether a match of it may begin anywhere. */
  mayMatch(pattern: number): boolean
  /** Its matches, as `matchAll` gives them. */
  matches(pattern: number): Iterable<RegExpExecArray>
}

/** Characters of the first texts that are searched plainly: for a few letters the tables don't pay. */
const worthwhile = 50_000

/**
 * Searches texts for many patterns: one walk through a text tells for all of them where a match may begin, and only there each
 * is tried. Finds what each alone would. Patterns need the flag `g`, match no empty text and change no flags inside. The
 * first texts, of `plainly` characters, are searched without.
 */
export function searchMany(patterns: readonly RegExp[], plainly = worthwhile): (text: string) => Searched {
  let seen = 0
  let tables: BeginningTables | undefined
  const sticky: RegExp[] = []
  const beginnings = ({ source, flags }: RegExp) => beginningsOf(parsePattern(source, flags.replace(/[gu]/g, '')))
  return text => {
    seen += text.length
    if (seen <= plainly) return { mayMatch: () => true, matches: pattern => text.matchAll(patterns[pattern]!) }
    tables ??= tablesOf(patterns.map(beginnings))
    const places = placesIn(text, tables, patterns.length)
    return {
      mayMatch: pattern => places[pattern] !== undefined,
      matches(pattern) {
        const { [pattern]: begun = [] } = places
        const { source, flags } = patterns[pattern]!
        if (begun === null) return text.matchAll(patterns[pattern]!)
        sticky[pattern] ??= new RegExp(source, flags.replace('g', 'y'))
        return matchesAt(sticky[pattern], text, begun)
      },
    }
  }
}

function* matchesAt(pattern: RegExp, text: string, places: readonly number[]): Generator<RegExpExecArray> {
  let end = 0
  for (const at of places) {
    if (at < end) continue
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) continue
    end = pattern.lastIndex
    yield match
  }
}
