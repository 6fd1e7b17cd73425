import type { CharPlace } from './pdf/text/char-place.ts'

/** A rectangle on a page as it is shown, from the top left: shares of its width and its height, 0 to 1. */
export type Box = { left: number; top: number; right: number; bottom: number }

/** The same in a page's own coordinates, which run upwards. */
type Place = Omit<CharPlace, 'x' | 'y'>

/** Places on a page that is, or becomes, a picture, in its own coordinates, are painted over. `asked`: a review wants it, whatever else is done. */
export type Covering = { kind: 'cover'; page: number; places: CharPlace[]; asked?: true }

/** A page as people look at it: a JPEG, and its size in pixels. */
export type PageView = { width: number; height: number; bytes: Uint8Array }

/** One of so many pages; without a view where there is no such page. */
export type DrawnPage = { pages: number; view?: PageView }

/** The pages of a file as people see them, counted from 1. Boxes of a text are known once the text has been asked for. */
export type PageViews = {
  count: number
  draw(page: number): Promise<PageView>
  /** Where stretches of a text (UTF-16 offsets) stand: a box for each line of each. */
  boxes(of: TextOfPage, stretches: readonly Stretch[]): Box[][]
  /** The stretches of a text that stand in a box. */
  within(of: TextOfPage, box: Box): Stretch[]
  /** What paints a box over, unless there is nothing but text in it. */
  cover(page: number, box: Box): Covering | undefined
}

type Stretch = { start: number; end: number }

/** Which of the texts of a page: `ocr` for what its pictures show. */
type TextOfPage = { kind: string; page?: number }

/** Pixels of the largest picture of a page that is shown to people. */
export const shownPixels = 2_000_000

/** Quality, of 100, of such a picture. */
export const shownQuality = 75

/** Whether a place is meant where a box is drawn: half of it is inside, or half of the box is inside of it. */
export const isMeant = (place: Place, box: Place): boolean => {
  const shared = (low: 'left' | 'bottom', high: 'right' | 'top') =>
    Math.min(place[high], box[high]) - Math.max(place[low], box[low]) >=
    Math.min(place[high] - place[low], box[high] - box[low]) / 2
  return shared('left', 'right') && shared('bottom', 'top')
}

/** Units of a text that are meant, as stretches; units of no place (-1), such as spaces, join those around them. */
export const stretchesIn = (places: Int32Array, meant: ReadonlySet<number>): Stretch[] => {
  const stretches: Stretch[] = []
  let isOpen = false
  places.forEach((place, at) => {
    if (place < 0) return
    const last = stretches.at(-1)
    if (!meant.has(place)) isOpen = false
    else if (isOpen && last) last.end = at + 1
    else {
      stretches.push({ start: at, end: at + 1 })
      isOpen = true
    }
  })
  return stretches
}
