/** Of the bytes beyond ASCII in a row that many in sequences of UTF-8 are hardly there by chance. */
const mostOfRun = 3 / 4
/** A text with a greater share of UTF-8 among its letters beyond ASCII is UTF-8 in parts. */
const few = 0.1

/**
 * Whether a sequence of UTF-8 is a letter that people write: those of the phonetic alphabet, of Syriac and N'Ko are a capital
 * letter and a sign in Windows-1252 (`SOCIÉTÉ :`, `„Spaß“`).
 */
function isWritten(first: number, second: number): boolean {
  if (first === 0xc6) return [0xa0, 0xa1, 0xaf, 0xb0].includes(second)
  if (first === 0xc8) return second >= 0x98 && second <= 0x9b
  return (first < 0xc7 || first > 0xcb) && (first < 0xdc || first > 0xdf)
}

/** Tells by whole words whether a text is UTF-8 in parts: in other encodings single letters look like it by chance. */
export function utf8Parts() {
  /** Bytes beyond ASCII in a row, and those of them in sequences that people write, which are so many. */
  let run = 0
  let inSequences = 0
  let sequences = 0
  /** Letters beyond ASCII in rows that are UTF-8, and all others. */
  let utf8 = 0
  let others = 0
  let rows = 0

  function end(): void {
    if (run > 0) rows++
    const isUtf8 = inSequences >= run * mostOfRun
    utf8 += isUtf8 ? sequences : 0
    others += isUtf8 ? run - inSequences : run
    run = inSequences = sequences = 0
  }

  return {
    /** Takes a sequence of UTF-8, by its first bytes and its length. */
    sequence(first: number, second: number, length: number): void {
      run += length
      if (!isWritten(first, second)) return
      sequences++
      inSequences += length
    },
    /** Takes a byte beyond ASCII that is in no sequence. */
    stray(): void {
      run++
    },
    /** Takes a byte of ASCII. */
    ascii(): void {
      if (run > 0) end()
    },
    isUtf8InParts(): boolean {
      end()
      return utf8 > (utf8 + others) * few
    },
    /** Whether the bytes beyond ASCII stand alone, nearly all of them. */
    areAlone: () => utf8 + others < rows * 1.5,
  }
}
