const isLetter = (byte: number | undefined) => byte !== undefined && ((byte | 0x20) - 0x61) >>> 0 < 26

function sum(counts: Float64Array, bytes: Iterable<number>): number {
  let all = 0
  for (const byte of bytes) all += counts[byte]!
  return all
}

/** Counts the bytes that stand alone between two letters of ASCII, by the case of the second. */
export function betweenLetters() {
  const small = new Float64Array(256)
  const capital = new Float64Array(256)
  /** The last byte of the piece before, and that if what follows it is awaited. */
  let last: number | undefined
  let waiting: number | undefined

  function count(byte: number, next: number | undefined): void {
    if (isLetter(next)) (next! < 0x60 ? capital : small)[byte]!++
  }

  return {
    /** Begins a piece of the text, which must not be empty. */
    begin(piece: Uint8Array): void {
      if (waiting !== undefined) count(waiting, piece[0])
      waiting = undefined
    },
    /** Takes the byte beyond ASCII at a place of the piece. */
    add(piece: Uint8Array, at: number): void {
      if (!isLetter(at > 0 ? piece[at - 1] : last)) return
      if (at + 1 < piece.length) count(piece[at]!, piece[at + 1])
      else waiting = piece[at]!
    },
    end(piece: Uint8Array): void {
      last = piece.at(-1)
    },
    small: (bytes: Iterable<number>) => sum(small, bytes),
    capital: (bytes: Iterable<number>) => sum(capital, bytes),
    either: (bytes: Iterable<number>) => sum(small, bytes) + sum(capital, bytes),
  }
}
