/** Why a certificate, or what is shown with it, is refused: a stable code, and the reason in words. */
export class Refusal extends Error {
  readonly code: string
  constructor(code: string, reason: string) {
    super(reason)
    this.code = code
  }
}

export type Bytes = Uint8Array<ArrayBuffer>

/** Bytes as hexadecimal digits. */
export const hex = (bytes: Uint8Array): string => [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')

export const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Base64 of the usual alphabet with its padding; any other spelling of the same bytes is refused. */
export function fromBase64(text: unknown, what: string): Bytes {
  const refused = new Refusal('malformed', `${what} is not base64`)
  if (typeof text !== 'string') throw refused
  try {
    const bytes = Uint8Array.from(atob(text), char => char.charCodeAt(0))
    if (toBase64(bytes) !== text) throw refused
    return bytes
  } catch {
    throw refused
  }
}

const toBase64 = (bytes: Uint8Array): string => btoa([...bytes].map(byte => String.fromCharCode(byte)).join(''))

export const toBase64Url = (bytes: Uint8Array): string =>
  toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** JSON that is an object. */
export function readObject(bytes: Uint8Array, what: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (isObject(value)) return value
  } catch {}
  throw new Refusal('malformed', `${what} is not a JSON object`)
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
