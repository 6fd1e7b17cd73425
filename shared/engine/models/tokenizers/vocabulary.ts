/** The hash of a stretch of text that is one UTF-16 unit longer than that of another hash; that of none is 0. */
export const hashed = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x9e3779b1) ^ (hash >>> 15)

/**
 * Pieces of a unigram model and the logarithms of their chances, in flat arrays: a multilingual vocabulary has 150,000 pieces, which
 * as strings in rows take ten times the memory, and as a trie the time of reading them once more. Pieces are found by their hashes.
 */
export class Vocabulary {
  readonly scores: Float64Array
  /** Length of the longest piece. */
  readonly longest: number
  readonly #units: Uint16Array
  readonly #ends: Uint32Array
  readonly #table: Uint32Array

  /** `units` are the pieces one after the other, each up to its entry of `ends`. */
  constructor(units: Uint16Array, ends: Uint32Array, scores: Float64Array) {
    this.scores = scores
    this.#units = units
    this.#ends = ends
    this.#table = new Uint32Array(2 ** (33 - Math.clz32(ends.length)))
    let longest = 0
    // Backwards, so that of two pieces that are written alike the last one is found.
    for (let id = ends.length - 1; id >= 0; id--) {
      const start = this.#start(id)
      longest = Math.max(longest, ends[id]! - start)
      let hash = 0
      for (let i = start; i < ends[id]!; i++) hash = hashed(hash, units[i]!)
      let at = this.#slot(hash)
      while (this.#table[at] !== 0) at = this.#next(at)
      this.#table[at] = id + 1
    }
    this.longest = longest
  }

  /** The number of the piece that a stretch of text is, or -1; `hash` is that of the stretch. */
  find(text: string, start: number, end: number, hash: number): number {
    for (let at = this.#slot(hash); this.#table[at] !== 0; at = this.#next(at)) {
      const id = this.#table[at]! - 1
      if (this.#is(id, text, start, end)) return id
    }
    return -1
  }

  #is(id: number, text: string, start: number, end: number): boolean {
    const from = this.#start(id)
    if (this.#ends[id]! - from !== end - start) return false
    for (let i = start; i < end; i++) if (this.#units[from + i - start] !== text.charCodeAt(i)) return false
    return true
  }

  #start(id: number): number {
    return id === 0 ? 0 : this.#ends[id - 1]!
  }

  #slot(hash: number): number {
    return Math.imul(hash, 0x85ebca6b) >>> (Math.clz32(this.#table.length) + 1)
  }

  #next(at: number): number {
    return (at + 1) & (this.#table.length - 1)
  }
}

/**
 * What a `tokenizer.json` holds, with the vocabulary of a unigram model as a `Vocabulary`: as rows it takes as long to parse as the
 * graph to start. Throws a SyntaxError.
 */
export function parseTokenizer(text: string): unknown {
  const before = /"vocab"\s*:\s*(?=\[)/.exec(text)
  const start = before ? before.index + before[0].length : 0
  const read = before && readRows(text, start)
  if (!read) return JSON.parse(text)
  const json = JSON.parse(`${text.slice(0, start)}"read"${text.slice(read.end)}`)
  if (json?.model?.vocab !== 'read') return JSON.parse(text)
  json.model.vocab = read.vocabulary
  return json
}

const quote = 34
const backslash = 92
const comma = 44
const opening = 91
const closing = 93

/** Reads rows of pieces and scores from a place of a JSON text; undefined if something else stands there. */
function readRows(text: string, from: number): { vocabulary: Vocabulary; end: number } | undefined {
  const bytes = Buffer.from(text, 'utf16le')
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
  const most = Math.ceil((text.length - from) / '["",0],'.length)
  const ends = new Uint32Array(most)
  const scores = new Float64Array(most)
  let count = 0
  let unit = 0
  let at = behind(units, from, opening)
  for (; ; at++) {
    const start = behind(units, at, opening)
    const end = endOfString(units, start)
    const number = behind(units, end, comma)
    const after = endOfNumber(units, number)
    at = behind(units, after, closing)
    const score = Number(text.slice(number, after))
    if (at < 0 || after === number || Number.isNaN(score)) return undefined
    // Pieces are written over their rows, which are longer.
    const first = unit
    let escaped = false
    for (let i = start + 1; i < end - 1; i++) {
      escaped ||= units[i] === backslash
      units[unit++] = units[i]!
    }
    if (escaped) {
      const piece: string = JSON.parse(text.slice(start, end))
      unit = first
      for (let i = 0; i < piece.length; i++) units[unit++] = piece.charCodeAt(i)
    }
    ends[count] = unit
    scores[count++] = score
    if (units[at] !== comma) break
  }
  at = behind(units, at, closing)
  if (at < 0) return undefined
  return { vocabulary: new Vocabulary(units.slice(0, unit), ends.slice(0, count), scores.slice(0, count)), end: at }
}

/** The place behind a mark and the blanks around it; -1 if something else stands there, or a place is already -1. */
function behind(units: Uint16Array, place: number, mark: number): number {
  const at = behindBlanks(units, place)
  return units[at] === mark ? behindBlanks(units, at + 1) : -1
}

function behindBlanks(units: Uint16Array, place: number): number {
  let at = place
  for (let unit = units[at]; unit === 32 || unit === 10 || unit === 13 || unit === 9; ) unit = units[++at]
  return at
}

/** The place behind the JSON string that begins at a place, or -1. */
function endOfString(units: Uint16Array, start: number): number {
  if (units[start] !== quote) return -1
  for (let at = start + 1; at < units.length; at++) {
    const unit = units[at]!
    if (unit === quote) return at + 1
    if (unit === backslash) at++
    else if (unit < 32) return -1
  }
  return -1
}

/** Whether a UTF-16 unit is a digit or one of `+-.eE`. */
const isNumeric = (unit = 0) =>
  (unit >= 48 && unit <= 57) || unit === 43 || unit === 45 || unit === 46 || unit === 69 || unit === 101

/** The place behind the characters from a place on that numbers are written with. */
function endOfNumber(units: Uint16Array, start: number): number {
  let at = start
  while (isNumeric(units[at])) at++
  return at
}
