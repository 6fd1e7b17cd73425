import { isPair } from './aligned.ts'
import type { Cutter } from './cutter.ts'
import { hashed, type Vocabulary } from './vocabulary.ts'

/** The likeliest pieces under a unigram model (Viterbi), as SentencePiece cuts; unknown neighbours become one piece. */
export function unigram(vocabulary: Vocabulary, unknown: number): Cutter {
  const { scores, longest } = vocabulary
  let lowest = Number.POSITIVE_INFINITY
  for (const score of scores) lowest = Math.min(lowest, score)
  const unknownScore = lowest - 10

  /** The number of a piece written like this, or that of the unknown one. */
  const known = (word: string, start: number, end: number) => {
    let hash = 0
    for (let i = start; i < end; i++) hash = hashed(hash, word.charCodeAt(i))
    const id = vocabulary.find(word, start, end, hash)
    return id < 0 ? unknown : id
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
      let hash = 0
      for (let end = start; end < Math.min(size, start + longest); ) {
        hash = hashed(hash, word.charCodeAt(end++))
        const id = vocabulary.find(word, start, end, hash)
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
