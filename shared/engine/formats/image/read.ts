import { createHash } from 'node:crypto'
import { doubtfulReadings } from '../../ocr/doubt.ts'
import { endIdleReaders } from '../../ocr/ocr.ts'
import type { OcrReader } from '../../ocr/picture.ts'
import { pictureQueue, queued } from '../../ocr/picture-queue.ts'
import type { Edit, Escalation, FormatContext, Input, OpenFile, Painted, Segment } from '../format.ts'
import { type PictureText, wordsIn } from '../pdf/pictures/pictures.ts'
import type { CharPlace } from '../pdf/text/char-place.ts'
import { type Bitmap, release, withoutUnseen } from './bitmap.ts'
import { bytesOf, openPictures, type Pictures, withOcr } from './decode.ts'
import { kindOf } from './kinds.ts'
import { holdsMetadata } from './metadata.ts'
import type { Reading } from './ocr-bitmap.ts'
import { viewsOfPictures } from './page-views.ts'
import { type Prepared, prepare, readText } from './read-text.ts'
import type { Size } from './size.ts'
import { type Cover, paint } from './write.ts'

/** Pixels of a picture that is kept from opening to reading; larger ones are decoded again. */
const keptPixels = 4_000_000

/** Bytes of a decoded picture that is written with no reader beside it: starting one anew takes most of a second. */
const largeBytes = 128_000_000

/** Pictures that can be read: their sizes as they stand upright, and the only one of a file where it is small. */
type Opened = Pictures & { upright: Size[]; kept?: Prepared }

const openFile = async (id: string, input: Input, context: FormatContext): Promise<Opened> => {
  const pictures = await openPictures(kindOf(id), input, context)
  const { sizes, pages } = pictures
  const opened: Opened = { ...pictures, upright: [] }
  for await (const page of pages()) {
    const { width, height } = page
    opened.upright.push({ width, height })
    if (sizes.length > 1) continue
    const prepared = prepare(page, sizes[0]!.dpi)
    if ((prepared.onWhite?.pixels.length ?? 0) <= keptPixels) opened.kept = prepared
  }
  return opened
}

/** Moments of a moving picture are often the same. */
const isSame = (a: Prepared, b: Prepared | undefined) =>
  b !== undefined && pixelsOf(a.onWhite).equals(pixelsOf(b.onWhite)) && pixelsOf(a.onBlack).equals(pixelsOf(b.onBlack))

const pixelsOf = (reading: Reading | undefined) => (reading ? Buffer.from(reading.pixels.buffer) : Buffer.alloc(0))

const readPages = async ({ pages, sizes, kept }: Opened, ocr: OcrReader): Promise<PictureText[]> => {
  if (kept) return [await readText(kept, ocr)]
  const texts: PictureText[] = []
  let last: Prepared | undefined
  for await (const page of pages()) {
    const picture = prepare(page, sizes[texts.length]?.dpi)
    release(page)
    texts.push(isSame(picture, last) ? texts.at(-1)! : await readText(picture, ocr))
    last = picture
  }
  return texts
}

/** The words under each edit of a picture's text, and what is written in their place. */
const coversOf = (read: PictureText, edits: readonly Edit[]): Cover[] =>
  edits.map(({ start, end, text }) => ({ words: wordsIn(read, start, end), text }))

/** Places of a picture, from 0, that a review wants to be painted over. */
const askedOf = (steps: readonly Escalation[], index: number): CharPlace[] =>
  steps.flatMap(step => (step.kind === 'cover' && step.page === index + 1 ? step.places : []))

/** Opens a file of pictures of that kind; see `Format.open`. They are read when their texts are first asked for. */
export const openImage = async (id: string, input: Input, context: FormatContext): Promise<OpenFile> => {
  const opened = await openFile(id, input, context)
  const { source, upright, pages } = opened
  let read: PictureText[] = []
  const reading = async () => {
    const texts = await withOcr(context, ocr => readPages(opened, ocr))
    if (opened.sizes.some(size => bytesOf(size) > largeBytes)) await endIdleReaders()
    return texts
  }
  const key = createHash('sha256').update(`${id} `).update(source).digest('hex')
  const turn = queued(context.pictures ?? pictureQueue(), key, !opened.kept, reading)
  const texts = async () => {
    read = await turn.read()
    opened.kept = undefined
    return read
  }
  const segments = async () =>
    (await texts()).map(
      ({ text }, index): Segment => ({ text, place: { kind: 'ocr', page: index + 1 }, visible: true }),
    )
  return {
    async *segments() {
      yield await segments()
    },
    views: viewsOfPictures({ pages, sizes: upright }, index => read[index]),
    async write(output, edit, steps) {
      const edits = await edit(await segments())
      const painted: Painted[] = []
      const paintAll = async function* (): AsyncGenerator<Bitmap> {
        let index = 0
        for await (const page of pages()) {
          const covers = coversOf(read[index]!, edits[index] ?? [])
          const asked = askedOf(steps, index++)
          await paint(page, covers, asked)
          const place = { kind: 'ocr' as const, page: index }
          for (const { left, top, right, bottom, turns, slant } of covers.flatMap(({ words }) => words))
            painted.push({ place, left, top, right, bottom, turns, slant })
          for (const { left, top, right, bottom } of asked)
            painted.push({ place, left, top: page.height - top, right, bottom: page.height - bottom })
          yield withoutUnseen(page)
        }
      }
      await output.write(await kindOf(id).encode(paintAll(), source))
      const doubts = doubtfulReadings(
        read.map((text, index) => ({ ...text, page: index + 1 })),
        context.options,
      )
      const confidence = read.reduce((sum, text) => sum + text.confidence, 0) / read.length
      return {
        dropped: holdsMetadata(id, source) ? [{ what: 'metadata', count: 1 }] : [],
        rasterised: [],
        ocr: { pages: upright.length, confidence },
        warnings: ['Text in pictures was found by optical character recognition, which may miss some', ...doubts],
        painted,
      }
    },
    async close() {
      turn.leave()
    },
  }
}
