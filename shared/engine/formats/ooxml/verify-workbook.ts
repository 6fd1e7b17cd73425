import { EngineError } from '../../errors.ts'
import { textDigest } from '../../verify/digest.ts'
import { searchEmbedded } from '../container/embedded-files.ts'
import type { Expected, FormatContext, Input, Leak, Place } from '../format.ts'
import { findValues, textScan } from '../text/leaks.ts'
import { closePackage } from './package.ts'
import { reread } from './verify-reader.ts'
import { rereadSheet, rereadStrings } from './verify-sheet.ts'
import { type ListedWorkbook, listWorkbook, otherParts } from './workbook.ts'

/**
 * Reads a written workbook again: the cells of its visible sheets are the expected ones, and no replaced value stands in
 * any other text or attribute of it. A hidden text that does hold one can be taken out as a whole.
 */
export async function verifyWorkbook(output: Input, expected: Expected, context: FormatContext): Promise<Leak[]> {
  try {
    const book = await listWorkbook(output, context)
    try {
      return await check(book, expected, context)
    } finally {
      await closePackage(book.opened)
    }
  } catch (error) {
    if (!(error instanceof EngineError) || error.type !== 'corrupt_file') throw error
    return [{ type: 'corrupt_file', place: { kind: 'body' }, reason: error.message }]
  }
}

/** Texts of cells that are digested at once. */
const shownAtOnce = 4096

async function check(book: ListedWorkbook, expected: Expected, context: FormatContext): Promise<Leak[]> {
  const { opened, sheets, numbers, from1904 } = book
  const leaks: Leak[] = []
  if (opened.dropped.size > 0) leaks.push(leak('leak_detected', { kind: 'body' }, 'A part should have been left out'))
  const digest = textDigest()
  const shown: string[] = []
  const strings = book.strings === undefined ? [] : await rereadStrings(opened.zip.stream(book.strings.entry))
  for (const { part, place, visible } of sheets) {
    context.signal.throwIfAborted()
    const scan = textScan(expected.gone)
    let around = ''
    await rereadSheet(
      opened.zip.stream(part.entry),
      { strings, dates: numbers.dates, from1904 },
      {
        cell(text) {
          if (!visible) scan.add(text)
          else if (shown.push(text) === shownAtOnce) digest.addTexts(shown.splice(0))
        },
        hidden: text => scan.add(text),
        around(source) {
          around += source
        },
      },
    )
    digest.addTexts(shown.splice(0))
    const { segments } = reread(around, part.name)
    for (const { text } of segments) scan.add(text)
    if (scan.found().plain.size > 0)
      leaks.push({ ...leak('leak_detected', place, 'A replaced value is hidden in a sheet'), ...drop(part.name) })
  }
  if (digest.hex() !== expected.digest)
    leaks.push(leak('leak_detected', { kind: 'cell' }, 'The cells of the output are not the expected ones'))
  for (const part of otherParts(book)) {
    if (part.content === 'nested') {
      const bytes = await opened.zip.bytes(part.entry)
      leaks.push(...(await searchEmbedded(bytes, part.name, part.name, expected, context)))
    }
    const sources = [part.source, part.relationshipSource].filter(source => source !== undefined)
    for (const source of sources) {
      const { segments, structure, forbidden } = reread(source.text, part.name)
      const place: Place = { kind: 'body', part: part.name }
      if (forbidden.length > 0) leaks.push(leak('leak_detected', place, 'A part holds what should have been left out'))
      const found = findValues(expected.gone, segments, [], structure)
      if (found.length > 0)
        leaks.push({ ...leak('leak_detected', place, 'A replaced value is hidden in a part'), ...drop(part.name) })
    }
  }
  return leaks
}

function leak(type: Leak['type'], place: Place, reason: string): Leak {
  return { type, place, reason }
}

const drop = (part: string) => ({ escalation: { kind: 'drop' as const, part } })
