import { type SourceKind, sourceKinds } from '../../api/source-kinds.ts'
import type { WriteTarget } from '../../sources/connector.ts'
import { csvName, partsOf, tableName } from '../../sources/databases/names.ts'
import { SourceError } from '../../sources/errors.ts'
import type { AssetRecord } from '../../store/assets.ts'
import type { DeliveryRecord } from '../../store/deliveries.ts'
import { idFrom } from '../../store/ids.ts'
import type { ResultRecord } from '../../store/jobs.ts'
import type { TableSchema } from '../load/table-schema.ts'

/** Schema that a new table goes into when nothing says which; undefined where tables have none. */
const schemaOf: Partial<Record<SourceKind, (config: Record<string, unknown>) => string>> = {
  DB_ENGINE_1: () => 'public',
  DB_ENGINE_4: () => 'dbo',
  DB_ENGINE_5: config => String(config.username).toUpperCase(),
}

type Place = { kind: SourceKind; config: Record<string, unknown> }

/** What is delivered: the result of an asset, what it was made from, and of a table how that was written. */
export type Delivered = {
  delivery: DeliveryRecord
  source: Place
  /** The source that the asset was loaded from, where it is another one and still there. */
  origin?: Place
  /** The asset that was loaded or uploaded; undefined once it has been deleted. */
  original: AssetRecord | undefined
  output: AssetRecord
  result: ResultRecord
  schema: TableSchema | undefined
}

/** Where the result of an asset goes. Throws `source_unsupported` where the source takes nothing like it. */
export function targetOf(delivered: Delivered): WriteTarget {
  const { delivery, source, output, schema } = delivered
  const { mode, types } = delivery
  const common = { mode, delivery: idFrom(delivery.id, output.derivedFrom!), size: output.size ?? undefined }
  if (sourceKinds[source.kind].holds === 'files') return { ...common, name: fileName(delivered) }
  checkTable(delivered)
  const columns = types === 'source' && schema && sameTypes(schema.kind, source.kind) ? schema.columns : undefined
  return { ...common, name: nameOfTable(delivered), columns }
}

/** MySQL and MariaDB name their types alike. */
const sameTypes = (a: SourceKind, b: SourceKind): boolean =>
  a === b || [a, b].every(kind => kind === 'DB_ENGINE_2' || kind === 'DB_ENGINE_3')

const fromSource = (asset: AssetRecord | undefined, { sourceId }: DeliveryRecord): string | undefined =>
  asset?.sourceId === sourceId ? asset.sourceName : undefined

function fileName({ delivery, original, output, schema }: Delivered): string {
  const own = fromSource(original, delivery)
  if (delivery.place === 'original') return own ?? missing()
  const name = own === undefined ? (schema ? csvName(schema.table) : output.name) : renamedPath(own, output.name)
  if (delivery.folder !== undefined) return `${delivery.folder.replace(/^\/+|\/+$/g, '')}/${name}`
  const [, stem, extension] = /^(.*?[^/])(\.[^./]*)?$/.exec(name) as unknown as [string, string, string?]
  return `${stem}.anonymised${extension ?? ''}`
}

/** The path in the source with the output's name, less the number that tells it from its like of other folders. */
function renamedPath(path: string, name: string): string {
  const own = path.slice(path.lastIndexOf('/') + 1)
  const isOwn = own === name || own === name.replace(/ \(\d+\)(?=(?:\.[^.]*)?$)/, '')
  return isOwn ? path : path.slice(0, -own.length) + name
}

const missing = (): never => {
  throw new SourceError(
    'source_not_found',
    'The asset was not loaded from this source, which so holds no original of it',
  )
}

/** A table of a database takes the CSV that it was loaded as, or one written the same way. */
function checkTable({ output, result }: Delivered): void {
  const { delimiter, header, encoding } = (result.report?.choices ?? {}) as Record<string, unknown>
  const plain = delimiter === ',' && header === true && /^utf-?8$/i.test(String(encoding))
  if (output.type !== 'TABLE' || result.report?.format !== 'csv' || !plain)
    throw new SourceError(
      'source_unsupported',
      'A database takes tables as CSV only: in UTF-8, with a header line and commas between the cells',
    )
}

/** One login may read a database and another write to it: its tables then stand where those of one source would. */
const sameDatabase = (a: Place | undefined, b: Place): boolean =>
  a?.kind === b.kind && ['host', 'port', 'database', 'service_name'].every(field => a.config[field] === b.config[field])

function nameOfTable({ delivery, source, origin, original, output, schema }: Delivered): string {
  const { kind, config } = source
  const asset = original ?? output
  if (delivery.place === 'original') return fromSource(asset, delivery) ?? missing()
  const own = fromSource(asset, delivery) ?? (sameDatabase(origin, source) ? schema?.table : undefined)
  const parts = tablePartsOf(own ?? schema?.table)
  const table = parts?.at(-1) ?? output.name.replace(/\.[^.]*$/, '')
  const within = delivery.folder ?? (own === undefined ? undefined : parts?.at(-2)) ?? schemaOf[kind]?.(config)
  // Another schema has room for the name itself; the schema of the original has not.
  const free = delivery.folder !== undefined && (own === undefined || parts?.at(-2) !== delivery.folder)
  const name = free ? table : `${table}_anonymised`
  return schemaOf[kind] ? tableName(within!, name) : tableName(name)
}

/** Schema and name of a table, or its name alone. */
const tablePartsOf = (name: string | undefined): string[] | undefined =>
  name === undefined ? undefined : (partsOf(name, 2) ?? partsOf(name, 1))

/** Whether tables of this kind of source are in schemas. */
export const hasSchemas = (kind: SourceKind): boolean => schemaOf[kind] !== undefined
