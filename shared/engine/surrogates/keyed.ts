import { type CipherGCM, createCipheriv, createHmac, type KeyObject } from 'node:crypto'

/** What is drawn under a key: the same for the same input, and nothing that tells the input to who hasn't the key. */
export type Keyed = {
  /** 48 bits that depend on a text. */
  hash(text: string): number
  /** The numbers below `count` in an order of its own for each purpose. */
  order(purpose: string, count: number): Uint32Array
  /** Another number below `size` for each number: no two get the same, none gets itself. Sizes up to 2^50. */
  permute(value: number, size: number, tweak: string): number
}

/** Rounds in each direction; a permutation takes both, so every number goes through twelve. */
const rounds = 6
/** Tweaks that are kept with their digest; there are few but for long numbers, where one part is the tweak of the next. */
const remembered = 2000

/** Draws under a key, which is derived for this use alone. */
export function createKeyed(key: KeyObject): Keyed {
  const digest = (text: string) => createHmac('sha256', key).update(text, 'utf8').digest()
  const blocks = createCipheriv('aes-256-ecb', digest('\u0000permutation'), null).setAutoPadding(false) as CipherGCM
  const tweaks = new Map<string, Buffer>()
  const block = Buffer.alloc(16)

  const tweakOf = (tweak: string) => {
    const known = tweaks.get(tweak)
    if (known) return known
    if (tweaks.size >= remembered) tweaks.clear()
    const made = digest(`\u0000tweak\u0000${tweak}`).subarray(0, 11)
    tweaks.set(tweak, made)
    return made
  }

  /** A number of 48 bits from the round and half of the value, under the tweak that `block` holds. */
  const mix = (round: number, half: number) => {
    block[11] = round
    block.writeUInt32LE(half, 12)
    return blocks.update(block).readUIntLE(0, 6)
  }

  /** A Feistel network over [0, left) x [0, right), as FF1 is one, or its inverse. */
  const network = (value: number, left: number, right: number, inverse: boolean) => {
    let a = Math.floor(value / right)
    let b = value % right
    for (let step = 0; step < rounds; step++) {
      const round = inverse ? rounds - 1 - step : step
      const sign = inverse ? -1 : 1
      if (round % 2 === 0) a = (((a + sign * (mix(round, b) % left)) % left) + left) % left
      else b = (((b + sign * (mix(round, a) % right)) % right) + right) % right
    }
    return a * right + b
  }

  return {
    hash: text => digest(text).readUIntBE(0, 6),
    order(purpose, count) {
      const stream = createCipheriv('aes-256-ctr', digest(`\u0000order\u0000${purpose}`), Buffer.alloc(16))
      const random = new Uint32Array(new Uint8Array(stream.update(Buffer.alloc(count * 4))).buffer)
      const order = Uint32Array.from({ length: count }, (_, index) => index)
      for (let index = count - 1; index > 0; index--) {
        const other = random[index]! % (index + 1)
        const swapped = order[index]!
        order[index] = order[other]!
        order[other] = swapped
      }
      return order
    },
    permute(value, size, tweak) {
      if (size < 2) return value
      const left = Math.ceil(Math.sqrt(size))
      const right = Math.ceil(size / left)
      block.set(tweakOf(tweak))
      // Numbers that the network makes beyond the size go through it again, until one is within it.
      const walk = (from: number, inverse: boolean) => {
        let at = from
        do at = network(at, left, right, inverse)
        while (at >= size)
        return at
      }
      // One step along a single cycle through all numbers, so that none becomes itself.
      return walk((walk(value, false) + 1) % size, true)
    },
  }
}
