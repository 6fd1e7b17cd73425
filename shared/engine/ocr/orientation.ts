import type { OcrReader, OcrResult, OcrWord, Picture, Turns } from './picture.ts'

/** A picture turned clockwise by quarters. */
export const turnedBy = (picture: Picture, turns: Turns): Picture => {
  if (turns === 0) return picture
  const { width, height, channels, pixels } = picture
  const size = turns === 2 ? { width, height } : { width: height, height: width }
  const result = new Uint8Array(pixels.length)
  for (let y = 0, to = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const [column, row] =
        turns === 1 ? [y, height - 1 - x] : turns === 2 ? [width - 1 - x, height - 1 - y] : [width - 1 - y, x]
      for (let channel = 0; channel < channels; channel++)
        result[to++] = pixels[(row * width + column) * channels + channel]!
    }
  return { ...size, channels, pixels: result }
}

type Box = { left: number; top: number; right: number; bottom: number }

/** Where a box comes to lie when the picture of that size is turned clockwise by quarters. */
export const turnedBox = <T extends Box>(
  box: T,
  turns: number,
  { width, height }: { width: number; height: number },
): T => {
  const { left, top, right, bottom } = box
  if (turns === 1) return { ...box, left: height - bottom, right: height - top, top: left, bottom: right }
  if (turns === 2)
    return { ...box, left: width - right, right: width - left, top: height - bottom, bottom: height - top }
  if (turns === 3) return { ...box, left: top, right: bottom, top: width - right, bottom: width - left }
  return box
}

/** Pixels of each side of the part by which the orientation is told. */
const sampleSide = 900
/** Side of the squares whose ink is counted to choose it. */
const square = 50
/** Difference between neighbours, of 255, that is the edge of a letter. */
const edge = 64

/** The part of a picture that holds the most edges: where text is, if there is any. */
const sampleOf = (picture: Picture): Picture => {
  const { width, height, channels, pixels } = picture
  if (width <= sampleSide && height <= sampleSide) return picture
  const [columns, rows] = [Math.ceil(width / square), Math.ceil(height / square)]
  const edges = new Uint32Array(columns * rows)
  for (let y = 0; y < height; y++)
    for (let x = 1; x < width; x++) {
      const at = (y * width + x) * channels
      if (Math.abs(pixels[at]! - pixels[at - channels]!) > edge)
        edges[Math.floor(y / square) * columns + Math.floor(x / square)]!++
    }
  const [wide, high] = [Math.min(columns, sampleSide / square), Math.min(rows, sampleSide / square)]
  let best = { count: -1, column: 0, row: 0 }
  for (let row = 0; row + high <= rows; row++)
    for (let column = 0; column + wide <= columns; column++) {
      let count = 0
      for (let y = row; y < row + high; y++)
        for (let x = column; x < column + wide; x++) count += edges[y * columns + x]!
      if (count > best.count) best = { count, column, row }
    }
  const [left, top] = [best.column * square, best.row * square]
  const size = { width: Math.min(sampleSide, width - left), height: Math.min(sampleSide, height - top) }
  const cut = new Uint8Array(size.width * size.height * channels)
  for (let y = 0; y < size.height; y++) {
    const from = ((top + y) * width + left) * channels
    cut.set(pixels.subarray(from, from + size.width * channels), y * size.width * channels)
  }
  return { ...size, channels, pixels: cut }
}

/** Confidence from which a word counts, and what its letters are then worth together. */
const sure = 0.6
const worth = ({ lines }: OcrResult) =>
  lines.flat().reduce((sum, { text, confidence }) => sum + (confidence > sure ? lettersOf(text) : 0), 0)
const lettersOf = (text: string) => text.match(/[\p{L}\p{N}]{2,}/gu)?.join('').length ?? 0

/** Mean confidence from which a reading of some words is not doubted. */
const undoubted = 0.75
/** Letters that must be read for sure before a picture is turned, and how many times more than as it came. */
const fewest = 8
const clearly = 2

const isDoubtful = ({ lines, confidence }: OcrResult) => lines.length === 0 || confidence < undoubted

/**
 * Reads a picture in whichever of its four orientations it says the most. Only what can't be read well as it came is
 * looked at in the others, by a part of it first. Boxes are those of the picture as it came.
 */
export const readUpright = async (
  picture: Picture,
  read: (picture: Picture) => Promise<OcrResult>,
  readSample: OcrReader['read'],
): Promise<OcrResult> => {
  const first = await read(picture)
  if (!isDoubtful(first)) return first
  const sample = sampleOf(picture)
  const asItCame = worth(sample === picture ? first : await readSample(sample))
  let best: { turns: Turns; worth: number } = { turns: 0, worth: Math.max(fewest, asItCame * clearly) }
  for (const turns of [1, 2, 3] as const) {
    const result = worth(await readSample(turnedBy(sample, turns)))
    if (result > best.worth) best = { turns, worth: result }
  }
  const { turns } = best
  if (turns === 0) return first
  const turned = turnedBy(picture, turns)
  const upright = await read(turned)
  if (worth(upright) <= worth(first)) return first
  const back = (word: OcrWord): OcrWord => ({ ...turnedBox(word, 4 - turns, turned), turns })
  return { ...upright, lines: upright.lines.map(line => line.map(back)) }
}
