/** Crockford's base 32: digits and capitals without I, L, O and U, which are taken for others. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const numberOf = new Map(Array.from(alphabet, (char, value) => [char, value]))

/** Bytes in base 32, five bits a character; the last one is filled up with zeros. */
export function toBase32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text
}

/** The bytes of a text that {@link toBase32} makes of some; undefined for any other text, so that no two texts are the same bytes. */
export function fromBase32(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.floor((text.length * 5) / 8))
  let held = 0
  let bits = 0
  let at = 0
  for (const char of text) {
    const value = numberOf.get(char)
    if (value === undefined) return undefined
    held = (held << 5) | value
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = held >> bits
      held &= (1 << bits) - 1
    }
  }
  return held === 0 && bits < 5 ? bytes : undefined
}

/** A prime below 32 * 32: a remainder by it tells every single wrong character and every two that changed places. */
const PRIME = 1021

/** Two characters by which a slip in reading or typing a text of base 32 shows. */
export function checkOf(text: string): string {
  let rest = 0
  for (const char of text) rest = (rest * 32 + (numberOf.get(char) ?? 0)) % PRIME
  return alphabet[rest >> 5]! + alphabet[rest & 31]!
}
