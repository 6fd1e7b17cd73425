import * as z from 'zod'
import { invalid } from '../aws/errors.ts'
import type { Index, Table } from './catalog.ts'
import type { KeySchema, KeyTypes } from './key.ts'

const throughput = z.strictObject({ ReadCapacityUnits: z.int().min(1), WriteCapacityUnits: z.int().min(1) })
const onDemand = z.strictObject({ MaxReadRequestUnits: z.int().optional(), MaxWriteRequestUnits: z.int().optional() })
const keySchema = z
  .array(z.strictObject({ AttributeName: z.string().min(1).max(255), KeyType: z.enum(['HASH', 'RANGE']) }))
  .min(1)
  .max(2)
export const indexFields = {
  IndexName: z.string().regex(/^[a-zA-Z0-9_.-]{3,255}$/),
  KeySchema: keySchema,
  Projection: z.strictObject({
    ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: z.array(z.string()).min(1).max(100).optional(),
  }),
  ProvisionedThroughput: throughput.optional(),
  OnDemandThroughput: onDemand.optional(),
}
export const Tags = z.array(z.strictObject({ Key: z.string().min(1).max(128), Value: z.string().max(256) }))
export const attributeDefinitions = z.array(
  z.strictObject({ AttributeName: z.string().min(1).max(255), AttributeType: z.enum(['S', 'N', 'B']) }),
)

/** What a table can be created with and, but for its keys, changed in. */
export const tableFields = {
  TableName: z.string(),
  BillingMode: z.enum(['PAY_PER_REQUEST', 'PROVISIONED']).optional(),
  ProvisionedThroughput: throughput.optional(),
  OnDemandThroughput: onDemand.optional(),
  DeletionProtectionEnabled: z.boolean().optional(),
  TableClass: z.enum(['STANDARD', 'STANDARD_INFREQUENT_ACCESS']).optional(),
  SSESpecification: z
    .strictObject({
      Enabled: z.boolean().optional(),
      SSEType: z.string().optional(),
      KMSMasterKeyId: z.string().optional(),
    })
    .optional(),
  StreamSpecification: z.strictObject({ StreamEnabled: z.boolean(), StreamViewType: z.string().optional() }).optional(),
}
export const CreateTable = z.strictObject({
  ...tableFields,
  TableName: z.string().regex(/^[a-zA-Z0-9_.-]{3,255}$/),
  AttributeDefinitions: attributeDefinitions.min(1),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z.array(z.strictObject(indexFields)).min(1).max(20).optional(),
  Tags: Tags.optional(),
})

/** The keys that a `KeySchema` names: a partition key and perhaps a sort key. */
export function readKeySchema(schema: z.output<typeof keySchema>, types: KeyTypes): KeySchema {
  const [hash, range] = schema
  if (hash!.KeyType !== 'HASH' || (range && range.KeyType !== 'RANGE'))
    throw invalid(
      'Invalid KeySchema: The first KeySchemaElement is not a HASH key type, or the second not a RANGE key type',
    )
  for (const { AttributeName } of schema)
    if (!Object.hasOwn(types, AttributeName))
      throw invalid(
        'One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions',
      )
  if (range?.AttributeName === hash!.AttributeName)
    throw invalid('Both the Hash Key and the Range Key element in the KeySchema have the same name')
  return { hash: hash!.AttributeName, range: range?.AttributeName }
}

/** Types by name; every one must be used by a key of the table or of an index. */
export function readTypes(definitions: z.output<typeof attributeDefinitions>): KeyTypes {
  return Object.fromEntries(definitions.map(({ AttributeName, AttributeType }) => [AttributeName, AttributeType]))
}

/** Refuses attribute definitions that no key uses. */
export function refuseUnusedTypes(types: KeyTypes, keys: KeySchema[]): void {
  const used = new Set(keys.flatMap(({ hash, range }) => [hash, range]))
  if (Object.keys(types).some(name => !used.has(name)))
    throw invalid('One or more parameter values were invalid: Some AttributeDefinitions are not used')
}

/** An index as it is asked for. */
export function readIndex(index: z.output<z.ZodObject<typeof indexFields>>, types: KeyTypes, id: number): Index {
  const { ProjectionType, NonKeyAttributes } = index.Projection
  if ((ProjectionType === 'INCLUDE') !== (NonKeyAttributes !== undefined))
    throw invalid('One or more parameter values were invalid: NonKeyAttributes go with the projection INCLUDE only')
  return { id, name: index.IndexName, keys: readKeySchema(index.KeySchema, types), projection: index.Projection }
}

const describeKeys = ({ hash, range }: KeySchema) => [
  { AttributeName: hash, KeyType: 'HASH' },
  ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' }]),
]

/** A table's `TableDescription`. `count` gives rows and bytes of a table or index by its id. */
export function describeTable(table: Table, status: string, count: (id: number) => { rows: number; bytes: number }) {
  const { rows, bytes } = count(table.id)
  const provisioned = {
    NumberOfDecreasesToday: 0,
    ...(table.throughput ?? { ReadCapacityUnits: 0, WriteCapacityUnits: 0 }),
  }
  const since = table.created / 1000
  return {
    TableName: table.name,
    TableArn: table.arn,
    TableId: `00000000-0000-4000-8000-${String(table.id).padStart(12, '0')}`,
    TableStatus: status,
    CreationDateTime: since,
    AttributeDefinitions: Object.entries(table.types).map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    KeySchema: describeKeys(table.keys),
    ItemCount: rows,
    TableSizeBytes: bytes,
    ProvisionedThroughput: provisioned,
    BillingModeSummary: { BillingMode: table.billing, LastUpdateToPayPerRequestDateTime: since },
    DeletionProtectionEnabled: table.protected,
    TableClassSummary: table.tableClass && { TableClass: table.tableClass },
    SSEDescription: table.encryption?.Enabled
      ? { Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: table.encryption.KMSMasterKeyId }
      : undefined,
    StreamSpecification: table.stream,
    GlobalSecondaryIndexes: table.indexes.length
      ? table.indexes.map(index => ({
          IndexName: index.name,
          IndexArn: `${table.arn}/index/${index.name}`,
          IndexStatus: 'ACTIVE',
          KeySchema: describeKeys(index.keys),
          Projection: index.projection,
          ProvisionedThroughput: provisioned,
          ItemCount: count(index.id).rows,
          IndexSizeBytes: count(index.id).bytes,
        }))
      : undefined,
  }
}
