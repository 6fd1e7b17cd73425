import { PDFDocument, PDFName, PDFNumber, type PDFObject, type PDFRef, PDFString } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import * as plain from '../../../shared/engine/anonymise.ts'
import { partsOfValues } from '../../../shared/engine/formats/pdf/objects/parted-values.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { mutant } from '../mutant.ts'
import { showPdf } from './pdf-samples.ts'

/** An element of the structure: the number of its content, or what stands below it, and what it says in other words. */
type Element = { K: number | Element[]; says?: Record<string, string> }

type Made = { content: string; elements: Element[]; form?: string; more?: (document: PDFDocument) => void }

/** A page with such content, tied to such a structure; `form`: content that it shows as `/Fm`. */
const pdfOf = async ({ content, elements, form }: Made): Promise<Uint8Array> => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context, catalog } = document
  const page = document.addPage([400, 200])
  const Font = { F1: { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica', Encoding: 'WinAnsiEncoding' } }
  const shown = context.register(
    context.flateStream(form ?? '', { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 400, 200], Resources: { Font } }),
  )
  page.node.set(PDFName.of('Resources'), context.obj({ Font, ...(form && { XObject: { Fm: shown } }) }))
  page.node.set(
    PDFName.of('Contents'),
    context.register(context.flateStream(`BT /F1 20 Tf 40 140 Td (Dear Sir,) Tj ET ${content}`)),
  )
  const put = (element: Element, parent: PDFRef): PDFRef => {
    const ref = context.nextRef()
    const { K, says = {} } = element
    const own: PDFObject | PDFRef[] =
      typeof K !== 'number'
        ? K.map(child => put(child, ref))
        : form
          ? context.obj({ Type: 'MCR', Stm: shown, Pg: page.ref, MCID: K })
          : PDFNumber.of(K)
    const texts = Object.fromEntries(Object.entries(says).map(([key, text]) => [key, PDFString.of(text)]))
    context.assign(
      ref,
      context.obj({ Type: 'StructElem', S: 'Span', P: parent, Pg: page.ref, K: own, ...texts } as never),
    )
    return ref
  }
  const root = context.nextRef()
  context.assign(root, context.obj({ Type: 'StructTreeRoot', K: elements.map(element => put(element, root)) }))
  catalog.set(PDFName.of('StructTreeRoot'), root)
  return document.save({ useObjectStreams: false })
}

const without = async (made: Made, pattern: string, { anonymise }: Pick<typeof plain, 'anonymise'> = plain) => {
  const input = bufferInput('file.pdf', await pdfOf(made))
  const { output, report } = await anonymise(call({ input, rules: [regexRule('name', pattern)] }))
  const after = await output.read(0, output.size)
  const { context } = await PDFDocument.load(after, { updateMetadata: false })
  const objects = context.enumerateIndirectObjects().map(([, object]) => String(object))
  const spoken = objects.flatMap(text => text.match(/\/(?:ActualText|Alt|E|T) [(<][^)>]*[)>]/g) ?? [])
  return { report, spoken, shown: (await showPdf(after)).join(' ') }
}

/** Content with a number for each of some texts. */
const numbered = (texts: readonly string[]) =>
  `BT /F1 20 Tf 40 100 Td ${texts.map((text, i) => `/Span <</MCID ${i}>> BDC (${text}) Tj EMC`).join(' ')} ET`

const elementsOf = (texts: readonly string[], key: string): Element[] =>
  texts.map((text, K) => ({ K, says: { [key]: text } }))

const tagged = (texts: readonly string[], key: string): Made => ({
  content: numbered(texts),
  elements: elementsOf(texts, key),
})

describe('texts of the structure go with what they repeat', () => {
  test.each<[string, Made, string]>([
    ['of each letter', tagged([...'Zybert'], 'ActualText'), 'Zybert'],
    ['of two halves', tagged(['Zyb', 'ert'], 'Alt'), 'Zybert'],
    ['of two words', tagged(['Griselda ', 'Zybert'], 'E'), 'Griselda Zybert'],
    ['in other letters', { content: numbered(['Zybert']), elements: [{ K: 0, says: { Alt: 'Z.' } }] }, 'Zybert'],
    [
      'above the elements with its content',
      {
        content: numbered(['Zyb', 'ert']),
        elements: [0, 1].map(K => ({ K: [{ K }], says: { T: ['Zyb', 'ert'][K]! } })),
      },
      'Zybert',
    ],
    [
      'elsewhere',
      {
        content: numbered(['Zybert', 'called', 'us']),
        elements: [
          { K: 1, says: { Alt: 'Zyb' } },
          { K: 2, says: { Alt: 'ert' } },
        ],
      },
      'Zybert',
    ],
    [
      'in a form',
      { content: '/Fm Do', form: numbered(['Zyb', 'ert']), elements: elementsOf(['Zy', 'rt'], 'Alt') },
      'Zybert',
    ],
    [
      'of content without an end',
      { content: 'BT /F1 20 Tf 40 100 Td /Span <</MCID 0 /Alt (Zy)>> BDC (Zybert) Tj ET', elements: [] },
      'Zybert',
    ],
  ])('%s', async (_, made, pattern) => {
    const { report, spoken, shown } = await without(made, pattern)
    expect(report.rasterised).toEqual([])
    expect(shown).not.toContain('Zybert')
    expect(spoken).toEqual([])
  })

  test('of a page that became a picture', { timeout: 60_000 }, async () => {
    // Letters that only a picture of the page shows: the font says others.
    const made = {
      content: `${numbered(['Dear', 'Sir'])} BT 3 Tr /F1 20 Tf 40 60 Td (Zybert) Tj ET`,
      elements: elementsOf(['Griselda', 'Zybert'], 'Alt'),
    }
    const broken = await mutant({
      file: 'formats/pdf/write.ts',
      from: 'const pictures = picturePages(escalations, document.getPageCount())',
      to: 'const pictures = new Set([0])',
    })
    const { report, spoken } = await without(made, 'Griselda Zybert|Dear', broken)
    expect(report.rasterised).toEqual([1])
    expect(spoken).toEqual([])
  })

  test('and no others', async () => {
    const { spoken } = await without(tagged(['Zybert', ' called ', 'Miller'], 'ActualText'), 'Zybert')
    expect(spoken).toEqual(['/ActualText ( called )', '/ActualText (Miller)'])
  })
})

test('texts that content names one after the other lose parts of a value', async () => {
  const spans = ['Zyb', 'ert'].map(text => `/Span <</Alt (${text})>> BDC (x) Tj EMC`).join(' ')
  const { shown } = await without(
    { content: `BT /F1 20 Tf 40 100 Td (Zybert) Tj 0 -40 Td ${spans} ET`, elements: [] },
    'Zybert',
  )
  expect(shown).toMatch(/x ?x$/)
})

test.each([
  [
    'structure',
    tagged(['Zyb', 'ert'], 'Alt'),
    'dropSpokenTexts(document, cutting.touched, pictured, edits.values)',
    '',
  ],
  [
    'content',
    {
      content: `BT /F1 20 Tf 40 100 Td (Zybert) Tj ${['Zyb', 'ert'].map(text => `/Span <</Alt (${text})>> BDC (x) Tj EMC`).join(' ')} ET`,
      elements: [],
    },
    "if (parts.has(string)) string.set('')",
    'if (parts.has(string)) string.set(string.text)',
  ],
] as const)('verification finds a value that is parted over the %s', async (_, made, from, to) => {
  const broken = await mutant({ file: 'formats/pdf/write.ts', from, to })
  await expect(without(made as Made, 'Zybert', broken)).rejects.toThrow(/still hold/)
})

describe('values that are parted over texts', () => {
  test.each<[string[], string[], number[]]>([
    [['Zyb', 'ert'], ['Zybert'], [0, 1]],
    [['Gri', 'selda ', 'zy-', 'BERT', 'called'], ['Griselda Zybert'], [0, 1, 2, 3]],
    [['Zybert', 'called'], ['Zybert'], []],
    [['Han', 'na'], ['an'], []],
    [['A', 'n', 'd'], ['An'], [0, 1]],
    [['Mi', 'chaël', 'x'], ['Michael'], [0, 1]],
    [['Zybert'], ['Zyb'], []],
    [[], ['Zyb'], []],
  ])('%j: %j', (texts, values, parts) => {
    expect([...partsOfValues(values)(texts)].sort()).toEqual(parts)
  })
})
