/** A hash of some units, in two halves of 32 bits each: enough that no two phrases are ever taken for each other. */
export type Hash = { a: number; b: number }

export const emptyHash: Hash = { a: 0x811c9dc5 | 0, b: 0x9747b28c | 0 }

/** The hash with one unit more. */
export const extended = ({ a, b }: Hash, unit: number): Hash => ({
  a: Math.imul(a ^ unit, 0x01000193),
  b: Math.imul(((b << 5) | (b >>> 27)) ^ unit, 0x9e3779b1),
})

/** The hash with the units of a text from one place to another. */
export function hashOn(hash: Hash, text: string, from = 0, to = text.length): Hash {
  let { a, b } = hash
  for (let at = from; at < to; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(((b << 5) | (b >>> 27)) ^ unit, 0x9e3779b1)
  }
  return { a, b }
}

/** A set of phrases by their hashes, each with some bits: nine bytes for each place, and a place is taken or not. */
export type PhraseSet = {
  add(hash: Hash, bits: number): void
  /** The bits of a phrase; 0 when it is not there. */
  bits(hash: Hash): number
}

/** Share of the places that may be taken before there are twice as many. */
const fullest = 0.6

const mixed = ({ a, b }: Hash): number => {
  let mix = a ^ Math.imul(b, 0x85ebca6b)
  mix ^= mix >>> 15
  return mix >>> 0
}

/** Makes an empty set, with places for about so many phrases to begin with. */
export function createPhraseSet(expected: number): PhraseSet {
  let places = 1024
  while (places * fullest < expected) places *= 2
  let hashes = new Int32Array(places * 2)
  let bits = new Uint8Array(places)
  let taken = 0
  const placeOf = ({ a, b }: Hash): number => {
    let place = mixed({ a, b }) & (places - 1)
    while (bits[place] !== 0 && (hashes[place * 2] !== a || hashes[place * 2 + 1] !== b))
      place = (place + 1) & (places - 1)
    return place
  }
  const put = ({ a, b }: Hash, more: number) => {
    const place = placeOf({ a, b })
    if (bits[place] === 0) taken++
    hashes[place * 2] = a
    hashes[place * 2 + 1] = b
    bits[place]! |= more
  }
  const grow = () => {
    const [old, oldBits] = [hashes, bits]
    places *= 2
    taken = 0
    hashes = new Int32Array(places * 2)
    bits = new Uint8Array(places)
    for (let place = 0; place < oldBits.length; place++)
      if (oldBits[place] !== 0) put({ a: old[place * 2]!, b: old[place * 2 + 1]! }, oldBits[place]!)
  }
  return {
    add(hash, more) {
      if (taken + 1 > places * fullest) grow()
      put(hash, more)
    },
    bits: hash => bits[placeOf(hash)]!,
  }
}
