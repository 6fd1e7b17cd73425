import { type DecodedText, decodeText } from '../text/decoded-text.ts'

const before =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>'
const rest = /^[^<]*<\/Application>(?:<AppVersion>[^<]*<\/AppVersion>)?<\/Properties>$/

/** Whether properties are what {@link makerOf} leaves, whatever rules have made of the texts in it. */
export const isMakerOnly = ({ text }: DecodedText): boolean =>
  text.startsWith(before) && rest.test(text.slice(before.length))

/**
 * What stays of the properties of a workbook that a well-known program wrote: that one did. A program that reads the file
 * takes the results of its formulas for granted then; else it computes them anew, and may show others. The version stays
 * where it is that of 2007, whose charts mean something else by what they leave out: lines that are not smooth, no ticks.
 */
export function makerOf(properties: DecodedText): DecodedText | undefined {
  if (isMakerOnly(properties)) return properties
  if (!/<(?:\w+:)?Application>(?:Microsoft|LibreOffice)/.test(properties.text)) return undefined
  const version = /<(?:\w+:)?AppVersion>(12\.\d{4})</.exec(properties.text)?.[1]
  const stated = version === undefined ? '' : `<AppVersion>${version}</AppVersion>`
  return decodeText(Buffer.from(`${before}Microsoft Excel</Application>${stated}</Properties>`), {})
}
