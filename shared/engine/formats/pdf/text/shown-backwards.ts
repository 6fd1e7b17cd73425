import type { Reader } from '../page-reader.ts'
import { type CharPlace, heightOf, isUpright, placeOf } from './char-place.ts'
import { isLevel, type Units, wordGap } from './gaps.ts'
import { letterFromRight } from './right-to-left.ts'

const [letter, mark] = [/^[\p{L}\p{N}]/u, /^\p{M}/u]

/** How far a letter begins before the one that was shown before it, in heights of the font, where their order is another. */
const backwards = 0.1

/** Units that stay together: a letter with its marks, several letters of one sign. */
type Cluster = { units: number[]; place: CharPlace }

/** Whether a letter stands before the one that was shown before it with the same operator, in a script that goes to the right. */
const isBackwards = (reader: Reader, text: number, { parts, chars }: Units, at: number): boolean => {
  const [before, own] = [parts[at - 1] as string, parts[at] as string]
  if (!letter.test(before) || !letter.test(own) || letterFromRight.test(before) || letterFromRight.test(own))
    return false
  const [from, to] = [placeOf(reader, text, chars[at - 1] as number), placeOf(reader, text, chars[at] as number)]
  const em = from && to && isUpright(reader, text, chars[at] as number) && heightOf(reader, text, chars[at] as number)
  return from !== undefined && to !== undefined && typeof em === 'number' && from.x - to.x >= backwards * em
}

/**
 * Puts letters that one operator shows in the order of their places where a displacement between them leads back: PDFium keeps
 * the order in which it shows them, and reads `nosemanyZ` where a page shows *Zynameson*. `falling`: units that begin further left
 * than those shown before them; `breaks`, where lines end, moves along. Says whether anything changed.
 */
export const orderShown = (
  reader: Reader,
  text: number,
  units: Units,
  falling: readonly number[],
  breaks: number[],
): boolean => {
  const places = falling.filter(at => isBackwards(reader, text, units, at))
  let done = units.parts.length
  for (const at of places.toReversed()) {
    if (at >= done) continue
    const [from, to] = shownWith(reader, text, units, at)
    done = from
    const clusters = clustersOf(reader, text, units, from, to)
    if (clusters) replace(units, from, to, ordered(reader, text, units, clusters), breaks)
  }
  return places.length > 0
}

/** The units that one operator shows, with what the reader made up between them. */
const shownWith = (reader: Reader, text: number, { chars }: Units, at: number): [from: number, to: number] => {
  const objectAt = (unit: number) => reader.pdfium.FPDFText_GetTextObject(text, chars[unit] as number)
  const object = objectAt(at)
  const ends = [-1, 1].map(step => {
    let last = at
    for (let unit = at + step; unit >= 0 && unit < chars.length; unit += step) {
      if ((chars[unit] as number) < 0) continue
      if (objectAt(unit) !== object) break
      last = unit
    }
    return last
  }) as [number, number]
  return [ends[0], ends[1] + 1]
}

/** The letters among units, if all stand on one line and go to the right. */
const clustersOf = (
  reader: Reader,
  text: number,
  { parts, chars }: Units,
  from: number,
  to: number,
): Cluster[] | undefined => {
  const clusters: Cluster[] = []
  let last = -1
  for (let unit = from; unit < to; unit++) {
    const char = chars[unit] as number
    if (char < 0) continue
    if (letterFromRight.test(parts[unit] as string)) return undefined
    const cluster = clusters.at(-1)
    if (cluster && (char === last || mark.test(parts[unit] as string))) cluster.units.push(unit)
    else {
      const place = placeOf(reader, text, char)
      const em = heightOf(reader, text, char)
      if (!place || !em || !isLevel(clusters[0]?.place ?? place, place, em)) return undefined
      clusters.push({ units: [unit], place })
    }
    last = char
  }
  return clusters
}

/** The units of letters in the order of their places, with blanks between words. */
const ordered = (reader: Reader, text: number, { parts, chars, ends }: Units, clusters: readonly Cluster[]): Units => {
  const fresh: Units = { parts: [], chars: [], ends: [] }
  const add = (part: string, char: number, end: number) => {
    fresh.parts.push(part)
    fresh.chars.push(char)
    fresh.ends.push(end)
  }
  const sorted = clusters.toSorted((a, b) => a.place.left + a.place.right - b.place.left - b.place.right)
  sorted.forEach(({ units, place }, i) => {
    const before = sorted[i - 1]?.place
    const em = heightOf(reader, text, chars[units[0]!] as number) ?? 0
    if (before && place.left - before.right >= wordGap * em) add(' ', -1, -1)
    for (const unit of units) add(parts[unit] as string, chars[unit] as number, ends[unit] as number)
  })
  return fresh
}

const replace = (units: Units, from: number, to: number, fresh: Units, breaks: number[]): void => {
  units.parts.splice(from, to - from, ...fresh.parts)
  units.chars.splice(from, to - from, ...fresh.chars)
  units.ends.splice(from, to - from, ...fresh.ends)
  const moved = fresh.parts.length - (to - from)
  const left = breaks.splice(0).filter(at => at < from || at >= to)
  for (const at of left) breaks.push(at < from ? at : at + moved)
}
