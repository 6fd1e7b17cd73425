import { borrow, memory } from './pdfium.ts'
import type { Reader } from './reader.ts'

/** The text of a page in reading order, and the reader's character behind each UTF-16 unit of it. */
export type PageText = {
  text: string
  /** For each unit of `text`: index of the reader's character, or -1 where the unit is not on the page. */
  chars: Int32Array
}

/** Where a character stands, in the page's own coordinates: the origin of its glyph and the box around its advance. */
export type CharPlace = { x: number; y: number; left: number; bottom: number; right: number; top: number }

/** Opens the text of a page for the time of `use`. */
export const withText = <T>(reader: Reader, page: number, use: (text: number, count: number) => T): T => {
  const text = reader.pdfium.FPDFText_LoadPage(page)
  if (text === 0) return use(0, 0)
  try {
    return use(text, Math.max(0, reader.pdfium.FPDFText_CountChars(text)))
  } finally {
    reader.pdfium.FPDFText_ClosePage(text)
  }
}

const hyphen = 0x02
const brokenHyphen = 0xfffe

/**
 * Reads a page's text: words that a line end hyphenates are joined, as are the lines of a paragraph: a line that reaches
 * as far as the longest ones does not end one.
 */
export const readPage = (reader: Reader, index: number): PageText =>
  reader.page(index, page =>
    withText(reader, page, (text, count) => {
      const { pdfium } = reader
      const parts: string[] = []
      const chars: number[] = []
      const breaks: number[] = []
      for (let i = 0; i < count; i++) {
        const code = pdfium.FPDFText_GetUnicode(text, i)
        if (code === 0 || code === hyphen || code === brokenHyphen || code === 0x0d || code < 0 || code > 0x10ffff)
          continue
        const generated = code === 0x20 || code === 0x0a ? pdfium.FPDFText_IsGenerated(text, i) === 1 : false
        if (code === 0x0a) breaks.push(parts.length)
        const written = code >= 0xd800 && code <= 0xdfff ? String.fromCharCode(code) : String.fromCodePoint(code)
        for (let unit = 0; unit < written.length; unit++) {
          parts.push(written[unit] as string)
          chars.push(generated ? -1 : i)
        }
      }
      joinLines(reader, text, parts, chars, breaks)
      return { text: parts.join(''), chars: Int32Array.from(chars) }
    }),
  )

/** The text of a page as the reader puts it, hyphens at line ends taken out. */
export const plainText = (reader: Reader, index: number): string =>
  reader.page(index, page =>
    withText(reader, page, (text, count) => {
      if (count === 0) return ''
      const units = borrow(reader.pdfium, 2 * (count + 1), pointer => {
        const written = reader.pdfium.FPDFText_GetText(text, 0, count, pointer)
        return reader.pdfium.pdfium.HEAPU8.slice(pointer, pointer + 2 * Math.max(0, written - 1))
      })
      return Buffer.from(units.buffer).toString('utf16le').replace(broken, '')
    }),
  )

// The reader marks a hyphen at a line end so.
const broken = /[\0\x02\ufffe]/g

const joinLines = (reader: Reader, text: number, parts: string[], chars: number[], breaks: number[]): void => {
  if (breaks.length === 0) return
  const ends = breaks.map(at => {
    for (let unit = at - 1; unit >= 0 && parts[unit] !== '\n'; unit--) {
      const char = chars[unit] as number
      if (char >= 0 && parts[unit] !== ' ') return placeOf(reader, text, char)?.right
    }
    return undefined
  })
  const far = Math.max(...ends.map(end => end ?? Number.NEGATIVE_INFINITY))
  breaks.forEach((at, line) => {
    const end = ends[line]
    if (end !== undefined && far > 0 && end >= 0.85 * far) parts[at] = ' '
  })
}

/** Where one character of an open text stands; undefined when the reader does not know. */
export const placeOf = (reader: Reader, text: number, char: number): CharPlace | undefined => {
  const { pdfium } = reader
  return borrow(pdfium, 32, scratch => {
    if (!pdfium.FPDFText_GetCharOrigin(text, char, scratch, scratch + 8)) return undefined
    const boxed = pdfium.FPDFText_GetLooseCharBox(text, char, scratch + 16)
    const view = memory(pdfium, scratch, 32)
    const x = view.getFloat64(0, true)
    const y = view.getFloat64(8, true)
    if (!boxed) return { x, y, left: x, bottom: y, right: x, top: y }
    const at = (i: number) => view.getFloat32(16 + i * 4, true)
    // FS_RECTF is left, top, right, bottom.
    return { x, y, left: at(0), top: at(1), right: at(2), bottom: at(3) }
  })
}
