import { lineHeight } from '../../ocr/ocr.ts'
import { type OcrReader, type OcrResult, type OcrWord, overlap } from '../../ocr/picture.ts'
import { type PictureText, pictureText } from '../pdf/pictures/pictures.ts'
import { type Bitmap, isOpaque } from './bitmap.ts'
import { enlarged, enlargement, forReading, type Reading } from './ocr-bitmap.ts'

const heightsOf = ({ lines }: OcrResult) => lines.flat().map(lineHeight)

/** Reads a picture, and once more at a larger size where its words are small; boxes come in pixels of the original. */
const readOnce = async (picture: Reading, ocr: OcrReader): Promise<OcrResult> => {
  const first = await ocr.read(picture)
  const times = enlargement(heightsOf(first), picture.width * picture.height)
  const larger = times > 1 ? enlarged(picture, times) : undefined
  const second = larger && (await ocr.read(larger))
  const [result, { factor }] = second && isBetter(second, first) ? [second, larger] : [first, picture]
  const scaled = (word: OcrWord): OcrWord => ({
    ...word,
    left: word.left * factor,
    top: word.top * factor,
    right: word.right * factor,
    bottom: word.bottom * factor,
  })
  return { ...result, lines: result.lines.map(line => line.map(scaled)) }
}

/** Letters that were read, each as much as it is sure. */
const worth = ({ lines }: OcrResult) =>
  lines.flat().reduce((sum, { text, confidence }) => sum + text.length * Math.max(0, confidence), 0)

const isBetter = (a: OcrResult, b: OcrResult) => worth(a) >= worth(b)

/** Brightness, of 255, from which letters can't be seen on white. */
const light = 160

/** Whether something light stands on a ground that is not there: on white it could not be read. */
const hasLightOnNothing = (bitmap: Bitmap): boolean => {
  if (isOpaque(bitmap)) return false
  const { data } = bitmap
  for (let at = 0; at < data.length; at += 4)
    if (data[at + 3]! > 0 && data[at]! * 0.3 + data[at + 1]! * 0.59 + data[at + 2]! * 0.11 > light) return true
  return false
}

/** Pixels that a line of type needs at least. */
const leastType = { width: 6, height: 5 }

/** Whether nothing can be written on a picture: too small for type, or of one colour, as spacers of mails and pages are. */
const isEmpty = ({ width, height, channels, data }: Bitmap): boolean => {
  if (width < leastType.width || height < leastType.height) return true
  const pixels = channels === 1 ? data : new Uint32Array(data.buffer, data.byteOffset, data.length / 4)
  for (let at = 1; at < pixels.length; at++) if (pixels[at] !== pixels[0]) return false
  return true
}

/** A picture as it is read: on white paper, and on black where that may show more; on none where there is nothing to read. */
export type Prepared = { width: number; height: number; onWhite?: Reading; onBlack?: Reading }

/** Makes of a picture what is read of it, which takes less memory. */
export const prepare = (page: Bitmap, dpi: number | undefined): Prepared => {
  const { width, height } = page
  if (isEmpty(page)) return { width, height }
  const onBlack = hasLightOnNothing(page) ? forReading(page, dpi, 'black') : undefined
  return { width, height, onWhite: forReading(page, dpi), onBlack }
}

/** The text of a picture, with the places of its words in its own pixels. */
export const readText = async (picture: Prepared, ocr: OcrReader): Promise<PictureText> => {
  if (!picture.onWhite) return pictureText({ lines: [], confidence: 0 }, picture)
  const result = await readOnce(picture.onWhite, ocr)
  if (!picture.onBlack) return pictureText(result, picture)
  const known = result.lines.flat()
  const onBlack = await readOnce(picture.onBlack, ocr)
  const further = onBlack.lines
    .map(line => line.filter(word => !known.some(other => overlap(word, other))))
    .filter(line => line.length > 0)
  return pictureText({ ...result, lines: [...result.lines, ...further] }, picture)
}
