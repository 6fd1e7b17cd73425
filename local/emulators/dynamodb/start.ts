import type { Emulator, EmulatorOptions } from '../aws/hooks.ts'
import { type JsonProtocol, jsonService, unauthentic } from '../aws/json.ts'
import { listen, repeat } from '../aws/server.ts'
import { batchOperations } from './batch.ts'
import { itemOperations } from './items.ts'
import { readOperations } from './read.ts'
import { settingOperations } from './settings.ts'
import { openStore } from './store.ts'
import { tableOperations } from './tables.ts'
import { transactionOperations } from './transactions.ts'

const SWEEP_MS = 1000

/** Starts Amazon DynamoDB's API (2012-08-10, the parts that current SDKs use) on a SQLite file in the directory. */
export async function startDynamoDB(options: EmulatorOptions): Promise<Emulator> {
  const store = openStore(options.directory, options.now ?? Date.now)
  const protocol: JsonProtocol = {
    service: 'dynamodb',
    target: 'DynamoDB_20120810',
    contentType: 'application/x-amz-json-1.0',
    namespace: 'com.amazonaws.dynamodb.v20120810',
    limit: 24 * 1024 * 1024,
    denied: { name: 'AccessDeniedException', status: 400 },
    unauthentic,
    operations: {
      ...tableOperations(store),
      ...settingOperations(store),
      ...itemOperations(store),
      ...readOperations(store),
      ...batchOperations(store),
      ...transactionOperations(store),
    },
  }
  const rest = repeat(SWEEP_MS, 'dynamodb', 'sweep', () => {
    store.expire()
    store.settle()
  })
  const { exchange, handler } = jsonService(protocol, options)
  const emulator = await listen(options, handler, () => {
    rest()
    store.database.close()
  })
  return { ...emulator, exchange }
}
