import type { Reader } from '../page-reader.ts'
import { borrow, fourFloats } from '../pdfium.ts'
import type { CharPlace } from '../text/char-place.ts'
import { kinds, maxDepth } from './page-objects.ts'
import { letterLike } from './views.ts'

type Test = (object: number, kind: number) => boolean

/** Whether an object of a page, or of a form inside of it, lies under one of the boxes and passes a test. */
const isOver = (reader: Reader, index: number, boxes: readonly CharPlace[], test: Test): boolean =>
  reader.page(index, page => {
    const { pdfium } = reader
    for (let i = 0, count = pdfium.FPDFPage_CountObjects(page); i < count; i++) {
      const object = pdfium.FPDFPage_GetObject(page, i)
      const kind = pdfium.FPDFPageObj_GetType(object)
      if (!(kind === kinds.form ? holds(reader, object, test) : test(object, kind))) continue
      const over = borrow(pdfium, 16, sides => {
        if (!pdfium.FPDFPageObj_GetBounds(object, sides, sides + 4, sides + 8, sides + 12)) return true
        const [left, bottom, right, top] = fourFloats(pdfium, sides)
        return boxes.some(box => box.left < right && box.right > left && box.bottom < top && box.top > bottom)
      })
      if (over) return true
    }
    return false
  })

const holds = (reader: Reader, form: number, test: Test, depth = 0): boolean => {
  const { pdfium } = reader
  for (let i = 0, count = pdfium.FPDFFormObj_CountObjects(form); i < count; i++) {
    const object = pdfium.FPDFFormObj_GetObject(form, i)
    const kind = pdfium.FPDFPageObj_GetType(object)
    if (kind !== kinds.form ? test(object, kind) : depth < maxDepth && holds(reader, object, test, depth + 1))
      return true
  }
  return false
}

/** Whether a page's picture lies under one of the boxes. */
export const isOverPicture = (reader: Reader, index: number, boxes: readonly CharPlace[]): boolean =>
  isOver(reader, index, boxes, (_, kind) => kind === kinds.image)

/** Whether a picture or a shape that may be a letter lies under one of the boxes. */
export const isOverDrawing = (reader: Reader, index: number, boxes: readonly CharPlace[]): boolean =>
  isOver(
    reader,
    index,
    boxes,
    (object, kind) =>
      kind === kinds.image ||
      kind === kinds.shading ||
      (kind === kinds.path && reader.pdfium.FPDFPath_CountSegments(object) >= letterLike.segments),
  )

/** A value as a reader found it, and where. */
export type Sighting = { value: string; places: readonly CharPlace[] }

const noLetter = /[^\p{L}\p{N}]/gu

const sameLine = (a: CharPlace, b: CharPlace): boolean => a.bottom < b.top && a.top > b.bottom

const sameColumn = (a: CharPlace, b: CharPlace): boolean => a.left < b.right && a.right > b.left

/**
 * The values that were read off a page and that its letters don't show, as far as readers of these know: another one of the
 * same letters stands for each, on its line and, unless it is only known to stand somewhere on it, over it.
 */
export const notAmong = (read: readonly Sighting[], letters: readonly Sighting[], isAbout: boolean): Sighting[] => {
  const left = new Set(letters)
  const bare = ({ value }: Sighting) => value.replace(noLetter, '').toLowerCase()
  const fits = (a: CharPlace, b: CharPlace) => sameLine(a, b) && (isAbout || sameColumn(a, b))
  return read.filter(one => {
    const twin = [...left].find(
      other => bare(other) === bare(one) && one.places.every(place => other.places.some(letter => fits(place, letter))),
    )
    return !twin || !left.delete(twin)
  })
}

/** Share of a word's width that has to be covered: readers don't agree on where a word begins and ends to the point. */
const covering = 0.75

/** Whether each of some words, as they were read off a picture of the page, stands where letters do. */
export const areCovered = (words: readonly CharPlace[], letters: readonly CharPlace[]): boolean =>
  words.every(word => {
    const [across, up] = [word.right - word.left, word.top - word.bottom]
    // Of what is written upwards the long side counts.
    const [from, to, low, high] =
      across >= up ? (['left', 'right', 'bottom', 'top'] as const) : (['bottom', 'top', 'left', 'right'] as const)
    const middle = (word[low] + word[high]) / 2
    const along = letters
      .filter(letter => letter[low] < middle && middle < letter[high])
      .sort((a, b) => a[from] - b[from])
    let [covered, end] = [0, word[from]]
    for (const letter of along) {
      const reached = Math.min(word[to], letter[to])
      covered += Math.max(0, reached - Math.max(end, letter[from]))
      end = Math.max(end, reached)
    }
    return covered >= covering * (word[to] - word[from])
  })
