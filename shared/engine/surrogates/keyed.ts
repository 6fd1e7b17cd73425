import { createCipheriv, createHmac, type KeyObject } from 'node:crypto'
import { unsafe } from '@noble/ciphers/aes.js'

/** What is drawn under a key: the same for the same input, and nothing that tells the input to who hasn't the key. */
export type Keyed = {
  /** 48 bits that depend on a text. */
  hash(text: string): number
  /** The numbers below `count` in an order of its own for each purpose. */
  order(purpose: string, count: number): Uint32Array
  /**
   * Another number below `size` for each number: no two get the same, none gets itself. Sizes up to 2^50. The order is another
   * one for each tweak, of which there are few, and each context, of which there may be one a value.
   */
  permute(value: number, size: number, tweak: string, context?: string): number
}

/** Rounds in each direction; a permutation takes both, so every number goes through ten, as in FF1. */
const rounds = 5
/** Tweaks that are kept with their digest. */
const remembered = 2000

/** A block of AES as four words. */
type Block = { s0: number; s1: number; s2: number; s3: number }

/** AES-128 of single blocks, of four words each. A call of OpenSSL for each would take four times as long. */
export function createBlocks(digest: Uint8Array) {
  const schedule = unsafe.expandKeyLE(digest.slice(0, 16))
  return (s0: number, s1: number, s2: number, s3: number): Block => unsafe.encrypt(schedule, s0, s1, s2, s3)
}

/** A number below `size` further by another in a ring of so many, or back by it. */
function turned(number: number, by: number, size: number, isBack: boolean): number {
  const step = by % size
  const at = isBack ? number - step : number + step
  return at < 0 ? at + size : at < size ? at : at - size
}

/** The last 24 bits that a tweak has in the third word of a block, whose first 8 bits are those of the round. */
const tweakBits = 0xffffff

/** Draws under a key, which is derived for this use alone. */
export function createKeyed(key: KeyObject): Keyed {
  const digest = (text: string) => createHmac('sha256', key).update(text, 'utf8').digest()
  const [draw, absorb] = [createBlocks(digest('\u0000permutation')), createBlocks(digest('\u0000context'))]
  const tweaks = new Map<string, Block>()

  const tweakOf = (tweak: string): Block => {
    const known = tweaks.get(tweak)
    if (known) return known
    if (tweaks.size >= remembered) tweaks.clear()
    const bytes = digest(`\u0000tweak\u0000${tweak}`)
    const [s0, s1, s2, s3] = [0, 4, 8, 12].map(at => bytes.readUInt32LE(at)) as [number, number, number, number]
    const made = { s0, s1, s2, s3 }
    tweaks.set(tweak, made)
    return made
  }

  /** The tweak for a context: the CBC-MAC of the context's length and UTF-16 units, begun with the tweak. */
  const within = (tweak: Block, context: string): Block => {
    let state = absorb(tweak.s0, tweak.s1, tweak.s2, tweak.s3 ^ context.length)
    for (let at = 0; at < context.length; at += 8) {
      // Units beyond the end are NaN, which counts as 0.
      const word = (unit: number) => context.charCodeAt(at + unit) | (context.charCodeAt(at + unit + 1) << 16)
      const { s0, s1, s2, s3 } = state
      state = absorb(s0 ^ word(0), s1 ^ word(2), s2 ^ word(4), s3 ^ word(6))
    }
    return state
  }

  let tweak: Block = { s0: 0, s1: 0, s2: 0, s3: 0 }
  /** A number of 48 bits from the round and half of the value, under the tweak. */
  const mix = (round: number, half: number) => {
    const { s0, s1 } = draw(tweak.s0, tweak.s1, (tweak.s2 & tweakBits) | (round << 24), half)
    return (s0 >>> 0) + (s1 & 0xffff) * 2 ** 32
  }

  /** A Feistel network over [0, left) x [0, right), as FF1 is one, or its inverse. */
  const network = (value: number, left: number, right: number, inverse: boolean) => {
    let a = Math.floor(value / right)
    let b = value % right
    for (let step = 0; step < rounds; step++) {
      const round = inverse ? rounds - 1 - step : step
      if (round % 2 === 0) a = turned(a, mix(round, b), left, inverse)
      else b = turned(b, mix(round, a), right, inverse)
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
    permute(value, size, purpose, context = '') {
      if (size < 2) return value
      const left = Math.ceil(Math.sqrt(size))
      const right = Math.ceil(size / left)
      tweak = context === '' ? tweakOf(purpose) : within(tweakOf(purpose), context)
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
