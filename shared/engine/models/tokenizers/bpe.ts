import type { Cutter } from './cutter.ts'

/** Byte pair encoding over the byte alphabet: merges neighbours in the order in which the merges were learnt. */
export function bytePairs(vocabulary: Map<string, number>, merges: [string, string][], ignoreMerges: boolean): Cutter {
  const ranks = new Map<string, number>()
  merges.forEach(([left, right], rank) => {
    ranks.set(`${left} ${right}`, rank)
  })
  return word => {
    const whole = vocabulary.get(word)
    if (ignoreMerges && whole !== undefined) return [[whole, word.length]]
    const parts = merge([...word], ranks)
    let end = 0
    return parts.map(part => {
      const id = vocabulary.get(part)
      if (id === undefined) throw new Error('A byte is missing in the vocabulary')
      end += part.length
      return [id, end]
    })
  }
}

/** Applies the best merge, leftmost first, until none is left; a heap keeps long words from costing their square. */
function merge(characters: string[], ranks: Map<string, number>): string[] {
  const parts: (string | undefined)[] = characters
  const next = parts.map((_, i) => i + 1)
  const previous = parts.map((_, i) => i - 1)
  const heap: [rank: number, left: number, text: string][] = []
  const offer = (left: number) => {
    const right = next[left]!
    if (left < 0 || right >= parts.length) return
    const rank = ranks.get(`${parts[left]} ${parts[right]}`)
    if (rank !== undefined) push(heap, [rank, left, `${parts[left]}${parts[right]}`])
  }
  for (let i = 0; i + 1 < parts.length; i++) offer(i)
  for (let best = pop(heap); best; best = pop(heap)) {
    const [, left, text] = best
    const right = next[left]!
    // An entry is stale when one of its two parts has been merged away or has grown since.
    if (parts[left] === undefined || right >= parts.length || `${parts[left]}${parts[right]}` !== text) continue
    parts[left] = text
    parts[right] = undefined
    next[left] = next[right]!
    if (next[left]! < parts.length) previous[next[left]!] = left
    offer(left)
    if (previous[left]! >= 0) offer(previous[left]!)
  }
  return parts.filter(part => part !== undefined)
}

type Entry = [rank: number, left: number, text: string]
const before = (a: Entry, b: Entry) => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1])

function push(heap: Entry[], entry: Entry) {
  let i = heap.push(entry) - 1
  while (i > 0) {
    const parent = (i - 1) >> 1
    if (!before(entry, heap[parent]!)) break
    heap[i] = heap[parent]!
    i = parent
  }
  heap[i] = entry
}

function pop(heap: Entry[]): Entry | undefined {
  const top = heap[0]
  const last = heap.pop()
  if (heap.length === 0 || last === undefined) return top
  let i = 0
  for (;;) {
    let child = 2 * i + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++
    if (!before(heap[child]!, last)) break
    heap[i] = heap[child]!
    i = child
  }
  heap[i] = last
  return top
}
