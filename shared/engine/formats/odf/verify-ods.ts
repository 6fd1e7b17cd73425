import { EngineError } from '../../errors.ts'
import { textDigest } from '../../verify/digest.ts'
import { searchEmbedded } from '../container/embedded-files.ts'
import type { Expected, FormatContext, Input, Leak } from '../format.ts'
import { declaresOther, isReadOtherwise, otherEncoding } from '../office/verify-parts.ts'
import { blankPicture, blankPng } from '../ooxml/blank-image.ts'
import { decodeText } from '../text/decoded-text.ts'
import { findValues, textScan } from '../text/leaks.ts'
import { openZip, type Zip } from '../zip/read.ts'
import { manifestNames } from './package.ts'
import { contentName } from './spreadsheet.ts'
import { rereadOdf } from './verify-reader.ts'
import { rereadContent } from './verify-rows.ts'

/**
 * Reads a written spreadsheet again: its cells are the expected ones, and no replaced value stands in any other text or
 * attribute of it. What the rows hide of one can be taken out as a whole.
 */
export async function verifyOds(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
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

/** Texts of cells that are digested at once. */
const shownAtOnce = 4096

async function check(zip: Zip, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const leaks: Leak[] = []
  const wrong = (part: string, reason: string, escalation?: Leak['escalation']) =>
    void leaks.push({ type: 'leak_detected', place: { kind: 'body', part }, reason, ...(escalation && { escalation }) })
  const structure = new Set<string>(zip.entries.map(({ name }) => name))
  /** Whether a part read as a whole still holds a value. */
  const holds = (source: string, name: string, bytes: Uint8Array) => {
    const { segments, structure: words, forbidden } = rereadOdf(source, name)
    if (forbidden) wrong(name, 'A part holds what should have been left out')
    return findValues(expected.gone, segments, [bytes], [...structure, ...words]).length > 0
  }
  for (const { name } of zip.entries) {
    context.signal.throwIfAborted()
    if (name === 'mimetype') continue
    if (name === contentName) {
      const digest = textDigest()
      const scan = textScan(expected.gone)
      const shown: string[] = []
      const around = await rereadContent(zip.stream(name), {
        cell(texts) {
          for (const text of texts) shown.push(text)
          if (shown.length >= shownAtOnce) digest.addTexts(shown.splice(0))
        },
        cells(texts) {
          digest.addTexts(shown.splice(0))
          digest.addAll(texts)
        },
        hidden: text => scan.add(text),
        forbidden: () => wrong(name, 'A part holds what should have been left out'),
      })
      digest.addTexts(shown)
      if (declaresOther(around)) wrong(name, otherEncoding)
      if (digest.hex() !== expected.digest) wrong(name, 'The cells of the output are not the expected ones')
      if (holds(around, name, Buffer.from(around)) || scan.found().plain.size > 0)
        wrong(name, 'A replaced value is hidden beside the cells', { kind: 'drop', part: name })
      continue
    }
    const bytes = await zip.bytes(name)
    if (name === blankPicture && blankPng.equals(bytes)) continue
    if (isReadOtherwise(name, bytes)) wrong(name, otherEncoding)
    if (name === 'META-INF/manifest.xml') {
      const { text } = decodeText(bytes, {})
      const words = [...manifestNames(text).entries.map(({ path }) => path), text.replace(/full-path="[^"]*"/g, '')]
      if (findValues(expected.gone, [], [bytes], [...structure, ...words]).length > 0)
        wrong(name, 'A replaced value is in the list of parts')
    } else if (/\.xml$/.test(name)) {
      if (holds(decodeText(bytes, {}).text, name, bytes)) wrong(name, 'A replaced value is hidden in a part')
    } else if (context.options.pictures === 'keep') {
      if (findValues(expected.gone, [], [bytes], structure).length > 0) wrong(name, 'A replaced value is in a picture')
    } else leaks.push(...(await searchEmbedded(bytes, name, name, expected, context)))
  }
  return leaks
}
