import { fold } from './spelling.ts'

/** Steps for one name, and brackets open at a time: more than enough unless the job has nearly half of all given names with a surname. */
const maxSteps = 200
const maxOpen = 12

/** A name of which one word may become another one. */
export type Walk = {
  /** The word as `fold` makes it, and what it becomes first. */
  word: string
  first: string
  /** What comes after it. */
  next(word: string): string
  /** Whether what it becomes is no word of the job, though it is taken for one: then no other word goes on from it. */
  isLeft: boolean
  /** Two words for one. */
  both(one: string, another: string): string
  /** The value, and its surrogate, with another word in that place. */
  valueWith(word: string): string
  surrogateWith(word: string): string
  isValue(text: string): boolean
}

/**
 * The surrogate of a name that is none of the values of a job: the surname stays what it becomes, so that `Frau Berg` agrees, and
 * the given name goes on along its list. As for numbers, brackets find it: on the way each value with the same surname
 * opens one, and each surrogate that is no value closes the last, so no two become the same. Where too many given names
 * are taken, a second one is added.
 */
export function freeName({
  word,
  first,
  next,
  isLeft,
  both,
  valueWith,
  surrogateWith,
  isValue,
}: Walk): string | undefined {
  let open = 1
  let at = first
  for (let step = 0; !isLeft && step < maxSteps && open <= maxOpen; step++) {
    if (!isValue(surrogateWith(at)) && --open === 0) return surrogateWith(at)
    if (fold(at) === word || (step > 0 && at === first)) break
    if (isValue(valueWith(at))) open++
    at = next(at)
  }
  at = first
  for (let step = 0; step < maxSteps; step++) {
    at = next(at)
    const made = surrogateWith(both(first, at))
    if (!isValue(made)) return made
  }
  return undefined
}
