import { byteScan } from '../../verify/byte-scan.ts'
import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { pictureText } from '../pdf/pictures/pictures.ts'
import { holdsUnseen } from './bitmap.ts'
import { decode, withOcr } from './decode.ts'
import { kindOf } from './kinds.ts'
import { closely, forReading } from './ocr-bitmap.ts'

/**
 * Searches an output's bytes and reads its pictures again wherever they were painted over; see `Format.verify`. All other
 * pixels are those of which everything that could be read has been read already.
 */
export const verifyImage = async (
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
