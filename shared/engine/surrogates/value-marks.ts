import type { KeyObject } from 'node:crypto'
import type { Output } from '../formats/format.ts'
import { type Compare, compareBy } from './comparison.ts'
import type { Comparison } from './kinds.ts'
import { createMarker } from './marker.ts'

/** Marks that are kept so that those of repeated values are mostly written once: a power of two. */
const remembered = 2 ** 16

/** Marks that are written at a time. */
const together = 8192

/** Writes the marks of values, by each comparison that surrogates of the job are made with. */
export async function createMarks(key: KeyObject, compared: readonly Comparison[], output: Output) {
  const marker = createMarker(key)
  const by: [Comparison, Compare][] = []
  for (const comparison of compared) by.push([comparison, await compareBy(comparison)])
  const known = new Uint32Array(remembered * 2)
  const words = new Uint32Array(together * 2)
  let fill = 0
  const flush = async () => {
    await output.write(new Uint8Array(words.buffer, 0, fill * 4))
    fill = 0
  }
  const add = (mark: Uint32Array) => {
    const first = mark[0]!
    const second = mark[1]!
    const at = (first & (remembered - 1)) * 2
    if (known[at] === first && known[at + 1] === second) return
    known[at] = words[fill++] = first
    known[at + 1] = words[fill++] = second
  }
  return {
    async add(values: Iterable<string>) {
      for (const value of values) {
        for (const [comparison, compare] of by) {
          add(marker(comparison, compare(value)))
          if (fill === words.length) await flush()
        }
      }
    },
    end: flush,
  }
}
