import { doubtfulReadings } from '../../ocr/doubt.ts'
import type { OcrReader } from '../../ocr/picture.ts'
import type { Edit, FormatContext, Input, OpenFile, Painted, Segment } from '../format.ts'
import type { PictureText } from '../pdf/pictures/pictures.ts'
import { type Bitmap, withoutUnseen } from './bitmap.ts'
import { type Decoded, decode, withOcr } from './decode.ts'
import { kindOf } from './kinds.ts'
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
