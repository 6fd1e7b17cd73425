import { createHash, createHmac, createSecretKey, type Hash, type Hmac } from 'node:crypto'

type Data = string | ArrayBuffer | ArrayBufferView

function bytesOf(data: Data): Buffer {
  if (typeof data === 'string') return Buffer.from(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength)
}

/**
 * SHA-256 and HMAC as clients of AWS sign requests with them. Told a key as bytes, as their own do, Node.js 24 makes an error inside
 * to find out that they are none of its keys: 12 µs a call instead of 2.
 */
export class Sha256 {
  readonly #make: () => Hash | Hmac
  #hash: Hash | Hmac

  constructor(secret?: Data) {
    const key = secret === undefined ? undefined : createSecretKey(bytesOf(secret))
    this.#make = () => (key ? createHmac('sha256', key) : createHash('sha256'))
    this.#hash = this.#make()
  }

  update(data: Data): void {
    this.#hash.update(bytesOf(data))
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest())
  }

  reset(): void {
    this.#hash = this.#make()
  }
}
