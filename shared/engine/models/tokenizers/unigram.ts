import { isPair } from './aligned.ts'
import type { Cutter } from './cutter.ts'
import { trie } from './trie.ts'

/** Pieces and the logarithms of their chances. */
export type Scored = { pieces: readonly string[]; scores: Float64Array }

/** The likeliest pieces under a unigram model (Viterbi), as SentencePiece cuts; unknown neighbours become one piece. */
export function unigram({ pieces, scores }: Scored, unknown: number): Cutter {
  const { step, ids } = trie(pieces)
  let lowest = Number.POSITIVE_INFINITY
  for (const score of scores) lowest = Math.min(lowest, score)
  const unknownScore = lowest - 10

  /** The number of a piece written like this, or that of the unknown one. */
  const known = (word: string, start: number, end: number) => {
    let node = 0
    for (let i = start; i < end; i++) {
      node = step(node, word.charCodeAt(i))
      if (node === 0) return unknown
    }
    return ids[node]! < 0 ? unknown : ids[node]!
  }

  return word => {
    const size = word.length
    const score = new Float64Array(size + 1)
    const from = new Int32Array(size + 1).fill(-1)
    const piece = new Int32Array(size + 1)
    const reach = (end: number, start: number, id: number, total: number) => {
      if (from[end] !== -1 && total <= score[end]!) return
      score[end] = total
      from[end] = start
      piece[end] = id
    }
    for (let start = 0; start < size; ) {
      const width = isPair(word, start) ? 2 : 1
      let single = false
      let node = 0
      for (let end = start; end < size; ) {
        node = step(node, word.charCodeAt(end++))
        if (node === 0) break
        const id = ids[node]!
        if (id < 0) continue
        reach(end, start, id, score[start]! + scores[id]!)
        if (end - start === width) single = true
      }
      if (!single) reach(start + width, start, unknown, score[start]! + unknownScore)
      start += width
    }
    const cut: [number, number][] = []
    for (let end = size; end > 0; ) {
      let start = from[end]!
      let id = piece[end]!
      if (id === unknown) {
        while (start > 0 && piece[start] === unknown) start = from[start]!
        id = known(word, start, end)
      }
      cut.push([id, end])
      end = start
    }
    return cut.reverse()
  }
}
