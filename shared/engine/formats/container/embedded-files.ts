import { withoutMarks } from '../../detect/normalise.ts'
import { EngineError } from '../../errors.ts'
import { bufferInput, bufferOutput } from '../../input.ts'
import { pushAll } from '../../lists.ts'
import { digestOfPieces, textDigest } from '../../verify/digest.ts'
import type {
  ChoicesWithin,
  Editor,
  Expected,
  Format,
  FormatContext,
  Leak,
  OpenFile,
  Place,
  Segment,
  WriteReport,
} from '../format.ts'
import { findValues } from '../text/leaks.ts'

/** A file inside of another: an attachment, an embedded document, a picture. */
export type EmbeddedFile = { name: string; format: Format; file: OpenFile; context: FormatContext }

/** Files within files within files: deeper than this, what is inside is left out. */
const deepest = 6

/** A picture must be one where one is expected: the text that a broken one may be taken for is not shown. */
export const isPicture = ({ mediaType }: Format): boolean => mediaType.startsWith('image/')

/** How a nested file is opened. */
export type OpenEmbeddedOptions = {
  /** Identifier of the format, where what stands around the file tells it; found out from the content otherwise. */
  format?: string | Format
  /** Formats that are taken; all of them unless given. */
  accepts?: (format: Format) => boolean
  /** Options beside those of the outer file. */
  options?: Record<string, unknown>
}

/**
 * Opens a file found inside of another through the registry. Undefined where no format can read it: its owner then
 * leaves it out. A limit exceeded, a cancellation or an internal failure stops the whole asset.
 */
export async function openEmbedded(
  bytes: Uint8Array,
  name: string,
  outer: FormatContext,
  way: OpenEmbeddedOptions = {},
): Promise<EmbeddedFile | undefined> {
  const level = Number(outer.options.nesting ?? 0) + 1
  if (level > deepest) return undefined
  const { registry, signal, drawings, pictures } = outer
  const { encoding: _, within: __, ...options } = outer.options
  const limits = { ...outer.limits, inflatedBytes: outer.limits.inflatedBytes / 4, entries: outer.limits.entries / 2 }
  const context = {
    registry,
    limits,
    signal,
    drawings,
    pictures,
    options: { ...options, ...way.options, nesting: level },
  }
  try {
    const known = typeof way.format === 'string' ? registry.find(way.format) : way.format
    const format = known ?? registry.of(bytes, name)
    if (way.accepts?.(format) === false) return undefined
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

const outwards = (part: string, batch: Segment[], shown: boolean) =>
  batch.map(segment => ({ ...segment, visible: segment.visible && shown, place: placed(part, segment.place) }))

/** The segments of a nested file, placed in `part` of the outer one; none counts as visible unless `shown`. */
export async function* embeddedSegments(nested: EmbeddedFile, part: string, shown = true): AsyncGenerator<Segment[]> {
  for await (const batch of nested.file.segments()) yield outwards(part, batch, shown)
}

/** Writes a nested file and returns its bytes and report. */
export async function writeEmbedded(
  nested: EmbeddedFile,
  part: string,
  edit: Editor,
  shown = true,
): Promise<{ bytes: Uint8Array; report: WriteReport }> {
  const output = bufferOutput()
  const inner: Editor = batch => edit(outwards(part, batch, shown))
  if (shown) inner.show = texts => edit.show?.(texts.map(({ place, text }) => ({ place: placed(part, place), text })))
  const report = await nested.file.write(output, inner, [])
  const painted = report.painted?.map(box => ({ ...box, place: placed(part, box.place) }))
  return { bytes: output.bytes(), report: { ...report, painted } }
}

/** What stands in an embedded file, placed as it is there. */
function inside<T extends { place: Place }>(part: string, all: readonly T[]): T[] {
  const prefix = part + mark
  return all
    .filter(({ place }) => place.part?.startsWith(prefix))
    .map(item => {
      const { part: full, ...place } = item.place
      const inner = full!.slice(prefix.length)
      return { ...item, place: inner === '' ? place : { ...place, part: inner } }
    })
}

/** The digest of what a nested file shows, where its format asks for one. */
function digestFor({ type, keepsText }: Format, visible: readonly { text: string }[]): string {
  if (keepsText) return ''
  // A document that does not keep its texts is one text that came in pieces.
  if (type === 'DOCUMENT') return digestOfPieces(visible)
  const digest = textDigest()
  digest.addTexts(visible.map(({ text }) => withoutMarks(text)))
  return digest.hex()
}

/** How files in another were read, by the parts where they stand, for `OpenFile.within`. */
export const choicesWithin = (files: readonly [part: string, nested: EmbeddedFile][]): ChoicesWithin =>
  Object.fromEntries(
    files.map(([part, { file, format }]) => [part, { ...file.choices, format: format.id, within: file.within?.() }]),
  )

/** Verifies a nested output, read as its input was, against its share of what is expected of the outer file. */
export async function verifyEmbedded(
  bytes: Uint8Array,
  name: string,
  part: string,
  expected: Expected,
  outer: FormatContext,
  way: OpenEmbeddedOptions = {},
): Promise<Leak[]> {
  const visible = inside(part, expected.visible)
  const { format: told, ...choices } = (outer.options.within as ChoicesWithin | undefined)?.[part] ?? {}
  const encoding = choices.encoding ? { encoding: choices.encoding } : {}
  // What is replaced at its beginning may be what told the format.
  const format = way.format ?? (typeof told === 'string' ? outer.registry.find(told) : undefined)
  const nested = await openEmbedded(bytes, name, outer, { ...way, format, options: { ...way.options, ...encoding } })
  const place: Place = { kind: 'body', part }
  if (nested === undefined) return [{ type: 'corrupt_file', place, reason: 'An embedded file can no longer be read' }]
  await nested.file.close()
  const context = { ...nested.context, options: { ...nested.context.options, ...choices } }
  const share = {
    digest: digestFor(nested.format, visible),
    visible,
    gone: expected.gone,
    painted: inside(part, expected.painted ?? []),
  }
  const leaks = await nested.format.verify(bufferInput(name, bytes), share, context)
  return leaks.map(leak => ({ ...leak, place: placed(part, leak.place), escalation: undefined }))
}

/** Looks for values in a nested output whose texts did not count as visible: in all that is read there, and its bytes. */
export async function searchEmbedded(
  bytes: Uint8Array,
  name: string,
  part: string,
  expected: Expected,
  outer: FormatContext,
): Promise<Leak[]> {
  const nested = await openEmbedded(bytes, name, outer)
  const place: Place = { kind: 'body', part }
  if (nested === undefined) return [{ type: 'corrupt_file', place, reason: 'An embedded file can no longer be read' }]
  if (isPicture(nested.format)) return verifyEmbedded(bytes, name, part, expected, outer)
  const segments: Segment[] = []
  for await (const batch of nested.file.segments()) pushAll(segments, batch)
  await nested.file.close()
  return findValues(expected.gone, segments, [bytes], []).map(leak => ({ ...leak, place }))
}
