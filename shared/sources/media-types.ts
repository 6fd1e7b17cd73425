import type { Entry } from './connector.ts'

const tables: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  jsonl: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  parquet: 'application/vnd.apache.parquet',
}

const documents: Record<string, string> = {
  txt: 'text/plain',
  md: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xml: 'application/xml',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  odp: 'application/vnd.oasis.opendocument.presentation',
  pdf: 'application/pdf',
  eml: 'message/rfc822',
  rtf: 'application/rtf',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
}

const extension = (name: string) => /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''

/** Media type that the name of a file promises; the content decides later. */
export const mediaType = (name: string): string =>
  tables[extension(name)] ?? documents[extension(name)] ?? 'application/octet-stream'

/** What a file of this name would become as an asset, as far as its name tells. */
export const promised = (name: string): Pick<Entry, 'assetType' | 'supported'> =>
  extension(name) in tables
    ? { assetType: 'TABLE', supported: true }
    : extension(name) in documents
      ? { assetType: 'DOCUMENT', supported: true }
      : { supported: false }
