import { gunzipSync, gzipSync } from 'node:zlib'
import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { doubtfulReadings } from '../../ocr/doubt.ts'
import { ocrLanguages, startOcr } from '../../ocr/ocr.ts'
import type { Expected, FormatContext, Input, Leak, OpenFile, Segment } from '../format.ts'
import { readText } from '../image/read-text.ts'
import { isUsualFont } from '../office/font-names.ts'
import type { PictureText } from '../pdf/pictures/pictures.ts'
import { finishReport, startReport } from '../report.ts'
import { findValues } from '../text/leaks.ts'
import { batches, type Draft, editDrafts, type Patch } from '../text/text-nodes.ts'
import { readEmf } from './emf.ts'
import { draftsOf } from './lines.ts'
import { type Metafile, UnknownRecord } from './metafile.ts'
import { mayShowWords, render, sizeOf } from './render.ts'
import { readWmf } from './wmf.ts'

type Kind = 'emf' | 'wmf'

type Opened = Metafile & { packed: boolean; drafts: Draft[] }

async function read(kind: Kind, input: Input, context: FormatContext): Promise<Opened> {
  const bytes = Buffer.from(await readAll(input, context.limits.bytes))
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    const file = packed ? gunzipSync(bytes, { maxOutputLength: mostBytes }) : bytes
    const metafile = kind === 'emf' ? readEmf(file) : readWmf(file)
    return { ...metafile, packed, drafts: allDrafts(metafile) }
  } catch (error) {
    if (error instanceof EngineError) throw error
    if (error instanceof UnknownRecord)
      throw new EngineError('unsupported_format', 'The metafile shows something that is not read; save as PNG')
    // Whatever goes wrong reading numbers is about the bytes.
    throw new EngineError('corrupt_file', 'The metafile cannot be read')
  }
}

/** Bytes of the largest metafile that is unpacked. */
const mostBytes = 256 * 1024 * 1024

/** The texts that a metafile draws, and the names of its fonts that may tell something. */
function allDrafts({ records }: Metafile): Draft[] {
  const texts = records.flatMap(({ run }, record) => (run ? [{ record, run }] : []))
  const fonts = records.flatMap(({ font = '' }, record): Draft[] => {
    if (font === '' || isUsualFont(font)) return []
    const segment: Segment = { text: font, place: { kind: 'name' }, visible: false, wording: 'code' }
    return [{ segment, runs: [{ text: font, start: record, end: record + 1, encode: text => text }] }]
  })
  return [...draftsOf(texts), ...fonts]
}

/** Opens a metafile; see `Format.open`. What it draws beside texts is drawn as a picture and read when it is first asked for. */
export async function openMetafile(kind: Kind, input: Input, context: FormatContext): Promise<OpenFile> {
  const opened = await read(kind, input, context)
  let once: Promise<PictureText | 'unread' | undefined> | undefined
  const drawn = () => {
    once ??= readDrawing(opened, context)
    return once
  }
  const drawnSegments = async (): Promise<Segment[]> => {
    const reading = await drawn()
    if (reading === undefined || reading === 'unread') return []
    const { text } = reading
    return text.trim() === '' ? [] : [{ text, place: { kind: 'ocr', page: 1 }, visible: true }]
  }
  return {
    async *segments() {
      for (const batch of batches(opened.drafts)) yield batch.map(({ segment }) => segment)
      yield await drawnSegments()
    },
    async write(output, edit) {
      const report = startReport()
      const records = rewritten(opened, await editDrafts(opened.drafts, edit))
      const [edits = []] = await edit(await drawnSegments())
      const reading = await drawn()
      const emptied = records === undefined || edits.length > 0 || reading === 'unread'
      const file = opened.assemble(emptied ? [] : records)
      await output.write(opened.packed ? gzipSync(file) : file)
      const dropped = new Map([['metadata', 1]])
      if (emptied) {
        dropped.set('pictures', 1)
        report.warnings.push(
          reading === 'unread'
            ? 'A metafile was emptied unread: the file holds more drawings than are read'
            : 'A metafile was emptied: its outlines or pictures showed a value, or its font lacks letters',
        )
      }
      if (reading !== undefined && reading !== 'unread') {
        report.ocr = { pages: 1, confidence: reading.confidence }
        report.warnings.push('Text in pictures was found by optical character recognition, which may miss some')
        report.warnings.push(...doubtfulReadings([{ ...reading, page: 1 }], context.options))
      }
      return finishReport(report, dropped)
    },
    close: async () => {},
  }
}

/** The records with new texts; undefined where a font lacks letters of one. */
function rewritten({ records }: Metafile, patches: readonly Patch[]): Buffer[] | undefined {
  const all = records.map(({ bytes }) => bytes)
  try {
    for (const { start, text } of patches) if (start >= 0) all[start] = records[start]!.write!(text)
    return all
  } catch (error) {
    if (error instanceof UnknownRecord) return undefined
    throw error
  }
}

/** Pixels of drawings that are read in one asset, some ten large ones: each takes seconds, and clip art comes by the dozen. */
const mostRead = 40_000_000

/** Pixels that were read so far, by the signal that all files within one asset share. */
const readSoFar = new WeakMap<AbortSignal, number>()

async function readDrawing({ drawing }: Metafile, context: FormatContext): Promise<PictureText | 'unread' | undefined> {
  if (!mayShowWords(drawing)) return undefined
  const { width, height } = sizeOf(drawing)
  const pixels = (readSoFar.get(context.signal) ?? 0) + width * height
  if (pixels > mostRead) return 'unread'
  readSoFar.set(context.signal, pixels)
  const picture = await render(drawing)
  const ocr = await startOcr(ocrLanguages(context.options), context.signal)
  try {
    return await readText(picture, undefined, ocr)
  } finally {
    await ocr.close()
  }
}

/**
 * Reads a written metafile again: its texts in their order are the expected ones, and no value stands in them or in its
 * bytes. What else it draws is what was read before, or nothing.
 */
export async function checkMetafile(
  kind: Kind,
  output: Input,
  expected: Expected,
  context: FormatContext,
): Promise<Leak[]> {
  const { records, assemble, drafts } = await read(kind, output, context)
  const segments = drafts.map(({ segment }) => segment)
  const wanted = expected.visible.filter(({ place }) => place.kind !== 'ocr').map(({ text }) => text)
  const shown = segments.filter(({ visible }) => visible).map(({ text }) => text)
  // How far words stand apart after some are replaced is not what tells whether they are the right ones.
  const bare = (texts: readonly string[]) => texts.join('').replace(/\s/g, '')
  // Workbooks don't count the texts of their pictures among what they show.
  if (records.length > 0 && wanted.length > 0 && bare(wanted) !== bare(shown))
    return [
      { type: 'leak_detected', place: { kind: 'body' }, reason: 'The text of the output is not the expected one' },
    ]
  return findValues(expected.gone, segments, [assemble(records.map(({ bytes }) => bytes))], [])
}
