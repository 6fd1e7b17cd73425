import * as z from 'zod'
import type { Database } from '../aws/database.ts'
import { AwsError, invalid } from '../aws/errors.ts'
import { account } from '../aws/hooks.ts'
import { type Operation, operation } from '../aws/json.ts'
import type { Catalog, Table } from './catalog.ts'
import {
  attributeDefinitions,
  CreateTable,
  describeTable,
  indexFields,
  readIndex,
  readKeySchema,
  readTypes,
  refuseUnusedTypes,
  tableFields,
} from './definition.ts'
import type { Store } from './store.ts'

const Name = z.strictObject({ TableName: z.string() })
const ListTables = z.strictObject({
  ExclusiveStartTableName: z.string().optional(),
  Limit: z.int().min(1).max(100).optional(),
})
const UpdateTable = z.strictObject({
  ...tableFields,
  AttributeDefinitions: attributeDefinitions.optional(),
  GlobalSecondaryIndexUpdates: z
    .array(
      z.union([
        z.strictObject({ Create: z.strictObject(indexFields) }),
        z.strictObject({ Delete: z.strictObject({ IndexName: z.string() }) }),
        z.strictObject({
          Update: z.strictObject({
            IndexName: z.string(),
            ProvisionedThroughput: indexFields.ProvisionedThroughput,
            OnDemandThroughput: indexFields.OnDemandThroughput,
          }),
        }),
      ]),
    )
    .optional(),
})

function billing(
  input: Pick<z.output<typeof UpdateTable>, 'BillingMode' | 'ProvisionedThroughput'>,
  before: Table['billing'],
) {
  const mode = input.BillingMode ?? before
  if (mode === 'PAY_PER_REQUEST' && input.ProvisionedThroughput)
    throw invalid(
      'One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    )
  return mode
}

const count = (database: Database, id: number) =>
  database.get<{ rows: number; bytes: number }>(
    'SELECT count(*) AS rows, coalesce(sum(size), 0) AS bytes FROM rows WHERE source = ?',
    id,
  )!
const empty = () => ({ rows: 0, bytes: 0 })

/** The table that a request for a new one asks for. */
function created({ catalog, now }: Store, input: z.output<typeof CreateTable>, arn: string): Table {
  if (catalog.find(input.TableName))
    throw new AwsError('ResourceInUseException', `Table already exists: ${input.TableName}`)
  const mode = billing(input, 'PROVISIONED')
  if (mode === 'PROVISIONED' && !input.ProvisionedThroughput)
    throw invalid(
      'One or more parameter values were invalid: ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED',
    )
  const types = readTypes(input.AttributeDefinitions)
  const keys = readKeySchema(input.KeySchema, types)
  const indexes = (input.GlobalSecondaryIndexes ?? []).map(index => readIndex(index, types, catalog.nextId()))
  refuseUnusedTypes(types, [keys, ...indexes.map(index => index.keys)])
  if (new Set(indexes.map(({ name }) => name)).size < indexes.length)
    throw invalid('One or more parameter values were invalid: Duplicate index name')
  return {
    id: catalog.nextId(),
    name: input.TableName,
    arn,
    created: now(),
    keys,
    types,
    indexes,
    billing: mode,
    throughput: input.ProvisionedThroughput,
    tableClass: input.TableClass,
    encryption: input.SSESpecification,
    stream: input.StreamSpecification,
    protected: input.DeletionProtectionEnabled ?? false,
    recovery: { enabled: false },
    tags: Object.fromEntries((input.Tags ?? []).map(({ Key, Value }) => [Key, Value])),
  }
}

function changeIndexes(catalog: Catalog, table: Table, input: z.output<typeof UpdateTable>): void {
  const types = { ...table.types, ...readTypes(input.AttributeDefinitions ?? []) }
  for (const change of input.GlobalSecondaryIndexUpdates ?? []) {
    const { IndexName: name } = 'Create' in change ? change.Create : 'Delete' in change ? change.Delete : change.Update
    const known = table.indexes.find(index => index.name === name)
    if ('Create' in change) {
      if (known) throw invalid(`Attempting to create an index which already exists: ${name}`)
      table.indexes.push(readIndex(change.Create, types, catalog.nextId()))
    } else if (!known) throw new AwsError('ResourceNotFoundException', 'Requested resource not found')
    else if ('Delete' in change) table.indexes = table.indexes.filter(index => index !== known)
  }
  const used = [table.keys, ...table.indexes.map(index => index.keys)].flatMap(({ hash, range }) => [hash, range])
  table.types = Object.fromEntries(Object.entries(types).filter(([name]) => used.includes(name)))
}

function update(store: Store, before: Table, input: z.output<typeof UpdateTable>): Table {
  const { catalog, database } = store
  const table: Table = { ...before, indexes: [...before.indexes] }
  table.billing = billing(input, before.billing)
  table.throughput = table.billing === 'PROVISIONED' ? (input.ProvisionedThroughput ?? before.throughput) : undefined
  table.protected = input.DeletionProtectionEnabled ?? before.protected
  table.tableClass = input.TableClass ?? before.tableClass
  table.encryption = input.SSESpecification ?? before.encryption
  table.stream = input.StreamSpecification ?? before.stream
  changeIndexes(catalog, table, input)
  database.transaction(() => {
    for (const index of before.indexes) if (!table.indexes.includes(index)) store.dropRows(index.id)
    for (const index of table.indexes) if (!before.indexes.includes(index)) store.reindex(table, index)
    catalog.save(table)
  })
  return table
}

/** The operations on tables themselves. A table is usable as soon as it is created. */
export function tableOperations(store: Store): Record<string, Operation> {
  const { catalog, database } = store
  return {
    CreateTable: operation(CreateTable, (input, { authorize, region }) => {
      const arn = `arn:aws:dynamodb:${region}:${account}:table/${input.TableName}`
      authorize('CreateTable', arn)
      const table = database.transaction(() => {
        const made = created(store, input, arn)
        catalog.save(made)
        return made
      })
      return { TableDescription: describeTable(table, 'CREATING', empty) }
    }),
    DescribeTable: operation(Name, (input, { authorize }) => {
      const table = catalog.table(input.TableName)
      authorize('DescribeTable', table.arn)
      return { Table: describeTable(table, 'ACTIVE', id => count(database, id)) }
    }),
    ListTables: operation(ListTables, (input, { authorize }) => {
      authorize('ListTables', '*')
      const { ExclusiveStartTableName: start = '', Limit: limit = 100 } = input
      const names = catalog
        .all()
        .map(({ name }) => name)
        .filter(name => name > start)
      return {
        TableNames: names.slice(0, limit),
        LastEvaluatedTableName: names.length > limit ? names[limit - 1] : undefined,
      }
    }),
    UpdateTable: operation(UpdateTable, (input, { authorize }) => {
      const table = catalog.table(input.TableName)
      authorize('UpdateTable', table.arn)
      return { TableDescription: describeTable(update(store, table, input), 'UPDATING', empty) }
    }),
    DeleteTable: operation(Name, (input, { authorize }) => {
      const table = catalog.table(input.TableName)
      authorize('DeleteTable', table.arn)
      if (table.protected)
        throw invalid(
          'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
        )
      database.transaction(() => {
        for (const { id } of [table, ...table.indexes]) store.dropRows(id)
        catalog.remove(table)
      })
      return { TableDescription: describeTable(table, 'DELETING', empty) }
    }),
  }
}
