import { type PDFDict, PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { drawPage } from '../../../shared/engine/formats/pdf/pictures/raster.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { showPdf } from './pdf-samples.ts'

type Entries = Record<string, unknown>

const [kept, unseen, bare] = [
  'annotations and form fields (kept as page content)',
  'annotations and form fields that nothing showed',
  'annotations without an appearance, which some viewers draw by rules of their own',
]

/** What an annotation looks like, in a box of 100 by 50: a form. */
const red = '1 0 0 rg 10 10 50 30 re f'
const appearance = (content: string): Entries => ({ content })

/** What becomes of a page with one annotation at 50 to 200 and 50 to 100 points: the report, and how many dots have colour. */
const afterwards = async (annotation: Entries, pattern = 'nothing at all') => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([400, 400])
  const { content, BBox = [0, 0, 100, 50], ...entries } = annotation
  const dict = context.obj({ Type: 'Annot', Rect: [50, 50, 200, 100], F: 4, ...entries } as never) as unknown as PDFDict
  if (typeof content === 'string') {
    const Font = { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' } }
    const form = { Type: 'XObject', Subtype: 'Form', BBox, Resources: { Font } } as never
    dict.set(PDFName.of('AP'), context.obj({ N: context.register(context.flateStream(content, form)) }))
  }
  page.node.set(PDFName.of('Annots'), context.obj([context.register(dict)]))
  const input = bufferInput('file.pdf', await document.save({ useObjectStreams: false }))
  const { output, report } = await anonymise(call({ input, rules: [regexRule('x', pattern)] }))
  const after = await output.read(0, output.size)
  const reader = await openReader(after)
  const picture = reader.page(0, page => drawPage(reader, page, 72))
  reader.close()
  const dots = picture.channels === 1 ? 0 : picture.pixels.filter((value, i) => i % 3 === 1 && value < 128).length
  return { after, report, dots, dropped: Object.fromEntries(report.dropped.map(({ what, count }) => [what, count])) }
}

const C = [1, 0, 0]

describe('annotations that are drawn become content', () => {
  test.each<[string, Entries]>([
    ['a stamp with an appearance', { Subtype: 'Stamp', ...appearance(red) }],
    ['one of a kind that nobody knows', { Subtype: 'Strange', ...appearance(red) }],
    [
      'one that only programs for its kind should show, which the reader shows',
      { Subtype: 'Stamp', F: 5, ...appearance(red) },
    ],
    ['a line without an appearance', { Subtype: 'Line', C, L: [60, 60, 150, 90] }],
    ['a line without an appearance in an empty box', { Subtype: 'Line', C, L: [60, 60, 150, 90], Rect: [0, 0, 0, 0] }],
    ['ink without an appearance', { Subtype: 'Ink', C, InkList: [[60, 60, 150, 90, 180, 55]] }],
  ])('%s', async (_, annotation) => {
    const { report, dots, dropped } = await afterwards(annotation)
    expect(report.rasterised).toEqual([])
    expect(dropped).toEqual({ [kept]: 1 })
    expect(dots).toBeGreaterThan(80)
  })

  test('and lose what a rule finds', async () => {
    const content = `${red} BT /F1 12 Tf 12 20 Td (Margaret Zyname) Tj ET`
    const { after, dropped } = await afterwards({ Subtype: 'Stamp', ...appearance(content) }, 'Zyname')
    expect(dropped).toEqual({ [kept]: 1 })
    expect((await showPdf(after)).join(' ')).toMatch(/^Margaret (?!.*Zyname)/)
  })
})

describe('annotations that nothing shows are not called kept', () => {
  test.each<[string, Entries]>([
    ['a hidden one', { Subtype: 'Stamp', F: 2, ...appearance(red) }],
    ['a popup with an appearance, which some viewers draw', { Subtype: 'Popup', ...appearance(red) }],
    ['one that is only printed', { Subtype: 'Stamp', F: 36, ...appearance(red) }],
    ['an empty appearance', { Subtype: 'Stamp', ...appearance('') }],
    ['an appearance in an empty box', { Subtype: 'Stamp', Rect: [50, 50, 50, 50], ...appearance(red) }],
    ['an appearance that is cut to an empty box', { Subtype: 'Stamp', BBox: [0, 0, 0, 0], ...appearance(red) }],
    ['one that is cut to a box without height', { Subtype: 'Stamp', BBox: [0, 10, 100, 10], ...appearance(red) }],
    ['a line whose appearance has an empty box', { Subtype: 'Line', Rect: [0, 0, 0, 0], ...appearance(red) }],
  ])('%s', async (_, annotation) => {
    const { dots, dropped } = await afterwards(annotation)
    expect(dropped).toEqual({ [unseen]: 1 })
    expect(dots).toBe(0)
  })
})

describe('annotations without an appearance that viewers draw each in their own way are lost, and counted', () => {
  test.each<[string, Entries]>([
    ['a stamp', { Subtype: 'Stamp', Name: 'Approved' }],
    ['ink without a width', { Subtype: 'Ink', InkList: [[60, 60, 150, 90, 180, 55]], Border: [0, 0, 0] }],
    ['an attached file', { Subtype: 'FileAttachment' }],
  ])('%s', async (_, annotation) => {
    const { dots, dropped } = await afterwards(annotation)
    expect(dropped).toEqual({ [bare]: 1 })
    expect(dots).toBe(0)
  })
})
