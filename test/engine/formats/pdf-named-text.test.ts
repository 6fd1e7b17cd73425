import { PDFDocument, PDFName, PDFString, StandardFonts } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { showPdf } from './pdf-samples.ts'

/** A page that shows a name; `mark` begins content for whose letters another text may be named. */
async function pdfOf(mark: string, filter: 'flate' | 'hex' = 'flate'): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([400, 200])
  const font = await document.embedFont(StandardFonts.Helvetica)
  const properties = { MC0: { ActualText: PDFString.of('the customer') } }
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font.ref }, Properties: properties } as never))
  const content = `BT /F1 20 Tf 40 140 Td (Dear Sir,) Tj ET
${mark} BDC BT /F1 20 Tf 40 100 Td (Griselda Zybert) Tj ET EMC`
  const stream =
    filter === 'flate'
      ? context.flateStream(content)
      : context.stream(`${Buffer.from(content).toString('hex')}>`, { Filter: 'ASCIIHexDecode' })
  page.node.set(PDFName.of('Contents'), context.register(stream))
  return document.save()
}

async function without(name: string, bytes: Uint8Array) {
  const rules = [regexRule('name', name)]
  const { output, report } = await anonymise(call({ input: bufferInput('letter.pdf', bytes), rules }))
  const written = await output.read(0, output.size)
  return { shown: (await showPdf(written)).join(' '), report, written: Buffer.from(written) }
}

test.each([
  ['/Span <</ActualText (the customer)>>', 'flate'],
  ['/Span <</ActualText <FEFF0078>>>', 'flate'],
  ['/Span <</Actual#54ext (the customer)>>', 'flate'],
  ['/Span /MC0', 'flate'],
  ['/Span <</ActualText (the customer)>>', 'hex'],
] as const)('a name is found that is shown where other text is to be read: %s, %s', async (mark, filter) => {
  const { shown, report } = await without('Zybert', await pdfOf(mark, filter))
  expect(report).toMatchObject({ rasterised: [] })
  expect(JSON.stringify(report)).toContain('texts for reading aloud that say other than what is shown')
  expect(shown).toContain('Griselda')
  expect(shown).not.toContain('Zybert')
  expect(shown).toContain('Dear Sir')
})

/** A page that shows such content in a font of its own. */
async function pdfWith(content: string): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([400, 200])
  const font = await document.embedFont(StandardFonts.Helvetica)
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font.ref } }))
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)))
  return document.save()
}

const letters = (named: (letter: string, i: number) => string) =>
  `BT /F1 20 Tf 40 100 Td (Dear ) Tj ${[...'Zybert'].map((letter, i) => `/Span <</ActualText (${named(letter, i)})>> BDC (${letter}) Tj EMC`).join(' ')} ( called) Tj ET`

test.each([
  [
    'the text of one string',
    '/Span <</ActualText (Dear Zybert called)>> BDC BT /F1 20 Tf 40 100 Td (Dear Zybert called) Tj ET EMC',
  ],
  [
    'of several',
    '/Span <</ActualText (Dear Zybert called)>> BDC BT /F1 20 Tf 40 100 Td (Dear ) Tj (Zyb) Tj (ert called) Tj ET EMC',
  ],
  ['each letter', letters(letter => letter)],
  ['all letters at the first of them', letters((_, i) => (i === 0 ? 'Zybert' : ''))],
])('a name goes, and nothing else, where the content names %s', async (_, content) => {
  const { shown, report, written } = await without('Zybert', await pdfWith(content))
  expect(report).toMatchObject({ rasterised: [] })
  expect(shown.replace(/\s+/g, ' ')).toMatch(/^Dear (\[name\] called|called \[name\])$/)
  expect(written.includes('Zybert')).toBe(false)
})

test('text that only the content names goes with what it was named for', async () => {
  const { shown, written } = await without('customer', await pdfOf('/Span <</ActualText (the customer)>>'))
  expect(shown).toContain('Griselda Zybert')
  expect(written.includes('ActualText')).toBe(false)
})

test('a text that says what the letters show stays', async () => {
  const { shown, report } = await without('Dear', await pdfOf('/Span <</ActualText (Griselda Zybert)>>'))
  expect(report).toMatchObject({ rasterised: [] })
  expect(JSON.stringify(report)).not.toContain('reading aloud')
  expect(shown).toContain('Zybert')
  expect(shown).not.toContain('Dear')
})
