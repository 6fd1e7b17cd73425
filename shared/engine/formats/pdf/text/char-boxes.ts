import type { Reader } from '../page-reader.ts'
import { type CharPlace, heightOf, likestFontOf, placeOf } from './char-place.ts'
import type { PageText } from './page-text.ts'
import { withText } from './page-text.ts'

/** Where a stretch of a page's text stands, and how it is written there. */
export type Stretch = {
  /** The reader's characters that go with it. */
  chars: number[]
  places: CharPlace[]
  /** The places among them of invisible text. */
  unseen: CharPlace[]
  /** Direction of the line, radians. */
  angle: number
  /** Height of the font in page units, where it is known. */
  em?: number
  /** The standard font that looks most like its own, where that is known. */
  font?: string
}

/** Text render mode of invisible text. */
const invisible = 3

/** Looks up stretches (UTF-16 offsets) of a page's text. */
export const stretchesOf = (reader: Reader, index: number, { chars, ends }: PageText, wanted: Wanted): Stretch[] => {
  const { pdfium } = reader
  const isUnseen = (text: number, char: number): boolean => {
    const object = pdfium.FPDFText_GetTextObject(text, char)
    return object !== 0 && pdfium.FPDFTextObj_GetTextRenderMode(object) === invisible
  }
  const isShown = membersOf(chars)
  /** The characters between two, in the reader's order, if none of them is shown: hyphens at ends of lines. */
  const hiddenBetween = (last: number, next: number): number[] => {
    const between: number[] = []
    for (let one = last + 1; one < next; one++) {
      if (isShown(one)) return []
      between.push(one)
    }
    return between
  }
  /** The characters of a stretch, in its order. What makes up one letter may stand in either order: turned text has the last one first. */
  const charsOf = (start: number, end: number): number[] => {
    const inside = new Set<number>()
    let last = -1
    for (let unit = start; unit < end; unit++) {
      const char = chars[unit]!
      if (char < 0) continue
      const from = Math.min(char, ends[unit]!)
      if (last >= 0) for (const one of hiddenBetween(last, from)) inside.add(one)
      last = Math.max(char, ends[unit]!)
      for (let one = from; one <= last; one++) inside.add(one)
    }
    return [...inside]
  }
  const stretch = (text: number, start: number, end: number): Stretch => {
    const found: Stretch = { chars: [], places: [], unseen: [], angle: 0 }
    const inside = charsOf(start, end).filter(char => isShown(char) || pdfium.FPDFText_IsGenerated(text, char) !== 1)
    const [first] = inside
    if (first === undefined) return found
    for (const char of inside) {
      const place = placeOf(reader, text, char)
      found.chars.push(char)
      if (place) found.places.push(place)
      if (place && isUnseen(text, char)) found.unseen.push(place)
    }
    const angle = pdfium.FPDFText_GetCharAngle(text, first)
    if (Number.isFinite(angle) && angle > 0) found.angle = angle
    found.em = heightOf(reader, text, first)
    found.font = likestFontOf(reader, text, first)
    return found
  }
  return reader.page(index, page =>
    withText(reader, page, text => wanted.map(({ start, end }) => stretch(text, start, end))),
  )
}

/** Tells whether a number from 0 on is among some. */
const membersOf = (numbers: Int32Array): ((number: number) => boolean) => {
  let most = 0
  for (let at = 0; at < numbers.length; at++) most = Math.max(most, numbers[at]!)
  const marks = new Uint8Array(most + 1)
  for (let at = 0; at < numbers.length; at++) if (numbers[at]! >= 0) marks[numbers[at]!] = 1
  return number => marks[number] === 1
}

type Wanted = readonly { start: number; end: number }[]

/** Characters of stretches that are kept from when they are found until they are written: some 30 MB. */
const maxCharacters = 200_000

/**
 * Keeps the stretches of a document's pages as far as there is room: when they are found their page is loaded, when they
 * are written it may have to be loaded again.
 */
export const keptStretches = (look: (page: number, wanted: Wanted) => Stretch[]) => {
  const kept = new Map<string, Stretch>()
  let room = maxCharacters
  const get = (page: number, wanted: Wanted): Stretch[] => {
    const keys = wanted.map(({ start, end }) => `${page} ${start} ${end}`)
    const found = keys.map(key => kept.get(key))
    const missing = wanted.filter((_, i) => !found[i])
    const looked = missing.length > 0 ? look(page, missing) : []
    return keys.map((key, i) => {
      const stretch = found[i] ?? (looked.shift() as Stretch)
      if (!found[i] && room > 0) {
        kept.set(key, stretch)
        room -= stretch.chars.length
      }
      return stretch
    })
  }
  return {
    get,
    /** Looks up stretches that will be asked for. */
    keep(page: number, wanted: Wanted): void {
      if (room > 0) get(page, wanted)
    },
  }
}
