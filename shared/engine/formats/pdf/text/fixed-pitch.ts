import { extentOf } from '../../../lists.ts'
import type { Reader } from '../page-reader.ts'
import { heightOf, placeOf } from './char-place.ts'
import { fewestSteps, type Units } from './gaps.ts'

/** How much such steps differ at most, how much the letters' widths do at least, and the longest step; in heights of the font. */
const even = { step: 0.02, width: 0.1, longest: 1.5 }

/** A letter of a line: its unit, where it begins, its width, its level and the height of its font. */
type Letter = { at: number; x: number; y: number; width: number; em: number }

/**
 * Takes the spaces that the reader made up out of lines whose letters stand in columns of one width while the font has its own
 * for each, as where a printer's Courier is replaced: it sees a gap behind each narrow letter. A column left out parts words.
 * `evenly`: characters that end a stretch of even steps.
 */
export const joinPitch = (reader: Reader, text: number, units: Units, evenly: ReadonlySet<number>): void => {
  if (evenly.size === 0) return
  const { parts, chars } = units
  let [from, isEven, isMade] = [0, false, false]
  for (let at = 0; at <= parts.length; at++) {
    const char = chars[at] ?? -1
    if (at === parts.length || parts[at] === '\n') {
      if (isEven && isMade) joinLine(reader, text, units, from, at)
      ;[from, isEven, isMade] = [at + 1, false, false]
    } else if (char < 0) isMade = true
    else isEven ||= evenly.has(char)
  }
}

const joinLine = (reader: Reader, text: number, units: Units, from: number, to: number): void => {
  const letters = lettersOf(reader, text, units, from, to)
  const steps = letters.slice(1).map((letter, i) => stepFrom(letters[i] as Letter, letter))
  let done = 0
  for (let start = 0; start < steps.length; ) {
    let end = evenEnd(letters, steps, start)
    const pitch = ((letters[end] as Letter).x - (letters[start] as Letter).x) / (end - start)
    if (isPitch(letters, start, end, pitch)) {
      const columns = (step: number) => columnsOf(steps[step], pitch, (letters[step] as Letter).em)
      let first = start
      while (first > done && columns(first - 1)) first--
      while (end < steps.length && columns(end)) end++
      for (let step = first; step < end; step++)
        spaceOut(units, (letters[step] as Letter).at, (letters[step + 1] as Letter).at, columns(step) > 1)
      done = end
    }
    start = Math.max(end, start + 1)
  }
}

const lettersOf = (reader: Reader, text: number, { parts, chars }: Units, from: number, to: number): Letter[] => {
  const letters: Letter[] = []
  let last = -1
  for (let at = from; at < to; at++) {
    const char = chars[at] as number
    if (char < 0 || char === last || (parts[at] as string).trim() === '') continue
    last = char
    const [place, em] = [placeOf(reader, text, char), heightOf(reader, text, char)]
    if (place && em) letters.push({ at, x: place.x, y: place.y, width: place.right - place.left, em })
  }
  return letters
}

/** How far a letter begins behind another on one level, of one size; NaN if it doesn't. */
const stepFrom = (before: Letter, { x, y, em }: Letter): number =>
  Math.abs(y - before.y) <= even.step * em && Math.abs(em - before.em) <= even.step * em ? x - before.x : Number.NaN

/** The letter to which the steps are as long as the first one. */
const evenEnd = (letters: readonly Letter[], steps: readonly number[], start: number): number => {
  const isEven = (step: number) =>
    Math.abs((steps[step] as number) - (steps[start] as number)) <= even.step * (letters[start] as Letter).em
  let end = start + 1
  while (end < steps.length && isEven(end)) end++
  return end
}

/** Whether even steps are those of columns, and not of letters that are as wide as each other: half of them aren't so wide. */
const isPitch = (letters: readonly Letter[], start: number, end: number, pitch: number): boolean => {
  if (end - start < fewestSteps) return false
  const { em } = letters[start] as Letter
  const widths = letters.slice(start, end).map(({ width }) => width)
  const others = widths.filter(width => Math.abs(width - pitch) > even.step * em)
  const [narrowest, widest] = extentOf(widths)
  const isEven = widest - narrowest < even.width * em
  return pitch > 0 && pitch <= even.longest * em && !isEven && others.length >= widths.length / 2
}

/** How many columns a step goes on; 0 where it leads elsewhere. */
const columnsOf = (step: number | undefined, pitch: number, em: number): number => {
  const columns = Math.round((step ?? Number.NaN) / pitch)
  return columns > 0 && Math.abs((step as number) - columns * pitch) <= even.step * em ? columns : 0
}

/** Takes out the spaces that the reader made up between two letters, or puts one back that was taken out before. */
const spaceOut = ({ parts, chars }: Units, from: number, to: number, isParted: boolean): void => {
  const blank = isParted && parts.slice(from + 1, to).join('') === '' ? ' ' : ''
  if (isParted && blank === '') return
  for (let at = from + 1; at < to; at++) if ((chars[at] as number) < 0) parts[at] = at === from + 1 ? blank : ''
}
