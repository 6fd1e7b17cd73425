import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { type OcrReader, ocrLanguages, type Picture, startOcr } from '../../ocr/ocr.ts'
import { byteScan } from '../../verify/scan.ts'
import type { Edit, Expected, FormatContext, Input, Leak, OpenFile, Segment } from '../format.ts'
import { type PictureText, pictureText } from '../pdf/pictures.ts'
import type { Bitmap } from './bitmap.ts'
import { type Kind, kindOf } from './kinds.ts'
import { paint } from './paint.ts'

/** Pixels of the largest picture accepted. */
const maxPixels = 100_000_000

/** Pixels beyond which reading gains nothing but time; larger pictures are read coarser. */
const readingPixels = 12_000_000

const open = async (
  kind: Kind,
  input: Input,
  context: FormatContext,
): Promise<{ pages: Bitmap[]; source: Uint8Array }> => {
  const source = await readAll(input, context.limits.bytes)
  context.signal.throwIfAborted()
  try {
    const sizes = kind.sizes(source)
    if (sizes.length === 0) throw new EngineError('corrupt_file', 'The header of the picture cannot be read')
    if (kind.animated?.(source)) throw new EngineError('unsupported_format', 'Moving pictures are not supported')
    if (sizes.length > context.limits.pages) throw new EngineError('limit_exceeded', 'The file holds too many pictures')
    const pixels = sizes.reduce((sum, { width, height }) => sum + width * height, 0)
    if (pixels > maxPixels || pixels * 4 > context.limits.inflatedBytes)
      throw new EngineError('limit_exceeded', `The file holds more than ${maxPixels} pixels`)
    return { pages: await kind.decode(source), source }
  } catch (error) {
    if (error instanceof EngineError) throw error
    // Whatever a decoder throws, it is about the bytes, and its message may quote them.
    throw new EngineError('corrupt_file', 'The picture cannot be decoded')
  }
}

/** The picture as the reader takes it: red, green, blue on white, not larger than need be. */
const forReading = ({ width, height, data }: Bitmap): Picture & { factor: number } => {
  const factor = Math.max(1, Math.ceil(Math.sqrt((width * height) / readingPixels)))
  const [columns, rows] = [Math.max(1, Math.floor(width / factor)), Math.max(1, Math.floor(height / factor))]
  const pixels = new Uint8Array(columns * rows * 3)
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const sums = [0, 0, 0]
      for (let dy = 0; dy < factor; dy++)
        for (let dx = 0; dx < factor; dx++) {
          const from = ((y * factor + dy) * width + x * factor + dx) * 4
          const opacity = (data[from + 3] as number) / 255
          for (let channel = 0; channel < 3; channel++)
            sums[channel] = (sums[channel] as number) + (data[from + channel] as number) * opacity + 255 * (1 - opacity)
        }
      for (let channel = 0; channel < 3; channel++)
        pixels[(y * columns + x) * 3 + channel] = (sums[channel] as number) / (factor * factor)
    }
  return { width: columns, height: rows, channels: 3, pixels, factor }
}

const readAllPages = async (pages: Bitmap[], ocr: OcrReader): Promise<PictureText[]> => {
  const texts: PictureText[] = []
  for (const page of pages) {
    const { factor, ...picture } = forReading(page)
    const read = pictureText(await ocr.read(picture), page)
    for (const word of read.words) for (const side of ['left', 'top', 'right', 'bottom'] as const) word[side] *= factor
    texts.push(read)
  }
  return texts
}

const withOcr = async <T>(context: FormatContext, use: (ocr: OcrReader) => Promise<T>): Promise<T> => {
  const ocr = await startOcr(ocrLanguages(context.options), context.signal)
  try {
    return await use(ocr)
  } finally {
    await ocr.close()
  }
}

/** Opens a file of pictures of that kind; see `Format.open`. */
export const openImage = async (id: string, input: Input, context: FormatContext): Promise<OpenFile> => {
  const kind = kindOf(id)
  const { pages, source } = await open(kind, input, context)
  const texts = await withOcr(context, ocr => readAllPages(pages, ocr))
  const segments = texts.map(
    ({ text }, index): Segment => ({ text, place: { kind: 'ocr', page: index + 1 }, visible: true }),
  )
  const cover = ({ words, wordAt }: PictureText, edits: Edit[]) =>
    edits.map(({ start, end, text }) => {
      const inside = [...new Set(wordAt.subarray(start, end))].filter(word => word >= 0)
      return { words: inside.flatMap(word => words[word] ?? []), text }
    })
  return {
    segments: async function* () {
      yield segments
    },
    write: async (output, edit) => {
      const edits = await edit(segments)
      const painted: Bitmap[] = []
      for (const [index, page] of pages.entries())
        painted.push(await paint(page, cover(texts[index] as PictureText, edits[index] ?? [])))
      await output.write(await kind.encode(painted, source))
      const confidence = texts.reduce((sum, text) => sum + text.confidence, 0) / texts.length
      return {
        dropped: [{ what: 'metadata', count: 1 }],
        rasterised: [],
        ocr: { pages: pages.length, confidence },
        warnings: ['Text in pictures was found by optical character recognition, which may miss some'],
      }
    },
    close: async () => {},
  }
}

/** Reads an output again and searches its bytes; see `Format.verify`. */
export const checkImage = async (
  id: string,
  output: Input,
  expected: Expected,
  context: FormatContext,
): Promise<Leak[]> => {
  const { pages, source } = await open(kindOf(id), output, context)
  const leak = (reason: string, page?: number): Leak => ({
    type: 'leak_detected',
    place: { kind: 'ocr', page },
    reason,
  })
  const leaks: Leak[] = []
  if (pages.length !== expected.visible.length) leaks.push(leak('The output does not hold as many pictures'))
  const scan = byteScan(expected.gone)
  scan.push(source)
  const { plain, hidden } = scan.found()
  if (plain.size + hidden.size > 0 || metadata.some(mark => Buffer.from(source).includes(mark, 0, 'latin1')))
    leaks.push(leak('The bytes of the picture hold a replaced value or metadata'))
  const gone = expected.gone.map(value => value.replace(/\s+/g, ' '))
  if (gone.length === 0) return leaks
  const texts = await withOcr(context, ocr => readAllPages(pages, ocr))
  texts.forEach(({ text }, index) => {
    const read = text.replace(/\s+/g, ' ')
    if (gone.some(value => read.includes(value)))
      leaks.push(leak('The picture still shows a replaced value', index + 1))
  })
  return leaks
}

/** Beginnings of metadata blocks that no output may hold. */
const metadata = ['Exif\0\0', 'http://ns.adobe.com/xap/', 'Photoshop 3.0']
