import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto'
import type { Webhook } from '../api/webhooks.ts'

/** Bytes of a secret that a receiver shares; the standard asks for 24 to 64. */
const SECRET_BYTES = 32
/** What comes before the 32 bytes of a private key of Ed25519 in PKCS #8, and of a public one in SPKI (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')
const SPKI_BYTES = 12

/** A new secret (`whsec_`) or private key (`whsk_`) as Standard Webhooks write them. */
export function newKey(signing: Webhook['signing']): string {
  if (signing === 'hmac') return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
  const der = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' })
  return `whsk_${der.subarray(PKCS8.length).toString('base64')}`
}

const bytesOf = (key: string): Buffer => Buffer.from(key.slice(key.indexOf('_') + 1), 'base64')

const privateKeyOf = (key: string): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, bytesOf(key)]), format: 'der', type: 'pkcs8' })

/** The public half (`whpk_`) of a private key; null of a secret, which has none. */
export function publicKeyOf(key: string): string | null {
  if (!key.startsWith('whsk_')) return null
  const der = createPublicKey(privateKeyOf(key)).export({ format: 'der', type: 'spki' })
  return `whpk_${der.subarray(SPKI_BYTES).toString('base64')}`
}

/** The signature of a message under a key, with its version. `timestamp`: seconds. */
export function signature(key: string, { id, timestamp, body }: { id: string; timestamp: number; body: string }) {
  const signed = Buffer.from(`${id}.${timestamp}.${body}`)
  if (key.startsWith('whsk_')) return `v1a,${sign(null, signed, privateKeyOf(key)).toString('base64')}`
  return `v1,${createHmac('sha256', bytesOf(key)).update(signed).digest('base64')}`
}
