import { readAll } from '../../input.ts'
import { chanceWords, without } from '../../verify/name-words.ts'
import { verifyInlineImages } from '../container/inline-images.ts'
import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { decodeText } from './decoded-text.ts'
import { findValues } from './leaks.ts'
import { type Reread, type Shown, sameShown } from './reread.ts'

/** Reads a written text file again by another reader than the one it was opened with: {@link Reread}. */
export async function verifyText(
  output: Input,
  expected: Expected,
  context: FormatContext,
  reread: (source: string) => Reread,
  declared?: (bytes: Buffer) => string | undefined,
): Promise<Leak[]> {
  const read = await readAll(output, context.limits.bytes)
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
  const source = decodeText(bytes, context.options, declared?.(bytes)).text
  const found = reread(source)
  const wanted = ownTexts(expected)
  const pictures = sameShown(found, wanted)
  if (pictures === undefined)
    return [
      { type: 'leak_detected', place: { kind: 'body' }, reason: 'The text of the output is not the expected one' },
    ]
  const texts = found.shown.some(isUnsure) ? found.shown.filter(one => !isUnsure(one)) : found.shown
  const gone = new Set(expected.gone)
  const structure = [...(found.structure ?? []), ...[...(found.compounds ?? [])].filter(word => !gone.has(word))]
  const search = (raw: Uint8Array, hidden: readonly string[]) =>
    findValues(expected.gone, texts, [raw], structure, hidden)
  let leaks = search(bytes, found.hidden)
  if (leaks.length > 0 && found.fixed) {
    const chance = found.areNames ? chanceWords(expected.gone) : undefined
    const hidden = chance ? found.hidden.map(name => without(name, chance(name))) : found.hidden
    leaks = search(Buffer.from(without(source, found.fixed(chance)), 'utf8'), hidden)
  }
  if (leaks.length === 0) return verifyInlineImages([...pictures, ...(found.pictures ?? [])], expected, context)
  const line = lineOf(source, part => findValues(expected.gone, [], [Buffer.from(part, 'utf8')], structure).length > 0)
  return leaks.map(leak => (line === undefined ? leak : { ...leak, place: { ...leak.place, part: `line ${line}` } }))
}

/** The first line, from 1, with which a source holds a value; nothing where it holds none as it stands. */
function lineOf(source: string, holds: (part: string) => boolean): number | undefined {
  if (!holds(source)) return undefined
  const ends = Array.from(source.matchAll(/\r\n?|\n|$/g), ({ index }) => index)
  let [low, high] = [0, ends.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(source.slice(0, ends[middle]))) high = middle
    else low = middle + 1
  }
  return low + 1
}

const isUnsure = ({ unsure }: Shown) => unsure === true

/** The texts that are expected of the file itself, not of those within it. */
function ownTexts({ visible }: Expected): string[] {
  const texts: string[] = []
  for (const { place, text } of visible) if (!place.part?.includes('!')) texts.push(text)
  return texts
}
