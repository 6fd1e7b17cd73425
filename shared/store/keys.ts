import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import {
  DecryptCommand,
  EncryptCommand,
  GenerateDataKeyWithoutPlaintextCommand,
  GenerateMacCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
} from '@aws-sdk/client-kms'
import { required, variable } from '../settings.ts'
import { transport } from '../transport.ts'
import { lean } from './lean-client.ts'
import { Sha256 } from './sha256.ts'

let client: KMSClient | undefined
const kms = (): KMSClient => {
  client ??= lean(new KMSClient({ maxAttempts: 5, sha256: Sha256, ...transport('KMS') }))
  return client
}

/** Keys that sign by ECDSA on P-256; the private half of a key never leaves KMS. */
type SigningKey = 'tokens' | 'audit' | 'certificates'

/** Signs up to 4,096 bytes: ECDSA over SHA-256, the signature in DER. */
export async function signWith(key: SigningKey, bytes: Uint8Array): Promise<Uint8Array> {
  const { Signature } = await kms().send(
    new SignCommand({
      KeyId: required(variable.key(key)),
      Message: bytes,
      MessageType: 'RAW',
      SigningAlgorithm: 'ECDSA_SHA_256',
    }),
  )
  return Signature!
}

/** Signs a message of any length by its SHA-256: ECDSA, the signature in DER. */
export async function signDigestWith(key: SigningKey, digest: Uint8Array): Promise<Uint8Array> {
  const { Signature } = await kms().send(
    new SignCommand({
      KeyId: required(variable.key(key)),
      Message: digest,
      MessageType: 'DIGEST',
      SigningAlgorithm: 'ECDSA_SHA_256',
    }),
  )
  return Signature!
}

/** Signs a checkpoint of the log, up to 4,096 bytes: Ed25519, the same signature each time. */
export async function signCheckpoint(text: string): Promise<Uint8Array> {
  const { Signature } = await kms().send(
    new SignCommand({
      KeyId: required(variable.key('transparency')),
      Message: Buffer.from(text),
      MessageType: 'RAW',
      SigningAlgorithm: 'ED25519_SHA_512',
    }),
  )
  return Signature!
}

const publicKeys = new Map<SigningKey | 'transparency', Promise<KeyObject>>()

/** The public half of a key; asked for once per sandbox. */
export function publicKeyOf(key: SigningKey | 'transparency'): Promise<KeyObject> {
  const known = publicKeys.get(key)
  if (known) return known
  const asked = kms()
    .send(new GetPublicKeyCommand({ KeyId: required(variable.key(key)) }))
    .then(({ PublicKey }) => createPublicKey({ key: Buffer.from(PublicKey!), format: 'der', type: 'spki' }))
    .catch(error => {
      publicKeys.delete(key)
      throw error
    })
  publicKeys.set(key, asked)
  return asked
}

/**
 * A secret that only this deployment can derive, the same every time: the HMAC of its purpose under the deployment's
 * key for hashes, which never leaves KMS.
 */
export async function deriveSecret(purpose: string): Promise<KeyObject> {
  const { Mac } = await kms().send(
    new GenerateMacCommand({
      KeyId: required(variable.key('hash')),
      Message: Buffer.from(purpose),
      MacAlgorithm: 'HMAC_SHA_256',
    }),
  )
  return createSecretKey(Mac!)
}

let hashSecret: Promise<KeyObject> | undefined

/** The secret of replacements by hashes, the same for all jobs; derived once per sandbox. */
export function deriveHashSecret(): Promise<KeyObject> {
  hashSecret ??= deriveSecret('hash').catch(error => {
    hashSecret = undefined
    throw error
  })
  return hashSecret
}

const digestKeys = new Map<string, Promise<KeyObject>>()

/** Digest of a text that only this deployment can make, hexadecimal; its key is derived once per purpose and sandbox. */
export async function keyedDigest(purpose: string, text: string): Promise<string> {
  const deriving = digestKeys.get(purpose) ?? deriveSecret(`digest:${purpose}`)
  digestKeys.set(purpose, deriving)
  deriving.catch(() => digestKeys.delete(purpose))
  return createHmac('sha256', await deriving)
    .update(text)
    .digest('hex')
}

/** KMS encrypts at most 4 KB, so it seals a key of its own for each secret, for this source only. */
const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a secret of any length so that it can be opened for the same source only. */
export async function sealSecret(sourceId: string, secret: string): Promise<string> {
  const key = randomBytes(32)
  const { CiphertextBlob } = await kms().send(
    new EncryptCommand({ KeyId: required(variable.key('data')), Plaintext: key, EncryptionContext: { sourceId } }),
  )
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(sourceId))
  const sealed = Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return [Buffer.from(CiphertextBlob!), sealed].map(part => part.toString('base64')).join('.')
}

/** Opens what {@link sealSecret} made. */
export async function openSecret(sourceId: string, text: string): Promise<string> {
  const [sealedKey, sealed] = text.split('.').map(part => Buffer.from(part, 'base64')) as [Buffer, Buffer]
  const { Plaintext } = await kms().send(
    new DecryptCommand({
      KeyId: required(variable.key('data')),
      CiphertextBlob: sealedKey,
      EncryptionContext: { sourceId },
    }),
  )
  const decipher = createDecipheriv(CIPHER, Plaintext!, sealed.subarray(0, IV_BYTES))
  decipher.setAAD(Buffer.from(sourceId)).setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString()
}

/** What a data key of reversible replacements belongs to: it must be said again to unwrap it. */
export type WrappedFor = { ownerId: string; keyId: string; generation: number }

/** Bytes of a data key. */
const DATA_KEY_BYTES = 64

const tokenContext = ({ ownerId, keyId, generation }: WrappedFor) => ({
  purpose: 'token',
  ownerId,
  keyId,
  generation: String(generation),
})

/** A new data key that nobody has seen, wrapped. */
export async function newDataKey(belongs: WrappedFor): Promise<Uint8Array> {
  const { CiphertextBlob } = await kms().send(
    new GenerateDataKeyWithoutPlaintextCommand({
      KeyId: required(variable.key('wrapping')),
      NumberOfBytes: DATA_KEY_BYTES,
      EncryptionContext: tokenContext(belongs),
    }),
  )
  return CiphertextBlob!
}

/** The data key that {@link newDataKey} made. */
export async function unwrapDataKey(belongs: WrappedFor, wrapped: Uint8Array): Promise<Uint8Array> {
  const { Plaintext } = await kms().send(
    new DecryptCommand({
      KeyId: required(variable.key('wrapping')),
      CiphertextBlob: wrapped,
      EncryptionContext: tokenContext(belongs),
    }),
  )
  return Plaintext!
}
