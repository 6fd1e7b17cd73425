import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { verifyParts } from '../office/verify-parts.ts'
import { blankPicture, blankPng } from '../ooxml/blank-image.ts'
import { decodeText } from '../text/decoded-text.ts'
import { manifestNames } from './package.ts'
import { rereadOdf } from './verify-reader.ts'

/** Reads a written file again with another parser: paragraphs as expected, no value in any text, attribute or byte. */
export const verifyOdf = (output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> =>
  verifyParts(output, expected, context, async (name, bytes, findings) => {
    if (name === 'mimetype' || (name === blankPicture && blankPng.equals(bytes))) return
    if (name === 'META-INF/manifest.xml') {
      const { text } = decodeText(bytes, {})
      findings.raw(bytes)
      for (const { path } of manifestNames(text).entries) findings.structure(path)
      findings.structure(text.replace(/full-path="[^"]*"/g, ''))
    } else if (/\.xml$/.test(name)) {
      findings.raw(bytes)
      findings.part(name, rereadOdf(decodeText(bytes, {}).text, name))
    } else if (context.options.pictures === 'keep') findings.raw(bytes)
    else await findings.nested(name, bytes)
  })
