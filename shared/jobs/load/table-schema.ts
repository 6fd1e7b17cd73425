import type { SourceKind } from '../../api/source-kinds.ts'
import type { Column } from '../../sources/connector.ts'
import { type Located, objectOf } from '../../store/assets.ts'
import { type ObjectKey, putObject, readIfThere } from '../../store/objects.ts'

/** What a table of a database was, kept beside the CSV that it became. */
export type TableSchema = {
  version: 1
  kind: SourceKind
  /** Name in the source, with its schema. */
  table: string
  /** How the CSV is written: what stands for NULL, for the empty text and before the hexadecimal digits of bytes. */
  csv: { null: ''; empty: '""'; bytes: '\\x' }
  columns: Column[]
}

/** How the engine is to read the CSV of a table, which leaves nothing to be guessed. */
export const tableOptions = { encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', header: true }

/** Below the key of the asset's file, so that whatever deletes the one deletes the other. */
const objectOfSchema = (asset: Located): ObjectKey => {
  const { bucket, key } = objectOf(asset)
  return { bucket, key: `${key}.schema.json` }
}

/** The schema of a table that is read. */
export const schemaOf = (kind: SourceKind, table: string, columns: Column[]): TableSchema => ({
  version: 1,
  kind,
  table,
  csv: { null: '', empty: '""', bytes: '\\x' },
  columns,
})

/** Keeps the schema of a table. Again is fine. */
export const saveSchema = (asset: Located, schema: TableSchema): Promise<void> =>
  putObject(objectOfSchema(asset), Buffer.from(JSON.stringify(schema)), 'application/json')

/** The schema of an asset that was loaded from a table; undefined of any other, or once it has been deleted. */
export async function loadSchema(asset: Located): Promise<TableSchema | undefined> {
  const schema = await readIfThere(objectOfSchema(asset))
  return schema && (JSON.parse(schema.toString()) as TableSchema)
}
