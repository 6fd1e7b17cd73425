import iconv from 'iconv-lite'
import type { Reader } from '../page-reader.ts'
import { borrow } from '../pdfium.ts'
import { mayJoin, standOf } from './doubtful-gaps.ts'
import type { Units } from './gaps.ts'
import type { OtherWord } from './other-words.ts'

/** How the names of fonts begin in which PDFium takes two bytes for a character of Chinese, whatever they say of their encoding. */
const names = new Set(['cbcecce5', 'bfaccce5', 'badacce5', 'b7c2cbce', 'd0c2cbce'])

const isPaired = ({ pdfium }: Reader, font: number): boolean => {
  const length = font === 0 ? 0 : pdfium.FPDFFont_GetBaseFontName(font, 0, 0)
  if (length < 5 || pdfium.FPDFFont_GetIsEmbedded(font) === 1) return false
  return borrow(pdfium, length, pointer => {
    pdfium.FPDFFont_GetBaseFontName(font, pointer, length)
    return names.has(Buffer.from(pdfium.pdfium.HEAPU8.subarray(pointer, pointer + 4)).toString('hex'))
  })
}

/**
 * The words of a page that the reader takes for Chinese by the names of their fonts, as others read them: each byte is a letter,
 * as the encoding of the font says.
 */
export const pairedLines = (reader: Reader, text: number, { chars }: Units): OtherWord[][] => {
  const { pdfium } = reader
  const known = new Map<number, boolean>()
  const line: OtherWord[] = []
  let [last, within] = [-1, 0]
  for (const char of chars) {
    const object = char < 0 || char === last ? 0 : pdfium.FPDFText_GetTextObject(text, char)
    if (object === 0) continue
    const font = pdfium.FPDFTextObj_GetFont(object)
    const isByPairs = known.get(font) ?? isPaired(reader, font)
    known.set(font, isByPairs)
    const letters = isByPairs ? bytesOf(pdfium.FPDFText_GetUnicode(text, char) >>> 0) : ''
    if (letters.trim() === '') within = 0
    if (letters.trim() === '') continue
    const stand = last < 0 || within === object ? undefined : standOf(reader, text, last, char)
    const goesOn = within === object || (stand !== undefined && mayJoin(stand))
    if (!goesOn) line.push({ text: '', chars: [] })
    ;[last, within] = [char, object]
    addTo(line.at(-1)!, letters, char)
  }
  if (line.length === 0) return []
  // Such letters are no words, so searches that take signs for the letters that they stand for, as ³ for 3, are no worse a reading.
  return [line, line.map(word => ({ ...word, text: word.text.normalize('NFKC') }))]
}

const addTo = (word: OtherWord, letters: string, char: number): void => {
  word.text += letters
  word.chars.push(char)
}

/** The letters that the two bytes of a character stand for by themselves. */
const bytesOf = (code: number): string =>
  code > 0x10ffff ? '' : iconv.decode(iconv.encode(String.fromCodePoint(code), 'gbk'), 'win1252')
