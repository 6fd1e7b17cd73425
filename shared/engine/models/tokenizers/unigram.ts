import { isPair } from './aligned.ts'
import type { Cutter } from './cutter.ts'

type Node = { next: Map<number, Node>; id: number }

/** The likeliest pieces under a unigram model (Viterbi), as SentencePiece cuts; unknown neighbours become one piece. */
export function unigram(pieces: [piece: string, score: number][], unknown: number): Cutter {
  const root: Node = { next: new Map(), id: -1 }
  const ids = new Map<string, number>()
  let lowest = Number.POSITIVE_INFINITY
  pieces.forEach(([piece, score], id) => {
    ids.set(piece, id)
    if (score < lowest) lowest = score
    let node = root
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i)
      let child = node.next.get(unit)
      if (!child) {
        child = { next: new Map(), id: -1 }
        node.next.set(unit, child)
      }
      node = child
    }
    node.id = id
  })
  const unknownScore = lowest - 10

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
      let node: Node | undefined = root
      for (let end = start; end < size; ) {
        node = node.next.get(word.charCodeAt(end++))
        if (!node) break
        if (node.id < 0) continue
        reach(end, start, node.id, score[start]! + pieces[node.id]![1])
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
        id = ids.get(word.slice(start, end)) ?? unknown
      }
      cut.push([id, end])
      end = start
    }
    return cut.reverse()
  }
}
