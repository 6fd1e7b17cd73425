import type { OcrWord } from '../../../ocr/picture.ts'
import type { CharPlace } from '../text/char-place.ts'
import { goesOver } from '../text/forced-wraps.ts'
import type { Line } from '../text/lines.ts'
import { softHyphen } from '../text/normalise-text.ts'
import type { EdgeLine, PageEdges } from '../text/page-edges.ts'

/** Height of a line, with the room above and below its letters, in heights of the tallest word of it and the lines beside it. */
const leading = 1.5

type ReadLine = readonly OcrWord[]

const heightOf = (line: ReadLine | undefined): number =>
  Math.max(0, ...(line ?? []).map(({ top, bottom }) => bottom - top))

/** Where a letter of a word stands, as if all of them were as wide; heights grow upwards. */
const letterPlace = ({ text, left, right, top, bottom }: OcrWord, isFirst: boolean): CharPlace => {
  const width = (right - left) / Math.max(1, text.length)
  const box = isFirst ? { left, right: left + width } : { left: right - width, right }
  return { ...box, x: box.left, y: -bottom, top: -top, bottom: -bottom }
}

/** How a line that was read stands in its picture; nothing where it is turned. */
export const lineOfWords = (lines: readonly ReadLine[], number: number): Line | undefined => {
  const words = lines[number]
  const [first, last] = [words?.[0], words?.at(-1)]
  if (!first || !last || words!.some(({ turns, slant }) => turns || slant)) return undefined
  const tallest = Math.max(...[-1, 0, 1].map(step => heightOf(lines[number + step])))
  return {
    first: letterPlace(first, true),
    last: letterPlace(last, false),
    width: last.right - first.left,
    height: leading * tallest,
  }
}

/** Whether a word may go on from a line that was read to the next, as its column is too narrow for it. */
export const isWrapped = (lines: readonly ReadLine[], number: number): boolean => {
  const [line = [], next = []] = [lines[number], lines[number + 1]]
  const word = { text: line.at(-1)?.text ?? '', isAlone: line.length === 1, next: next[0]?.text[0] ?? '' }
  return goesOver(word, number, at => lineOfWords(lines, at))
}

/** What was read in a picture, see `PictureText`. */
type Read = { text: string; words: readonly OcrWord[]; wordAt: Int32Array; scale: { height: number } }

/** How lines are alike that are read on two pages: their tallest words tell their size, see {@link PageEdges}. */
const alike = { samePlace: 1, sameSize: 0.4 }

/** The edges of a page that was read as a picture; none where its text is turned. */
export const edgesOfPicture = ({ text, words, wordAt, scale }: Read): PageEdges | undefined => {
  if (words.length === 0 || words.some(({ turns }) => turns)) return undefined
  const lines: EdgeLine[] = []
  let line: EdgeLine | undefined
  for (let at = 0; at < text.length; at++) {
    const word = words[wordAt[at]!]
    if (!word) {
      if (text[at] === '\n' || text[at] === softHyphen) line = undefined
      continue
    }
    const { left, right, top, bottom } = word
    if (!line) {
      line = { from: at, to: at, left, right, y: scale.height - bottom, size: 0 }
      lines.push(line)
    }
    line.to = at + 1
    line.right = right
    line.size = Math.max(line.size, bottom - top)
  }
  return { first: lines, last: lines, top: scale.height, bottom: 0, ...alike }
}
