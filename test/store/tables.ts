import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CreateTableCommand, DynamoDBClient, type ScalarAttributeType } from '@aws-sdk/client-dynamodb'
import { CreateKeyCommand, KMSClient } from '@aws-sdk/client-kms'
import type { Faults } from 'aws-emulators'
import { startDynamoDB, startKMS } from 'aws-emulators'
import { listFields, listIndexes, type TableName, tables, variable } from '../../shared/settings.ts'
import { startDynamoDBLocal } from '../emulators/java.ts'
import { relay } from './fault-relay.ts'

/**
 * Starts the tables of the service and its key for hashes on emulators and tells this process where they are; `faults`
 * sees every request to the tables. With STORE_ON=dynamodb-local the tables are on AWS’s
 * DynamoDB Local instead, which AWS_SERVERS must have.
 * Answers how to end it.
 */
export async function startTables(faults?: Faults): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'tables-'))
  const [dynamodb, kms] = await Promise.all([
    startDatabase(join(directory, 'dynamodb'), faults),
    startKMS({ directory: join(directory, 'kms') }),
  ])
  Object.assign(process.env, {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    AWS_ENDPOINT_URL_KMS: kms.endpoint,
  })
  const client = new DynamoDBClient({})
  for (const name of Object.keys(tables) as TableName[]) {
    process.env[variable.table(name)] = name
    await client.send(createTable(name))
  }
  client.destroy()
  const keys = new KMSClient({})
  const { KeyMetadata } = await keys.send(
    new CreateKeyCommand({ KeySpec: 'HMAC_256', KeyUsage: 'GENERATE_VERIFY_MAC' }),
  )
  process.env[variable.key('hash')] = KeyMetadata!.KeyId
  keys.destroy()
  return async () => {
    await Promise.all([dynamodb.close(), kms.close()])
  }
}

async function startDatabase(
  directory: string,
  faults?: Faults,
): Promise<{ endpoint: string; close(): Promise<void> }> {
  if (process.env.STORE_ON !== 'dynamodb-local') return startDynamoDB({ directory, faults })
  const { endpoint, stop } = await startDynamoDBLocal(directory)
  if (!faults) return { endpoint, close: stop }
  const relayed = await relay(endpoint, faults)
  const close = async () => {
    await relayed.stop()
    await stop()
  }
  return { endpoint: relayed.endpoint, close }
}

function createTable(name: TableName): CreateTableCommand {
  const indexes = tables[name].list ? Object.entries(listIndexes) : []
  const keys = ['pk', 'sk', ...(indexes.length > 0 ? ['listOwner', 'listKind', 'listOrder'] : [])]
  const schema = (hash: string, range: string) => [
    { AttributeName: hash, KeyType: 'HASH' as const },
    { AttributeName: range, KeyType: 'RANGE' as const },
  ]
  return new CreateTableCommand({
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: schema('pk', 'sk'),
    AttributeDefinitions: keys.map(AttributeName => ({ AttributeName, AttributeType: 'S' as ScalarAttributeType })),
    ...(indexes.length > 0 && {
      GlobalSecondaryIndexes: indexes.map(([IndexName, { partitionKey, sortKey }]) => ({
        IndexName,
        KeySchema: schema(partitionKey, sortKey),
        Projection: { ProjectionType: 'INCLUDE' as const, NonKeyAttributes: [...listFields] },
      })),
    }),
  })
}
