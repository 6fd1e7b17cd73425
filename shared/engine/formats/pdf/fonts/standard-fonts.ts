import { Encodings, Font, type IFontNames } from '@cantoo/pdf-lib/standard-fonts'
import { unaccented } from '../text/normalise-text.ts'

const loaded = new Map<string, Font>()

const load = (name: IFontNames): Font => {
  const font = loaded.get(name) ?? Font.load(name)
  loaded.set(name, font)
  return font
}

type Family = 'Helvetica' | 'Times' | 'Courier'

const isBold = (name: string): boolean => /bold|black|heavy/i.test(name)
const isSlanted = (name: string): boolean => /italic|oblique/i.test(name)
const isMono = (name: string): boolean => /courier|mono|consol/i.test(name)
const isSerif = (name: string): boolean =>
  /times|roman|serif|georgia|garamond|palatino|book/i.test(name) && !/sans/i.test(name)

/** The standard font of a family in a style. */
const styled = (family: Family, bold: boolean, slanted: boolean): IFontNames => {
  const style = `${bold ? 'Bold' : ''}${slanted ? (family === 'Times' ? 'Italic' : 'Oblique') : ''}`
  return `${family}${style ? `-${style}` : family === 'Times' ? '-Roman' : ''}` as IFontNames
}

/** The one of the 14 standard fonts that stands in for a font that isn't embedded. */
const standIn = (name: string): IFontNames => {
  if (/symbol/i.test(name)) return 'Symbol' as IFontNames
  if (/dingbats/i.test(name)) return 'ZapfDingbats' as IFontNames
  return styled(isMono(name) ? 'Courier' : isSerif(name) ? 'Times' : 'Helvetica', isBold(name), isSlanted(name))
}

/** Fonts without serifs and with them whose names, or whose styles' names, say otherwise or nothing. */
const sans = /helvetica|arial|verdana|calibri|gothic|grotesk|univers|frutiger|futura|roboto|segoe|tahoma/i
const serif = /^cmr\d|^lmr|cambria|charter|minion|libertin|baskerville|bodoni|caslon|century|didot|tinos/i

/** Flags of fonts (ISO 32000-2, table 121). */
const flag = { fixedPitch: 1, serif: 2, italic: 64, forceBold: 262_144 }

/** The standard font that looks most like a font with this name and these flags. */
export const likestFont = (name: string, flags: number): string => {
  const bare = name.replace(/^[A-Z]{6}\+/, '')
  const has = (one: number) => (flags & one) !== 0
  const family = () => {
    if (isMono(bare)) return 'Courier'
    if (sans.test(bare) || /sans/i.test(bare)) return 'Helvetica'
    if (isSerif(bare) || serif.test(bare)) return 'Times'
    return has(flag.fixedPitch) ? 'Courier' : has(flag.serif) ? 'Times' : 'Helvetica'
  }
  return styled(family(), isBold(bare) || has(flag.forceBold), isSlanted(bare) || has(flag.italic))
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
 * accents; those of other alphabets are dots. `font`: the standard font that it is written in.
 */
export const encodeLabel = (text: string, font: string): { bytes: number[]; width: number } => {
  const bytes: number[] = []
  let width = 0
  for (const letter of labelText(text)) {
    const { code, name } = Encodings.WinAnsi.encodeUnicodeCodePoint(letter.codePointAt(0) as number)
    bytes.push(code)
    width += (load(font as IFontNames).getWidthOfGlyph(name) ?? 556) / 1000
  }
  return { bytes, width }
}
