import type { Reader } from '../page-reader.ts'
import { directionOf } from './char-place.ts'

/**
 * The characters of a page in the order of reading: for each its number in the text of the page, and in the text of the page
 * turned round where that one has it in order, or -1. A space or line end that only the latter has is none of the page.
 */
export type TurnedText = { text: number; chars: number[]; turned: number[] }

/** Cosine of the angle from which a line goes to the left on a page as it is shown. */
const leftwards = -0.1

/**
 * Uses the text of a loaded page with that of letters turned upside-down put in order: PDFium orders what stands side by side
 * from left to right, and so puts words last to first that are shown one by one. Turned round, the page has these upright.
 */
export const withTurned = <T>(
  reader: Reader,
  page: number,
  text: number,
  count: number,
  use: (turned?: TurnedText) => T,
): T => {
  const isTurned = turnedChars(reader, page, text, count)
  if (!isTurned) return use()
  const { pdfium } = reader
  const rotation = pdfium.FPDFPage_GetRotation(page) & 3
  pdfium.FPDFPage_SetRotation(page, (rotation + 2) & 3)
  const turned = pdfium.FPDFText_LoadPage(page)
  pdfium.FPDFPage_SetRotation(page, rotation)
  if (turned === 0) return use()
  try {
    return use(orderTurned(reader, text, turned, isTurned))
  } finally {
    pdfium.FPDFText_ClosePage(turned)
  }
}

/** For each character 1 where its line goes to the left on the page as it is shown; undefined if there are none. */
const turnedChars = (reader: Reader, page: number, text: number, count: number): Uint8Array | undefined => {
  const { pdfium } = reader
  const turn = ((pdfium.FPDFPage_GetRotation(page) & 3) * Math.PI) / 2
  let flags: Uint8Array | undefined
  let [object, isTurned] = [0, false]
  for (let char = 0; char < count; char++) {
    const shownWith = pdfium.FPDFText_GetTextObject(text, char)
    if (shownWith === 0) continue
    if (shownWith !== object) isTurned = Math.cos(directionOf(reader, text, char) + turn) < leftwards
    object = shownWith
    if (!isTurned) continue
    flags ??= new Uint8Array(count)
    flags[char] = 1
  }
  return flags
}

/** Puts each stretch of letters that are turned in the order in which the text of the page turned round has them. */
const orderTurned = (reader: Reader, text: number, turned: number, isTurned: Uint8Array): TurnedText => {
  const { pdfium } = reader
  const isShown = (of: number, char: number) => pdfium.FPDFText_GetTextObject(of, char) !== 0
  const isSpace = (of: number, char: number) => pdfium.FPDFText_GetUnicode(of, char) === 0x20
  const places = placesIn(reader, text, turned, isTurned)
  const size = Math.max(0, pdfium.FPDFText_CountChars(turned))
  const taken = new Set(places.values())
  const ordered: TurnedText = { text: turned, chars: [], turned: [] }
  const add = (char: number, place: number) => {
    ordered.chars.push(char)
    ordered.turned.push(place)
  }
  for (let from = 0; from < isTurned.length; from++) {
    if (isTurned[from] !== 1) {
      add(from, -1)
      continue
    }
    let to = from + 1
    for (let at = to; at < isTurned.length && (isTurned[at] === 1 || !isShown(text, at)); at++)
      if (isTurned[at] === 1) to = at + 1
    const own: { char: number; place: number }[] = []
    for (let char = from; char < to; char++) {
      const place = places.get(char) ?? -1
      // The reader leaves out one of two spaces.
      if (isTurned[char] === 1 && (place >= 0 || !isSpace(text, char))) own.push({ char, place })
    }
    // And of two copies one, which may be the other there.
    if (own.some(({ place }) => place < 0)) for (let char = from; char < to; char++) add(char, -1)
    else {
      own.sort((a, b) => a.place - b.place)
      own.forEach(({ char, place }, i) => {
        add(char, place)
        const isBetween = (next: number) =>
          next < size && (!isShown(turned, next) || (isSpace(turned, next) && !taken.has(next)))
        for (let next = place + 1; i + 1 < own.length && isBetween(next); next++) add(-1, next)
      })
    }
    from = to - 1
  }
  return ordered
}

/** For characters that are turned, their numbers in the text of the page turned round. */
const placesIn = (reader: Reader, text: number, turned: number, isTurned: Uint8Array): Map<number, number> => {
  const { pdfium } = reader
  const { scratch } = pdfium
  const keyOf = (of: number, char: number): string | undefined => {
    const object = pdfium.FPDFText_GetTextObject(of, char)
    if (object === 0 || !pdfium.FPDFText_GetCharOrigin(of, char, scratch, scratch + 8)) return undefined
    const at = scratch >> 3
    return `${object} ${pdfium.pdfium.HEAPF64[at]} ${pdfium.pdfium.HEAPF64[at + 1]}`
  }
  const numbers = new Map<string, number[]>()
  for (let char = isTurned.length - 1; char >= 0; char--) {
    const key = isTurned[char] === 1 ? keyOf(text, char) : undefined
    if (key === undefined) continue
    const same = numbers.get(key)
    if (same) same.push(char)
    else numbers.set(key, [char])
  }
  const places = new Map<number, number>()
  for (let place = 0, size = pdfium.FPDFText_CountChars(turned); place < size; place++) {
    const key = keyOf(turned, place)
    const char = key === undefined ? undefined : numbers.get(key)?.pop()
    if (char !== undefined) places.set(char, place)
  }
  return places
}
