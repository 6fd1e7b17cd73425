/**
 * A character map as SentencePiece compiles it: a double-array trie from UTF-8 keys to offsets into a block of
 * NUL-terminated replacements. Layout: length of the trie in bytes (uint32), trie (uint32 units), replacements.
 */
export class Charsmap {
  readonly #units: Uint32Array
  readonly #texts: Buffer
  readonly #known = new Map<string, string | undefined>()

  constructor(bytes: Buffer) {
    const size = bytes.length >= 4 ? bytes.readUInt32LE(0) : -1
    if (size < 0 || size % 4 !== 0 || size + 4 > bytes.length) throw new Error('The character map is damaged')
    this.#units = new Uint32Array(size / 4)
    for (let i = 0; i < this.#units.length; i++) this.#units[i] = bytes.readUInt32LE(4 + 4 * i)
    this.#texts = bytes.subarray(4 + size)
  }

  /** What a text becomes: the replacement of its shortest prefix in the map, or undefined. */
  lookup(text: string): string | undefined {
    if (!this.#known.has(text)) {
      if (this.#known.size > 50_000) this.#known.clear()
      this.#known.set(text, this.#find(Buffer.from(text)))
    }
    return this.#known.get(text)
  }

  #find(key: Buffer): string | undefined {
    const unit = (i: number) => this.#units[i] ?? 0
    let position = offset(unit(0))
    for (const byte of key) {
      if (byte === 0) return undefined
      position ^= byte
      const value = unit(position)
      if ((value & 0x800000ff) >>> 0 !== byte) return undefined
      position ^= offset(value)
      if ((value >>> 8) & 1) {
        const start = unit(position) & 0x7fffffff
        const end = this.#texts.indexOf(0, start)
        return this.#texts.toString('utf8', start, end < 0 ? undefined : end)
      }
    }
    return undefined
  }
}

const offset = (unit: number) => (unit >>> 10) << ((unit & (1 << 9)) >>> 6)
