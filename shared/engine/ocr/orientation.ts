import { type Box, type OcrReader, type OcrResult, type OcrWord, overlap, type Picture, type Turns } from './picture.ts'

/** A picture turned clockwise by quarters. */
export const turnedBy = (picture: Picture, turns: Turns): Picture => {
  if (turns === 0) return picture
  const { width, height, channels, pixels } = picture
  const size = turns === 2 ? { width, height } : { width: height, height: width }
  const [row, last] = [width * channels, (height - 1) * width * channels]
  // Where the first pixel comes from, and how far on the next one to the right and the next one below do.
  const [first, right, below] = {
    1: [last, -row, channels] as const,
    2: [last + row - channels, -channels, -row] as const,
    3: [row - channels, row, -channels] as const,
  }[turns]
  const result = new Uint8Array(pixels.length)
  for (let y = 0, to = 0; y < size.height; y++)
    for (let x = 0, from = first + y * below; x < size.width; x++, from += right)
      for (let channel = 0; channel < channels; channel++) result[to++] = pixels[from + channel]!
  return { ...size, channels, pixels: result }
}

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

/** Pixels of each side of the part by which the orientation is told, and of that which tells upside down from upright. */
const sampleSide = { any: 900, upsideDown: 450 }
/** Side of the squares whose ink is counted to choose it. */
const square = 50
/** Difference between neighbours, of 255, that is the edge of a letter. */
const edge = 64

/** The part of a picture, of so many pixels each side, that holds the most edges: where text is, if there is any. */
const sampleOf = (picture: Picture, side: number): { sample: Picture; left: number; top: number } => {
  const { width, height, channels, pixels } = picture
  if (width <= side && height <= side) return { sample: picture, left: 0, top: 0 }
  const [columns, rows] = [Math.ceil(width / square), Math.ceil(height / square)]
  const edges = new Uint32Array(columns * rows)
  for (let y = 0; y < height; y++)
    for (let x = 1; x < width; x++) {
      const at = (y * width + x) * channels
      if (Math.abs(pixels[at]! - pixels[at - channels]!) > edge)
        edges[Math.floor(y / square) * columns + Math.floor(x / square)]!++
    }
  const [wide, high] = [Math.min(columns, side / square), Math.min(rows, side / square)]
  let best = { count: -1, column: 0, row: 0 }
  for (let row = 0; row + high <= rows; row++)
    for (let column = 0; column + wide <= columns; column++) {
      let count = 0
      for (let y = row; y < row + high; y++)
        for (let x = column; x < column + wide; x++) count += edges[y * columns + x]!
      if (count > best.count) best = { count, column, row }
    }
  const [left, top] = [best.column * square, best.row * square]
  const size = { width: Math.min(side, width - left), height: Math.min(side, height - top) }
  const cut = new Uint8Array(size.width * size.height * channels)
  for (let y = 0; y < size.height; y++) {
    const from = ((top + y) * width + left) * channels
    cut.set(pixels.subarray(from, from + size.width * channels), y * size.width * channels)
  }
  return { sample: { ...size, channels, pixels: cut }, left, top }
}

/** Confidence from which a word counts, and what its letters are then worth together. */
const sure = 0.6
export const worth = (words: readonly OcrWord[]) => lettersIn(words.filter(({ confidence }) => confidence > sure))
const lettersIn = (words: readonly OcrWord[]) => words.reduce((sum, { text }) => sum + lettersOf(text), 0)
const lettersOf = (text: string) => text.match(/[\p{L}\p{N}]{2,}/gu)?.join('').length ?? 0

/** Mean confidence from which a reading of some words is not doubted. */
const undoubted = 0.75
/** Letters that must be read for sure before a picture is turned, and how many times more than as it came. */
const fewest = 8
const clearly = 2

/** Share of letters that is read for sure where text is not upside down, and how many of them tell that it is not. */
const upright = { share: 0.25, letters: 40 }

export const isDoubtful = ({ lines, confidence }: OcrResult) => lines.length === 0 || confidence < undoubted

/**
 * Whether text that could be read in part is worse upside down. Then it is the right way up, for Tesseract itself turns lines
 * that lie on their side.
 */
const isUpright = async (picture: Picture, words: readonly OcrWord[], readSample: OcrReader['read']) => {
  if (worth(words) < upright.share * lettersIn(words)) return false
  const { sample, left, top } = sampleOf(picture, sampleSide.upsideDown)
  const [right, bottom] = [left + sample.width, top + sample.height]
  const inside = words.filter(word => overlap(word, { left, top, right, bottom }))
  if (worth(inside) < upright.letters) return false
  const { lines } = await readSample(turnedBy(sample, 2))
  return worth(lines.flat()) < worth(inside)
}

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
  const words = first.lines.flat()
  if (!isDoubtful(first) || (await isUpright(picture, words, readSample))) return first
  const { sample } = sampleOf(picture, sampleSide.any)
  const asItCame = worth(sample === picture ? words : (await readSample(sample)).lines.flat())
  let best: { turns: Turns; worth: number } = { turns: 0, worth: Math.max(fewest, asItCame * clearly) }
  for (const turns of [1, 2, 3] as const) {
    const result = worth((await readSample(turnedBy(sample, turns))).lines.flat())
    if (result > best.worth) best = { turns, worth: result }
  }
  const { turns } = best
  if (turns === 0) return first
  const turned = turnedBy(picture, turns)
  const result = await read(turned)
  if (worth(result.lines.flat()) <= worth(words)) return first
  const back = (word: OcrWord): OcrWord => ({ ...turnedBox(word, 4 - turns, turned), turns })
  return { ...result, lines: result.lines.map(line => line.map(back)) }
}
