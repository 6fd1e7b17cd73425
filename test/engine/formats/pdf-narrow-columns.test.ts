import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import type { EntityModel } from '../../../shared/engine/detect/entity-model.ts'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { plainText, readPage } from '../../../shared/engine/formats/pdf/text/page-text.ts'
import { verifyPages } from '../../../shared/engine/formats/pdf/verify/checks.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { defaultLimits } from '../../../shared/engine/limits.ts'
import { call, regexRule } from '../call.ts'
import { showPdf } from './pdf-samples.ts'

/** A page with columns of lines below each other, in letters of one width. */
const pdfOf = async (...columns: string[][]): Promise<Uint8Array> => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([595, 842])
  const font = await document.embedFont(StandardFonts.Courier)
  columns.forEach((lines, column) => {
    lines.forEach((text, line) => {
      page.drawText(text, { x: 50 + 250 * column, y: 780 - 13 * line - 200 * column, size: 11, font })
    })
  })
  return document.save()
}

const run = async (lines: string[], pattern: string) => {
  const input = bufferInput('file.pdf', await pdfOf(lines))
  const result = await anonymise(call({ input, rules: [regexRule('X', pattern)] }))
  const shown = await showPdf(await result.output.read(0, result.output.size))
  return { result, shown: shown.flatMap(page => page.split('\n')).map(line => line.trim()) }
}

const mail = String.raw`[\w.+-]+@[\w-]+(\.[\w-]+)+`
const iban = String.raw`\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b`
const uuid = String.raw`\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`

describe('a value goes that a column is too narrow for', () => {
  test.each([
    ['an address', mail, ['write to', 'quirin.zylo', 'ph@example.', 'org for it']],
    ['an address, before a capital', mail, ['quirin.zylo', 'ph@example', '.org', 'Or ask']],
    ['an address whose middle is one', mail, ['Ask then', 'quirin.zylo', 'ph@example.o', 'rg']],
    ['an account', iban, ['ZZ45500000', '0005839825', '7466 is it']],
    ['an account before a line that is full', iban, ['ZZ45500000', '0005839825', '7466583982', 'is the one']],
    ['an identifier with hyphens of its own', uuid, ['7f9c24e8-3b', '12-4fef-', '91e0-5c2d4b', '7aa001']],
    ['a link', String.raw`https?:\S+`, ['see https://', 'example.org/', 'qu/zyloph?', 'id=4711']],
    ['a name of a file', String.raw`\w+\.pdf\b`, ['Zyloph_contr', 'act_2024.pdf']],
    ['a number', String.raw`\b\d{20,}\b`, ['12345678', '90123456', '78901234', '56']],
    ['a name whose words fill a line each', 'Quirin Zyloph', ['Quirin', 'Zyloph']],
  ])('%s', async (_, pattern, lines) => {
    const { result, shown } = await run([...lines, 'No'], pattern)
    expect(result.findings[0]?.count).toBe(1)
    expect(result.report.rasterised).toEqual([])
    expect(shown.join('\n').replace(/\[?X\]?/, '')).not.toMatch(
      /zylo|ph[@_?]|example|rg\b|000|7466|7aa|[13]234|quirin|\.pdf|nus/i,
    )
    expect(shown).toContain('No')
  })
})

test.each([
  ['an address that a word follows', mail, ['q@example.org', 'for details'], ['[X]', 'for details']],
  ['a word that an address follows', mail, ['informations', 'q@example.org'], ['informations', '[X]']],
  ['numbers below each other', String.raw`\b\d{12,}\b`, ['555123', '555124', '555125'], ['555123', '555124', '555125']],
  ['values below each other', String.raw`\b\d{6,}\b`, ['5551231', '555124', '555125'], ['[X]', '[X]', '[X]']],
  [
    'a line that had room',
    String.raw`\w{12,}`,
    ['detail', 'informs', 'everything'],
    ['detail', 'informs', 'everything'],
  ],
])('words on two lines stay apart: %s', async (_, pattern, lines, left) => {
  expect((await run(lines, pattern)).shown).toEqual(left)
})

/** What rules are shown of the first of two columns. */
const leftColumn = async (...lines: string[]): Promise<string[]> => {
  const reader = await openReader(await pdfOf(lines, ['beside', 'what stands there']))
  const { text } = readPage(reader, 0)
  reader.close()
  return text.split(/\n? ?beside/)[0]!.split('\n')
}

test('lines of a paragraph in a left column are joined, and others are not', async () => {
  const paragraph = ['it was read to them', 'by all and by Quirin', 'Zyloph who was there', 'and went on with it.']
  expect(await leftColumn(...paragraph)).toEqual([paragraph.join(' ')])
  for (const apart of [
    ['it was read by', 'some and by Quirin', 'Zyloph'],
    ['it was read', 'by all', 'Zyloph who was there', 'and on'],
    ['Quirin Zyloph', 'Zeta Ltd', 'Harbour Street', '12345 Northtown'],
    ['oats and rye  4711', 'wheat       123456', 'barley       98765', 'sold in all 999999'],
  ])
    expect(await leftColumn(...apart)).toEqual(apart.map(line => line.replace(/ +/g, ' ')))
})

test('a value that a model found is replaced where a column is too narrow for it, too', async () => {
  const model: EntityModel = {
    find: async texts =>
      texts.map(text =>
        [...text.matchAll(/(?<=Mrs\. )\w+/g)].map(({ 0: name, index: start }) => ({
          ...{ label: 'PERSON', score: 0.9, start, end: start + name.length },
        })),
      ),
  }
  const detection = { type: 'AIMODEL' as const, modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 }
  const rule = { ruleId: 'm', name: 'm', detection, replacement: { text: '<P>' } }
  const input = bufferInput('file.pdf', await pdfOf(['For Mrs. Quorumlandau'], ['Quoruml', 'andau of', 'it']))
  const { output } = await anonymise(call({ input, rules: [rule], models: async () => model }))
  const shown = (await showPdf(await output.read(0, output.size))).join(' ')
  expect(shown).not.toMatch(/Quorum|andau/)
  expect(shown).toContain('of')
})

test('an output that shows a replaced value on two lines is refused', async () => {
  const reader = await openReader(await pdfOf(['quirin.zyloph@', 'example.org and', 'others']))
  const visible = [{ place: { kind: 'body' as const, page: 1 }, text: plainText(reader, 0) }]
  const context = { limits: defaultLimits, options: {}, signal: new AbortController().signal, choices: {} }
  const leaks = async (gone: string[]) =>
    verifyPages(reader, { digest: '', visible, gone }, [], new Set(), context as never)
  expect(await leaks(['quirin.zyloph@example.org'])).toHaveLength(1)
  expect(await leaks(['and others', 'nobody@example.org'])).toHaveLength(1)
  expect(await leaks(['nobody@example.org'])).toHaveLength(0)
  reader.close()
})
