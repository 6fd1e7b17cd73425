import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { afterAll, describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { partedPages } from '../../../shared/engine/formats/pdf/content/parted-content.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { outsiders } from './pdf-redacted.ts'
import { showPdf } from './pdf-samples.ts'

const home = mkdtempSync(join(tmpdir(), 'parted-content-'))
afterAll(() => rmSync(home, { recursive: true }))

/** A page whose content is cut into these streams. */
const documentOf = async (parts: readonly string[]) => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([400, 200])
  const { context } = document
  const Font = { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', Encoding: 'WinAnsiEncoding' } }
  page.node.set(PDFName.of('Resources'), context.obj({ Font }))
  page.node.set(PDFName.of('Contents'), context.obj(parts.map(part => context.register(context.flateStream(part)))))
  return document
}

const anonymised = async (parts: readonly string[], pattern: string) => {
  const input = bufferInput('file.pdf', await (await documentOf(parts)).save({ useObjectStreams: false }))
  const { output, report } = await anonymise(call({ input, rules: [regexRule('x', pattern)] }))
  return { after: await output.read(0, output.size), report }
}

/** What each reader that is installed, and PDF.js, reads of a document. */
const readByAll = async (bytes: Uint8Array): Promise<string[]> => {
  const file = join(home, 'file.pdf')
  writeFileSync(file, bytes)
  const read = outsiders
    .filter(({ there }) => there)
    .map(({ program, options }) => spawnSync(program, options(file), { encoding: 'utf8' }).stdout)
  return [...read, (await showPdf(bytes)).join('\n')]
}

const inString = ['BT /F1 24 Tf 50 100 Td (Zyna', 'meson) Tj 0 -50 Td (Beta) Tj ET']
const inEscape = ['BT /F1 24 Tf 50 100 Td (Zyn\\', '141meson) Tj ET']
const inComment = ['BT /F1 24 Tf 50 100 Td % note', '(Zynameson) Tj\n0 -50 Td (Beta) Tj ET']

describe('content of a page that is cut where it may not be', () => {
  test.each<[string, string[], number]>([
    ['within a string', inString, 1],
    ['within a string behind an escape', inEscape, 1],
    ['within a string in an array', ['BT /F1 24 Tf [(Alpha) 20 (Zyna', 'meson)] TJ ET'], 1],
    ['within a comment', inComment, 1],
    ['behind the data of a picture', ['BI /W 1 /H 1 /BPC 8 /CS /G ID )\nEI (Zyna', 'meson) Tj'], 1],
    ['between two strings', ['BT /F1 24 Tf [(Alpha \\()', '(Beta)] TJ ET'], 0],
    ['between operators', ['BT /F1 24 Tf (Alpha) Tj % note\n', 'ET'], 0],
    ['within hexadecimal digits, which all readers join', ['BT /F1 24 Tf <506f', '74> Tj ET'], 0],
  ])('%s', async (_, parts, count) => {
    expect(partedPages(await documentOf(parts)).size).toBe(count)
  })

  test.each<[string, string[]]>([
    ['a string that some readers join', inString],
    ['one whose escape they join', inEscape],
    ['a comment that some readers end', inComment],
  ])('a match in %s makes the page a picture', { timeout: 60_000 }, async (_, parts) => {
    const { after, report } = await anonymised(parts, 'Zynameson')
    expect(report.rasterised).toEqual([1])
    for (const text of await readByAll(after)) expect(text.replace(/\s/g, '')).not.toMatch(/Zyna|meson/)
  })

  test('without a match all readers read the same', { timeout: 60_000 }, async () => {
    const { after, report } = await anonymised(inString, 'Nothing')
    expect(report.rasterised).toEqual([])
    expect(report.warnings).toContainEqual(expect.stringContaining('damaged'))
    for (const text of await readByAll(after)) expect(text.match(/\w+/g)).toEqual(['Zyna', 'meson', 'Beta'])
  })

  test('what the first reader reads is cut as text', { timeout: 60_000 }, async () => {
    const { after, report } = await anonymised(inString, 'Beta')
    expect(report.rasterised).toEqual([])
    for (const text of await readByAll(after)) expect(text).not.toMatch(/Beta|Zynameson/)
  })
})
