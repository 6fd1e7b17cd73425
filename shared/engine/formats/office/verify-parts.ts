import { isAscii } from 'node:buffer'
import { EngineError } from '../../errors.ts'
import { pushAll } from '../../lists.ts'
import { verifyEmbedded } from '../container/embedded-files.ts'
import type { Expected, FormatContext, Input, Leak, Place, Segment } from '../format.ts'
import { findValues } from '../text/leaks.ts'
import { isSameText, thatShow } from '../text/same-text.ts'
import { openZip, type Zip } from '../zip/read.ts'
import { type HeldDate, heldDates } from './held-dates.ts'

/** What a second reader finds in a part that is XML. */
export type RereadPart = {
  paragraphs: readonly string[]
  segments: readonly Segment[]
  structure: Iterable<string>
  dates: readonly HeldDate[]
  /** Whether it holds what should have been left out. */
  forbidden: boolean
}

/** What the parts of a written package turn out to hold, as a format reads them one by one. */
export type Findings = {
  /** Bytes to be searched for values. */
  raw(bytes: Uint8Array): void
  /** Words of the format itself, in which a value may stand by chance. */
  structure(word: string): void
  wrong(part: string, reason: string): void
  /** A part of XML: its text must be the expected one. */
  part(name: string, found: RereadPart): void
  /** A file that another format reads. */
  nested(name: string, bytes: Uint8Array): Promise<void>
}

/** Whether the texts of a part are the same, blanks and where they are cut aside. */
function areSame(expected: readonly string[], paragraphs: readonly string[]): boolean {
  const wanted = thatShow(expected)
  const found = thatShow(paragraphs)
  // Nearly always each is the very same, which is told without joining all of them.
  return isSameList(wanted, found) || isSameText(wanted.join(''), found.join(''))
}

function isSameList(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let index = 0; index < some.length; index++) if (some[index] !== others[index]) return false
  return true
}

/** The texts that are expected of each part, by its name. */
function textsByPart({ visible }: Expected): Map<string, string[]> {
  const parts = new Map<string, string[]>()
  for (const { place, text } of visible) {
    const name = place.part ?? ''
    const texts = parts.get(name)
    if (texts === undefined) parts.set(name, [text])
    else texts.push(text)
  }
  return parts
}

/**
 * Reads a written package again, part by part: each has the text that is expected of it, none is missing, and no value
 * stands in any text, attribute, name or byte. `read` tells what a part holds.
 */
export async function verifyParts(
  output: Input,
  expected: Expected,
  context: FormatContext,
  read: (name: string, bytes: Buffer, findings: Findings) => Promise<void> | void,
): Promise<Leak[]> {
  const zip = await openZip(output, context)
  try {
    return await check(zip, expected, context, read)
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== 'corrupt_file') throw error
    return [{ type: 'corrupt_file', place: { kind: 'body' }, reason: error.message }]
  } finally {
    zip.close()
  }
}

/** Whether what a part begins with says that it is in another encoding than it is read in again. */
export const declaresOther = (beginning: string): boolean =>
  /^<\?xml[^>]*\sencoding\s*=\s*["'](?!utf-?(?:8|16)["'])/i.test(beginning)

/** The same of a whole part, where programs would read something else. */
export const isReadOtherwise = (name: string, bytes: Buffer): boolean =>
  /\.(?:xml|rels|vml)$/i.test(name) && !isAscii(bytes) && declaresOther(bytes.toString('latin1', 0, 512))

export const otherEncoding = 'A part declares another encoding than it is in'

async function check(
  zip: Zip,
  expected: Expected,
  context: FormatContext,
  read: Parameters<typeof verifyParts>[3],
): Promise<Leak[]> {
  const leaks: Leak[] = []
  const wanted = textsByPart(expected)
  const isHeld = heldDates(expected.gone)
  const segments: Segment[] = []
  const structure = new Set<string>()
  const raw: { part: string; bytes: Uint8Array }[] = []
  let reading = ''
  const seen = new Set<string>()
  const wrong = (part: string, reason: string) => {
    const place: Place = { kind: 'body', part }
    leaks.push({ type: 'leak_detected', place, reason })
  }
  const findings: Findings = {
    raw: bytes => void raw.push({ part: reading, bytes }),
    structure: word => void structure.add(word),
    wrong,
    part(name, found) {
      pushAll(segments, found.segments)
      for (const word of found.structure) structure.add(word)
      if (found.dates.some(isHeld)) wrong(name, 'A date that was replaced is still there for programs')
      if (found.forbidden) wrong(name, 'A part holds what should have been left out')
      if (!areSame(wanted.get(name) ?? [], found.paragraphs)) wrong(name, 'The text of a part is not the expected one')
      seen.add(name)
    },
    async nested(name, bytes) {
      leaks.push(...(await verifyEmbedded(bytes, name, name, expected, context)))
    },
  }
  for (const { name } of zip.entries) {
    context.signal.throwIfAborted()
    structure.add(name)
    const bytes = await zip.bytes(name)
    if (isReadOtherwise(name, bytes)) wrong(name, otherEncoding)
    reading = name
    await read(name, bytes, findings)
  }
  for (const name of wanted.keys())
    if (!seen.has(name) && !name.includes('!')) wrong(name, 'A part with text is missing')
  if (leaks.length > 0) return leaks
  const held = findValues(
    expected.gone,
    segments,
    raw.map(({ bytes }) => bytes),
    structure,
  )
  if (held.length === 0 || held.every(({ place }) => place.part !== undefined)) return held
  const part = raw.find(({ bytes }) => findValues(expected.gone, [], [bytes], structure).length > 0)?.part
  return held.map(leak => ({ ...leak, place: { ...leak.place, part: leak.place.part ?? part } }))
}
