import type { Reader } from '../page-reader.ts'
import { type CharPlace, directionOf, heightOf, isUpright, placeOf } from './char-place.ts'

/** The units of a text while it is put together; a part of no letters goes. */
export type Units = { parts: string[]; chars: number[]; ends: number[] }

/** A gap between two letters from which they belong to two words, in heights of the font; other readers take the same. */
export const wordGap = 0.1

const letter = /[\p{L}\p{N}]/u

/** How far a character stands behind another on the same line, in heights of the font. */
const gapBetween = (reader: Reader, text: number, before: number, after: number): number | undefined => {
  const [from, to] = [placeOf(reader, text, before), placeOf(reader, text, after)]
  const em = heightOf(reader, text, after)
  if (!from || !to || !em) return undefined
  if (!isUpright(reader, text, after)) return turnedGap(reader, text, before, after, from, to, Math.abs(em))
  return isLevel(from, to, em) ? (to.left - from.right) / em : undefined
}

/** By how much two letters of one line are turned apart at most, radians. */
const sameTurn = 0.01

/** The same of two that are turned, in the direction of their line. */
const turnedGap = (
  reader: Reader,
  text: number,
  before: number,
  after: number,
  from: CharPlace,
  to: CharPlace,
  em: number,
): number | undefined => {
  const turn = directionOf(reader, text, after)
  if (Math.abs(turn - directionOf(reader, text, before)) > sameTurn) return undefined
  const [along, up] = [Math.cos(turn), -Math.sin(turn)]
  const [right, rise] = [to.x - from.x, to.y - from.y]
  if (Math.abs(rise * along - right * up) >= 0.6 * em) return undefined
  return (right * along + rise * up - advanceOf(from, along, up)) / em
}

/** The width of a letter in the direction of its line, of which its box, around all its corners, tells. */
const advanceOf = ({ x, y, left, right, bottom, top }: CharPlace, along: number, up: number): number => {
  const [ahead, aside] = [along > 0 ? right - x : x - left, along > 0 ? x - left : right - x]
  const [above, below] = [Math.max(top, bottom) - y, y - Math.min(top, bottom)]
  const [c, s] = [Math.abs(along), Math.abs(up)]
  if (c >= s) return (ahead - ((up > 0 ? below : above) * s) / c) / c
  return ((up > 0 ? above : below) - (aside * c) / s) / s
}

/** On one line, the numbers of notes above it included. */
export const isLevel = (a: CharPlace, b: CharPlace, em: number) => Math.abs(a.y - b.y) < 0.6 * em

/** How far the next letter stands above or below, and at most behind, where a line goes on in steps; in heights of the font. */
const step = { least: 0.01, most: 0.3, gap: 1.5, overlap: 0.3 }

/** Share by which the heights of two letters of one word differ at most. */
const sameHeight = 0.1

/** How far behind what is raised or lowered, as the number of a note is, its line goes on at most, in heights of the larger font. */
const goesOn = { gap: 0.5, overlap: 0.1 }

/**
 * Takes back the ends of lines that the reader sees where a text runs over a hill or up a slope: the next letter stands a step
 * higher or lower, right behind the last one; and where a line goes on behind the number of a note. Returns those of the `breaks`
 * at which a line does end.
 */
export const joinSteps = (reader: Reader, text: number, { parts, chars, ends }: Units, breaks: number[]): number[] =>
  breaks.filter(at => {
    const [last, next] = [ends[at - 1] ?? -1, chars[at + 1] ?? -1]
    const [from, to] = last < 0 || next < 0 ? [] : [placeOf(reader, text, last), placeOf(reader, text, next)]
    const [height, em] = from && to ? [heightOf(reader, text, last), heightOf(reader, text, next)] : []
    if (!from || !to || !height || !em) return true
    const isRaised = Math.abs(height - em) > sameHeight * em
    const larger = isRaised ? Math.max(height, em) : em
    const [rise, gap] = [Math.abs(to.y - from.y) / larger, (to.left - from.right) / larger]
    const isNext = isRaised
      ? isLevel(from, to, larger) && gap <= goesOn.gap && gap >= -goesOn.overlap
      : rise >= step.least && rise <= step.most && gap <= step.gap && gap >= -step.overlap
    if (isNext) parts[at] = gap < wordGap ? '' : ' '
    return !isNext
  })

/** How far apart two copies of a letter stand at most that make it look bold, in heights of the font and widths of it. */
const copyShift = { heights: 0.2, widths: 0.7 }

/** Takes a letter and a copy that is drawn over it, to look bold, for one. `breaks`, where lines end, moves along. */
export const joinCopies = (reader: Reader, text: number, { parts, chars, ends }: Units, breaks: number[]): void => {
  const shownWith = (at: number) => reader.pdfium.FPDFText_GetTextObject(text, chars[at] as number)
  for (let at = parts.length - 1; at > 0; at--) {
    if (parts[at] !== parts[at - 1] || (chars[at] as number) < 0 || (chars[at - 1] as number) < 0) continue
    if (parts[at] === ' ' || shownWith(at) === shownWith(at - 1)) continue
    const [letter, copy] = [placeOf(reader, text, chars[at - 1] as number), placeOf(reader, text, chars[at] as number)]
    const em = heightOf(reader, text, chars[at] as number)
    if (!letter || !copy || !em) continue
    const most = Math.min(copyShift.heights * em, copyShift.widths * (copy.right - copy.left))
    if (Math.hypot(copy.x - letter.x, copy.y - letter.y) > most) continue
    ends[at - 1] = ends[at] as number
    for (const list of [parts, chars, ends]) list.splice(at, 1)
    breaks.forEach((place, line) => {
      if (place >= at) breaks[line] = place - 1
    })
  }
}

/** What was found of how letters stand to those before them: places among units, and characters. */
type Between = {
  glued: number[]
  falling: number[]
  steps: Set<number>
  turned: Set<number>
  covered: Set<number>
  evenly: Set<number>
}

/** Whether each number up to the largest of some is one of them, as 1: asked in a tenth of the time that a set takes. */
export const flagsOf = (numbers: ReadonlySet<number>): Uint8Array => {
  let last = -1
  for (const number of numbers) last = Math.max(last, number)
  const flags = new Uint8Array(last + 1)
  for (const number of numbers) flags[number] = 1
  return flags
}

/** Fewest steps from letter to letter that are even, one after the other, and by which share they differ at most. */
export const fewestSteps = 4
const sameStep = 0.03

/** How far apart, in points, a space and what follows stand at least where that is not shown over it. */
const shownSpace = 0.5

/**
 * Finds letters that stand apart from the one before them and were shown one by one, where the reader sees no space: it looks for
 * spaces within what is shown at once, and misjudges some between the rest. And what begins further left than what was shown
 * before it with it, which characters stand on another level than what was shown before them, of each line
 * that does not go to the right one, spaces that what follows is shown over, and characters that end a stretch of even steps.
 */
export const placesBetween = (reader: Reader, text: number, units: Units): Between => {
  const { pdfium } = reader
  const { scratch } = pdfium
  const { parts, chars, ends } = units
  const glued: number[] = []
  const falling: number[] = []
  const [steps, turned, covered, evenly] = [new Set<number>(), new Set<number>(), new Set<number>(), new Set<number>()]
  let [length, isEven] = [0, 0]
  let [object, left, level, seen] = [0, 0, Number.NaN, 0]
  for (let at = 0; at < parts.length; at++) {
    const char = chars[at] as number
    const shownWith = char < 0 ? 0 : pdfium.FPDFText_GetTextObject(text, char)
    const before = object
    const last = left
    object = shownWith
    if (shownWith !== 0 && pdfium.FPDFText_GetCharOrigin(text, char, scratch, scratch + 8)) {
      const doubles = pdfium.pdfium.HEAPF64
      left = doubles[scratch >> 3] as number
      const own = doubles[(scratch >> 3) + 1] as number
      if (own !== level && !Number.isNaN(level)) steps.add(char)
      const isTurned = own === level ? left < last : before === shownWith
      if (isTurned && seen !== shownWith) turned.add(char)
      if (isTurned) seen = shownWith
      if (own === level && left - last < shownSpace && parts[at - 1] === ' ') covered.add(chars[at - 1] as number)
      isEven = Math.abs(left - last - length) <= sameStep * length ? isEven + 1 : 1
      if (isEven >= fewestSteps) evenly.add(char)
      length = left - last
      level = own
    }
    if (before === shownWith && left < last) falling.push(at)
    if (before === 0 || shownWith === 0 || before === shownWith) continue
    if (!letter.test(parts[at] as string) || !letter.test(parts[at - 1] as string)) continue
    const gap = gapBetween(reader, text, ends[at - 1] as number, char)
    // Beyond a line's width it is a matter of columns, which the reader orders by itself.
    if (gap === undefined || gap < wordGap || gap > 20) continue
    glued.push(at)
  }
  return { glued, falling, steps, turned, covered, evenly }
}

/** Puts spaces before some units. `breaks`, where lines end, moves along. */
export const splitGlued = ({ parts, chars, ends }: Units, glued: readonly number[], breaks: number[]): void => {
  for (const at of glued.toReversed()) {
    for (const list of [chars, ends]) list.splice(at, 0, -1)
    parts.splice(at, 0, ' ')
    breaks.forEach((place, line) => {
      if (place >= at) breaks[line] = place + 1
    })
  }
}
