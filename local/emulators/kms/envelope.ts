import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { AwsError } from '../aws/errors.ts'
import type { Key } from './keyring.ts'

/** What must be said again, word for word, to decrypt. */
export type EncryptionContext = Readonly<Record<string, string>>

// version (1 byte), key id (36), nonce (12), tag (16), encrypted bytes
const VERSION = 1
const HEADER = 1 + 36 + 12 + 16

const authenticated = (keyId: string, context: EncryptionContext) =>
  Buffer.from(JSON.stringify([keyId, Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))]))

/** Encrypts with AES-256-GCM; the key's id and the context are authenticated. */
export function seal(key: Key, plaintext: Buffer, context: EncryptionContext): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key.secret, 'base64'), nonce)
  cipher.setAAD(authenticated(key.id, context))
  const encrypted = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return Buffer.concat([Buffer.from([VERSION]), Buffer.from(key.id), nonce, cipher.getAuthTag(), encrypted])
}

const refused = () =>
  new AwsError('InvalidCiphertextException', 'The ciphertext or its encryption context is not valid')

/** The id of the key that something was encrypted under. */
export function keyIdOf(sealed: Buffer): string {
  if (sealed.length < HEADER || sealed[0] !== VERSION) throw refused()
  return sealed.subarray(1, 37).toString('latin1')
}

/** Decrypts; throws `InvalidCiphertextException` for the slightest change of ciphertext or context. */
export function unseal(key: Key, sealed: Buffer, context: EncryptionContext): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key.secret, 'base64'), sealed.subarray(37, 49))
  decipher.setAAD(authenticated(key.id, context))
  decipher.setAuthTag(sealed.subarray(49, HEADER))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEADER)), decipher.final()])
  } catch {
    throw refused()
  }
}
