import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { pageTexts } from './pdf-redacted.ts'

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
