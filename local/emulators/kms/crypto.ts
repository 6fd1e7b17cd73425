import { createHmac, createPublicKey, randomBytes, sign, timingSafeEqual, verify } from 'node:crypto'
import * as z from 'zod'
import { AwsError } from '../aws/errors.ts'
import { type Context, type Operation, operation } from '../aws/json.ts'
import { signDigest } from './ecdsa.ts'
import { type EncryptionContext, keyIdOf, seal, unseal } from './envelope.ts'
import { type Key, type Keyring, privateKey, type Spec, specs } from './keyring.ts'

const KeyId = z.string().min(1).max(2048)
const Words = z.record(z.string(), z.string()).optional()
const GrantTokens = z.array(z.string()).max(10).optional()
const blob = (most: number) =>
  z
    .base64()
    .transform(text => Buffer.from(text, 'base64'))
    .refine(bytes => bytes.length > 0 && bytes.length <= most)
const SymmetricAlgorithm = z.literal('SYMMETRIC_DEFAULT').optional()
const SigningAlgorithm = z.enum(['ECDSA_SHA_256', 'ED25519_SHA_512'])
const MacAlgorithm = z.literal('HMAC_SHA_256')
const DataKey = z.strictObject({
  KeyId,
  KeySpec: z.enum(['AES_256', 'AES_128']).optional(),
  NumberOfBytes: z.int().min(1).max(1024).optional(),
  EncryptionContext: Words,
  GrantTokens,
})
const Signing = {
  KeyId,
  Message: blob(4096),
  MessageType: z.enum(['RAW', 'DIGEST']).optional(),
  SigningAlgorithm,
  GrantTokens,
}

/** The condition keys of an encryption context. */
const conditions = (context: EncryptionContext = {}) =>
  Object.fromEntries(Object.entries(context).map(([name, value]) => [`kms:EncryptionContext:${name}`, value]))

/** What a key of each kind signs by. */
const algorithmOf: Partial<Record<Spec, z.output<typeof SigningAlgorithm>>> = {
  ECC_NIST_P256: 'ECDSA_SHA_256',
  ECC_NIST_EDWARDS25519: 'ED25519_SHA_512',
}

/** Checking a digest instead of a message needs ECDSA without hashing, which Node.js doesn't offer: refused, not guessed. */
function refuseDigest(type: string | undefined): void {
  if (type === 'DIGEST') throw new AwsError('UnsupportedOperationException', 'MessageType DIGEST is not supported here')
}

/** The signature of a message or, on P-256, of the SHA-256 of one: ECDSA in DER, Ed25519 as it is. */
function signed(key: Key, message: Buffer, type: 'RAW' | 'DIGEST' = 'RAW'): Buffer {
  if (key.spec === 'ECC_NIST_EDWARDS25519') {
    if (type === 'RAW') return sign(null, message, privateKey(key))
    throw new AwsError('ValidationException', 'ED25519_SHA_512 signing algorithm requires MessageType:RAW')
  }
  if (type === 'RAW') return sign('sha256', message, { key: privateKey(key), dsaEncoding: 'der' })
  if (message.length !== 32)
    throw new AwsError('ValidationException', 'Digest is invalid length for algorithm ECDSA_SHA_256.')
  return signDigest(privateKey(key), message)
}

/** Whether a key has signed a message. */
function isSigned(key: Key, message: Buffer, signature: Buffer): boolean {
  const publicKey = createPublicKey(privateKey(key))
  if (key.spec === 'ECC_NIST_EDWARDS25519') return verify(null, message, publicKey, signature)
  return verify('sha256', message, { key: publicKey, dsaEncoding: 'der' }, signature)
}

/** A key that the caller may use for an action, which is of one of the kinds that the action takes. */
function use(
  key: Key,
  spec: Spec | readonly Spec[],
  action: string,
  { authorize }: Context,
  context?: EncryptionContext,
): Key {
  authorize(action, key.arn, conditions(context))
  if (key.deletion !== undefined) throw new AwsError('KMSInvalidStateException', `${key.arn} is pending deletion.`)
  if (!key.enabled) throw new AwsError('DisabledException', `${key.arn} is disabled.`)
  if (![spec].flat().includes(key.spec))
    throw new AwsError(
      'InvalidKeyUsageException',
      `${key.arn} key usage is ${specs[key.spec]} which is not valid for ${action}.`,
    )
  return key
}

function dataKey(keyring: Keyring, input: z.output<typeof DataKey>, action: string, context: Context) {
  const { KeyId: id, KeySpec, NumberOfBytes, EncryptionContext: words = {} } = input
  if ((KeySpec === undefined) === (NumberOfBytes === undefined))
    throw new AwsError('ValidationException', 'Please specify either number of bytes or key spec.')
  const key = use(keyring.find(id), 'SYMMETRIC_DEFAULT', action, context, words)
  const plaintext = randomBytes(NumberOfBytes ?? (KeySpec === 'AES_128' ? 16 : 32))
  return { key, plaintext, sealed: seal(key, plaintext, words) }
}

const macOf = (key: Key, message: Buffer) =>
  createHmac('sha256', Buffer.from(key.secret, 'base64')).update(message).digest()

const encryptionOperations = (keyring: Keyring): Record<string, Operation> => ({
  Encrypt: operation(
    z.strictObject({
      KeyId,
      Plaintext: blob(4096),
      EncryptionContext: Words,
      GrantTokens,
      EncryptionAlgorithm: SymmetricAlgorithm,
    }),
    ({ KeyId: id, Plaintext, EncryptionContext: words = {} }, context) => {
      const key = use(keyring.find(id), 'SYMMETRIC_DEFAULT', 'Encrypt', context, words)
      const CiphertextBlob = seal(key, Plaintext, words).toString('base64')
      return { CiphertextBlob, KeyId: key.arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' }
    },
  ),
  Decrypt: operation(
    z.strictObject({
      ...{ KeyId: KeyId.optional(), CiphertextBlob: blob(6144), EncryptionContext: Words, GrantTokens },
      EncryptionAlgorithm: SymmetricAlgorithm,
    }),
    ({ KeyId: id, CiphertextBlob, EncryptionContext: words = {} }, context) => {
      const key = use(keyring.find(keyIdOf(CiphertextBlob)), 'SYMMETRIC_DEFAULT', 'Decrypt', context, words)
      if (id !== undefined && keyring.find(id).id !== key.id)
        throw new AwsError(
          'IncorrectKeyException',
          'The key ID in the request does not identify the CMK that was used to encrypt.',
        )
      const Plaintext = unseal(key, CiphertextBlob, words).toString('base64')
      return { Plaintext, KeyId: key.arn, EncryptionAlgorithm: 'SYMMETRIC_DEFAULT' }
    },
  ),
  GenerateDataKey: operation(DataKey, (input, context) => {
    const { key, plaintext, sealed } = dataKey(keyring, input, 'GenerateDataKey', context)
    return { CiphertextBlob: sealed.toString('base64'), Plaintext: plaintext.toString('base64'), KeyId: key.arn }
  }),
  GenerateDataKeyWithoutPlaintext: operation(DataKey, (input, context) => {
    const { key, sealed } = dataKey(keyring, input, 'GenerateDataKeyWithoutPlaintext', context)
    return { CiphertextBlob: sealed.toString('base64'), KeyId: key.arn }
  }),
  GenerateRandom: operation(z.strictObject({ NumberOfBytes: z.int().min(1).max(1024) }), (input, { authorize }) => {
    authorize('GenerateRandom', '*')
    return { Plaintext: randomBytes(input.NumberOfBytes).toString('base64') }
  }),
})

/** A key that signs, by the algorithm that is asked for. */
function useToSign(
  key: Key,
  algorithm: z.output<typeof SigningAlgorithm> | undefined,
  action: string,
  context: Context,
) {
  use(key, ['ECC_NIST_P256', 'ECC_NIST_EDWARDS25519'], action, context)
  if (algorithm !== undefined && algorithm !== algorithmOf[key.spec])
    throw new AwsError('InvalidKeyUsageException', `Algorithm ${algorithm} is incompatible with key spec ${key.spec}.`)
  return key
}

const signingOperations = (keyring: Keyring): Record<string, Operation> => ({
  Sign: operation(
    z.strictObject(Signing),
    ({ KeyId: id, Message, MessageType, SigningAlgorithm: algorithm }, context) => {
      const key = useToSign(keyring.find(id), algorithm, 'Sign', context)
      const Signature = signed(key, Message, MessageType).toString('base64')
      return { KeyId: key.arn, Signature, SigningAlgorithm: algorithm }
    },
  ),
  Verify: operation(
    z.strictObject({ ...Signing, Signature: blob(6144) }),
    ({ KeyId: id, Message, MessageType, Signature, SigningAlgorithm: algorithm }, context) => {
      const key = useToSign(keyring.find(id), algorithm, 'Verify', context)
      refuseDigest(MessageType)
      if (!isSigned(key, Message, Signature))
        throw new AwsError('KMSInvalidSignatureException', 'The signature is not valid')
      return { KeyId: key.arn, SignatureValid: true, SigningAlgorithm: algorithm }
    },
  ),
  GetPublicKey: operation(z.strictObject({ KeyId, GrantTokens }), ({ KeyId: id }, context) => {
    const key = useToSign(keyring.find(id), undefined, 'GetPublicKey', context)
    const PublicKey = createPublicKey(privateKey(key)).export({ type: 'spki', format: 'der' }).toString('base64')
    const uses = { KeySpec: key.spec, CustomerMasterKeySpec: key.spec, KeyUsage: specs[key.spec] }
    return { KeyId: key.arn, PublicKey, ...uses, SigningAlgorithms: [algorithmOf[key.spec]] }
  }),
})

const macOperations = (keyring: Keyring): Record<string, Operation> => ({
  GenerateMac: operation(
    z.strictObject({ KeyId, Message: blob(4096), MacAlgorithm, GrantTokens }),
    ({ KeyId: id, Message }, context) => {
      const key = use(keyring.find(id), 'HMAC_256', 'GenerateMac', context)
      return { Mac: macOf(key, Message).toString('base64'), MacAlgorithm: 'HMAC_SHA_256', KeyId: key.arn }
    },
  ),
  VerifyMac: operation(
    z.strictObject({ KeyId, Message: blob(4096), Mac: blob(6144), MacAlgorithm, GrantTokens }),
    ({ KeyId: id, Message, Mac }, context) => {
      const key = use(keyring.find(id), 'HMAC_256', 'VerifyMac', context)
      const expected = macOf(key, Message)
      if (Mac.length !== expected.length || !timingSafeEqual(Mac, expected))
        throw new AwsError('KMSInvalidMacException', 'The MAC is not valid')
      return { KeyId: key.arn, MacValid: true, MacAlgorithm: 'HMAC_SHA_256' }
    },
  ),
})

/** The operations that use keys. */
export const cryptoOperations = (keyring: Keyring): Record<string, Operation> => ({
  ...encryptionOperations(keyring),
  ...signingOperations(keyring),
  ...macOperations(keyring),
})
