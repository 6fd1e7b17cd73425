/** A stretch of a text's pieces that the model reads at once (end exclusive). */
export type Window = { start: number; end: number }

/** Windows of at most `size` pieces, each `stride` after the one before, that together hold every piece. */
export function windows(pieces: number, size: number, stride: number): Window[] {
  const out: Window[] = []
  for (let start = 0; start < pieces; start += stride) {
    const end = Math.min(start + size, pieces)
    out.push({ start, end })
    if (end === pieces) break
  }
  return out
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
