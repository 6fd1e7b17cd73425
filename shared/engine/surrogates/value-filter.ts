import type { Input } from '../formats/format.ts'
import type { Comparison } from './kinds.ts'
import type { Marker } from './marker.ts'

/**
 * The values of a job that no surrogate of it shall be, as a Bloom filter. It is made of marks, which are 64 bits of each value
 * under a key, so that neither tells a value to who hasn't the key.
 */
export type ValueFilter = {
  /** Whether a value may be one of them: always for those that are, and for one of some ten thousand others. */
  has(comparison: Comparison, compared: string): boolean
}

/** Bytes of a mark. */
const markBytes = 8

/** Bits of a filter for each value, of which there is one false answer in ten thousand; and all that it may have, 64 MiB. */
const bitsEach = 20
const mostBits = 2 ** 29

/** Bits that are looked at for one value, at most. */
const mostProbes = 13

/** Files of marks that are read at a time, as a job of many documents has many small ones. */
const together = 16

/** The first bytes of a filter: how many bits are looked at for one value. */
const headBytes = 4

/** Places of a mark's bits, from 0. */
function place(first: number, second: number, probe: number, bits: number): number {
  return Math.floor(((first + Math.imul(second | 1, probe)) >>> 0) * (bits / 2 ** 32))
}

/** Makes the filter of all values that were marked in the files of a job; the order of the files makes no difference. */
export async function filterOf(marks: readonly Input[]): Promise<Uint8Array> {
  const count = marks.reduce((sum, { size }) => sum + size / markBytes, 0)
  const bits = Math.min(mostBits, Math.max(64, Math.ceil((count * bitsEach) / 64) * 64))
  const probes = Math.max(1, Math.min(mostProbes, Math.round((bits / Math.max(1, count)) * Math.LN2)))
  const filter = new Uint8Array(headBytes + bits / 8)
  filter[0] = probes
  const add = async (input: Input) => {
    for await (const words of wordsOf(input)) {
      for (let at = 0; at < words.length; at += 2) {
        for (let probe = 0; probe < probes; probe++) {
          const bit = place(words[at]!, words[at + 1]!, probe, bits)
          filter[headBytes + (bit >>> 3)]! |= 1 << (bit & 7)
        }
      }
    }
  }
  for (let at = 0; at < marks.length; at += together) await Promise.all(marks.slice(at, at + together).map(add))
  return filter
}

/** The marks of a file in groups, two words each; its pieces may end within one. */
async function* wordsOf(input: Input): AsyncGenerator<Uint32Array> {
  let rest: Uint8Array = new Uint8Array()
  for await (const piece of input.stream()) {
    const bytes = Buffer.concat([rest, piece])
    const whole = bytes.length - (bytes.length % markBytes)
    // A copy, for the words of an array must be aligned.
    yield new Uint32Array(new Uint8Array(bytes.subarray(0, whole)).buffer)
    rest = bytes.subarray(whole)
  }
  if (rest.length > 0) throw new RangeError('A file of marks ends within one')
}

/** Opens a filter of marks that were made by a marker of the same key. */
export function openFilter(filter: Uint8Array, marker: Marker): ValueFilter {
  const probes = filter[0]!
  const bits = (filter.length - headBytes) * 8
  return {
    has(comparison, compared) {
      const mark = marker(comparison, compared)
      const first = mark[0]!
      const second = mark[1]!
      for (let probe = 0; probe < probes; probe++) {
        const at = place(first, second, probe, bits)
        if ((filter[headBytes + (at >>> 3)]! & (1 << (at & 7))) === 0) return false
      }
      return true
    },
  }
}
