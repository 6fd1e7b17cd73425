import { formats } from 'anonymisation-engine'
import type { FileKind } from '../../api/estimates.ts'

/** Kinds of formats, by their ids. */
const kinds: Readonly<Record<string, FileKind>> = {
  csv: 'table',
  tsv: 'table',
  ndjson: 'table',
  'json-records': 'table',
  parquet: 'table',
  xlsx: 'workbook',
  ods: 'workbook',
  docx: 'office',
  pptx: 'office',
  odt: 'office',
  odp: 'office',
  pdf: 'pdf',
  jpg: 'picture',
  png: 'picture',
  webp: 'picture',
  tiff: 'picture',
  gif: 'picture',
  emf: 'picture',
  wmf: 'picture',
}

/**
 * The kind of a file by the type that it was found to be, or by its name while nobody has looked into it; undefined for one
 * in no format that is supported. Formats of text are those that are nothing else.
 */
export function kindOf({
  name,
  contentType,
  type,
}: {
  name: string
  contentType?: string
  type?: string
}): FileKind | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  const found = contentType && formats.filter(({ mediaType }) => mediaType === contentType)
  const format = found
    ? (found.find(one => one.type === type) ?? found[0])
    : formats.find(({ extensions }) => extensions.includes(ending))
  return format && (kinds[format.id] ?? 'text')
}
