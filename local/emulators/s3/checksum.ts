import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** The checksums that S3 knows besides MD5. */
export const algorithms = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const
export type Algorithm = (typeof algorithms)[number]

/** A checksum in base64; `COMPOSITE` is the checksum of the parts' checksums, with `-` and their number behind it. */
export interface Checksum {
  algorithm: Algorithm
  value: string
  type: 'FULL_OBJECT' | 'COMPOSITE'
}

/** Name of the header that carries a checksum. */
export const checksumHeader = (algorithm: Algorithm) => `x-amz-checksum-${algorithm.toLowerCase()}`

/** A checksum of bytes that come one after the other. */
export interface Running {
  update(chunk: Uint8Array): void
  digest(): Buffer
}

// Reflected polynomials, by the width in bits of what they give.
const polynomials = {
  CRC32: { width: 32n, polynomial: 0xedb88320n },
  CRC32C: { width: 32n, polynomial: 0x82f63b78n },
  CRC64NVME: { width: 64n, polynomial: 0x9a6c9329ac4bc9b5n },
}

function table(polynomial: bigint): { high: Int32Array; low: Int32Array } {
  const [high, low] = [new Int32Array(256), new Int32Array(256)]
  for (let byte = 0; byte < 256; byte++) {
    let value = BigInt(byte)
    for (let bit = 0; bit < 8; bit++) value = value & 1n ? (value >> 1n) ^ polynomial : value >> 1n
    high[byte] = Number(BigInt.asIntN(32, value >> 32n))
    low[byte] = Number(BigInt.asIntN(32, value))
  }
  return { high, low }
}

function tableCrc(name: 'CRC32C' | 'CRC64NVME'): Running {
  const { high: highTable, low: lowTable } = table(polynomials[name].polynomial)
  const wide = polynomials[name].width === 64n
  let high = wide ? -1 : 0
  let low = -1
  return {
    update(chunk) {
      for (const byte of chunk) {
        const at = (low ^ byte) & 255
        low = ((low >>> 8) | (high << 24)) ^ lowTable[at]!
        high = (high >>> 8) ^ highTable[at]!
      }
    },
    digest() {
      const bytes = Buffer.alloc(8)
      bytes.writeInt32BE(~high, 0)
      bytes.writeInt32BE(~low, 4)
      return wide ? bytes : bytes.subarray(4)
    },
  }
}

/** Starts a checksum. */
export function startChecksum(algorithm: Algorithm): Running {
  if (algorithm === 'SHA1' || algorithm === 'SHA256') {
    const hash = createHash(algorithm.toLowerCase())
    return { update: chunk => void hash.update(chunk), digest: () => hash.digest() }
  }
  if (algorithm !== 'CRC32') return tableCrc(algorithm)
  let value = 0
  return {
    update(chunk) {
      value = crc32(chunk, value)
    },
    digest() {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32BE(value)
      return bytes
    },
  }
}

function multiply(a: bigint, b: bigint, width: bigint, polynomial: bigint): bigint {
  let product = 0n
  let factor = b
  for (let bit = 1n << (width - 1n); bit > 0n; bit >>= 1n) {
    if (a & bit) product ^= factor
    factor = factor & 1n ? (factor >> 1n) ^ polynomial : factor >> 1n
  }
  return product
}

/** The CRC of two pieces, from the CRC of each and the second's length: the first times x^(8 * length), plus the second. */
export function combineCrc(name: 'CRC32' | 'CRC32C' | 'CRC64NVME', a: Buffer, b: Buffer, length: number): Buffer {
  const { width, polynomial } = polynomials[name]
  let power = 1n << (width - 1n)
  let square = 1n << (width - 2n)
  for (let exponent = BigInt(length) * 8n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) power = multiply(square, power, width, polynomial)
    square = multiply(square, square, width, polynomial)
  }
  const combined =
    multiply(power, BigInt(`0x${a.toString('hex')}`), width, polynomial) ^ BigInt(`0x${b.toString('hex')}`)
  return Buffer.from(combined.toString(16).padStart(Number(width) / 4, '0'), 'hex')
}

/** The checksum of an object that is made of parts. */
export function combineParts(
  algorithm: Algorithm,
  type: Checksum['type'],
  parts: { value: string; size: number }[],
): Checksum | undefined {
  const values = parts.map(part => Buffer.from(part.value, 'base64'))
  if (type === 'FULL_OBJECT') {
    if (algorithm === 'SHA1' || algorithm === 'SHA256') return undefined
    const whole = values.reduce<Buffer>(
      (sum, value, i) => (i === 0 ? value : combineCrc(algorithm, sum, value, parts[i]!.size)),
      Buffer.alloc(0),
    )
    return { algorithm, type, value: whole.toString('base64') }
  }
  const running = startChecksum(algorithm)
  for (const value of values) running.update(value)
  return { algorithm, type, value: `${running.digest().toString('base64')}-${parts.length}` }
}
