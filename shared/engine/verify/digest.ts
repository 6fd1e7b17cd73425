import { createHash } from 'node:crypto'
import type { Segment } from '../formats/format.ts'

/** Ends each text: no UTF-8 sequence holds this byte, so where a text ends can't be shifted unnoticed. */
const end = Uint8Array.of(0xff)
/** The character that is this byte in Latin-1. */
const mark = '\xff'

/** Texts as they are digested; nothing if one of them holds the sign that is put between them first. */
function withEnds(texts: readonly string[]): Uint8Array | undefined {
  const bytes = Buffer.from(`${texts.join('\u0000')}\u0000`, 'utf8')
  let ends = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] !== 0) continue
    bytes[at] = 0xff
    ends++
  }
  return ends === texts.length ? bytes : undefined
}

/** A running digest of texts in order. */
export type TextDigest = {
  /** Adds one text; a piece with `before` continues the text of the last call. */
  add(segment: Pick<Segment, 'text' | 'before'>): void
  /** Adds whole texts, one after the other: faster than one by one. */
  addTexts(texts: readonly string[]): void
  /** Adds whole texts as they are digested: UTF-8, each ended by the byte 0xFF. */
  addAll(texts: Uint8Array): void
  /** SHA-256 (hex) of all texts, each as UTF-8 and ended by the byte 0xFF. Call once. */
  hex(): string
}

/** Starts the digest that `Expected.digest` holds: add the visible texts in order, empty ones too. */
export function textDigest(): TextDigest {
  const hash = createHash('sha256')
  let open = false
  return {
    add({ text, before }) {
      if (open && before === undefined) hash.update(end)
      hash.update(text, 'utf8')
      open = true
    },
    addTexts(texts) {
      if (texts.length === 0) return
      const joined = `${texts.join(mark)}${mark}`
      // In ASCII alone nothing but the marks takes two bytes, and each mark is the byte that ends a text.
      if (Buffer.byteLength(joined) === joined.length + texts.length) this.addAll(Buffer.from(joined, 'latin1'))
      else this.addAll(withEnds(texts) ?? Buffer.concat(texts.flatMap(text => [Buffer.from(text), end])))
    },
    addAll(texts) {
      if (open) hash.update(end)
      hash.update(texts)
      open = false
    },
    hex() {
      if (open) hash.update(end)
      return hash.digest('hex')
    },
  }
}

/** The digest of one text that came in pieces. */
export function digestOfPieces(pieces: readonly { text: string }[]): string {
  const digest = textDigest()
  pieces.forEach(({ text }, index) => void digest.add({ text, before: index === 0 ? undefined : '' }))
  return digest.hex()
}
