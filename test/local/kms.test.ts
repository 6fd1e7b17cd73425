import { createHash, createPublicKey, verify } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  CreateAliasCommand,
  CreateKeyCommand,
  DecryptCommand,
  DescribeKeyCommand,
  DisableKeyCommand,
  EnableKeyRotationCommand,
  EncryptCommand,
  GenerateDataKeyCommand,
  GenerateMacCommand,
  GetKeyRotationStatusCommand,
  GetPublicKeyCommand,
  KMSClient,
  ScheduleKeyDeletionCommand,
  SignCommand,
  VerifyCommand,
  VerifyMacCommand,
} from '@aws-sdk/client-kms'
import { startKMS } from 'aws-emulators'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runs } from '../runs.ts'
import { clientFor, emulated, temporaryDirectory } from './emulated.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

const usages = {
  SYMMETRIC_DEFAULT: 'ENCRYPT_DECRYPT',
  ECC_NIST_P256: 'SIGN_VERIFY',
  ECC_NIST_EDWARDS25519: 'SIGN_VERIFY',
  HMAC_256: 'GENERATE_VERIFY_MAC',
} as const

async function keyOf(kind: keyof typeof usages, options = {}) {
  const emulator = await emulated(startKMS, options)
  const kms = new KMSClient(clientFor(emulator))
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({ KeySpec: kind, KeyUsage: usages[kind] }))
  return { emulator, kms, KeyId: KeyMetadata!.KeyId!, arn: KeyMetadata!.Arn! }
}

describe('encryption', () => {
  test('gives back what was encrypted, under the same context only', async () => {
    const { kms, KeyId, arn } = await keyOf('SYMMETRIC_DEFAULT')
    const contexts = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.string({ maxLength: 20 }), {
      maxKeys: 3,
    })
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 4096 }),
        contexts,
        async (Plaintext, EncryptionContext) => {
          const { CiphertextBlob } = await kms.send(new EncryptCommand({ KeyId, Plaintext, EncryptionContext }))
          const opened = await kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext }))
          expect(Buffer.from(opened.Plaintext!)).toEqual(Buffer.from(Plaintext))
          expect(opened.KeyId).toBe(arn)
          const other = { ...EncryptionContext, more: 'x' }
          await expect(kms.send(new DecryptCommand({ CiphertextBlob, EncryptionContext: other }))).rejects.toThrow(
            expect.objectContaining({ name: 'InvalidCiphertextException' }),
          )
        },
      ),
      { numRuns: 25 },
    )
  })

  test('refuses a ciphertext of which any byte is changed', async () => {
    const { kms, KeyId } = await keyOf('SYMMETRIC_DEFAULT')
    const { CiphertextBlob } = await kms.send(new EncryptCommand({ KeyId, Plaintext: bytes('secret') }))
    for (const at of [0, 5, 36, 40, 50, 60, CiphertextBlob!.length - 1]) {
      const changed = Uint8Array.from(CiphertextBlob!)
      changed[at]! ^= 1
      await expect(kms.send(new DecryptCommand({ CiphertextBlob: changed }))).rejects.toThrow(
        expect.objectContaining({ name: expect.stringMatching(/^(InvalidCiphertext|NotFound)Exception$/) }),
      )
    }
  })

  test('names the key that does not fit', async () => {
    const { kms, KeyId } = await keyOf('SYMMETRIC_DEFAULT')
    const { KeyMetadata } = await kms.send(new CreateKeyCommand({}))
    const { CiphertextBlob } = await kms.send(new EncryptCommand({ KeyId, Plaintext: bytes('secret') }))
    const wrong = kms.send(new DecryptCommand({ CiphertextBlob, KeyId: KeyMetadata!.KeyId }))
    await expect(wrong).rejects.toThrow(expect.objectContaining({ name: 'IncorrectKeyException' }))
  })

  test('makes data keys that decrypt to themselves', async () => {
    const { kms, KeyId } = await keyOf('SYMMETRIC_DEFAULT')
    const EncryptionContext = { source: '1' }
    const made = await kms.send(new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext }))
    expect(made.Plaintext).toHaveLength(32)
    const opened = await kms.send(new DecryptCommand({ CiphertextBlob: made.CiphertextBlob, EncryptionContext }))
    expect(Buffer.from(opened.Plaintext!)).toEqual(Buffer.from(made.Plaintext!))
  })
})

test('signatures are DER and verify with the public key alone', async () => {
  const { kms, KeyId } = await keyOf('ECC_NIST_P256')
  const Message = bytes('header.payload')
  const { Signature } = await kms.send(new SignCommand({ KeyId, Message, SigningAlgorithm: 'ECDSA_SHA_256' }))
  const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId }))
  const key = createPublicKey({ key: Buffer.from(PublicKey!), type: 'spki', format: 'der' })
  expect(verify('sha256', Message, { key, dsaEncoding: 'der' }, Signature!)).toBe(true)
  const check = (message: Uint8Array) =>
    kms.send(new VerifyCommand({ KeyId, Message: message, Signature, SigningAlgorithm: 'ECDSA_SHA_256' }))
  expect((await check(Message)).SignatureValid).toBe(true)
  await expect(check(bytes('other'))).rejects.toThrow(expect.objectContaining({ name: 'KMSInvalidSignatureException' }))
  const digest = createHash('sha256').update(Message).digest()
  const asDigest = { KeyId, Message: digest, MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' } as const
  await expect(kms.send(new VerifyCommand({ ...asDigest, Signature }))).rejects.toThrow(
    expect.objectContaining({ name: 'UnsupportedOperationException' }),
  )
})

test('a digest of any message is signed as the message is', async () => {
  const { kms, KeyId } = await keyOf('ECC_NIST_P256')
  const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId }))
  const key = createPublicKey({ key: Buffer.from(PublicKey!), type: 'spki', format: 'der' })
  const by = { KeyId, MessageType: 'DIGEST', SigningAlgorithm: 'ECDSA_SHA_256' } as const
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 20_000 }), async message => {
      const Message = createHash('sha256').update(message).digest()
      const { Signature } = await kms.send(new SignCommand({ ...by, Message }))
      expect(verify('sha256', message, { key, dsaEncoding: 'der' }, Signature!)).toBe(true)
    }),
    { numRuns: runs(300) },
  )
  await expect(kms.send(new SignCommand({ ...by, Message: bytes('no digest') }))).rejects.toThrow(
    expect.objectContaining({ name: 'ValidationException' }),
  )
})

test('signatures by Ed25519 are the same for the same message, and verify with the public key alone', async () => {
  const { kms, KeyId } = await keyOf('ECC_NIST_EDWARDS25519')
  const by = { KeyId, Message: bytes('origin\n1\nroot\n'), SigningAlgorithm: 'ED25519_SHA_512' } as const
  const { Signature } = await kms.send(new SignCommand({ ...by, MessageType: 'RAW' }))
  expect((await kms.send(new SignCommand(by))).Signature).toEqual(Signature)
  const { PublicKey, SigningAlgorithms } = await kms.send(new GetPublicKeyCommand({ KeyId }))
  expect(SigningAlgorithms).toEqual(['ED25519_SHA_512'])
  const key = createPublicKey({ key: Buffer.from(PublicKey!), type: 'spki', format: 'der' })
  expect(key.asymmetricKeyType).toBe('ed25519')
  expect(verify(null, by.Message, key, Signature!)).toBe(true)
  expect((await kms.send(new VerifyCommand({ ...by, Signature }))).SignatureValid).toBe(true)
  const refusals = [
    ['KMSInvalidSignatureException', new VerifyCommand({ ...by, Message: bytes('other'), Signature })],
    ['ValidationException', new SignCommand({ ...by, MessageType: 'DIGEST' })],
    ['InvalidKeyUsageException', new SignCommand({ ...by, SigningAlgorithm: 'ECDSA_SHA_256' })],
  ] as const
  for (const [name, command] of refusals)
    await expect(kms.send(command as SignCommand)).rejects.toThrow(expect.objectContaining({ name }))
  const other = await keyOf('ECC_NIST_P256')
  const wrong = new SignCommand({ ...by, KeyId: other.KeyId })
  await expect(other.kms.send(wrong)).rejects.toThrow(expect.objectContaining({ name: 'InvalidKeyUsageException' }))
})

test('MACs are the same for the same message, and verify', async () => {
  const { kms, KeyId } = await keyOf('HMAC_256')
  const Message = bytes('value')
  const mac = async () =>
    (await kms.send(new GenerateMacCommand({ KeyId, Message, MacAlgorithm: 'HMAC_SHA_256' }))).Mac!
  const Mac = await mac()
  expect(Mac).toHaveLength(32)
  expect(Buffer.from(await mac())).toEqual(Buffer.from(Mac))
  const check = (given: Uint8Array) =>
    kms.send(new VerifyMacCommand({ KeyId, Message, Mac: given, MacAlgorithm: 'HMAC_SHA_256' }))
  expect((await check(Mac)).MacValid).toBe(true)
  await expect(check(new Uint8Array(32))).rejects.toThrow(expect.objectContaining({ name: 'KMSInvalidMacException' }))
})

test('a key is for one use, and of no use when disabled or about to be deleted', async () => {
  const { kms, KeyId } = await keyOf('HMAC_256')
  const encrypt = (id: string) => kms.send(new EncryptCommand({ KeyId: id, Plaintext: bytes('x') }))
  await expect(encrypt(KeyId)).rejects.toThrow(expect.objectContaining({ name: 'InvalidKeyUsageException' }))
  await expect(encrypt('none')).rejects.toThrow(expect.objectContaining({ name: 'NotFoundException' }))
  const { KeyMetadata } = await kms.send(new CreateKeyCommand({}))
  const id = KeyMetadata!.KeyId!
  await kms.send(new DisableKeyCommand({ KeyId: id }))
  await expect(encrypt(id)).rejects.toThrow(expect.objectContaining({ name: 'DisabledException' }))
  await kms.send(new ScheduleKeyDeletionCommand({ KeyId: id, PendingWindowInDays: 7 }))
  await expect(encrypt(id)).rejects.toThrow(expect.objectContaining({ name: 'KMSInvalidStateException' }))
  const unknown = kms.send(new CreateKeyCommand({ KeySpec: 'RSA_2048', KeyUsage: 'SIGN_VERIFY' }))
  await expect(unknown).rejects.toThrow(expect.objectContaining({ name: 'UnsupportedOperationException' }))
})

test('keys, aliases and settings stay, in a file for its owner only, until their deletion is due', async () => {
  const directory = temporaryDirectory()
  let time = Date.now()
  const { kms, KeyId, emulator } = await keyOf('SYMMETRIC_DEFAULT', { directory })
  await kms.send(new EnableKeyRotationCommand({ KeyId }))
  await kms.send(new CreateAliasCommand({ AliasName: 'alias/data', TargetKeyId: KeyId }))
  const { CiphertextBlob } = await kms.send(new EncryptCommand({ KeyId: 'alias/data', Plaintext: bytes('kept') }))
  await emulator.close()
  expect(statSync(join(directory, 'keys.json')).mode & 0o777).toBe(0o600)
  const second = await emulated(startKMS, { directory, now: () => time })
  const again = new KMSClient(clientFor(second))
  const opened = await again.send(new DecryptCommand({ CiphertextBlob }))
  expect(Buffer.from(opened.Plaintext!).toString()).toBe('kept')
  expect((await again.send(new GetKeyRotationStatusCommand({ KeyId }))).KeyRotationEnabled).toBe(true)
  await again.send(new ScheduleKeyDeletionCommand({ KeyId, PendingWindowInDays: 7 }))
  expect((await again.send(new DescribeKeyCommand({ KeyId }))).KeyMetadata?.KeyState).toBe('PendingDeletion')
  time += 8 * 86_400_000
  const later = new KMSClient({ ...clientFor(second), systemClockOffset: 8 * 86_400_000 })
  await expect(later.send(new DescribeKeyCommand({ KeyId }))).rejects.toThrow(
    expect.objectContaining({ name: 'NotFoundException' }),
  )
})
