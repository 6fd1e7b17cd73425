import { doubtfulReadings } from '../../ocr/doubt.ts'
import type { OcrReader } from '../../ocr/picture.ts'
import type { Edit, Escalation, FormatContext, Input, OpenFile, Painted, Segment } from '../format.ts'
import type { PictureText } from '../pdf/pictures/pictures.ts'
import type { CharPlace } from '../pdf/text/char-place.ts'
import { type Bitmap, withoutUnseen } from './bitmap.ts'
import { type Decoded, decode, withOcr } from './decode.ts'
import { kindOf } from './kinds.ts'
import { holdsMetadata } from './metadata.ts'
import { viewsOfPictures, wordsIn } from './page-views.ts'
import { readText } from './read-text.ts'
import { type Cover, paint } from './write.ts'

const readPages = async ({ pages, sizes }: Decoded, ocr: OcrReader): Promise<PictureText[]> => {
  const texts: PictureText[] = []
  for (const [index, page] of pages.entries()) {
    // Moments of a moving picture are often the same.
    const same = index > 0 && Buffer.from(pages[index - 1]!.data.buffer).equals(Buffer.from(page.data.buffer))
    texts.push(same ? texts[index - 1]! : await readText(page, sizes[index]?.dpi, ocr))
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
  const kind = kindOf(id)
  const decoded = await decode(kind, input, context)
  let read: PictureText[] = []
  const reading = async () => {
    read = await withOcr(context, ocr => readPages(decoded, ocr))
    return read
  }
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
    views: viewsOfPictures(decoded.pages, index => read[index]),
    async write(output, edit, steps) {
      const edits = await edit(await segments())
      const pictures: Bitmap[] = []
      const painted: Painted[] = []
      for (const [index, page] of decoded.pages.entries()) {
        const covers = coversOf(read[index]!, edits[index] ?? [])
        const asked = askedOf(steps, index)
        pictures.push(withoutUnseen(await paint(page, covers, asked)))
        const place = { kind: 'ocr' as const, page: index + 1 }
        for (const { left, top, right, bottom, turns } of covers.flatMap(({ words }) => words))
          painted.push({ place, left, top, right, bottom, turns })
        for (const { left, top, right, bottom } of asked)
          painted.push({ place, left, top: page.height - top, right, bottom: page.height - bottom })
      }
      await output.write(await kind.encode(pictures, decoded.source))
      const doubts = doubtfulReadings(
        read.map((text, index) => ({ ...text, page: index + 1 })),
        context.options,
      )
      const confidence = read.reduce((sum, text) => sum + text.confidence, 0) / read.length
      return {
        dropped: holdsMetadata(id, decoded.source) ? [{ what: 'metadata', count: 1 }] : [],
        rasterised: [],
        ocr: { pages: pictures.length, confidence },
        warnings: ['Text in pictures was found by optical character recognition, which may miss some', ...doubts],
        painted,
      }
    },
    close: async () => {},
  }
}
