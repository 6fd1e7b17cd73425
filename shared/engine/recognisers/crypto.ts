import { createHash } from 'node:crypto'
import type { Recogniser } from './recogniser.ts'

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** Base58Check: the last four bytes are the start of the double SHA-256 of the others. */
function base58Check(text: string): boolean {
  let value = 0n
  for (const character of text) {
    const digit = base58.indexOf(character)
    if (digit < 0) return false
    value = value * 58n + BigInt(digit)
  }
  const bytes = Buffer.from(value.toString(16).padStart(50, '0'), 'hex')
  return (
    bytes.length === 25 &&
    sha256(sha256(bytes.subarray(0, 21)))
      .subarray(0, 4)
      .equals(bytes.subarray(21))
  )
}

const bech32Letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

/** BIP 173 and BIP 350: the polymod is 1, or 0x2bc830a3 for versions from 1. One case only. */
function bech32(text: string): boolean {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) return false
  const at = lower.lastIndexOf('1')
  const prefix = Array.from(lower.slice(0, at), character => character.charCodeAt(0))
  const data = Array.from(lower.slice(at + 1), character => bech32Letters.indexOf(character))
  if (data.includes(-1)) return false
  let check = 1
  for (const value of [...prefix.map(code => code >> 5), 0, ...prefix.map(code => code & 31), ...data]) {
    const top = check >>> 25
    check = ((check & 0x1ffffff) << 5) ^ value
    generators.forEach((generator, i) => {
      if ((top >> i) & 1) check ^= generator
    })
  }
  return check >>> 0 === 1 || check >>> 0 === 0x2bc830a3
}

const wallet = [
  'wallet',
  'address',
  'btc',
  'bitcoin',
  'eth',
  'ethereum',
  'crypto',
  'send',
  'donate',
  'tron',
  'usdt',
  'litecoin',
]

export const crypto: Recogniser[] = [
  {
    name: 'bitcoin.base58',
    label: 'CRYPTO_ADDRESS',
    pattern: /(?<![\p{L}\p{N}])[13LMDT2mn][1-9A-HJ-NP-Za-km-z]{25,34}(?![\p{L}\p{N}])/gu,
    valid: base58Check,
    checksum: true,
    score: 0.99,
    source: 'Base58Check (Bitcoin, Litecoin, Dogecoin, Tron)',
  },
  {
    name: 'bitcoin.bech32',
    label: 'CRYPTO_ADDRESS',
    pattern: /(?<![\p{L}\p{N}])(?:bc|tb|ltc)1[02-9ac-hj-np-z]{11,87}(?![\p{L}\p{N}])/giu,
    valid: bech32,
    checksum: true,
    score: 0.99,
    source: 'BIP 173 and BIP 350',
    needs: /1/,
  },
  {
    name: 'ethereum',
    label: 'CRYPTO_ADDRESS',
    pattern: /(?<![\p{L}\p{N}])0x[0-9a-f]{40}(?![\p{L}\p{N}])/giu,
    score: 0.8,
    near: 0.95,
    context: wallet,
    source: 'Ethereum yellow paper, 20 bytes in hexadecimal; the case of EIP-55 is not checked',
    needs: /0x/i,
  },
]
