import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { pageTexts } from './pdf-redacted.ts'
import { readFirstPage } from './pdf-samples.ts'

type Piece = [text: string, x: number, y: number]

const measure = await (await PDFDocument.create()).embedFont(StandardFonts.Helvetica)
/** Where what follows a text begins. */
const behind = (text: string) => 50 + measure.widthOfTextAtSize(text, 12)

const cases: [what: string, pattern: string, pieces: Piece[], left: string[]][] = [
  [
    'a word in two pieces with another line between them',
    'Margaret',
    [
      ['Marg', 50, 150],
      ['Something else', 50, 100],
      ['aret', behind('Marg'), 150],
    ],
    ['Something else'],
  ],
  [
    'words of one line out of their order',
    'Margaret Johnson',
    [
      ['Johnson', behind('Margaret '), 150],
      ['Other line', 50, 100],
      ['Margaret', 50, 150],
    ],
    ['Other line'],
  ],
  [
    'three pieces, the last of which is shown first',
    'Margaret',
    [
      ['ret', behind('Marga'), 150],
      ['One', 50, 100],
      ['Mar', 50, 150],
      ['Two', 50, 80],
      ['ga', behind('Mar'), 150],
    ],
    ['One', 'Two'],
  ],
]

/** The same where the font's kerning does not count. */
const placeBehind = (text: string) => [...text].reduce((x, letter) => x + measure.widthOfTextAtSize(letter, 12), 50)

/** Lines that are shown in two turns, the second with those pieces of them that a pattern finds. */
const inTwoTurns = (later: RegExp): Piece[] => {
  const lines = ['A letter for Margaret Johnson of ward 5', 'and number MRN-4471 too', 'Margaret Johnson went home']
  const pieces = lines.flatMap((line, n) =>
    line.split(later).map((text, at, all) => {
      const piece: Piece = [text, placeBehind(all.slice(0, at).join('')), 150 - 16 * n]
      return { piece, isLater: at % 2 === 1 }
    }),
  )
  const shown = pieces.filter(({ piece }) => piece[0] !== '')
  return [...shown.filter(({ isLater }) => !isLater), ...shown.filter(({ isLater }) => isLater)].map(
    ({ piece }) => piece,
  )
}

describe('lines with holes', () => {
  test.each<[string, Piece[]]>([
    ['words that come last', inTwoTurns(/(Margaret Johnson|44|71)/)],
    ['words that come first', inTwoTurns(/(Margaret|4471)/).reverse()],
    ['letters of another font', inTwoTurns(/([tJ1])/)],
    ['every other letter', inTwoTurns(/([a-m1-4-])/)],
  ])('%s', async (_, pieces) => {
    const document = await PDFDocument.create({ updateMetadata: false })
    const font = await document.embedFont(StandardFonts.Helvetica)
    const page = document.addPage([400, 200])
    for (const [text, x, y] of pieces) page.drawText(text, { x, y, size: 12, font })
    const bytes = await document.save({ useObjectStreams: false })
    const text = await readFirstPage(bytes)
    expect(text).toContain('A letter for Margaret Johnson of ward 5')
    expect(text).toContain('and number MRN-4471 too')
    const rules = [regexRule('N', 'Margaret Johnson|MRN-4471')]
    const { output, findings, report } = await anonymise(call({ input: bufferInput('a.pdf', bytes), rules }))
    expect(findings[0]?.count).toBe(3)
    expect(report.rasterised).toEqual([])
    const shown = (await pageTexts(await output.read(0, output.size))).join('\n')
    expect(shown).not.toMatch(/Marg|aret|John|ohns|4471/)
    expect(shown.match(/\[N\]/g)).toHaveLength(3)
  })

  test('what does not fit into a hole stays a line', async () => {
    const document = await PDFDocument.create({ updateMetadata: false })
    const font = await document.embedFont(StandardFonts.Helvetica)
    const page = document.addPage([400, 200])
    const columns = ['Anna', 'Berlin', 'Clara', 'Dresden'].map(
      (text, n): Piece => [text, 50 + 90 * (n % 2), n < 2 ? 150 : 130],
    )
    const pieces: Piece[] = [...columns, ['Somebody of', behind('Anna '), 150], ['one', 100, 130], ['two', 100, 110]]
    for (const [text, x, y] of pieces) page.drawText(text, { x, y, size: 12, font })
    const text = await readFirstPage(await document.save({ useObjectStreams: false }))
    expect(text).toMatch(/Anna Berlin\s+Clara Dresden/)
    expect(text).toMatch(/one[\s\u2064]+two/)
  })
})

describe('lines in pieces', () => {
  test.each(cases)('%s', async (_, pattern, pieces, left) => {
    const document = await PDFDocument.create({ updateMetadata: false })
    const font = await document.embedFont(StandardFonts.Helvetica)
    const page = document.addPage([400, 200])
    for (const [text, x, y] of pieces) page.drawText(text, { x, y, size: 12, font })
    const input = bufferInput('a.pdf', await document.save({ useObjectStreams: false }))
    const { output, findings, report } = await anonymise(call({ input, rules: [regexRule('N', pattern)] }))
    expect(findings[0]?.count).toBe(1)
    expect(report.rasterised).toEqual([])
    const [shown = ''] = await pageTexts(await output.read(0, output.size))
    for (const text of left) expect(shown).toContain(text)
    expect(shown).toContain('[N]')
    for (const [text] of pieces) if (!left.includes(text)) expect(shown).not.toContain(text)
  })

  test('pieces apart from each other stay lines', async () => {
    const document = await PDFDocument.create({ updateMetadata: false })
    const font = await document.embedFont(StandardFonts.Helvetica)
    const page = document.addPage([400, 200])
    for (const [text, x, y] of [
      ['Marg', 50, 150],
      ['Something else', 50, 100],
      ['aret', behind('Marg') + 8, 150],
      ['ine', behind('Marg'), 153],
    ] as Piece[])
      page.drawText(text, { x, y, size: 12, font })
    const input = bufferInput('a.pdf', await document.save({ useObjectStreams: false }))
    const { findings } = await anonymise(call({ input, rules: [regexRule('N', 'Marg ?(?:aret|ine)')] }))
    expect(findings[0]?.count).toBe(0)
  })
})
