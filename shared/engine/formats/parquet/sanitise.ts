import type { FileMetaData, SchemaElement } from 'hyparquet'
import { isBase64 } from '../container/file-address.ts'
import type { Edit, Place, Segment } from '../format.ts'
import { nameWording } from '../office/wording.ts'
import { applyEdits } from '../plain/write.ts'

/** The entries of the footer that describe the columns to programs, and no longer would after a change of columns. */
const describing = new Set(['ARROW:schema', 'pandas', 'org.apache.spark.sql.parquet.row.metadata'])

/** What the footer keeps of the texts that no cell shows. */
export type KeptTexts = {
  /** New names of the elements that get one. */
  names: Map<SchemaElement, string>
  created_by: string | undefined
  key_value_metadata: FileMetaData['key_value_metadata']
  dropped: { what: string; count: number }[]
}

/** Characters of the shortest base64 that is decoded. */
const shortestCode = 16

/** The texts that can be read in bytes: what is hidden in the base64 form of a schema, for one. */
function textsIn(value: string): string {
  if (value.length < shortestCode || !isBase64(value)) return value
  return `${value}\n${Buffer.from(value, 'base64')
    .toString('utf8')
    .replace(/[\0-\x1f\ufffd]+/g, '\n')}`
}

/** The texts of a file that no cell shows: names of columns, its writer, and what programs keep in the footer. */
export function hiddenSegments({ schema, created_by, key_value_metadata: entries = [] }: FileMetaData): Segment[] {
  const segment = (text: string, kind: Place['kind']): Segment => {
    const wording = kind === 'name' ? nameWording(text) : 'code'
    return { text, place: { kind }, visible: false, wording }
  }
  return [
    ...schema.slice(1).map(({ name }) => segment(name, 'name')),
    segment(created_by ?? '', 'meta'),
    ...entries.map(({ key, value }) => segment(`${key}\n${textsIn(value ?? '')}`, 'meta')),
  ]
}

/**
 * What is kept of {@link hiddenSegments} after their edits. An entry of the footer with an edit is left out as a whole, as
 * nobody knows how it is read; all of them with `none`; those that describe columns when `changed` says that these did.
 */
export function keptTexts(
  { schema, created_by, key_value_metadata: entries }: FileMetaData,
  edits: readonly Edit[][],
  { changed, none }: { changed: boolean; none: boolean },
): KeptTexts {
  const names = new Map<SchemaElement, string>()
  const taken = new Set(schema.map(({ name }) => name))
  schema.slice(1).forEach((element, index) => {
    if (edits[index]!.length === 0) return
    const name = applyEdits(element.name, edits[index]!)
    let free = name
    for (let n = 2; taken.has(free); n++) free = `${name}_${n}`
    taken.add(free)
    names.set(element, free)
  })
  const after = schema.length
  const stale = changed || names.size > 0
  const kept = entries?.filter(
    ({ key }, index) => !none && edits[after + index]!.length === 0 && !(stale && describing.has(key)),
  )
  const gone = (entries?.length ?? 0) - (kept?.length ?? 0)
  return {
    names,
    created_by: edits[after - 1]!.length > 0 ? undefined : created_by,
    key_value_metadata: kept?.length === 0 ? undefined : kept,
    dropped: gone > 0 ? [{ what: 'key-value metadata', count: gone }] : [],
  }
}
