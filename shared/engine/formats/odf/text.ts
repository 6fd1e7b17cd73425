import type { Segment } from '../format.ts'
import { looseWording, spokenWording } from '../office/wording.ts'
import { encodeXml } from '../xml/text.ts'

/** How a text outside of paragraphs reads: what describes a picture is spoken, and settings are code. */
export const wordingIn = (element: string): ((text: string) => Segment['wording']) => {
  if (/^svg:(?:title|desc)$/.test(element)) return spokenWording
  return /^(?:config|number|style|script|math):/.test(element) ? () => 'code' : looseWording
}

/** What a name of a style stands for: programs write every character that may not stand in a name by its number. */
export const decodeStyleName = (name: string): string =>
  name.replace(/_([0-9a-f]{2,6})_/gi, (written, digits: string) => {
    const code = Number.parseInt(digits, 16)
    return code > 0x10_ff_ff ? written : String.fromCodePoint(code)
  })

/** A name of a style as programs write it. */
export const encodeStyleName = (name: string): string =>
  name
    .toWellFormed()
    .replace(/[^\p{L}\p{N}.-]|^[^\p{L}]/gu, character => `_${character.codePointAt(0)!.toString(16).padStart(2, '0')}_`)

/** Text of a paragraph as it is shown: blanks are written as elements where there are several. */
export function collapsed(text: string): string {
  return /[\t\n\r]| {2}/.test(text) ? text.replace(/[ \t\n\r]+/g, ' ') : text
}

/** Text as it is written in a paragraph. */
export function encodeText(text: string): string {
  return encodeXml(text)
    .replace(/ {2,}/g, blanks => ` <text:s text:c="${blanks.length - 1}"/>`)
    .replaceAll('\t', '<text:tab/>')
    .replaceAll('\n', '<text:line-break/>')
}

/** The lines of a cell's text, which are told and compared one by one; those that show nothing may be among them. */
export const linesOf = (text: string): string[] => (text.includes('\n') ? text.split('\n') : [text])
