import type { Reader } from '../page-reader.ts'
import { type CharPlace, heightOf, isUpright, placeOf } from './char-place.ts'
import { isLevel, type Units } from './gaps.ts'
import { letterFromRight, numbers, reorderUnits } from './right-to-left.ts'

const mark = /^\p{M}/u
const letter = /\p{L}/u
const letterOrDigit = /[\p{L}\p{N}]/u
const digit = /^\p{Nd}/u
const digitOfOthers = /^(?![0-9])\p{Nd}/u

/** What stands within a number of any script, and of European digits. */
const [withinAny, withinEuropean] = [/^[.,:/\u066b\u066c]/, /^[.,:/+-]/]

/** The gap from which words are of two texts, and by how much the boxes of letters overlap; in heights of the font. */
const [widest, overlap] = [2, 0.3]

/** A line of upright text, of which each unit has a place unless the reader made it up. */
type Line = { units: Units; from: number; to: number; em: number; place: (at: number) => CharPlace | undefined }

/** Units that stay together, from the first to behind the last, and the sides of their box. */
type Piece = { from: number; to: number; left: number; right: number }

/**
 * Puts in order what goes from left to right within a line that goes from right to left, and the other way round. PDFium puts all
 * words of a line in one order, whatever their letters: within Hebrew, *Connor Sarah* and the parts of an address come the other
 * way round, as do two words of Hebrew within English, and the digits of Arabic.
 */
export const orderDirections = (reader: Reader, text: number, units: Units): void => {
  const { parts } = units
  if (!parts.some(isConcerned)) return
  for (let from = 0; from < parts.length; from++) {
    const end = parts.indexOf('\n', from)
    const to = end < 0 ? parts.length : end
    const line = parts.slice(from, to).some(isConcerned) ? lineOf(reader, text, units, from, to) : undefined
    if (line) orderLine(line)
    from = to
  }
}

const isConcerned = (part: string): boolean => part > '\x7f' && (isFromRight(part) || digitOfOthers.test(part))

const lineOf = (reader: Reader, text: number, units: Units, from: number, to: number): Line | undefined => {
  const shown = numbers(from, to).flatMap(at => ((units.chars[at] as number) >= 0 ? [units.chars[at] as number] : []))
  const places = new Map(shown.map(char => [char, placeOf(reader, text, char)]))
  const [first] = shown
  const [start, em] = first === undefined ? [] : [places.get(first), heightOf(reader, text, first)]
  if (first === undefined || !start || !em || !isUpright(reader, text, first)) return undefined
  if (![...places.values()].every(place => place && isLevel(start, place, em))) return undefined
  return { units, from, to, em, place: at => places.get(units.chars[at] as number) }
}

const orderLine = (line: Line): void => {
  joinMarks(line)
  turnDigits(line)
  for (const [from, to] of runsOf(line, isFromLeft, isFromRight))
    turn(line, risingPieces(line, from, to), -1, text => letterOrDigit.test(text))
  for (const [from, to] of runsOf(line, isFromRight, isFromLeft))
    turn(line, fallingPieces(line, from, to), 1, isFromRight)
}

const isFromRight = (part: string): boolean => letterFromRight.test(part)
const isFromLeft = (part: string): boolean => letter.test(part) && !letterFromRight.test(part)

/** Puts marks behind the letter that they stand over, where a sign came between them. */
const joinMarks = (line: Line): void => {
  const { units, from, to, place } = line
  for (let at = from + 2; at < to; at++) {
    if (!mark.test(units.parts[at] as string) || letter.test(units.parts[at - 1] as string)) continue
    const [own, under] = [place(at), place(at - 2)]
    if (!own || !under || !isFromRight(units.parts[at - 2] as string) || mark.test(units.parts[at - 1] as string))
      continue
    const shared = Math.min(own.right, under.right) - Math.max(own.left, under.left)
    if (shared >= (own.right - own.left) / 2) reorderUnits(units, at - 1, [at, at - 1])
  }
}

/** Turns round numbers whose digits go to the left, which no script writes. */
const turnDigits = (line: Line): void => {
  for (const [from, to] of numbersIn(line, withinAny)) {
    const groups: [number, number][] = goesLeft(line, from, to) ? [[from, to]] : groupsOf(line, from, to)
    for (const [start, end] of groups)
      if (end - start > 1 && goesLeft(line, start, end)) reorderUnits(line.units, start, numbers(start, end).reverse())
  }
}

const goesLeft = ({ place }: Line, from: number, to: number): boolean =>
  numbers(from + 1, to).every(at => {
    const [before, own] = [place(at - 1), place(at)]
    return before !== undefined && own !== undefined && own.left + own.right < before.left + before.right
  })

/** The numbers of a line with the signs within them. */
const numbersIn = ({ units: { parts }, from, to }: Line, within: RegExp): [number, number][] => {
  const found: [number, number][] = []
  const isDigit = (at: number) => at < to && digit.test(parts[at] as string)
  for (let at = from; at < to; at++) {
    if (!isDigit(at)) continue
    const start = at
    while (isDigit(at + 1) || (isDigit(at + 2) && within.test(parts[at + 1] as string))) at++
    found.push([start, at + 1])
  }
  return found
}

/** The digits that stand together within a number. */
const groupsOf = ({ units: { parts } }: Line, from: number, to: number): [number, number][] => {
  const starts = numbers(from, to).filter(
    at => digit.test(parts[at] as string) && !(at > from && digit.test(parts[at - 1] as string)),
  )
  return starts.map(start => {
    let end = start
    while (end < to && digit.test(parts[end] as string)) end++
    return [start, end]
  })
}

/** The parts of a line between letters of the other direction that hold letters of their own. */
const runsOf = (
  { units: { parts }, from, to }: Line,
  isOwn: (part: string) => boolean,
  isOther: (part: string) => boolean,
): [number, number][] => {
  const ends = [...numbers(from, to).filter(at => isOther(parts[at] as string)), to]
  return ends
    .map((end, i): [number, number] => [i === 0 ? from : (ends[i - 1] as number) + 1, end])
    .filter(([start, end]) => parts.slice(start, end).some(isOwn))
}

const middleOf = ({ left, right }: Pick<Piece, 'left' | 'right'>): number => (left + right) / 2

/** What stands in the order of a text from left to right: whole words, and spaces between them that stand by themselves. */
const risingPieces = (line: Line, from: number, to: number): Piece[] => {
  const next = (at: number): CharPlace | undefined => {
    for (let i = at; i < to; i++) {
      const here = line.place(i)
      if (here) return here
    }
    return undefined
  }
  return piecesOf(line, from, to, (at, last) => {
    const here = next(at)
    return here !== undefined && (mark.test(line.units.parts[at] as string) || middleOf(here) >= middleOf(last))
  })
}

/** The same of one from right to left: words, numbers, and all signs by themselves. */
const fallingPieces = (line: Line, from: number, to: number): Piece[] => {
  const { parts } = line.units
  const inNumbers = new Set(numbersIn(line, withinEuropean).flatMap(([start, end]) => numbers(start + 1, end)))
  return piecesOf(line, from, to, (at, last) => {
    if (inNumbers.has(at) || mark.test(line.units.parts[at] as string)) return true
    const here = line.place(at)
    return (
      isFromRight(parts[at] as string) &&
      isFromRight(parts[at - 1] as string) &&
      here !== undefined &&
      middleOf(here) <= middleOf(last)
    )
  })
}

/** Puts units together to pieces where they belong to what stands before them. */
const piecesOf = (
  { place }: Line,
  from: number,
  to: number,
  belongs: (at: number, last: CharPlace) => boolean,
): Piece[] => {
  const pieces: Piece[] = []
  let last: CharPlace | undefined
  for (let at = from; at < to; at++) {
    const here = place(at)
    const piece = pieces.at(-1)
    if (piece && last && belongs(at, last)) {
      piece.to = at + 1
      if (here) piece.left = Math.min(piece.left, here.left)
      if (here) piece.right = Math.max(piece.right, here.right)
    } else pieces.push({ from: at, to: at + 1, left: here?.left ?? Number.NaN, right: here?.right ?? Number.NaN })
    last = here ?? last
  }
  return pieces
}

/**
 * Turns pieces round that stand in a direction, each clear of the one before it and without a wide gap, if they hold letters; from
 * one that may be an edge to another.
 */
const turn = (
  { units, em }: Line,
  pieces: readonly Piece[],
  direction: 1 | -1,
  isEdge: (text: string) => boolean,
): void => {
  const textOf = ({ from, to }: Piece) => units.parts.slice(from, to).join('')
  const turnPart = (part: readonly Piece[]) => {
    const first = part.find(piece => isEdge(textOf(piece)))
    const last = part.findLast(piece => isEdge(textOf(piece)))
    if (!first || !last || first === last || !part.some(piece => letter.test(textOf(piece)))) return
    const inside = pieces.filter(({ from }) => from >= first.from && from <= last.from)
    reorderUnits(
      units,
      first.from,
      inside.toReversed().flatMap(({ from, to }) => numbers(from, to)),
    )
  }
  let part: Piece[] = []
  for (const piece of pieces.filter(each => !Number.isNaN(each.left) && textOf(each).trim() !== '')) {
    const before = part.at(-1)
    if (before && !follows(before, piece, direction, em)) {
      turnPart(part)
      part = []
    }
    part.push(piece)
  }
  turnPart(part)
}

const follows = (before: Piece, piece: Piece, direction: 1 | -1, em: number): boolean => {
  const clear = direction > 0 ? piece.left - before.right : before.left - piece.right
  return clear >= -overlap * em && clear <= widest * em && direction * (middleOf(piece) - middleOf(before)) > 0
}
