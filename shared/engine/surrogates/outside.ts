import type { Compare } from './comparison.ts'
import type { Keyed } from './keyed.ts'
import type { Comparison } from './kinds.ts'
import { sameShape } from './shape.ts'
import { fold } from './spelling.ts'
import type { ValueFilter } from './value-filter.ts'

/**
 * Makes surrogates of one kind; `plain` compares its values, `fold` where there is none. What `isSettled` has been kept apart from
 * the values of the job as far as that goes; `tells` says that it tells by itself where that is not far enough. `beyond` makes one of
 * words that no list and no value has, for a value that would stay, or for which no other is left.
 */
export type Generate = {
  (value: string): string
  plain?: Compare
  comparison?: Comparison
  isSettled?(value: string): boolean
  tells?: true
  beyond?(value: string): string
}

/** Draws for one value, and brackets open at a time: more than enough unless the text holds nearly half of all that there are. */
const maxDraws = 400
const maxOpen = 40
/** What a filter takes for a value by mistake is made up again, so many times. */
const maxTries = 5

/**
 * Makes surrogates that are none of the values that a text or its job hold, and no two the same.
 *
 * A generator that is a permutation leads from each value to the next, in a circle. On the way, each value that the text holds
 * opens a bracket, and each other one closes the last: what closes its own bracket stands for a value. So this depends on the
 * values that the text holds, not on their order, and needs no memory of what was made. What a filter takes for a value is
 * one, and what only the text holds is another. Other generators may make one thing of two values; for them it is remembered whose each surrogate is.
 *
 * Where the text holds about half of all values of a form or more, there are too few others: some values get one from beyond, or what
 * the generator makes at first, which may be a found value then, of which `tell` is called, but no two get the same. No value stays
 * itself but what has neither letters nor digits.
 */
export function createOutside(found: readonly string[], keyed: Keyed, filter?: ValueFilter, tell?: () => void) {
  const known = new Map<Compare, { held: ReadonlySet<string>; owners: Map<string, string> }>()
  const knownBy = (compare: Compare, comparison: Comparison | undefined) => {
    const before = known.get(compare)
    if (before) return before
    const isOther = (at: string) => (comparison && filter?.has(comparison, at)) === true
    const held = found.map(compare).filter(at => !isOther(at))
    const made = { held: new Set(held), owners: new Map<string, string>() }
    known.set(compare, made)
    return made
  }
  const outside = (generate: Generate, value: string): string => {
    const first = generate(value)
    const { plain = fold, comparison, isSettled, tells } = generate
    const { held, owners } = knownBy(plain, comparison)
    const settled = isSettled?.(value)
    const others = comparison && !settled ? filter : undefined
    if (settled && !tells && filter?.has(comparison!, plain(first))) tell?.()
    if (held.size === 0 && !others) return first
    const own = plain(value)
    const isTaken = (at: string) => held.has(at) || others?.has(comparison!, at) === true
    let open = 1
    let surrogate = first
    for (let draws = 0; draws < maxDraws && open <= maxOpen; draws++) {
      const at = plain(surrogate)
      if (isTaken(at)) open++
      else if (--open === 0) {
        // Of texts two may become the same, unlike of numbers.
        if (others && (comparison !== 'text' || held.size === 0)) return surrogate
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
    for (let tries = 0, made = value; tries < maxTries && generate.beyond; tries++) {
      made = generate.beyond(made)
      if (!isTaken(plain(made))) return made
    }
    if (isTaken(plain(first))) tell?.()
    return first
  }
  return (generate: Generate, value: string): string => {
    const made = outside(generate, value)
    if (made !== value) return made
    const beyond = generate.beyond?.(value)
    return beyond === undefined || beyond === value ? sameShape(value, keyed, 'itself') : beyond
  }
}
