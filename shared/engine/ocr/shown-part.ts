import { grey } from './grey.ts'
import type { Box, OcrResult, OcrWord, Picture } from './picture.ts'

/** Pixels beyond which a picture is made smaller without loss of detail, and beyond which colours cost too much memory. */
const large = { pixels: 6_000_000, coloured: 12_000_000 }
/** Paper left around what is shown, pixels: columns and lines are found by the white around them. */
const margin = 100

/** The part of a picture outside of which all is of one colour, that of its first pixel. */
const shownBox = ({ width, height, channels, pixels }: Picture): Box => {
  const paper = Buffer.alloc(width * channels)
  for (let at = 0; at < paper.length; at++) paper[at] = pixels[at % channels]!
  const box = { left: width, top: height, right: 0, bottom: 0 }
  for (let y = 0; y < height; y++) {
    const row = pixels.subarray(y * paper.length, (y + 1) * paper.length)
    if (paper.equals(row)) continue
    box.top = Math.min(box.top, y)
    box.bottom = y + 1
    let [from, to] = [0, paper.length]
    while (row[from] === paper[from]) from++
    while (row[to - 1] === paper[to - 1]) to--
    box.left = Math.min(box.left, Math.floor(from / channels))
    box.right = Math.max(box.right, Math.ceil(to / channels))
  }
  return box
}

const cut = ({ width, channels, pixels }: Picture, { left, top, right, bottom }: Box): Picture => {
  const size = { width: right - left, height: bottom - top }
  const part = new Uint8Array(size.width * size.height * channels)
  for (let y = 0; y < size.height; y++) {
    const from = ((top + y) * width + left) * channels
    part.set(pixels.subarray(from, from + size.width * channels), y * size.width * channels)
  }
  return { ...size, channels, pixels: part }
}

/**
 * Reads of a large picture only the part that shows anything, where that is less than half of it, and what is larger still
 * in grey: reading takes many times the memory of what is read. Boxes are those of the picture as it came.
 */
export const readShown = async (
  picture: Picture,
  read: (picture: Picture) => Promise<OcrResult>,
): Promise<OcrResult> => {
  const { width, height } = picture
  if (width * height <= large.pixels) return read(picture)
  const shown = shownBox(picture)
  const box = {
    left: Math.max(0, shown.left - margin),
    top: Math.max(0, shown.top - margin),
    right: Math.min(width, shown.right + margin),
    bottom: Math.min(height, shown.bottom + margin),
  }
  const isLess = shown.right > 0 && (box.right - box.left) * (box.bottom - box.top) < (width * height) / 2
  const part = isLess ? cut(picture, box) : picture
  const tooMuch = part.channels === 3 && part.width * part.height > large.coloured
  const result = await read(tooMuch ? grey(part) : part)
  if (!isLess) return result
  const { left, top } = box
  const back = (word: OcrWord): OcrWord => ({
    ...word,
    left: word.left + left,
    right: word.right + left,
    top: word.top + top,
    bottom: word.bottom + top,
  })
  return { ...result, lines: result.lines.map(line => line.map(back)) }
}
