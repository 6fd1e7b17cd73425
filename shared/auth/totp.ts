import { createHmac } from 'node:crypto'

/** Seconds that a code is shown for (RFC 6238). */
const STEP_SECONDS = 30
/** Steps before and after the current one whose codes are good too: clocks differ. */
const DRIFT = 1
const DIGITS = 6

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Bytes in base 32 without padding (RFC 4648), as apps for codes want a secret. */
export function inBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map(byte => byte.toString(2).padStart(8, '0')).join('')
  return bits.replace(/.{1,5}/g, group => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]!)
}

/** The step of a time in milliseconds since 1970. */
export const stepAt = (milliseconds: number): number => Math.floor(milliseconds / 1000 / STEP_SECONDS)

/** The code of a step, six digits unless told otherwise: RFC 6238 over HMAC-SHA-1, which is what apps know. */
export function codeOf(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac[19]! & 0xf) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step near a time that a code belongs to; undefined for a wrong code. */
export function stepOf(secret: Uint8Array, code: string, milliseconds: number): number | undefined {
  const now = stepAt(milliseconds)
  const near = Array.from({ length: 2 * DRIFT + 1 }, (_, n) => now - DRIFT + n)
  return near.find(step => codeOf(secret, step) === code)
}

/** The address that apps read from a picture (`otpauth:`). */
export function addressOf(secret: Uint8Array, email: string): string {
  const issuer = 'Anonymisation service'
  const query = new URLSearchParams({ secret: inBase32(secret), issuer }).toString().replaceAll('+', '%20')
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query}`
}
