import type { Cutter } from './cutter.ts'

/** Greedy longest-match-first pieces, as BERT cuts words; a word that can't be cut becomes one unknown piece. */
export function wordPiece(
  vocabulary: Map<string, number>,
  options: { unknown: string; prefix: string; longest: number },
): Cutter {
  const unknown = vocabulary.get(options.unknown)
  if (unknown === undefined) throw new Error('The unknown token is missing in the vocabulary')
  let widest = 0
  for (const piece of vocabulary.keys()) widest = Math.max(widest, piece.length)
  return word => {
    if (word.length > options.longest && [...word].length > options.longest) return [[unknown, word.length]]
    const pieces: [number, number][] = []
    for (let start = 0; start < word.length; ) {
      let end = Math.min(word.length, start + widest)
      let id: number | undefined
      for (; end > start; end--) {
        const piece = word.slice(start, end)
        id = vocabulary.get(start === 0 ? piece : options.prefix + piece)
        if (id !== undefined) break
      }
      if (id === undefined) return [[unknown, word.length]]
      pieces.push([id, end])
      start = end
    }
    return pieces
  }
}
