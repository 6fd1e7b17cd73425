import { brokenAt } from '../../detect/escapes.ts'
import type { OcrReader } from '../../ocr/picture.ts'
import { byteScan } from '../../verify/byte-scan.ts'
import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { pictureText } from '../pdf/pictures/pictures.ts'
import { holdsUnseen, release } from './bitmap.ts'
import { openPictures, withOcr } from './decode.ts'
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
  const { pages, sizes, source } = await openPictures(kindOf(id), output, context)
  const leak = (reason: string, page?: number): Leak => ({
    type: 'leak_detected',
    place: { kind: 'ocr', page },
    reason,
  })
  const leaks: Leak[] = []
  if (expected.visible.length > 0 && sizes.length !== expected.visible.length)
    leaks.push(leak('The output does not hold as many pictures'))
  const scan = byteScan(expected.gone)
  scan.push(source)
  const { plain, hidden } = scan.found()
  if (plain.size + hidden.size > 0 || metadata.some(mark => Buffer.from(source).includes(mark, 0, 'latin1')))
    leaks.push(leak('The bytes of the picture hold a replaced value or metadata'))
  const gone = expected.gone.map(spaced)
  const painted = Map.groupBy(expected.painted ?? [], ({ place }) => place.page ?? 1)
  const look = async (ocr?: OcrReader) => {
    let page = 0
    for await (const bitmap of pages()) {
      page++
      if (holdsUnseen(bitmap)) leaks.push(leak('The picture has colours where it shows nothing', page))
      const boxes = painted.get(page)
      if (!ocr || !boxes) continue
      const picture = forReading(bitmap, sizes[page - 1]?.dpi)
      release(bitmap)
      const close = closely(picture, boxes)
      const read = await ocr.read(close, close === picture ? 'page' : 'snippets')
      const { text } = pictureText(read, close)
      const texts = ['-', ''].map(hyphen => spaced(text.replaceAll(brokenAt, hyphen)))
      const shown = expected.visible.find(({ place }) => (place.page ?? 1) === page)?.text
      if ([...gone, ...wordsOf(gone, shown)].some(value => texts.some(said => said.includes(value))))
        leaks.push(leak('The picture still shows a replaced value', page))
    }
  }
  await (gone.length === 0 || painted.size === 0 ? look() : withOcr(context, look))
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
