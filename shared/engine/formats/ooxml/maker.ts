import { decodeSource, type Source } from '../source.ts'

const [before, after] = [
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/extended-properties"><Application>',
  '</Application></Properties>',
]

/** Whether properties are what {@link makerOf} leaves, whatever rules have made of the name in it. */
export const isMakerOnly = ({ text }: Source): boolean =>
  text.startsWith(before) && text.indexOf('<', before.length) === text.length - after.length && text.endsWith(after)

/**
 * What stays of the properties of a workbook that a well-known program wrote: that one did. A program that reads the file
 * takes the results of its formulas for granted then; else it computes them anew, and may show others.
 */
export function makerOf(properties: Source): Source | undefined {
  if (isMakerOnly(properties)) return properties
  return /<(?:\w+:)?Application>(?:Microsoft|LibreOffice)/.test(properties.text)
    ? decodeSource(Buffer.from(`${before}Microsoft Excel${after}`), {})
    : undefined
}
