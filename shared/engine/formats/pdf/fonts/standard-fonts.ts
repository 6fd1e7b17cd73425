import { Encodings, Font, type IFontNames } from '@cantoo/pdf-lib/standard-fonts'
import { unaccented } from '../text/normalise-text.ts'

const loaded = new Map<string, Font>()

const load = (name: IFontNames): Font => {
  const font = loaded.get(name) ?? Font.load(name)
  loaded.set(name, font)
  return font
}

/** The one of the 14 standard fonts that stands in for a font that isn't embedded. */
const standIn = (name: string): IFontNames => {
  if (/symbol/i.test(name)) return 'Symbol' as IFontNames
  if (/dingbats/i.test(name)) return 'ZapfDingbats' as IFontNames
  const bold = /bold|black|heavy/i.test(name)
  const slanted = /italic|oblique/i.test(name)
  if (/courier|mono|consol/i.test(name))
    return `Courier${bold || slanted ? '-' : ''}${bold ? 'Bold' : ''}${slanted ? 'Oblique' : ''}` as IFontNames
  if (/times|roman|serif|georgia|garamond|palatino|book/i.test(name) && !/sans/i.test(name))
    return (bold || slanted ? `Times-${bold ? 'Bold' : ''}${slanted ? 'Italic' : ''}` : 'Times-Roman') as IFontNames
  return `Helvetica${bold || slanted ? '-' : ''}${bold ? 'Bold' : ''}${slanted ? 'Oblique' : ''}` as IFontNames
}

/** Glyphs of the codes of the Macintosh encoding beyond ASCII. */
const macGlyphs = (): Map<number, string> => {
  const decoder = new TextDecoder('macintosh')
  const glyphs = new Map<number, string>()
  for (let code = 128; code < 256; code++) {
    const point = decoder.decode(Uint8Array.of(code)).codePointAt(0) as number
    if (Encodings.WinAnsi.canEncodeUnicodeCodePoint(point))
      glyphs.set(code, Encodings.WinAnsi.encodeUnicodeCodePoint(point).name)
  }
  return glyphs
}

const codesOf = (name: keyof typeof Encodings): Map<number, string> =>
  new Map(
    Encodings[name].supportedCodePoints.map(point => {
      const { code, name: glyph } = Encodings[name].encodeUnicodeCodePoint(point)
      return [code, glyph]
    }),
  )

/** Widths (thousandths of the font size) by code of a font that brings none: those of the nearest standard font. */
export const standardWidth = (
  name: string,
  base: string | undefined,
  differences: Map<number, string>,
): ((code: number) => number) => {
  let codes: Map<number, string> | undefined
  return code => {
    const font = standIn(name)
    codes ??= new Map([
      ...codesOf(font === 'Symbol' || font === 'ZapfDingbats' ? font : 'WinAnsi'),
      ...(base === 'MacRomanEncoding' ? macGlyphs() : []),
    ])
    // A code without a glyph takes the room of a space, as in the reader.
    const glyph = differences.get(code) ?? (code >= 32 ? codes.get(code) : undefined) ?? 'space'
    if (glyph === '.notdef') return 0
    return load(font).getWidthOfGlyph(glyph) ?? load(font).getWidthOfGlyph('space') ?? 0
  }
}

/** What stands in a label for a letter that its font lacks. */
export const unknownLetter = '•'

const canWrite = (letter: string): boolean =>
  Encodings.WinAnsi.canEncodeUnicodeCodePoint(letter.codePointAt(0) as number)

/** A letter as labels write it: itself, or without its accents, or a dot. */
const writable = (letter: string): string => {
  if (canWrite(letter)) return letter
  const bare = unaccented(letter)
  return bare.length === 1 && canWrite(bare) ? bare : unknownLetter.repeat(letter.length)
}

/** A text as labels show it. */
export const labelText = (text: string): string => Array.from(text.normalize('NFC'), writable).join('')

/**
 * The bytes of a text in the encoding of labels (Windows-1252), and its width at size 1. Letters that it lacks lose their
 * accents; those of other alphabets are dots.
 */
export const encodeLabel = (text: string): { bytes: number[]; width: number } => {
  const bytes: number[] = []
  let width = 0
  for (const letter of labelText(text)) {
    const { code, name } = Encodings.WinAnsi.encodeUnicodeCodePoint(letter.codePointAt(0) as number)
    bytes.push(code)
    width += (load('Helvetica' as IFontNames).getWidthOfGlyph(name) ?? 556) / 1000
  }
  return { bytes, width }
}
