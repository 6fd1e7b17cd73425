import type { Compare } from './comparison.ts'
import type { Comparison } from './kinds.ts'
import { fold } from './spelling.ts'
import type { ValueFilter } from './value-filter.ts'

/** Makes surrogates of one kind; `plain` compares its values, `fold` where there is none. */
export type Generate = { (value: string): string; plain?: Compare; comparison?: Comparison }

/** Draws for one value, and brackets open at a time: more than enough unless the text holds nearly half of all that there are. */
const maxDraws = 400
const maxOpen = 40

/**
 * Makes surrogates that are none of the values that a text or the tables of its job hold, and no two the same.
 *
 * A generator that is a permutation leads from each value to the next, in a circle. On the way, each value that the text holds
 * opens a bracket, and each other one closes the last: what closes its own bracket stands for a value. So this depends on the
 * values that the text holds, not on their order, and needs no memory of what was made. What a filter takes for a value is
 * one. Other generators may make one thing of two values; for them it is remembered whose each surrogate is.
 *
 * Where the text holds about half of all values of a form or more, there are too few others: some values get what
 * the generator makes at first, which is a found value then, but no two get the same.
 */
export function createOutside(found: readonly string[], filter?: ValueFilter) {
  const known = new Map<Compare, { held: ReadonlySet<string>; owners: Map<string, string> }>()
  const knownBy = (compare: Compare) => {
    const before = known.get(compare)
    if (before) return before
    const made = { held: new Set(found.map(compare)), owners: new Map<string, string>() }
    known.set(compare, made)
    return made
  }
  return (generate: Generate, value: string): string => {
    const first = generate(value)
    const { plain = fold, comparison } = generate
    const others = comparison && filter
    if (found.length === 0 && !others) return first
    const { held, owners } = knownBy(plain)
    const own = plain(value)
    let open = 1
    let surrogate = first
    for (let draws = 0; draws < maxDraws && open <= maxOpen; draws++) {
      const at = plain(surrogate)
      if (held.has(at) || others?.has(comparison!, at)) open++
      else if (--open === 0) {
        if (others) return surrogate
        if ((owners.get(at) ?? own) === own) {
          owners.set(at, own)
          return surrogate
        }
        open = 1
      }
      const next = generate(surrogate)
      // What is suppressed stays so.
      if (next === surrogate) break
      surrogate = next
    }
    return first
  }
}
