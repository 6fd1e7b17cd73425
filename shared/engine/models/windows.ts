import type { Encoding } from './tokenizers/tokenizer.ts'

/** A range of a text's pieces that the model reads together (end exclusive). */
export type Window = { start: number; end: number }

/** How well a text may be cut before one of its pieces: not at all, at the end of a line, or at that of a sentence. */
export type Cut = 0 | 1 | 2

/**
 * Windows of at most `size` pieces that together hold every piece. Each begins `stride` after the one before, or right
 * where that ends when `cut` allows it in the second half: what is read twice is read for nothing between sentences.
 */
export function windows(pieces: number, size: number, stride: number, cut: (piece: number) => Cut = () => 0): Window[] {
  const out: Window[] = []
  for (let start = 0; start < pieces; ) {
    const most = Math.min(start + size, pieces)
    const end = most < pieces ? lastCut(start + Math.ceil(size / 2), most, cut) : most
    out.push({ start, end: end ?? most })
    if (most === pieces) break
    start = end ?? start + stride
  }
  return out
}

/** The last end of a sentence after `from` up to `to`, else the last end of a line. */
function lastCut(from: number, to: number, cut: (piece: number) => Cut): number | undefined {
  let line: number | undefined
  for (let piece = to; piece > from; piece--) {
    const found = cut(piece)
    if (found === 2) return piece
    if (found === 1) line ??= piece
  }
  return line
}

/**
 * The pieces of a window whose prediction counts: each piece is judged by the window in which it stands farthest from
 * an edge that cuts the text.
 */
export function authority(all: readonly Window[], i: number): Window {
  const { start, end } = all[i]!
  const previous = all[i - 1]
  const next = all[i + 1]
  return {
    start: previous ? Math.ceil((start + previous.end) / 2) : start,
    end: next ? Math.ceil((next.start + end) / 2) : end,
  }
}

/** Where the pieces of a text end a sentence or a line. Short words before a full stop are taken for abbreviations. */
export function sentenceCut(text: string, { starts, ends }: Encoding): (piece: number) => Cut {
  return piece => {
    const end = ends[piece - 1]!
    const gap = text.slice(end, starts[piece])
    if (!/\s/.test(gap)) return 0
    if (/\n\s*\n/.test(gap) || sentenceEnd.test(text.slice(Math.max(0, end - 12), end))) return 2
    return gap.includes('\n') ? 1 : 0
  }
}
const sentenceEnd = /(?:\p{L}{5}\.|[!?])["'”’»)\]]{0,2}$/u
