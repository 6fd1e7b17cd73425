import type { OcrWord } from '../../../ocr/picture.ts'
import type { Reader } from '../page-reader.ts'
import { placeOf } from '../text/char-place.ts'
import type { OtherWord } from '../text/other-words.ts'
import { type PageText, withText } from '../text/page-text.ts'
import { boxAround, type PictureText, pictureText, pixelOn, type Scale } from './pictures.ts'

/** What was read of a page, and beside it what other readers make of the same letters. */
export const withOthers = (
  reader: Reader,
  index: number,
  { otherwise = [] }: PageText,
  read: PictureText | undefined,
): PictureText | undefined => {
  if (otherwise.length === 0) return read
  const scale = read?.scale ?? pointsOf(reader, index)
  const lines = wordsOn(reader, index, otherwise, scale)
  const own = pictureText({ lines, confidence: 1 }, scale)
  if (!read) return { ...own, isPage: true, isTyped: true }
  const wordAt = own.wordAt.map(word => (word < 0 ? word : word + read.words.length))
  return {
    ...read,
    text: read.text + own.text,
    words: [...read.words, ...own.words],
    wordAt: Int32Array.from([...read.wordAt, ...wordAt]),
  }
}

/** A picture of a page with a pixel for each point. */
const pointsOf = (reader: Reader, index: number): Scale =>
  reader.page(index, page => {
    const [width, height] = [reader.pdfium.FPDF_GetPageWidthF(page), reader.pdfium.FPDF_GetPageHeightF(page)]
    return { width: Math.ceil(width), height: Math.ceil(height) }
  })

const wordsOn = (reader: Reader, index: number, lines: readonly OtherWord[][], scale: Scale): OcrWord[][] =>
  reader.page(index, page =>
    withText(reader, page, text => {
      const toPixel = pixelOn(reader, page, scale)
      const wordOf = ({ text: word, chars }: OtherWord): OcrWord => {
        const corners = chars.flatMap(char => {
          const place = placeOf(reader, text, char)
          return place ? [toPixel(place.left, place.bottom), toPixel(place.right, place.top)] : []
        })
        return { text: word, confidence: 1, ...boxAround(corners), isText: true }
      }
      return lines.map(line => line.map(wordOf))
    }),
  )
