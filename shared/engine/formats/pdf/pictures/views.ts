import { greyIfAsClear } from '../../../ocr/grey.ts'
import type { Picture } from '../../../ocr/picture.ts'
import { isShownAsOthers } from '../fonts/letter-shapes.ts'
import type { Reader } from '../page-reader.ts'
import { borrow, fourFloats, memory } from '../pdfium.ts'
import { isMisread } from '../text/page-text.ts'
import { linesApart } from './lines-apart.ts'
import { eachObject, kinds } from './page-objects.ts'
import { drawPage, refuseEndless } from './raster.ts'

/**
 * What of a page only shows as pixels. Pictures, with all else hidden, so that nothing painted over them protects what they
 * hold. Fills: what is filled and may be letters drawn as outlines, beside text, or holds a picture as a pattern. Strokes: the
 * same of what is only stroked. All: on a page without a single character, for its letters may be outlines. Letters: all of a
 * page with characters that nobody can name. Lines: where only some fonts name letters otherwise than they show them, all of a
 * page but lines of other fonts.
 */
export type View = 'pictures' | 'fills' | 'strokes' | 'all' | 'letters' | 'lines'

/** Whether views are of a page whose letters are doubtful: then they show all that only shows as pixels. */
export const areOfLetters = (views: readonly View[]): boolean => views.includes('letters') || views.includes('lines')

/** Resolution for reading, dots per inch: beyond it tesseract gains nothing but time. */
export const readingDpi = 200

/** Pixels of the smallest picture that may hold readable text. */
const smallest = { width: 16, height: 8 }

/** Whether a picture has enough pixels to hold text. */
export const isReadable = ({ pdfium }: Reader, image: number): boolean =>
  borrow(pdfium, 8, size => {
    if (!pdfium.FPDFImageObj_GetImagePixelSize(image, size, size + 4)) return true
    const view = memory(pdfium, size, 8)
    const [width, height] = [view.getUint32(0, true), view.getUint32(4, true)]
    return Math.max(width, height) >= smallest.width && Math.min(width, height) >= smallest.height
  })

const paintOf = ({ pdfium }: Reader, path: number): { filled: boolean; stroked: boolean } =>
  borrow(pdfium, 8, modes => {
    if (!pdfium.FPDFPath_GetDrawMode(path, modes, modes + 4)) return { filled: false, stroked: false }
    const view = memory(pdfium, modes, 8)
    return { filled: view.getInt32(0, true) !== 0, stroked: view.getInt32(4, true) !== 0 }
  })

/** Height in points of letters that are stroked, and how wide one of them is at most: what is larger is a drawing. */
const strokedLetter = { low: 5, high: 72, wide: 100 }

/** The letters that a path may stroke: it may be one of them, or one line to all. */
const strokedLetters = ({ pdfium }: Reader, path: number, segments: number): number => {
  if (segments >= letterLike.longPath) {
    const pieces = Array.from({ length: segments }, (_, i) => pdfium.FPDFPath_GetPathSegment(path, i)).filter(
      segment => pdfium.FPDFPathSegment_GetType(segment) === moveTo,
    ).length
    return pieces >= letterLike.shapes && segments >= 4 * pieces ? letterLike.shapes : 0
  }
  return borrow(pdfium, 16, sides => {
    if (!pdfium.FPDFPageObj_GetBounds(path, sides, sides + 4, sides + 8, sides + 12)) return 0
    const [left, bottom, right, top] = fourFloats(pdfium, sides)
    const height = top - bottom
    return height >= strokedLetter.low && height <= strokedLetter.high && right - left <= strokedLetter.wide ? 1 : 0
  })
}

/** The kind of a path's segment that begins another piece of it. */
const moveTo = 2

/** The shade that the reader gives for the colour of every pattern; it is an ordinary grey as well. */
const patternGrey = 0xbf

const mayBePattern = ({ pdfium }: Reader, path: number): boolean =>
  borrow(pdfium, 16, colour => {
    if (!pdfium.FPDFPageObj_GetFillColor(path, colour, colour + 4, colour + 8, colour + 12)) return false
    const view = memory(pdfium, colour, 12)
    return [0, 4, 8].every(at => view.getUint32(at, true) === patternGrey)
  })

/** Fewest corners and curves of most letters, and of how many shapes with so many a page may hold a name in outlines. */
export const letterLike = { segments: 6, shapes: 6, longPath: 80 }

/** How a page shows text other than as text. */
export const viewsOf = (reader: Reader, index: number, doubtful: ReadonlySet<number>): View[] => {
  const found = { text: 0, image: 0, path: 0, shapes: 0, strokes: 0, pattern: 0 }
  let areOthers = false
  reader.page(index, page =>
    eachObject(reader, page, (object, kind) => {
      if (kind === kinds.text) {
        found.text++
        areOthers ||= isShownAsOthers(reader, object)
      }
      if (kind === kinds.path || kind === kinds.shading) found.path++
      if (kind === kinds.image && isReadable(reader, object)) found.image++
      if (kind !== kinds.path) return
      const segments = reader.pdfium.FPDFPath_CountSegments(object)
      const { filled, stroked } = paintOf(reader, object)
      if (segments >= letterLike.segments && filled)
        found.shapes += segments >= letterLike.longPath ? letterLike.shapes : 1
      if (segments >= letterLike.segments && stroked && !filled && found.strokes < letterLike.shapes)
        found.strokes += strokedLetters(reader, object, segments)
      if (filled && mayBePattern(reader, object)) found.pattern++
    }),
  )
  // A frame or a few rules are no letters.
  if (found.text === 0 && found.path > 20) return ['all']
  if (found.text > 0 && (doubtful.has(index) || reader.page(index, page => isMisread(reader, page)))) return ['letters']
  if (areOthers) return ['lines']
  const views: View[] = found.image > 0 ? ['pictures'] : []
  if (found.shapes >= letterLike.shapes || (found.pattern > 0 && showsPatterns(reader, index))) views.push('fills')
  if (found.strokes >= letterLike.shapes) views.push('strokes')
  return views
}

/** Whether a page, from 0, shows patterns: whether what may be some shows more than their grey. */
export const showsPatterns = (reader: Reader, index: number): boolean =>
  reader.hiding(index, (page, hide) => {
    eachObject(reader, page, (object, kind) => {
      const shown = kind === kinds.form || (kind === kinds.path && mayBePattern(reader, object))
      if (!shown) hide(object)
    })
    return drawPage(reader, page, 72).pixels.some(level => level < patternGrey - 4)
  })

const shows = (reader: Reader, view: View, object: number, kind: number): boolean => {
  if (view === 'all' || view === 'letters' || view === 'lines' || kind === kinds.form) return true
  if (view === 'pictures') return kind === kinds.image
  return kind === kinds.path && paintOf(reader, object)[view === 'fills' ? 'filled' : 'stroked']
}

/** Runs `use` with a page that shows nothing but one view of it. */
export const withView = <T>(reader: Reader, index: number, view: View, use: (page: number) => T): T =>
  reader.hiding(index, (page, hide) => {
    let drawn = 0
    if (view === 'lines') for (const object of linesApart(reader, page)) hide(object)
    eachObject(reader, page, (object, kind) => {
      if (!shows(reader, view, object, kind)) hide(object)
      else if (kind !== kinds.form && kind !== kinds.image) drawn++
    })
    if (drawn > manyObjects) refuseEndless(reader, page, readingDpi)
    return use(page)
  })

/** Paths and the like of which a page has so many that it may take long to draw. */
const manyObjects = 5000

/** The pictures to be read of a page, all of one size. Doubtful letters may be there for other readers where none is drawn. */
export const drawViews = (reader: Reader, index: number, views: View[]): Picture[] =>
  views.flatMap(view => {
    const picture = greyIfAsClear(withView(reader, index, view, page => drawPage(reader, page, readingDpi)))
    return areOfLetters([view]) || !isBlank(picture) ? [picture] : []
  })

/** Whether a picture is of one colour. */
export const isBlank = ({ pixels }: Picture): boolean =>
  // Each sample against the next one: as one comparison of memory it takes a hundredth of the time.
  Buffer.compare(pixels.subarray(1), pixels.subarray(0, -1)) === 0
