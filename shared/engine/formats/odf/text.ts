import type { Segment } from '../format.ts'
import { looseWording, spokenWording } from '../wording.ts'
import { encodeXml } from '../xml/text.ts'

/** How a text outside of paragraphs reads: what describes a picture is spoken, and settings are code. */
export const wordingIn = (element: string): ((text: string) => Segment['wording']) => {
  if (/^svg:(?:title|desc)$/.test(element)) return spokenWording
  return /^(?:config|number|style|script|math):/.test(element) ? () => 'code' : looseWording
}

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
