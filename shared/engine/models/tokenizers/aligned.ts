/** A text and, for each of its UTF-16 units, the range of the source text that the unit stands for. */
export type Aligned = {
  text: string
  starts: Uint32Array
  ends: Uint32Array
}

/** A text standing for itself; both halves of a surrogate pair stand for the whole character. */
export function aligned(text: string): Aligned {
  const starts = new Uint32Array(text.length)
  const ends = new Uint32Array(text.length)
  for (let i = 0; i < text.length; i++) {
    const pair = isPair(text, i)
    starts[i] = i
    ends[i] = pair ? i + 2 : i + 1
    if (pair) {
      starts[i + 1] = i
      ends[i + 1] = i + 2
      i++
    }
  }
  return { text, starts, ends }
}

/** Whether a surrogate pair starts at `i`. */
export function isPair(text: string, i: number): boolean {
  const high = text.charCodeAt(i)
  if (high < 0xd800 || high > 0xdbff) return false
  const low = text.charCodeAt(i + 1)
  return low >= 0xdc00 && low <= 0xdfff
}

/**
 * Rewrites a text: `pieces` are ranges in order with what each becomes. Of a piece that is replaced, the n-th new
 * character stands for the n-th old one, further new characters for the last old one, and old characters without a new
 * one for nothing; with `last`, all of them stand for the last old one. What is inserted stands for what follows it.
 */
export function rewrite(
  from: Aligned,
  pieces: Iterable<[start: number, end: number, become: string]>,
  last = false,
): Aligned {
  const parts: string[] = []
  let length = from.text.length
  const edits = [...pieces]
  if (edits.length === 0) return from
  for (const [start, end, become] of edits) length += become.length - (end - start)
  const starts = new Uint32Array(length)
  const ends = new Uint32Array(length)
  let at = 0
  let to = 0
  const keep = (until: number) => {
    parts.push(from.text.slice(at, until))
    starts.set(from.starts.subarray(at, until), to)
    ends.set(from.ends.subarray(at, until), to)
    to += until - at
    at = until
  }
  for (const [start, end, become] of edits) {
    keep(start)
    let old = last && end > start ? end - 1 : start
    for (let i = 0; i < become.length; i++) {
      const pair = isPair(become, i)
      for (let k = 0; k <= Number(pair); k++) {
        starts[to] = from.starts[old] ?? 0
        ends[to] = from.ends[old] ?? 0
        to++
      }
      if (pair) i++
      const next = old + (isPair(from.text, old) ? 2 : 1)
      if (next < end) old = next
    }
    parts.push(become)
    at = end
  }
  keep(from.text.length)
  return { text: parts.join(''), starts, ends }
}

/** A part of an aligned text. */
export function slice(from: Aligned, start: number, end: number): Aligned {
  return {
    text: from.text.slice(start, end),
    starts: from.starts.subarray(start, end),
    ends: from.ends.subarray(start, end),
  }
}
