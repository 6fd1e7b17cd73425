import { EngineError } from '../errors.ts'
import { ics, vcf } from './content-lines/index.ts'
import { csv, tsv } from './csv/index.ts'
import { eml } from './eml/index.ts'
import type { AssetType, Format, Input, Registry } from './format.ts'
import { html } from './html/index.ts'
import { images } from './image/index.ts'
import { jsonRecords } from './json/array.ts'
import { json } from './json/index.ts'
import { ndjson } from './json/ndjson.ts'
import { markdown } from './markdown/index.ts'
import { emf, isPackedMetafile, wmf } from './metafile/index.ts'
import { odp, odt } from './odf/index.ts'
import { ods } from './odf/ods.ts'
import { docx, pptx } from './ooxml/index.ts'
import { xlsx } from './ooxml/xlsx.ts'
import { parquet } from './parquet/index.ts'
import { pdf } from './pdf/index.ts'
import { plain } from './plain/index.ts'
import { rtf } from './rtf/index.ts'
import { compoundDirectory, refusal, unknown } from './unsupported.ts'
import { xml } from './xml/index.ts'

/** Every format that the service anonymises. A new one is added here, and to `test/engine/formats`. */
export const formats: readonly Format[] = [
  plain,
  markdown,
  csv,
  tsv,
  json,
  jsonRecords,
  ndjson,
  parquet,
  html,
  xml,
  eml,
  ics,
  vcf,
  rtf,
  docx,
  pptx,
  xlsx,
  odt,
  odp,
  ods,
  pdf,
  ...images,
  emf,
  wmf,
]

/** Bytes at the beginning of a file that tell its format. */
export const headBytes = 64 * 1024

/** The format that is surest of the first bytes, or nothing when none is; the earlier one wins a tie. */
function surest(head: Uint8Array, name: string): Format | undefined {
  let best: Format | undefined
  let score = 0
  for (const format of formats) {
    const sure = format.matches(head, name)
    if (sure > score) [best, score] = [format, sure]
  }
  return best
}

/**
 * The format of a file by its first 64 KiB; the name decides between kin only. Throws `encrypted_file`,
 * `unsupported_format` or `corrupt_file` (empty), with what the content was recognised as. `directory`: what stands at
 * `compoundDirectory(head)`, where the file is at hand.
 */
export function formatOf(head: Uint8Array, name: string, directory?: Uint8Array): Format {
  if (head.length === 0) throw new EngineError('corrupt_file', 'The file is empty')
  const refused = isPackedMetafile(head, name) ? undefined : refusal(head, directory)
  if (refused) throw refused
  const format = surest(head, name)
  if (!format) throw unknown(head)
  return format
}

/** What formats open the files by that they find in their own. */
export const registry: Registry = {
  find: id => formats.find(format => format.id === id),
  of: (bytes, name) => formatOf(bytes.subarray(0, headBytes), name),
}

/** The format of an input, from its content; see {@link formatOf}. */
export async function sniff(input: Input): Promise<Format> {
  const head = await input.read(0, headBytes)
  const at = compoundDirectory(head) ?? input.size
  return formatOf(head, input.name, at < input.size ? await input.read(at, Math.min(input.size, at + 4096)) : undefined)
}

/** What an uploaded file is, for its record. Never throws: a file that can't be processed is a `DOCUMENT`. */
export function describe(head: Uint8Array, name: string): { format?: string; type: AssetType; mediaType: string } {
  const format = head.length === 0 || refusal(head) ? undefined : surest(head, name)
  if (!format) return { type: 'DOCUMENT', mediaType: 'application/octet-stream' }
  return { format: format.id, type: format.type, mediaType: format.mediaType }
}
