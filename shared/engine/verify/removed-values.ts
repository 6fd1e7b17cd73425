import { reading } from '../detect/normalise.ts'
import { TextJoiner } from './joined-texts.ts'
import { buildSearch } from './search.ts'

/** Shortest value that is looked for in an output, characters. */
const shortest = 4
/** Values that are looked for in the output of a table or a long text; of more than that, a fair sample. */
const max = 1000
/** Values that are remembered as added. */
const maxRecent = 1000

/** The values that an output must not hold any more. */
export type RemovedValues = {
  add(value: string): void
  /** Adds the value whose UTF-8 bytes are `bytes.slice(start, end)`, read as characters; `raw` are those of all where they are at hand. */
  addBytes(bytes: string, start: number, end: number, raw?: Uint8Array): void
  values(): string[]
  /** Those that stand in none of the texts that the output is to show, which `tell` adds. */
  without(tell: (texts: TextJoiner) => void): string[]
}

/** A number that depends on all of a stretch of text; FNV-1a. */
function hash(text: string, start: number, end: number): number {
  let value = 0x811c9dc5
  for (let index = start; index < end; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return mixed(value)
}

/** The same of bytes. */
function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5
  for (let index = start; index < end; index++) value = Math.imul(value ^ bytes[index]!, 0x01000193)
  return mixed(value)
}

function mixed(hashed: number): number {
  let value = hashed ^ (hashed >>> 15)
  value = Math.imul(value, 0x2c1b3c6d)
  return (value ^ (value >>> 12)) >>> 0
}

const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13)

/**
 * Starts collecting. Without `all` at most a thousand distinct values are kept, chosen by their hash, so that memory
 * stays the same whatever the length of the file and the same values are chosen each time.
 */
export function createRemovedValues(all: boolean): RemovedValues {
  /** UTF-8 bytes read as characters. */
  let kept = new Set<string>()
  let ceiling = 0x1_0000_0000
  const hashOf = (bytes: string, start: number, end: number, raw: Uint8Array | undefined) =>
    raw ? hashBytes(raw, start, end) : hash(bytes, start, end)
  const addBytes = (bytes: string, from: number, to: number, raw?: Uint8Array) => {
    let start = from
    let end = to
    while (start < end && isSpace(bytes.charCodeAt(start))) start++
    while (end > start && isSpace(bytes.charCodeAt(end - 1))) end--
    if (end - start < shortest || (ceiling < 0x1_0000_0000 && hashOf(bytes, start, end, raw) >= ceiling)) return
    // A copy: a slice would keep the whole text that it was taken from.
    kept.add(Buffer.from(bytes.slice(start, end), 'latin1').toString('latin1'))
    if (all || kept.size <= max) return
    ceiling = Math.floor(ceiling / 2)
    kept = new Set([...kept].filter(value => hash(value, 0, value.length) < ceiling))
  }
  /** Values that were just added, as the same ones stand in a file again and again. */
  const recent = new Set<string>()
  const values = () =>
    [...kept].map(bytes => Buffer.from(bytes, 'latin1').toString('utf8')).filter(({ length }) => length >= shortest)
  return {
    add(value) {
      if (recent.has(value)) return
      if (recent.size >= maxRecent) recent.clear()
      // A copy, as below.
      recent.add(Buffer.from(value, 'utf16le').toString('utf16le'))
      // What is shown to be gone from a document is gone in whichever spelling.
      for (const text of all ? new Set([value, reading(value)]) : [value]) {
        const bytes = Buffer.from(text, 'utf8').toString('latin1')
        addBytes(bytes, 0, bytes.length)
      }
    },
    addBytes,
    values,
    without(tell) {
      const wanted = values()
      const search = buildSearch(wanted.map((text, value) => ({ bytes: Buffer.from(text, 'utf8'), value })))
      const held = new Set<number>()
      const texts = new TextJoiner(bytes =>
        search.run(bytes, value => {
          held.add(value)
          return held.size === wanted.length
        }),
      )
      tell(texts)
      texts.end()
      return wanted.filter((_, index) => !held.has(index))
    },
  }
}
