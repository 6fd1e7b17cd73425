import { type Database, openDatabase } from '../aws/database.ts'
import { invalid } from '../aws/errors.ts'
import { type Catalog, type Index, openCatalog, type Table } from './catalog.ts'
import { baseOf, indexKey, keyNames, type RowKey, rowKey, tableKey } from './key.ts'
import { as, attribute, type Item, itemSize, MAX_ITEM, setAttribute } from './value.ts'

// One row per item of a table (source: the table's id, base empty) and one per item of an index (source: the index's
// id, base: the item's own key), so that queries and scans read tables and indexes alike. `expires` is in seconds.
const schema = `
  CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, definition TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS counter (value INTEGER NOT NULL);
  INSERT INTO counter SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM counter);
  CREATE TABLE IF NOT EXISTS rows (
    source INTEGER NOT NULL, slot INTEGER NOT NULL, hash BLOB NOT NULL, range BLOB NOT NULL, base BLOB NOT NULL,
    item TEXT NOT NULL, size INTEGER NOT NULL, expires INTEGER
  );
  CREATE UNIQUE INDEX IF NOT EXISTS by_key ON rows (source, slot, hash, range, base);
  CREATE INDEX IF NOT EXISTS by_base ON rows (base, source) WHERE base <> x'';
  CREATE INDEX IF NOT EXISTS by_expiry ON rows (expires) WHERE expires IS NOT NULL;
  CREATE TABLE IF NOT EXISTS late (
    name TEXT NOT NULL, hash BLOB NOT NULL, range BLOB NOT NULL, due INTEGER NOT NULL, PRIMARY KEY (name, hash, range)
  );
  CREATE TABLE IF NOT EXISTS tokens (token TEXT PRIMARY KEY, request TEXT NOT NULL, expires INTEGER NOT NULL);
`

const EMPTY = Buffer.alloc(0)
const FIVE_YEARS = 5 * 365 * 86_400

/** An item as JSON, just as it travels, and the bytes that it counts for. */
export interface Stored {
  item: string
  size: number
}

/** Where tables and items are kept. Methods that write must run inside `database.transaction`. */
export interface Store {
  database: Database
  catalog: Catalog
  now: () => number
  read(table: Table, key: RowKey): Item | undefined
  /** An item as it is kept, if there is one. */
  stored(table: Table, key: RowKey): Stored | undefined
  /** Writes an item (or, undefined, deletes it) and its index entries, which may come so many milliseconds later. */
  write(table: Table, key: RowKey, item: Item | undefined, indexDelayMs?: number): void
  /** Makes the entries of one index, or all, anew. */
  reindex(table: Table, index: Index): void
  dropRows(source: number): void
  /** Recomputes when the items of a table expire. */
  restamp(table: Table): void
  /** Brings index entries that are due up to date. */
  settle(): void
  /** Deletes expired items, at most a thousand at a time. */
  expire(): void
}

/** What an index holds of an item. */
function projected(table: Table, index: Index, item: Item): Item {
  const { ProjectionType, NonKeyAttributes = [] } = index.projection
  if (ProjectionType === 'ALL') return item
  const kept: Item = {}
  const names = [
    ...keyNames(table.keys),
    ...keyNames(index.keys),
    ...(ProjectionType === 'INCLUDE' ? NonKeyAttributes : []),
  ]
  for (const name of new Set(names)) {
    const value = attribute(item, name)
    if (value) setAttribute(kept, name, value)
  }
  return kept
}

function expiry(table: Table, item: Item): number | null {
  const second = table.ttl === undefined ? undefined : as(attribute(item, table.ttl), 'N')
  return second !== undefined && Number.isSafeInteger(Math.floor(Number(second))) ? Math.floor(Number(second)) : null
}

/** Opens the store in a directory. */
export function openStore(directory: string, now: () => number): Store {
  const database = openDatabase(directory, 'dynamodb.sqlite', schema)
  const catalog = openCatalog(database)
  const late = lateEntries(database, catalog)
  return {
    database,
    catalog,
    now,
    read: (table, key) => read(database, table, key),
    stored: (table, key) => stored(database, table, key),
    write(table, key, item, indexDelayMs) {
      writeItem(database, table, key, item)
      if (table.indexes.length === 0) return
      if (indexDelayMs) late.add(table, key, now() + indexDelayMs)
      else writeEntries(database, table, key, item)
    },
    reindex: (table, index) => reindex(database, table, index),
    dropRows: source => dropRows(database, source),
    restamp: table => restamp(database, table),
    settle: () => late.settle(now()),
    expire: () => expire(database, catalog, Math.floor(now() / 1000)),
  }
}

function insert(
  database: Database,
  source: number,
  key: RowKey,
  { base, item, expires }: { base: Buffer; item: Item; expires: number | null },
): void {
  database.run(
    `INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (source, slot, hash, range, base)
     DO UPDATE SET item = excluded.item, size = excluded.size, expires = excluded.expires`,
    ...[source, key.slot, key.hash, key.range, base, JSON.stringify(item), itemSize(item), expires],
  )
}

function stored(database: Database, table: Table, { slot, hash, range }: RowKey): Stored | undefined {
  const sql = `SELECT item, size FROM rows WHERE source = ? AND slot = ? AND hash = ? AND range = ? AND base = x''`
  return database.get<Stored>(sql, table.id, slot, hash, range)
}

function read(database: Database, table: Table, key: RowKey): Item | undefined {
  const row = stored(database, table, key)
  return row && (JSON.parse(row.item) as Item)
}

/** Writes an item, or deletes it, and leaves its index entries as they are. */
function writeItem(database: Database, table: Table, key: RowKey, item: Item | undefined): void {
  if (item) {
    if (itemSize(item) > MAX_ITEM) throw invalid('Item size has exceeded the maximum allowed size')
    for (const index of table.indexes) indexKey(item, index.name, index.keys, table.types)
    insert(database, table.id, key, { base: EMPTY, item, expires: expiry(table, item) })
    return
  }
  const sql = `DELETE FROM rows WHERE source = ? AND slot = ? AND hash = ? AND range = ? AND base = x''`
  database.run(sql, table.id, key.slot, key.hash, key.range)
}

function writeEntries(database: Database, table: Table, key: RowKey, item: Item | undefined): void {
  const base = baseOf(key)
  for (const index of table.indexes) {
    database.run(`DELETE FROM rows WHERE base = ? AND base <> x'' AND source = ?`, base, index.id)
    const entry = item && indexKey(item, index.name, index.keys, table.types)
    if (entry) insert(database, index.id, entry, { base, item: projected(table, index, item), expires: null })
  }
}

/** Index entries that are to come later than their items. */
function lateEntries(database: Database, catalog: Catalog) {
  const count = () => database.get<{ count: number }>('SELECT count(*) AS count FROM late')!.count
  let waiting = count()
  return {
    add(table: Table, key: RowKey, due: number): void {
      const sql = 'INSERT INTO late VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET due = excluded.due'
      database.run(sql, table.name, key.hash, key.range, due)
      waiting++
    },
    settle(time: number): void {
      if (waiting === 0) return
      const sql = 'DELETE FROM late WHERE due <= ? RETURNING name, hash, range'
      database.transaction(() => {
        for (const row of database.all<{ name: string; hash: Uint8Array; range: Uint8Array }>(sql, time)) {
          const table = catalog.find(row.name)
          const key = rowKey(Buffer.from(row.hash), Buffer.from(row.range))
          if (table) writeEntries(database, table, key, read(database, table, key))
        }
      })
      waiting = count()
    },
  }
}

const dropRows = (database: Database, source: number) => void database.run('DELETE FROM rows WHERE source = ?', source)

function reindex(database: Database, table: Table, index: Index): void {
  dropRows(database, index.id)
  const rows = database.all<{ item: string }>('SELECT item FROM rows WHERE source = ?', table.id)
  for (const row of rows) {
    const item = JSON.parse(row.item) as Item
    const base = baseOf(tableKey(item, table.keys, table.types))
    // An item whose attribute has another type than the new index wants is left out of it, as AWS does.
    const fits = keyNames(index.keys).every(name => as(attribute(item, name), table.types[name]!) !== undefined)
    const entry = fits ? indexKey(item, index.name, index.keys, table.types) : undefined
    if (entry) insert(database, index.id, entry, { base, item: projected(table, index, item), expires: null })
  }
}

function restamp(database: Database, table: Table): void {
  database.run('UPDATE rows SET expires = NULL WHERE source = ? AND expires IS NOT NULL', table.id)
  if (table.ttl === undefined) return
  const sql = 'SELECT rowid AS id, item FROM rows WHERE source = ?'
  for (const { id, item } of database.all<{ id: number; item: string }>(sql, table.id))
    database.run('UPDATE rows SET expires = ? WHERE rowid = ?', expiry(table, JSON.parse(item)), id)
}

function expire(database: Database, catalog: Catalog, second: number): void {
  const sql = `SELECT source, item FROM rows WHERE expires IS NOT NULL AND expires <= ? AND expires > ? LIMIT 1000`
  const rows = database.all<{ source: number; item: string }>(sql, second, second - FIVE_YEARS)
  if (rows.length === 0) return
  const tables = new Map(catalog.all().map(table => [table.id, table]))
  database.transaction(() => {
    for (const { source, item } of rows) {
      const table = tables.get(source)!
      const key = tableKey(JSON.parse(item), table.keys, table.types)
      writeItem(database, table, key, undefined)
      writeEntries(database, table, key, undefined)
    }
  })
}
