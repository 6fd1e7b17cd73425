import { EngineError } from '../../errors.ts'
import type { Expected, FormatContext, Input, Leak, Segment } from '../format.ts'
import { findValues } from '../leaks.ts'
import { verifyNested } from '../nested.ts'
import { blankPicture, blankPng } from '../ooxml/blank.ts'
import { decodeSource } from '../source.ts'
import { openZip, type Zip } from '../zip/read.ts'
import { listed } from './package.ts'
import { rereadOdf } from './reread.ts'

/** Reads a written file again with another parser: paragraphs as expected, no value in any text, attribute or byte. */
export async function verifyOdf(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
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
  const wrong = (part: string, reason: string) =>
    void leaks.push({ type: 'leak_detected', place: { kind: 'body', part }, reason })
  const seen = new Set<string>()
  for (const { name } of zip.entries) {
    context.signal.throwIfAborted()
    const bytes = await zip.bytes(name)
    structure.add(name)
    if (name === 'mimetype' || (name === blankPicture && blankPng.equals(bytes))) continue
    if (name === 'META-INF/manifest.xml') {
      raw.push(bytes)
      for (const { path } of listed(decodeSource(bytes, {}).text).entries) structure.add(path)
      structure.add(decodeSource(bytes, {}).text.replace(/full-path="[^"]*"/g, ''))
    } else if (/\.xml$/.test(name)) {
      raw.push(bytes)
      const part = rereadOdf(decodeSource(bytes, {}).text, name)
      for (const segment of part.segments) segments.push(segment)
      for (const word of part.structure) structure.add(word)
      if (part.forbidden) wrong(name, 'A part holds what should have been left out')
      const shown = (wanted.get(name) ?? []).map(({ text }) => text).join('')
      if (part.paragraphs.join('').replace(/\s/g, '') !== shown.replace(/\s/g, ''))
        wrong(name, 'The text of a part is not the expected one')
      seen.add(name)
    } else if (context.options.pictures === 'keep') raw.push(bytes)
    else leaks.push(...(await verifyNested(bytes, name, name, expected, context)))
  }
  for (const name of wanted.keys())
    if (!seen.has(name) && !name.includes('!')) wrong(name, 'A part with text is missing')
  return leaks.length > 0 ? leaks : findValues(expected.gone, segments, raw, structure)
}
