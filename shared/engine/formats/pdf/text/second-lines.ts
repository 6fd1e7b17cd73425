import type { OcrWord } from '../../../ocr/picture.ts'
import type { Reader } from '../page-reader.ts'
import { borrow, memory } from '../pdfium.ts'
import type { Scale } from '../pictures/pictures.ts'
import { openSecond, type Piece, type SecondReader } from './second-reader.ts'

/** The words of a piece with their places along its line, as if all letters were as wide. */
const wordsOf = ({ text, start, end, up }: Piece, toPixel: (x: number, y: number) => [number, number]): OcrWord[] =>
  Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => {
    const at = (letters: number, height: number) => {
      const share = letters / text.length
      const [x, y] = [start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])]
      return toPixel(x + height * up[0], y + height * up[1])
    }
    const corners = [index, index + word.length].flatMap(letters => [at(letters, -0.25), at(letters, 1)])
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
    return {
      text: word,
      confidence: 1,
      left: Math.min(...xs),
      right: Math.max(...xs),
      top: Math.min(...ys),
      bottom: Math.max(...ys),
      isText: true,
    }
  })

/** Reads pages of a document with another reader, opened when the first is asked for, as lines of words in pixels. */
export const otherReader = (reader: Reader, bytes: Uint8Array) => {
  let second: Promise<SecondReader> | undefined
  return {
    async lines(index: number, { width, height }: Scale): Promise<OcrWord[][]> {
      second ??= openSecond(bytes)
      const pieces = await (await second).read(index)
      return reader.page(index, page => {
        const toPixel = (x: number, y: number): [number, number] =>
          borrow(reader.pdfium, 8, point => {
            reader.pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, point, point + 4)
            const view = memory(reader.pdfium, point, 8)
            return [view.getInt32(0, true), view.getInt32(4, true)]
          })
        const lines: OcrWord[][] = [[]]
        for (const piece of pieces) {
          lines.at(-1)?.push(...wordsOf(piece, toPixel))
          if (piece.endsLine) lines.push([])
        }
        return lines.filter(line => line.length > 0)
      })
    },
    async close(): Promise<void> {
      await (await second)?.close()
    },
  }
}
