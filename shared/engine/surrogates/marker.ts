import { createHmac, type KeyObject } from 'node:crypto'
import { createBlocks } from './keyed.ts'
import type { Comparison } from './kinds.ts'

/**
 * 64 bits in two words that depend on a comparison and the last eight bits of each character of what is compared. They tell
 * nothing of it to who hasn't the key. The answer is the same array each time.
 */
export type Marker = (comparison: Comparison, compared: string) => Uint32Array

/** Characters of a block. */
const perBlock = 16

/** Marks values under a key: with the CBC-MAC of their characters and their number, begun with the comparison. */
export function createMarker(key: KeyObject): Marker {
  const digest = (text: string) => createHmac('sha256', key).update(text, 'utf8').digest()
  const encrypt = createBlocks(digest('\u0000mark'))
  const begin = (comparison: Comparison) => {
    const bytes = digest(`\u0000comparison\u0000${comparison}`)
    return { s0: bytes.readInt32LE(0), s1: bytes.readInt32LE(4), s2: bytes.readInt32LE(8), s3: bytes.readInt32LE(12) }
  }
  const beginnings = {
    number: begin('number'),
    phone: begin('phone'),
    address: begin('address'),
    text: begin('text'),
  }
  const mark = new Uint32Array(2)
  return (comparison, compared) => {
    let state = beginnings[comparison]
    // Characters beyond the end are NaN, which counts as 0.
    const word = (at: number) =>
      (compared.charCodeAt(at) & 255) |
      ((compared.charCodeAt(at + 1) & 255) << 8) |
      ((compared.charCodeAt(at + 2) & 255) << 16) |
      (compared.charCodeAt(at + 3) << 24)
    for (let at = 0; at === 0 || at < compared.length; at += perBlock) {
      const { s0, s1, s2, s3 } = state
      const first = at === 0 ? s3 ^ compared.length : s3
      state = encrypt(s0 ^ word(at), s1 ^ word(at + 4), s2 ^ word(at + 8), first ^ word(at + 12))
    }
    mark[0] = state.s0
    mark[1] = state.s1
    return mark
  }
}
