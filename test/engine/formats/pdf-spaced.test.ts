import { PDFDocument, PDFName, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { flatten } from '../../../shared/engine/formats/pdf/objects/annotations.ts'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { readPage } from '../../../shared/engine/formats/pdf/text/page-text.ts'
import { secondText } from '../../../shared/engine/formats/pdf/text/second-reader.ts'
import { readFirstPage } from './pdf-samples.ts'

const size = 12

/** How a page shows letters: all at once with gaps, or one by one; `between` is what one is apart from the next, in points. */
type Way = (letters: string[], between: number, widths: number[]) => string

const atOnce: Way = (letters, between) =>
  `50 100 Td [${letters.map(letter => `(${letter})`).join(` ${(-1000 * between) / size} `)}] TJ`

const oneByOne =
  (isShown: (letter: string) => boolean): Way =>
  (letters, between, widths) => {
    let x = 50
    return letters
      .map((letter, i) => {
        const own = isShown(letter) ? `1 0 0 1 ${x} 100 Tm (${letter}) Tj` : ''
        x += between + widths[i]!
        return own
      })
      .join('\n')
  }

/** Each letter in the middle of its cell, `between` points wide. */
const inCells: Way = (letters, between, widths) =>
  letters
    .map((letter, i) =>
      letter === ' ' ? '' : `1 0 0 1 ${50 + i * between + (between - widths[i]!) / 2} 100 Tm (${letter}) Tj`,
    )
    .join('\n')

/** Each letter at the beginning of a column, `between` points wide. */
const inColumns: Way = (letters, between) =>
  letters.map((letter, i) => (letter === ' ' ? '' : `1 0 0 1 ${50 + i * between} 100 Tm (${letter}) Tj`)).join('\n')

const readAs = async (text: string, way: Way, between: number): Promise<string> => {
  const document = await PDFDocument.create()
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage([900, 200])
  const letters = [...text]
  const content = `BT /F ${size} Tf ${way(
    letters,
    between,
    letters.map(letter => font.widthOfTextAtSize(letter, size)),
  )} ET`
  page.node.setFontDictionary(PDFName.of('F'), font.ref)
  page.node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(content)))
  const reader = await openReader(await document.save({ useObjectStreams: false }))
  try {
    return readPage(reader, 0).text.trim()
  } finally {
    reader.close()
  }
}

describe('letters that are spaced out are words', () => {
  const line = 'Anna Keller wrote to us'
  test.each([
    ['shown at once', atOnce, 1.2],
    ['shown at once, far apart', atOnce, 8],
    ['shown one by one, partly nearer than words are', oneByOne(() => true), 1.15],
    ['shown one by one', oneByOne(() => true), 3],
    ['shown one by one without the spaces', oneByOne(letter => letter !== ' '), 1.5],
    ['shown one by one without the spaces, far apart', oneByOne(letter => letter !== ' '), 6],
    ['in cells, with empty ones', inCells, 20],
  ])('%s', async (_, way, between) => {
    expect(await readAs(line, way, between)).toBe(line)
  })

  test('numbers in a row of narrow columns stay apart from longer ones', async () => {
    expect(
      await readAs(
        '12 34 56 78 90 12',
        oneByOne(letter => letter !== ' '),
        0,
      ),
    ).toBe('12 34 56 78 90 12')
  })
})

test.each([
  [18, ['QUENTERIS', '4471-9923'], /QUENTERIS\s+4471-9923/],
  [22, ['QUENTERIS', '4471-9923'], /QUENTERIS\s+4471-9923/],
  [22, ['ABCD', 'EFGH'], /^A\sB\sC\sD\sE\sF\sG\sH$/],
])('letters %i points apart, which the reader puts on lines of their own: %s', async (step, rows, read) => {
  const document = await PDFDocument.create()
  const page = document.addPage([600, 800])
  rows.forEach((row, n) => {
    for (const [i, letter] of [...row].entries())
      page.drawText(letter, { x: 250 + i * step, y: 700 - 30 * n, size: 11 })
  })
  expect(await readFirstPage(await document.save())).toMatch(read)
})

describe('letters in columns of one width are words', () => {
  test.each([
    ['Ilvar Quenteris went home', 7.2],
    ['PATIENT : ILVAR QUENTERIS', 7.2],
    ['NUMBER  4471-9923   DAY 3', 8.4],
    ['Patient : Ilvar Quenteris', 8.4],
    ['Patient : ILVAR QUENTERIS', 10],
  ])('%s', async (text, pitch) => {
    expect((await readAs(text, inColumns, pitch)).replace(/ +/g, ' ')).toBe(text.replace(/ +/g, ' '))
  })

  test('words stay apart where a gap happens to be as wide as the letters behind it', async () => {
    const gap = 0.334 * size
    const way: Way = (letters, _, widths) => {
      const starts = letters.map((_, i) =>
        letters.slice(0, i).reduce((x, letter, at) => x + (letter === ' ' ? gap : widths[at]!), 50),
      )
      return letters.map((letter, i) => (letter === ' ' ? '' : `1 0 0 1 ${starts[i]} 100 Tm (${letter}) Tj`)).join('\n')
    }
    expect(await readAs('mail bonnen', way, 0)).toBe('mail bonnen')
  })
})

test.each(['7', '05', '1985', '80 7'])('%s in the cells of a form field is one text', async value => {
  const document = await PDFDocument.create()
  const page = document.addPage([400, 200])
  const field = document.getForm().createTextField('number')
  field.setMaxLength(4)
  field.enableCombing()
  field.setText(value)
  field.addToPage(page, { x: 50, y: 100, width: 120, height: 24 })
  page.drawText('1 2 3', { x: 50, y: 20, size })
  const reader = await openReader(await document.save({ useObjectStreams: false }))
  const { combs } = flatten(reader)
  expect(readPage(reader, 0, combs.get(0)).text.trim().replace(/\s+/g, ' ')).toBe(`1 2 3 ${value}`)
  reader.close()
})

describe('pieces of the second reader', () => {
  const piece = (text: string, x: number, y = 100) => ({
    text,
    endsLine: false,
    start: [x, y] as [number, number],
    end: [x + 6 * text.length, y] as [number, number],
    up: [0, 12] as [number, number],
  })

  test.each([
    ['of two columns are no word', [piece('look for', 300), piece('more', 20)], 'look for more'],
    ['of two lines are none', [piece('look for', 20), piece('more', 68, 70)], 'look for more'],
    ['that follow each other are one', [piece('look for', 20), piece('more', 68)], 'look formore'],
    ['with a gap between letters are one', [piece('A', 20), piece('n', 38)], 'An'],
  ])('%s', (_, pieces, text) => {
    expect(secondText(pieces)).toBe(text)
  })
})
