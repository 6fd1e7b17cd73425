import { buildSearch } from './search.ts'

/** Shortest value that is looked for in an output, characters. */
const shortest = 4
/** Values that are looked for in the output of a table or a long text; of more than that, a fair sample. */
const most = 20_000

/** The values that an output must not hold any more. */
export type Gone = {
  add(value: string): void
  values(): string[]
  /** Those that stand in none of the texts that the output is to show. */
  without(texts: readonly string[]): string[]
}

/** A number that depends on all of a text; FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value ^= value >>> 15
  value = Math.imul(value, 0x2c1b3c6d)
  return (value ^ (value >>> 12)) >>> 0
}

/**
 * Starts collecting. Without `all` at most 20,000 distinct values are kept, chosen by their hash, so that memory stays
 * the same whatever the length of the file and the same values are chosen each time.
 */
export function createGone(all: boolean): Gone {
  let kept = new Set<string>()
  let ceiling = 0x1_0000_0000
  return {
    add(raw) {
      const value = raw.trim()
      if (value.length < shortest || hash(value) >= ceiling) return
      kept.add(value)
      if (all || kept.size <= most) return
      ceiling = Math.floor(ceiling / 2)
      kept = new Set([...kept].filter(text => hash(text) < ceiling))
    },
    values: () => [...kept],
    without(texts) {
      const values = [...kept]
      const search = buildSearch(values.map((text, value) => ({ bytes: Buffer.from(text, 'utf8'), value })))
      const held = new Set<number>()
      for (const text of texts) {
        search.run(Buffer.from(text, 'utf8'), value => {
          held.add(value)
          return held.size === values.length
        })
      }
      return values.filter((_, index) => !held.has(index))
    },
  }
}
