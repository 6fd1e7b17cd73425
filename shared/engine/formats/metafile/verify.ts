import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { findValues } from '../text/leaks.ts'
import { type Kind, parse } from './parse.ts'

/**
 * Reads a written metafile again: its texts in their order are the expected ones, and no value stands in them or in its
 * bytes. What else it draws is what was read before, or nothing.
 */
export async function verifyMetafile(
  kind: Kind,
  output: Input,
  expected: Expected,
  context: FormatContext,
): Promise<Leak[]> {
  const { records, assemble, nodes } = await parse(kind, output, context)
  const segments = nodes.map(({ segment }) => segment)
  const wanted = expected.visible.filter(({ place }) => place.kind !== 'ocr').map(({ text }) => text)
  const shown = segments.filter(({ visible }) => visible).map(({ text }) => text)
  // How far words stand apart after some are replaced is not what tells whether they are the right ones.
  const bare = (texts: readonly string[]) => texts.join('').replace(/\s/g, '')
  // Workbooks don't count the texts of their pictures among what they show.
  if (records.length > 0 && wanted.length > 0 && bare(wanted) !== bare(shown))
    return [
      { type: 'leak_detected', place: { kind: 'body' }, reason: 'The text of the output is not the expected one' },
    ]
  return findValues(expected.gone, segments, [assemble(records.map(({ bytes }) => bytes))], [])
}
