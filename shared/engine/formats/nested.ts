import { EngineError } from '../errors.ts'
import { bufferInput, bufferOutput } from '../input.ts'
import { textDigest } from '../verify/digest.ts'
import type { Editor, Expected, Format, FormatContext, Leak, OpenFile, Place, Segment, WriteReport } from './format.ts'

/** A file inside of another: an attachment, an embedded document, a picture. */
export type Nested = { name: string; format: Format; file: OpenFile; context: FormatContext }

/** Files within files within files: deeper than this, what is inside is left out. */
const deepest = 6

/**
 * Opens a file found inside of another through the registry. Undefined where no format can read it: its owner then
 * leaves it out, as it does where `accepts` refuses. A limit exceeded, a cancellation or an internal failure stops the whole asset.
 */
export async function openNested(
  bytes: Uint8Array,
  name: string,
  outer: FormatContext,
  accepts: (format: Format) => boolean = () => true,
): Promise<Nested | undefined> {
  const level = Number(outer.options.nesting ?? 0) + 1
  if (level > deepest) return undefined
  // Imported late, because the registry itself imports the formats that nest.
  const { formatOf, headBytes } = await import('./index.ts')
  const { encoding: _, ...options } = outer.options
  const limits = { ...outer.limits, inflatedBytes: outer.limits.inflatedBytes / 4, entries: outer.limits.entries / 2 }
  const context = { limits, signal: outer.signal, options: { ...options, nesting: level } }
  try {
    const format = formatOf(bytes.subarray(0, headBytes), name)
    if (!accepts(format)) return undefined
    const file = await format.open(bufferInput(name, bytes), context)
    return { name, format, file, context: { ...context, options: { ...context.options, ...file.choices } } }
  } catch (error) {
    const refused = ['encrypted_file', 'corrupt_file', 'unsupported_format']
    if (error instanceof EngineError && refused.includes(error.type)) return undefined
    throw error
  }
}

const mark = '!'

/** The place of a nested segment as seen from the outer file. */
function placed(part: string, place: Place): Place {
  return { ...place, part: part + mark + (place.part ?? '') }
}

const outwards = (part: string, batch: Segment[]) =>
  batch.map(segment => ({ ...segment, place: placed(part, segment.place) }))

/** The segments of a nested file, placed in `part` of the outer one. */
export async function* nestedSegments(nested: Nested, part: string): AsyncGenerator<Segment[]> {
  for await (const batch of nested.file.segments()) yield outwards(part, batch)
}

/** Writes a nested file and returns its bytes and report. */
export async function writeNested(
  nested: Nested,
  part: string,
  edit: Editor,
): Promise<{ bytes: Uint8Array; report: WriteReport }> {
  const output = bufferOutput()
  const report = await nested.file.write(output, batch => edit(outwards(part, batch)), [])
  return { bytes: output.bytes(), report }
}

/** Verifies a nested output against its share of what is expected of the outer file. */
export async function verifyNested(
  bytes: Uint8Array,
  name: string,
  part: string,
  expected: Expected,
  outer: FormatContext,
): Promise<Leak[]> {
  const prefix = part + mark
  const visible = expected.visible
    .filter(({ place }) => place.part?.startsWith(prefix))
    .map(({ place: { part: full, ...place }, text }) => {
      const inner = full!.slice(prefix.length)
      return { place: inner === '' ? place : { ...place, part: inner }, text }
    })
  const digest = textDigest()
  for (const text of visible) digest.add(text)
  const nested = await openNested(bytes, name, outer)
  const place: Place = { kind: 'body', part }
  if (nested === undefined) return [{ type: 'corrupt_file', place, reason: 'An embedded file can no longer be read' }]
  await nested.file.close()
  const share = { digest: digest.hex(), visible, gone: expected.gone }
  const leaks = await nested.format.verify(bufferInput(name, bytes), share, nested.context)
  return leaks.map(leak => ({ ...leak, place: placed(part, leak.place), escalation: undefined }))
}

/** Adds what a nested file reports to the report of the outer one; its pages are not those of the outer file. */
export function mergeReport(into: WriteReport, inner: WriteReport): void {
  into.dropped.push(...inner.dropped)
  into.warnings.push(...inner.warnings)
  if (inner.ocr === undefined) return
  const before = into.ocr ?? { pages: 0, confidence: 0 }
  const pages = before.pages + inner.ocr.pages
  const sum = before.confidence * before.pages + inner.ocr.confidence * inner.ocr.pages
  into.ocr = { pages, confidence: pages === 0 ? 0 : sum / pages }
}
