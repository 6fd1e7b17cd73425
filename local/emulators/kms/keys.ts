import * as z from 'zod'
import { AwsError } from '../aws/errors.ts'
import { account } from '../aws/hooks.ts'
import { type Context, type Operation, operation } from '../aws/json.ts'
import { type Key, type Keyring, makeKey, type Spec, specs } from './keyring.ts'

const KeyId = z.string().min(1).max(2048)
const One = z.strictObject({ KeyId })
const Tags = z.array(z.strictObject({ TagKey: z.string(), TagValue: z.string() }))
const Page = { Limit: z.int().min(1).max(1000).optional(), Marker: z.string().optional() }
const CreateKey = z.strictObject({
  Description: z.string().max(8192).optional(),
  KeySpec: z.string().optional(),
  KeyUsage: z.enum(['ENCRYPT_DECRYPT', 'SIGN_VERIFY', 'GENERATE_VERIFY_MAC']).optional(),
  Policy: z.string().max(131_072).optional(),
  BypassPolicyLockoutSafetyCheck: z.boolean().optional(),
  Origin: z.literal('AWS_KMS').optional(),
  MultiRegion: z.literal(false).optional(),
  Tags: Tags.optional(),
})

const Rotation = z.strictObject({ KeyId, RotationPeriodInDays: z.int().min(90).max(2560).optional() })

const DAY = 86_400_000

function describe(key: Key) {
  const algorithms = {
    SYMMETRIC_DEFAULT: { EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'] },
    ECC_NIST_P256: { SigningAlgorithms: ['ECDSA_SHA_256'] },
    ECC_NIST_EDWARDS25519: { SigningAlgorithms: ['ED25519_SHA_512'] },
    HMAC_256: { MacAlgorithms: ['HMAC_SHA_256'] },
  }[key.spec]
  return {
    AWSAccountId: account,
    KeyId: key.id,
    Arn: key.arn,
    CreationDate: key.created / 1000,
    Description: key.description,
    Enabled: key.enabled && key.deletion === undefined,
    KeyState: key.deletion === undefined ? (key.enabled ? 'Enabled' : 'Disabled') : 'PendingDeletion',
    DeletionDate: key.deletion === undefined ? undefined : key.deletion / 1000,
    KeyManager: 'CUSTOMER',
    Origin: 'AWS_KMS',
    MultiRegion: false,
    KeySpec: key.spec,
    CustomerMasterKeySpec: key.spec,
    KeyUsage: specs[key.spec],
    ...algorithms,
  }
}

function specOf({ KeySpec = 'SYMMETRIC_DEFAULT', KeyUsage }: z.output<typeof CreateKey>): Spec {
  if (!Object.hasOwn(specs, KeySpec))
    throw new AwsError('UnsupportedOperationException', `KeySpec ${KeySpec} is not supported here`)
  const spec = KeySpec as Spec
  if ((KeyUsage ?? 'ENCRYPT_DECRYPT') !== specs[spec])
    throw new AwsError(
      'ValidationException',
      `KeyUsage ${KeyUsage ?? 'ENCRYPT_DECRYPT'} is not compatible with KeySpec ${KeySpec}`,
    )
  return spec
}

function open(keyring: Keyring, id: string, action: string, { authorize }: Context): Key {
  const key = keyring.find(id)
  authorize(action, key.arn)
  return key
}

const pending = ({ arn }: Key) => new AwsError('KMSInvalidStateException', `${arn} is pending deletion.`)

/** An operation that changes a key that isn't about to be deleted. */
const change = (keyring: Keyring, action: string, edit: (key: Key) => Partial<Key>) =>
  operation(One, (input, context) => {
    const key = open(keyring, input.KeyId, action, context)
    if (key.deletion !== undefined) throw pending(key)
    keyring.save({ ...key, ...edit(key) })
  })

const rotatable = (key: Key) => {
  if (key.spec !== 'SYMMETRIC_DEFAULT')
    throw new AwsError('UnsupportedOperationException', 'Only symmetric encryption keys rotate')
}

const keyLifeOperations = (keyring: Keyring, now: () => number): Record<string, Operation> => ({
  CreateKey: operation(CreateKey, (input, { authorize, region }) => {
    authorize('CreateKey', '*')
    const arnOf = (id: string) => `arn:aws:kms:${region}:${account}:key/${id}`
    const key = makeKey(specOf(input), arnOf, now(), input.Description)
    const tags = Object.fromEntries((input.Tags ?? []).map(({ TagKey, TagValue }) => [TagKey, TagValue]))
    keyring.save({ ...key, tags, policy: input.Policy })
    return { KeyMetadata: describe(key) }
  }),
  DescribeKey: operation(z.strictObject({ KeyId, GrantTokens: z.array(z.string()).optional() }), (input, context) => ({
    KeyMetadata: describe(open(keyring, input.KeyId, 'DescribeKey', context)),
  })),
  ListKeys: operation(z.strictObject(Page), ({ Limit = 100, Marker }, { authorize }) => {
    authorize('ListKeys', '*')
    const start = Number(Marker ?? 0)
    const found = keyring.keys()
    const Keys = found.slice(start, start + Limit).map(key => ({ KeyId: key.id, KeyArn: key.arn }))
    const Truncated = found.length > start + Limit
    return { Keys, Truncated, NextMarker: Truncated ? String(start + Limit) : undefined }
  }),
  EnableKey: change(keyring, 'EnableKey', () => ({ enabled: true })),
  DisableKey: change(keyring, 'DisableKey', () => ({ enabled: false })),
  ScheduleKeyDeletion: operation(
    z.strictObject({ KeyId, PendingWindowInDays: z.int().min(7).max(30).optional() }),
    (input, context) => {
      const key = open(keyring, input.KeyId, 'ScheduleKeyDeletion', context)
      if (key.deletion !== undefined) throw pending(key)
      const days = input.PendingWindowInDays ?? 30
      const deletion = now() + days * DAY
      keyring.save({ ...key, deletion })
      return { KeyId: key.arn, DeletionDate: deletion / 1000, KeyState: 'PendingDeletion', PendingWindowInDays: days }
    },
  ),
  CancelKeyDeletion: operation(One, (input, context) => {
    const key = open(keyring, input.KeyId, 'CancelKeyDeletion', context)
    if (key.deletion === undefined)
      throw new AwsError('KMSInvalidStateException', `${key.arn} is not pending deletion.`)
    keyring.save({ ...key, deletion: undefined, enabled: false })
    return { KeyId: key.arn }
  }),
})

// Remembered only: the key material of the local cloud stays the same.
const rotationOperations = (keyring: Keyring): Record<string, Operation> => ({
  EnableKeyRotation: operation(Rotation, (input, context) => {
    const key = open(keyring, input.KeyId, 'EnableKeyRotation', context)
    rotatable(key)
    keyring.save({ ...key, rotation: input.RotationPeriodInDays ?? 365 })
  }),
  DisableKeyRotation: change(keyring, 'DisableKeyRotation', key => {
    rotatable(key)
    return { rotation: undefined }
  }),
  GetKeyRotationStatus: operation(One, (input, context) => {
    const key = open(keyring, input.KeyId, 'GetKeyRotationStatus', context)
    return { KeyId: key.arn, KeyRotationEnabled: key.rotation !== undefined, RotationPeriodInDays: key.rotation }
  }),
})

const policyOperations = (keyring: Keyring): Record<string, Operation> => ({
  PutKeyPolicy: operation(
    z.strictObject({
      ...{ KeyId, PolicyName: z.literal('default').optional(), Policy: z.string().max(131_072) },
      BypassPolicyLockoutSafetyCheck: z.boolean().optional(),
    }),
    (input, context) => {
      keyring.save({ ...open(keyring, input.KeyId, 'PutKeyPolicy', context), policy: input.Policy })
      return undefined
    },
  ),
  GetKeyPolicy: operation(z.strictObject({ KeyId, PolicyName: z.literal('default').optional() }), (input, context) => {
    const { policy, arn } = open(keyring, input.KeyId, 'GetKeyPolicy', context)
    if (policy === undefined) throw new AwsError('NotFoundException', `${arn} has no policy`)
    return { Policy: policy, PolicyName: 'default' }
  }),
  TagResource: operation(z.strictObject({ KeyId, Tags }), (input, context) => {
    const key = open(keyring, input.KeyId, 'TagResource', context)
    const added = Object.fromEntries(input.Tags.map(({ TagKey, TagValue }) => [TagKey, TagValue]))
    keyring.save({ ...key, tags: { ...key.tags, ...added } })
  }),
  ListResourceTags: operation(z.strictObject({ KeyId, ...Page }), (input, context) => {
    const key = open(keyring, input.KeyId, 'ListResourceTags', context)
    return { Tags: Object.entries(key.tags).map(([TagKey, TagValue]) => ({ TagKey, TagValue })), Truncated: false }
  }),
})

const aliasOperations = (keyring: Keyring): Record<string, Operation> => ({
  CreateAlias: operation(z.strictObject({ AliasName: z.string(), TargetKeyId: KeyId }), (input, context) => {
    const key = open(keyring, input.TargetKeyId, 'CreateAlias', context)
    if (keyring.aliases().some(([name]) => name === input.AliasName))
      throw new AwsError('AlreadyExistsException', `The alias ${input.AliasName} already exists`)
    keyring.setAlias(input.AliasName, key.id)
  }),
  UpdateAlias: operation(z.strictObject({ AliasName: z.string(), TargetKeyId: KeyId }), (input, context) => {
    open(keyring, input.AliasName, 'UpdateAlias', context)
    keyring.setAlias(input.AliasName, open(keyring, input.TargetKeyId, 'UpdateAlias', context).id)
  }),
  DeleteAlias: operation(z.strictObject({ AliasName: z.string() }), (input, context) => {
    open(keyring, input.AliasName, 'DeleteAlias', context)
    keyring.setAlias(input.AliasName, undefined)
  }),
  ListAliases: operation(z.strictObject({ KeyId: KeyId.optional(), ...Page }), (input, { authorize }) => {
    authorize('ListAliases', '*')
    const only = input.KeyId === undefined ? undefined : keyring.find(input.KeyId).id
    const Aliases = keyring
      .aliases()
      .filter(([, id]) => only === undefined || id === only)
      .map(([AliasName, TargetKeyId]) => ({ AliasName, TargetKeyId }))
    return { Aliases, Truncated: false }
  }),
})

/** The operations on keys themselves and on aliases. */
export const keyOperations = (keyring: Keyring, now: () => number): Record<string, Operation> => ({
  ...keyLifeOperations(keyring, now),
  ...rotationOperations(keyring),
  ...policyOperations(keyring),
  ...aliasOperations(keyring),
})
