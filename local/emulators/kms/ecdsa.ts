import { createECDH, type KeyObject } from 'node:crypto'

/** Order of the group of P-256 (FIPS 186-5, SP 800-186). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const toNumber = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)

const modulo = (value: bigint): bigint => ((value % ORDER) + ORDER) % ORDER

/** The number that gives 1 when multiplied, by the extended algorithm of Euclid. */
function inverse(value: bigint): bigint {
  let [a, b, x, y] = [value, ORDER, 1n, 0n]
  while (b > 0n) {
    const quotient = a / b
    ;[a, b] = [b, a - quotient * b]
    ;[x, y] = [y, x - quotient * y]
  }
  return modulo(x)
}

/** A number as an INTEGER of DER: without leading zeros, but for one that keeps it positive. */
function integer(value: bigint): Buffer {
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  const content = bytes[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes
  return Buffer.concat([Buffer.of(2, content.length), content])
}

/**
 * Signs a SHA-256 (32 bytes) by a private key on P-256: ECDSA as Node.js does it for messages only. The point that the
 * signature begins with is the public half of a new key, so that only the arithmetic of numbers is done here. In DER.
 */
export function signDigest(key: KeyObject, digest: Uint8Array): Buffer {
  const secret = toNumber(Buffer.from(key.export({ format: 'jwk' }).d!, 'base64url'))
  for (;;) {
    const nonce = createECDH('prime256v1')
    const r = modulo(toNumber(nonce.generateKeys().subarray(1, 33)))
    const s = modulo(inverse(toNumber(nonce.getPrivateKey())) * (toNumber(digest) + r * secret))
    if (r === 0n || s === 0n) continue
    const numbers = Buffer.concat([integer(r), integer(s)])
    return Buffer.concat([Buffer.of(0x30, numbers.length), numbers])
  }
}
