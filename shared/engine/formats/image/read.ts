import { EngineError } from '../../errors.ts'
import { readAll } from '../../input.ts'
import { doubtfulReadings } from '../../ocr/doubt.ts'
import { ocrLanguages, startOcr } from '../../ocr/ocr.ts'
import type { OcrReader } from '../../ocr/picture.ts'
import { byteScan } from '../../verify/byte-scan.ts'
import type { Edit, Expected, FormatContext, Input, Leak, OpenFile, Painted, Segment } from '../format.ts'
import { type PictureText, pictureText } from '../pdf/pictures/pictures.ts'
import { type Bitmap, holdsUnseen, withoutUnseen } from './bitmap.ts'
import { type Kind, kindOf } from './kinds.ts'
import { closely, forReading } from './ocr-bitmap.ts'
import { readText } from './read-text.ts'
import type { Size } from './size.ts'
import { type Cover, paint } from './write.ts'

/** Pixels of the largest picture accepted. */
const maxPixels = 100_000_000

type Decoded = { pages: Bitmap[]; sizes: Size[]; source: Uint8Array }

const decode = async (kind: Kind, input: Input, context: FormatContext): Promise<Decoded> => {
  const source = await readAll(input, context.limits.bytes)
  context.signal.throwIfAborted()
  try {
    const sizes = kind.sizes(source)
    if (sizes.length === 0) throw new EngineError('corrupt_file', 'The header of the picture cannot be read')
    if (kind.animated?.(source))
      throw new EngineError('unsupported_format', 'Pictures that move for so long are not supported')
    if (sizes.length > context.limits.pages) throw new EngineError('limit_exceeded', 'The file holds too many pictures')
    const pixels = sizes.reduce((sum, { width, height }) => sum + width * height, 0)
    if (pixels > maxPixels || pixels * 4 > context.limits.inflatedBytes)
      throw new EngineError('limit_exceeded', `The file holds more than ${maxPixels} pixels`)
    return { pages: await kind.decode(source), sizes, source }
  } catch (error) {
    if (error instanceof EngineError) throw error
    // Whatever a decoder throws, it is about the bytes, and its message may quote them.
    throw new EngineError('corrupt_file', 'The picture cannot be decoded')
  }
}

const readPages = async ({ pages, sizes }: Decoded, ocr: OcrReader): Promise<PictureText[]> => {
  const texts: PictureText[] = []
  for (const [index, page] of pages.entries()) {
    // Moments of a moving picture are often the same.
    const same = index > 0 && Buffer.from(pages[index - 1]!.data.buffer).equals(Buffer.from(page.data.buffer))
    texts.push(same ? texts[index - 1]! : await readText(page, sizes[index]?.dpi, ocr))
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

/** The words under each edit of a picture's text, and what is written in their place. */
const coversOf = ({ words, wordAt }: PictureText, edits: readonly Edit[]): Cover[] =>
  edits.map(({ start, end, text }) => {
    const inside = [...new Set(wordAt.subarray(start, end))].filter(word => word >= 0)
    return { words: inside.flatMap(word => words[word] ?? []), text }
  })

/** Opens a file of pictures of that kind; see `Format.open`. They are read when their texts are first asked for. */
export const openImage = async (id: string, input: Input, context: FormatContext): Promise<OpenFile> => {
  const kind = kindOf(id)
  const decoded = await decode(kind, input, context)
  const reading = () => withOcr(context, ocr => readPages(decoded, ocr))
  let once: Promise<PictureText[]> | undefined
  const texts = () => {
    once ??= reading()
    return once
  }
  const segments = async () =>
    (await texts()).map(
      ({ text }, index): Segment => ({ text, place: { kind: 'ocr', page: index + 1 }, visible: true }),
    )
  return {
    async *segments() {
      yield await segments()
    },
    async write(output, edit) {
      const read = await texts()
      const edits = await edit(await segments())
      const pictures: Bitmap[] = []
      const painted: Painted[] = []
      for (const [index, page] of decoded.pages.entries()) {
        const covers = coversOf(read[index]!, edits[index] ?? [])
        pictures.push(withoutUnseen(await paint(page, covers)))
        for (const { left, top, right, bottom, turns } of covers.flatMap(({ words }) => words))
          painted.push({ place: { kind: 'ocr', page: index + 1 }, left, top, right, bottom, turns })
      }
      await output.write(await kind.encode(pictures, decoded.source))
      const doubts = doubtfulReadings(
        read.map((text, index) => ({ ...text, page: index + 1 })),
        context.options,
      )
      const confidence = read.reduce((sum, text) => sum + text.confidence, 0) / read.length
      return {
        dropped: [{ what: 'metadata', count: 1 }],
        rasterised: [],
        ocr: { pages: pictures.length, confidence },
        warnings: ['Text in pictures was found by optical character recognition, which may miss some', ...doubts],
        painted,
      }
    },
    close: async () => {},
  }
}

/**
 * Searches an output's bytes and reads its pictures again wherever they were painted over; see `Format.verify`. All other
 * pixels are those of which everything that could be read has been read already.
 */
export const checkImage = async (
  id: string,
  output: Input,
  expected: Expected,
  context: FormatContext,
): Promise<Leak[]> => {
  const decoded = await decode(kindOf(id), output, context)
  const { pages, sizes, source } = decoded
  const leak = (reason: string, page?: number): Leak => ({
    type: 'leak_detected',
    place: { kind: 'ocr', page },
    reason,
  })
  const leaks: Leak[] = []
  if (expected.visible.length > 0 && pages.length !== expected.visible.length)
    leaks.push(leak('The output does not hold as many pictures'))
  const scan = byteScan(expected.gone)
  scan.push(source)
  const { plain, hidden } = scan.found()
  if (plain.size + hidden.size > 0 || metadata.some(mark => Buffer.from(source).includes(mark, 0, 'latin1')))
    leaks.push(leak('The bytes of the picture hold a replaced value or metadata'))
  pages.forEach((page, index) => {
    if (holdsUnseen(page)) leaks.push(leak('The picture has colours where it shows nothing', index + 1))
  })
  const gone = expected.gone.map(spaced)
  const painted = Map.groupBy(expected.painted ?? [], ({ place }) => place.page ?? 1)
  if (gone.length === 0 || painted.size === 0) return leaks
  await withOcr(context, async ocr => {
    for (const [page, boxes] of painted) {
      const picture = forReading(pages[page - 1]!, sizes[page - 1]?.dpi)
      const close = closely(picture, boxes)
      const read = await ocr.read(close, close === picture ? 'page' : 'snippets')
      const text = spaced(pictureText(read, close).text)
      const shown = expected.visible.find(({ place }) => (place.page ?? 1) === page)?.text
      if ([...gone, ...wordsOf(gone, shown)].some(value => text.includes(value)))
        leaks.push(leak('The picture still shows a replaced value', page))
    }
  })
  return leaks
}

/** The longer words of values of several words, which a line's end may part, but for those that the picture is to show. */
const wordsOf = (values: readonly string[], shown: string | undefined): string[] =>
  shown === undefined
    ? []
    : values.flatMap(value =>
        (value.includes(' ') ? value.split(' ') : []).filter(word => word.length > 3 && !shown.includes(word)),
      )

const spaced = (text: string): string => text.replace(/\s+/g, ' ')

/** Beginnings of metadata blocks that no output may hold. */
const metadata = ['Exif\0\0', 'http://ns.adobe.com/xap/', 'Photoshop 3.0']
