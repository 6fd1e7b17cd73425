import { createHash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { wrapMark } from '../../../detect/normalise.ts'
import type { KnownPictures } from '../../../ocr/cache.ts'
import { lineHeight, meanConfidence } from '../../../ocr/ocr.ts'
import { type OcrReader, type OcrResult, type OcrWord, overlap, type Picture } from '../../../ocr/picture.ts'
import type { Reader } from '../page-reader.ts'
import { borrow, memory } from '../pdfium.ts'
import type { CharPlace } from '../text/char-place.ts'
import { softHyphen, spelling } from '../text/normalise-text.ts'
import { denseRegions } from './image-places.ts'
import { isWrapped } from './picture-lines.ts'
import { drawRegion } from './raster.ts'
import { areOfLetters, drawViews, isBlank, readingDpi, type View, viewsOf, withView } from './views.ts'

/** Text that pictures on a page show, and the word behind each UTF-16 unit of it. */
export type PictureText = {
  text: string
  words: OcrWord[]
  wordAt: Int32Array
  confidence: number
  scale: Scale
  /** Whether it is all that a page shows, read because its fonts are doubtful. */
  isPage?: boolean
  /** Whether nothing of it was read in a picture. */
  isTyped?: true
}

/** Size in pixels of the picture that was read. */
export type Scale = { width: number; height: number }

/** Pictures of more dots per inch are read at their own resolution where they take up little of the page. */
const dense = 1.25 * readingDpi
/** Square inches below which a picture is small: a quarter of a page. */
const little = 24
/** Pixels up to which a part of a page is drawn. */
const regionPixels = 3_000_000

/** A part of a page and how many of its pixels are one of the page's. */
type Closer = { picture: Picture; left: number; top: number; factor: number }

/** How a page shows text as pixels, and what is read of it. */
type Drawn = { shown: View[]; views: Picture[]; closer: Closer[] }

/** Small pictures of high resolution, such as cards, each drawn at its own. */
const drawCloser = (reader: Reader, index: number, views: View[]): Closer[] =>
  !views.includes('pictures')
    ? []
    : withView(reader, index, 'pictures', page =>
        denseRegions(reader, page, dense, little).map(region => {
          const area = (region.right - region.left) * (region.bottom - region.top)
          const dpi = Math.min(region.dpi, Math.sqrt(regionPixels / area))
          return {
            picture: drawRegion(reader, page, dpi, region),
            left: region.left * readingDpi,
            top: region.top * readingDpi,
            factor: dpi / readingDpi,
          }
        }),
      ).filter(({ picture, factor }) => factor > 1 && !isBlank(picture))

/** What was read of a page and from close by in its small pictures; a word of the page goes where one from close by stands. */
const withCloser = (page: OcrResult, closer: { at: Closer; result: OcrResult }[]): OcrResult => {
  let { lines } = page
  for (const { at, result } of closer) {
    const put = (word: OcrWord): OcrWord => ({
      ...word,
      left: at.left + word.left / at.factor,
      right: at.left + word.right / at.factor,
      top: at.top + word.top / at.factor,
      bottom: at.top + word.bottom / at.factor,
    })
    const near = result.lines.map(line => line.map(put))
    const words = near.flat()
    const isReadNear = (word: OcrWord) => words.some(other => overlap(word, other))
    lines = [...lines.map(line => line.filter(word => !isReadNear(word))).filter(line => line.length > 0), ...near]
  }
  return { lines, confidence: meanConfidence(lines) }
}

const keyOf = ({ width, channels, pixels }: Picture): string =>
  createHash('sha256').update(`${width} ${channels} `).update(pixels).digest('hex')

/**
 * Reads the pictures of a document page by page; equal pictures, such as letterheads, are read once, and those that are
 * `known` not at all. Where the page that is asked for next is named, it is read at the same time. Pages whose letters are
 * `doubtful` are pictures as a whole; `otherLines` is what another reader reads there.
 */
export const pictureReader = (
  reader: Reader,
  doubtful: ReadonlySet<number>,
  start: () => Promise<OcrReader>,
  known: KnownPictures = new Map<string, OcrResult>(),
  otherLines: (page: number, scale: Scale) => Promise<OcrWord[][]> = async () => [],
) => {
  let ocr: Promise<OcrReader> | undefined
  const reading = new Map<string, Promise<OcrResult>>()
  const readOnce = (picture: Picture): OcrResult | Promise<OcrResult> => {
    const key = keyOf(picture)
    const found = known.get(key) ?? reading.get(key)
    if (found) return found
    ocr ??= start()
    const result = ocr
      .then(reader => reader.read(picture))
      .then(read => {
        known.set(key, read)
        return read
      })
      .finally(() => reading.delete(key))
    reading.set(key, result)
    return result
  }
  const viewsAt = (index: number) => viewsOf(reader, index, doubtful)
  const draw = (index: number): Drawn => {
    const shown = viewsAt(index)
    const views = drawViews(reader, index, shown)
    return { shown, views, closer: views.length > 0 ? drawCloser(reader, index, shown) : [] }
  }
  const picturesOf = ({ views, closer }: Drawn) => [...views, ...closer.map(({ picture }) => picture)]
  let ahead: { index: number; drawn: Drawn } | undefined
  const take = (index: number): Drawn => {
    const drawn = ahead?.index === index ? ahead.drawn : draw(index)
    ahead = undefined
    return drawn
  }
  /** Draws a page, and has its pictures read, while another one is read. */
  const lookAhead = async (index: number): Promise<void> => {
    await turn()
    try {
      const drawn = draw(index)
      ahead = { index, drawn }
      for (const picture of picturesOf(drawn)) Promise.resolve(readOnce(picture)).catch(() => {})
    } catch {
      // What is wrong with it, its own turn tells.
    }
  }
  return {
    /** Whether a page, counted from 0, may show text in pictures. */
    shows: (index: number): boolean => viewsAt(index).length > 0,
    /** Of some pages, counted from 0, those whose pictures are not known; without drawing them where none is. */
    unread: (pages: readonly number[]): number[] =>
      pages.filter(index => {
        if (known.size === 0) return viewsAt(index).length > 0
        return drawViews(reader, index, viewsAt(index)).some(picture => !known.has(keyOf(picture)))
      }),
    /** Text of the pictures of a page, counted from 0, and of which page next; undefined when there is none. */
    async read(index: number, next?: number): Promise<PictureText | undefined> {
      const drawn = take(index)
      const [picture] = drawn.views
      if (!picture) return undefined
      const readings = picturesOf(drawn).map(readOnce)
      const isAhead = next !== undefined && reading.size > 0
      const [results] = await Promise.all([Promise.all(readings), isAhead && lookAhead(next)])
      const lines = results.slice(0, drawn.views.length).flatMap(result => result.lines)
      const page = { lines, confidence: meanConfidence(lines) }
      if (areOfLetters(drawn.shown)) page.lines = [...lines, ...(await otherLines(index, picture))]
      const closer = drawn.closer.map((at, i) => ({ at, result: results[drawn.views.length + i]! }))
      const text = pictureText(closer.length > 0 ? withCloser(page, closer) : page, picture)
      return { ...text, isPage: areOfLetters(drawn.shown) }
    },
    async close(): Promise<void> {
      await (await ocr)?.close()
    },
  }
}

const brokenWord = /[\p{L}\p{N}]-$/u
const wordGoesOn = /^[\p{L}\p{N}]/u

/** The text of what was read: words of a line by spaces, lines by line feeds, or where a hyphen ends one or a word may go on by what tells rules so. */
export const pictureText = ({ lines, confidence }: OcrResult, scale: Scale): PictureText => {
  const words: OcrWord[] = []
  const wordAt: number[] = []
  let text = ''
  const put = (piece: string, word: number) => {
    text += piece
    for (let i = 0; i < piece.length; i++) wordAt.push(word)
  }
  lines.forEach((line, at) => {
    line.forEach((word, i) => {
      if (i > 0) put(' ', -1)
      put(spelling(word.text), words.length)
      words.push(word)
    })
    const isBroken = brokenWord.test(text.slice(-3)) && wordGoesOn.test(lines[at + 1]?.[0]?.text ?? '')
    put(isBroken ? softHyphen : isWrapped(lines, at) ? `\n${wrapMark}` : '\n', -1)
  })
  return {
    text,
    words,
    wordAt: Int32Array.from(wordAt),
    confidence,
    scale: { width: scale.width, height: scale.height },
  }
}

/** The words of a part of a picture's text. */
export const wordsIn = ({ words, wordAt }: PictureText, start: number, end: number): OcrWord[] =>
  [...new Set(wordAt.subarray(start, end))].flatMap(word => words[word] ?? [])

/** The words under a part of the text, as places on the page (from 0), with some room around them. */
export const wordPlaces = (
  reader: Reader,
  index: number,
  read: PictureText,
  start: number,
  end: number,
): CharPlace[] => {
  const boxes = wordsIn(read, start, end).map(word => {
    const { left, top, right, bottom } = word
    const room = Math.ceil(0.15 * lineHeight(word))
    return { left: left - room, top: top - room, right: right + room, bottom: bottom + room }
  })
  return placesOf(reader, index, read.scale, boxes)
}

/** The same of no more than the letters themselves, as if all letters of a word were as wide; of turned and slanted words all. */
export const letterPlaces = (
  reader: Reader,
  index: number,
  read: PictureText,
  start: number,
  end: number,
): CharPlace[] => {
  const parts = new Map<number, { first: number; last: number }>()
  for (let at = start; at < end; at++) {
    const word = read.wordAt[at] as number
    if (word >= 0) parts.set(word, { first: parts.get(word)?.first ?? at, last: at })
  }
  const boxes = [...parts].map(([number, { first, last }]) => {
    const word = read.words[number] as OcrWord
    if (word.turns || word.slant) return word
    const [from, to] = [read.wordAt.indexOf(number), read.wordAt.lastIndexOf(number) + 1]
    const width = (word.right - word.left) / (to - from)
    return { ...word, left: word.left + (first - from) * width, right: word.right - (to - 1 - last) * width }
  })
  return placesOf(reader, index, read.scale, boxes)
}

/** Where a place on a loaded page is in a picture of it, in pixels. */
export const pixelOn =
  ({ pdfium }: Reader, page: number, { width, height }: Scale) =>
  (x: number, y: number): [number, number] =>
    borrow(pdfium, 8, point => {
      pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, point, point + 4)
      const view = memory(pdfium, point, 8)
      return [view.getInt32(0, true), view.getInt32(4, true)]
    })

/** The box around some pixels. */
export const boxAround = (pixels: readonly (readonly [number, number])[]): PixelBox => {
  const [xs, ys] = [pixels.map(([x]) => x), pixels.map(([, y]) => y)]
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) }
}

type PixelBox = Pick<OcrWord, 'left' | 'top' | 'right' | 'bottom'>

/** Boxes of a picture of a page (from 0) as places on it. */
const placesOf = (reader: Reader, index: number, { width, height }: Scale, boxes: readonly PixelBox[]): CharPlace[] =>
  reader.page(index, page => {
    const { pdfium } = reader
    const toPage = (x: number, y: number) =>
      borrow(pdfium, 16, point => {
        pdfium.FPDF_DeviceToPage(page, 0, 0, width, height, 0, x, y, point, point + 8)
        const view = memory(pdfium, point, 16)
        return [view.getFloat64(0, true), view.getFloat64(8, true)] as const
      })
    return boxes.map(({ left, top, right, bottom }) => {
      const [a, b] = [toPage(left, top), toPage(right, bottom)]
      const box = {
        left: Math.min(a[0], b[0]),
        right: Math.max(a[0], b[0]),
        bottom: Math.min(a[1], b[1]),
        top: Math.max(a[1], b[1]),
      }
      return { ...box, x: box.left, y: box.bottom }
    })
  })
