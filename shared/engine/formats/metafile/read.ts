import { gzipSync } from 'node:zlib'
import { doubtfulReadings } from '../../ocr/doubt.ts'
import { ocrLanguages, startOcr } from '../../ocr/ocr.ts'
import type { FormatContext, Input, OpenFile, Segment } from '../format.ts'
import { prepare, readText } from '../image/read-text.ts'
import type { PictureText } from '../pdf/pictures/pictures.ts'
import { finishReport, startReport } from '../report.ts'
import { batches, editTextNodes, type Patch } from '../text/text-nodes.ts'
import { type Metafile, UnknownRecord } from './metafile.ts'
import { type Kind, parse } from './parse.ts'
import { mayShowWords, render, sizeOf } from './render.ts'

/** Opens a metafile; see `Format.open`. What it draws beside texts is drawn as a picture and read when it is first asked for. */
export async function openMetafile(kind: Kind, input: Input, context: FormatContext): Promise<OpenFile> {
  const opened = await parse(kind, input, context)
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
      for (const batch of batches(opened.nodes)) yield batch.map(({ segment }) => segment)
      yield await drawnSegments()
    },
    async write(output, edit) {
      const report = startReport()
      const records = rewritten(opened, await editTextNodes(opened.nodes, edit))
      const [edits = []] = await edit(await drawnSegments())
      const reading = await drawn()
      const emptied = records === undefined || edits.length > 0 || reading === 'unread'
      const file = opened.assemble(emptied ? [] : records)
      await output.write(opened.packed ? gzipSync(file) : file)
      const dropped = new Map(opened.holdsMore ? [['metadata', 1]] : [])
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
const maxRead = 40_000_000

async function readDrawing({ drawing }: Metafile, context: FormatContext): Promise<PictureText | 'unread' | undefined> {
  if (!mayShowWords(drawing)) return undefined
  const { width, height } = sizeOf(drawing)
  const { drawings = { pixels: 0 } } = context
  if (drawings.pixels + width * height > maxRead) return 'unread'
  drawings.pixels += width * height
  const picture = prepare(await render(drawing), undefined)
  const ocr = await startOcr(ocrLanguages(context.options), context.signal)
  try {
    return await readText(picture, ocr)
  } finally {
    await ocr.close()
  }
}
