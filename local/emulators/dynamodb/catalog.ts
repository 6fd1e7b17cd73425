import type { Database } from '../aws/database.ts'
import { AwsError, invalid } from '../aws/errors.ts'
import type { KeySchema, KeyTypes } from './key.ts'

/** A global secondary index. `id` is what its rows are stored under. */
export interface Index {
  id: number
  name: string
  keys: KeySchema
  projection: { ProjectionType: 'ALL' | 'KEYS_ONLY' | 'INCLUDE'; NonKeyAttributes?: string[] }
}

/** A table as it is stored; `created` is in milliseconds. */
export interface Table {
  id: number
  name: string
  arn: string
  created: number
  keys: KeySchema
  types: KeyTypes
  indexes: Index[]
  billing: 'PAY_PER_REQUEST' | 'PROVISIONED'
  throughput?: { ReadCapacityUnits: number; WriteCapacityUnits: number }
  tableClass?: string
  encryption?: { Enabled?: boolean; SSEType?: string; KMSMasterKeyId?: string }
  stream?: { StreamEnabled: boolean; StreamViewType?: string }
  protected: boolean
  /** Attribute that holds the second at which an item expires. */
  ttl?: string
  recovery: { enabled: boolean; days?: number }
  tags: Record<string, string>
}

/** The tables that exist. */
export interface Catalog {
  /** The table of a name or an ARN; throws `ResourceNotFoundException` if there is none. */
  table(nameOrArn: string): Table
  find(nameOrArn: string): Table | undefined
  /** In the order of their names. */
  all(): Table[]
  nextId(): number
  save(table: Table): void
  remove(table: Table): void
}

/** The name in a table's name or ARN. */
const tableName = (nameOrArn: string) => nameOrArn.replace(/^arn:[^/]*:table\//, '').split('/')[0]!

/** Opens the catalog that is kept in a database. */
export function openCatalog(database: Database): Catalog {
  const rows = database.all<{ definition: string }>('SELECT definition FROM tables')
  const tables = new Map(rows.map(row => JSON.parse(row.definition) as Table).map(table => [table.name, table]))
  const catalog: Catalog = {
    find: nameOrArn => tables.get(tableName(nameOrArn)),
    table(nameOrArn) {
      if (!/^[a-zA-Z0-9_.-]{3,255}$/.test(tableName(nameOrArn)) && !tables.has(tableName(nameOrArn)))
        throw invalid('Invalid table name')
      const table = catalog.find(nameOrArn)
      if (!table) throw new AwsError('ResourceNotFoundException', 'Requested resource not found')
      return table
    },
    all: () => [...tables.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
    nextId: () => database.get<{ value: number }>('UPDATE counter SET value = value + 1 RETURNING value')!.value,
    save(table) {
      database.run(
        'INSERT INTO tables VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET definition = excluded.definition',
        table.name,
        JSON.stringify(table),
      )
      tables.set(table.name, table)
    },
    remove(table) {
      database.run('DELETE FROM tables WHERE name = ?', table.name)
      tables.delete(table.name)
    },
  }
  return catalog
}

/** The ARN of an index. */
export const indexArn = (table: Table, index: Index) => `${table.arn}/index/${index.name}`
