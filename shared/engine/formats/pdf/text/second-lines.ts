import { pushAll } from '../../../lists.ts'
import type { OcrWord } from '../../../ocr/picture.ts'
import type { Reader } from '../page-reader.ts'
import { boxAround, pixelOn, type Scale } from '../pictures/pictures.ts'
import { openSecond, type Piece, type SecondReader, standsApart } from './second-reader.ts'

/** The words of a piece with their places along its line, as if all letters were as wide. */
const wordsOf = ({ text, start, end, up }: Piece, toPixel: (x: number, y: number) => [number, number]): OcrWord[] =>
  Array.from(text.matchAll(/\S+/gu), ({ 0: word, index }) => {
    const at = (letters: number, height: number) => {
      const share = letters / text.length
      const [x, y] = [start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])]
      return toPixel(x + height * up[0], y + height * up[1])
    }
    const corners = [index, index + word.length].flatMap(letters => [at(letters, -0.25), at(letters, 1)])
    return { text: word, confidence: 1, ...boxAround(corners), isText: true }
  })

/** Whether a word goes on from one piece into the next. */
const isOneWord = (before: Piece | undefined, piece: Piece): boolean =>
  before !== undefined &&
  !before.endsLine &&
  /\S$/u.test(before.text) &&
  /^\S/u.test(piece.text) &&
  !standsApart(before, piece)

const joinedWord = (one: OcrWord, other: OcrWord): OcrWord => ({
  ...one,
  text: one.text + other.text,
  left: Math.min(one.left, other.left),
  right: Math.max(one.right, other.right),
  top: Math.min(one.top, other.top),
  bottom: Math.max(one.bottom, other.bottom),
})

/** Reads pages of a document with another reader, opened when the first is asked for, as lines of words in pixels. */
export const otherReader = (reader: Reader, bytes: Uint8Array) => {
  let second: Promise<SecondReader> | undefined
  return {
    async lines(index: number, scale: Scale): Promise<OcrWord[][]> {
      second ??= openSecond(bytes)
      const pieces = await (await second).read(index)
      return reader.page(index, page => {
        const toPixel = pixelOn(reader, page, scale)
        const lines: OcrWord[][] = [[]]
        pieces.forEach((piece, i) => {
          const line = lines.at(-1) as OcrWord[]
          const [first, ...others] = wordsOf(piece, toPixel)
          const last = isOneWord(pieces[i - 1], piece) ? line.pop() : undefined
          if (first) line.push(last ? joinedWord(last, first) : first)
          pushAll(line, others)
          if (piece.endsLine) lines.push([])
        })
        return lines.filter(line => line.length > 0)
      })
    },
    async close(): Promise<void> {
      await (await second)?.close()
    },
  }
}
