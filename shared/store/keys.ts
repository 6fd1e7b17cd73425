import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import {
  DecryptCommand,
  EncryptCommand,
  GenerateMacCommand,
  GetPublicKeyCommand,
  KMSClient,
  SignCommand,
} from '@aws-sdk/client-kms'
import { required, variable } from '../settings.ts'

let client: KMSClient | undefined
const kms = (): KMSClient => {
  client ??= new KMSClient({ maxAttempts: 5 })
  return client
}

/** Signs up to 4,096 bytes with the key for tokens: ECDSA over SHA-256, the signature in DER. */
export async function signToken(bytes: Uint8Array): Promise<Uint8Array> {
  const { Signature } = await kms().send(
    new SignCommand({
      KeyId: required(variable.key('tokens')),
      Message: bytes,
      MessageType: 'RAW',
      SigningAlgorithm: 'ECDSA_SHA_256',
    }),
  )
  return Signature!
}

let tokenKey: Promise<KeyObject> | undefined

/** The public half of the key for tokens; asked for once per sandbox. */
export function tokenPublicKey(): Promise<KeyObject> {
  tokenKey ??= kms()
    .send(new GetPublicKeyCommand({ KeyId: required(variable.key('tokens')) }))
    .then(({ PublicKey }) => createPublicKey({ key: Buffer.from(PublicKey!), format: 'der', type: 'spki' }))
    .catch(error => {
      tokenKey = undefined
      throw error
    })
  return tokenKey
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

/** Encrypts a secret so that it can be opened for the same source only. Answers base64. */
export async function sealSecret(sourceId: string, secret: string): Promise<string> {
  const { CiphertextBlob } = await kms().send(
    new EncryptCommand({
      KeyId: required(variable.key('data')),
      Plaintext: Buffer.from(secret),
      EncryptionContext: { sourceId },
    }),
  )
  return Buffer.from(CiphertextBlob!).toString('base64')
}

/** Opens what {@link sealSecret} made. */
export async function openSecret(sourceId: string, sealed: string): Promise<string> {
  const { Plaintext } = await kms().send(
    new DecryptCommand({
      KeyId: required(variable.key('data')),
      CiphertextBlob: Buffer.from(sealed, 'base64'),
      EncryptionContext: { sourceId },
    }),
  )
  return Buffer.from(Plaintext!).toString()
}
