import { decodeXml, encodeXml } from '../xml/text.ts'

const escapes = /_x000[dD]_(?:\n|_x000[aA]_)?|_x([0-9A-Fa-f]{4})_/g

/** What a text of a workbook shows, whose characters may be written `_x000D_`; what such a text can't hold is U+FFFD. */
export const unescaped = (text: string): string => decoded(text, code => code === 9 || code === 10)

/** The same of a text of a drawing, in which a vertical tab ends a line. */
export const unescapedDrawn = (text: string): string => decoded(text, code => code >= 9 && code <= 11)

function decoded(text: string, isKept: (code: number) => boolean): string {
  if (!text.includes('_x')) return text
  return text.replace(escapes, (_, hex?: string) => {
    const code = hex === undefined ? 10 : Number.parseInt(hex, 16)
    return code >= 32 || isKept(code) ? String.fromCharCode(code) : '\ufffd'
  })
}

/** The same text as it is written, so that nothing in it is taken for such a character. */
export const escaped = (text: string): string => text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')

/** Character data of a workbook as it is shown. */
export const decodeString = (raw: string): string => unescaped(decodeXml(raw))

/** A text as character data of a workbook. */
export const encodeString = (text: string): string => encodeXml(escaped(text))

/** A text as character data of a drawing. */
export const encodeDrawn = (text: string): string => encodeXml(escaped(text).replaceAll('\v', '_x000B_'))
