import type { KeyObject } from 'node:crypto'
import type { Output } from '../formats/format.ts'
import { compareBy, textAndWords } from './comparison.ts'
import type { Comparison } from './kinds.ts'
import { createMarker } from './marker.ts'

/** Marks that are kept so that those of repeated values are mostly written once: a power of two. */
const remembered = 2 ** 16

/** Marks that are written at a time. */
const together = 8192

/** Says of a text whether it was asked for before, as far as that is remembered. */
function memory(): (text: string) => boolean {
  const seen = new Set<string>()
  return text => {
    if (seen.has(text)) return true
    if (seen.size >= remembered) seen.clear()
    seen.add(text)
    return false
  }
}

/** Writes the marks of values, by each comparison that surrogates of the job are made with; of texts also those of their words. */
export async function createMarks(key: KeyObject, compared: readonly Comparison[], output: Output) {
  const marker = createMarker(key)
  const by: [Comparison, (value: string) => string[]][] = []
  for (const comparison of compared) {
    const plain = await compareBy(comparison)
    by.push([comparison, comparison === 'text' ? textAndWords : value => [plain(value)]])
  }
  const known = new Uint32Array(remembered * 2)
  const words = new Uint32Array(together * 2)
  const [isSeen, isSeenWord] = [memory(), memory()]
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
        // To take a text apart, and to mark its words, takes longer than to look it up.
        if (compared.includes('text') && isSeen(value)) continue
        for (const [comparison, partsOf] of by) {
          for (const [n, part] of partsOf(value).entries()) {
            if (n > 0 && isSeenWord(part)) continue
            add(marker(comparison, part))
            if (fill === words.length) await flush()
          }
        }
      }
    },
    end: flush,
  }
}
