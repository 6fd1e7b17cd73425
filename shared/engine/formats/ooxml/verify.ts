import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { verifyParts } from '../office/verify-parts.ts'
import { decodeText } from '../text/decoded-text.ts'
import { blankPicture, blankPng } from './blank-image.ts'
import { readRelationships } from './relationships.ts'
import { reread } from './verify-reader.ts'
import { keptRelationships } from './vocabulary.ts'

/**
 * Reads a written package again with another parser: every paragraph is as expected, nothing that was to be dropped is
 * there, no value stands in any text, attribute, name or byte of it.
 */
export const verifyDocument = (output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> =>
  verifyParts(output, expected, context, async (name, bytes, findings) => {
    if (!/\.(?:xml|rels|vml)$/i.test(name)) {
      if (name === blankPicture && blankPng.equals(bytes)) return
      if (context.options.pictures === 'keep' && /\/media\//.test(name)) findings.raw(bytes)
      else await findings.nested(name, bytes)
      return
    }
    const source = decodeText(bytes, {}).text
    const { forbidden, ...part } = reread(source, name)
    findings.raw(bytes)
    findings.part(name, { ...part, forbidden: forbidden.length > 0 })
    const unknown =
      /\.rels$/i.test(name) &&
      readRelationships(source, '').some(
        ({ kind, external }) => !keptRelationships.has(kind) || (external && kind !== 'hyperlink'),
      )
    if (unknown) findings.wrong(name, 'A part that should have been left out is still pointed to')
  })
