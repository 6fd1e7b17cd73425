import { EngineError } from '../../errors.ts'
import type { Expected, FormatContext, Input, Leak, Place, Segment } from '../format.ts'
import { findValues } from '../leaks.ts'
import { verifyNested } from '../nested.ts'
import { decodeSource } from '../source.ts'
import { openZip, type Zip } from '../zip/read.ts'
import { blankPicture, blankPng } from './blank.ts'
import { readRelationships } from './relationships.ts'
import { reread } from './reread.ts'
import { keptRelationships } from './vocabulary.ts'

/**
 * Reads a written package again with another parser: every paragraph is as expected, nothing that was to be dropped is
 * there, no value stands in any text, attribute, name or byte of it.
 */
export async function verifyDocument(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const zip = await openZip(output, context)
  try {
    return await check(zip, expected, context)
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== 'corrupt_file') throw error
    return [{ type: 'corrupt_file', place: { kind: 'body' }, reason: error.message }]
  } finally {
    zip.close()
  }
}

async function check(zip: Zip, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const leaks: Leak[] = []
  const wanted = Map.groupBy(expected.visible, ({ place }) => place.part ?? '')
  const segments: Segment[] = []
  const structure = new Set<string>()
  const raw: Uint8Array[] = []
  const seen = new Set<string>()
  const wrong = (part: string, reason: string) => {
    const place: Place = { kind: 'body', part }
    leaks.push({ type: 'leak_detected', place, reason })
  }
  for (const { name } of zip.entries) {
    context.signal.throwIfAborted()
    const bytes = await zip.bytes(name)
    structure.add(name)
    if (!/\.(?:xml|rels|vml)$/i.test(name)) {
      if (name === blankPicture && blankPng.equals(bytes)) continue
      if (context.options.pictures === 'keep' && /\/media\//.test(name)) raw.push(bytes)
      else leaks.push(...(await verifyNested(bytes, name, name, expected, context)))
      continue
    }
    raw.push(bytes)
    const source = decodeSource(bytes, {}).text
    const part = reread(source, name)
    for (const segment of part.segments) segments.push(segment)
    for (const word of part.structure) structure.add(word)
    if (part.forbidden.length > 0) wrong(name, 'A part holds what should have been left out')
    const text = part.paragraphs.join('').replace(/\s/g, '')
    const shown = (wanted.get(name) ?? []).map(entry => entry.text).join('')
    if (text !== shown.replace(/\s/g, '')) wrong(name, 'The text of a part is not the expected one')
    seen.add(name)
    if (/\.rels$/i.test(name)) {
      const unknown = readRelationships(source, '').some(
        ({ kind, external }) => !keptRelationships.has(kind) || (external && kind !== 'hyperlink'),
      )
      if (unknown) wrong(name, 'A part that should have been left out is still pointed to')
    }
  }
  for (const name of wanted.keys())
    if (!seen.has(name) && !name.includes('!')) wrong(name, 'A part with text is missing')
  if (leaks.length > 0) return leaks
  return findValues(expected.gone, segments, raw, structure)
}
