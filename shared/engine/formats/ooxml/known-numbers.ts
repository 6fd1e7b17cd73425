import type { Edit, Segment } from '../format.ts'

/** Numbers of cells that were replaced and stand by themselves in hidden places, such as the bounds of conditions and axes. */
export type KnownNumbers = {
  /** Notes a number as a cell holds it, with what stands in its place. */
  note(raw: string, replacement: string): void
  /** How many were noted so far. */
  size(): number
  /** The edits of a hidden segment, or one of all of it if it is such a number. */
  complete(segment: Segment, edits: readonly Edit[]): Edit[]
}

const number = /^\d+(?:\.\d+)?(?:E\+?\d+)?$/i

/** Smaller numbers tell of nobody. */
const smallest = 1000

/** Starts noting. Only numbers that stand in `hidden` are kept. */
export function knownNumbers(hidden: readonly string[]): KnownNumbers {
  let candidates: Set<number> | undefined
  const values = new Map<number, string>()
  return {
    note(raw, replacement) {
      candidates ??= new Set(hidden.filter(text => number.test(text)).map(Number))
      const value = Number(raw)
      if (value >= smallest && candidates.has(value)) values.set(value, replacement)
    },
    size: () => values.size,
    complete({ text }, edits) {
      const replacement =
        values.size > 0 && edits.length === 0 && number.test(text) ? values.get(Number(text)) : undefined
      return replacement === undefined ? [...edits] : [{ start: 0, end: text.length, text: replacement }]
    },
  }
}
