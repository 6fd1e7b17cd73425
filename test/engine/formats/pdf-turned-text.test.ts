import { PDFDocument, PDFName, StandardFonts } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { readFirstPage } from './pdf-samples.ts'

type Turn = { angle: number; turn?: number; size?: number; mirrored?: boolean; copied?: number }

/** A page that shows lines piece by piece, each where the last one ends, at an angle and on a page that is turned itself. */
const pdfOf = async (
  lines: string[][],
  { angle, turn = 0, size = 10, mirrored = false, copied = 0 }: Turn,
  before = '',
) => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const font = await document.embedFont(StandardFonts.Helvetica)
  const page = document.addPage([600, 600])
  const [c, s] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]
  const matrix = mirrored ? [-1, 0, 0, 1] : [c, s, -s, c]
  const shown = lines.flatMap((pieces, line) => {
    let along = -120
    return pieces.flatMap(piece => {
      const start = along
      along += font.widthOfTextAtSize(piece, Math.abs(size)) * Math.sign(size)
      // A copy beside a letter makes it bold.
      return (copied > 0 ? [start, start + copied] : [start]).map(right => {
        const up = -14 * line
        const at = [right * matrix[0]! + up * matrix[2]!, right * matrix[1]! + up * matrix[3]!]
        return `${matrix.map(value => value.toFixed(4)).join(' ')} ${300 + at[0]!} ${300 + at[1]!} Tm (${piece}) Tj`
      })
    })
  })
  const upright = before && `BT /F 10 Tf 50 550 Td (${before}) Tj ET `
  page.node.setFontDictionary(PDFName.of('F'), font.ref)
  page.node.set(PDFName.of('Rotate'), document.context.obj(turn))
  const content = `${upright}BT /F ${size} Tf ${shown.join('\n')} ET`
  page.node.set(PDFName.of('Contents'), document.context.register(document.context.flateStream(content)))
  return document.save({ useObjectStreams: false })
}

const text = ['A letter for Ilvar Quenteris, 4471-9923', 'of the fifth of May, signed by hand']
const oneByOne = text.map(line => [...line])
const byTwo = text.map(line => line.match(/..?/g)!)
const byWord = text.map(line => line.match(/\S+ ?/g)!)

const read = async (bytes: Uint8Array) => (await readFirstPage(bytes)).replace(/\s+/g, ' ').trim()

test.each<[string, string[][], Turn]>([
  ['letters upside-down', oneByOne, { angle: 180 }],
  ['pairs of letters upside-down', byTwo, { angle: 180 }],
  ['words upside-down', byWord, { angle: 180 }],
  ['letters that lead down to the left', oneByOne, { angle: 200 }],
  ['pairs of letters that lead down to the left', byTwo, { angle: 200 }],
  ['letters that lead up to the left', oneByOne, { angle: 135 }],
  ['letters that a page shows upside-down', oneByOne, { angle: 90, turn: 270 }],
  ['letters that a page turns up', oneByOne, { angle: 180, turn: 180 }],
  ['letters of a negative size', oneByOne, { angle: 180, size: -10 }],
  ['letters in a mirror', oneByOne, { angle: 0, mirrored: true }],
])('%s are read in the order of their line', async (_, lines, turn) => {
  expect(await read(await pdfOf(lines, turn))).toBe(text.join(' '))
})

test('what stands upright beside them keeps its place', async () => {
  expect(await read(await pdfOf(oneByOne, { angle: 180 }, 'To whom it concerns'))).toBe(
    `To whom it concerns ${text.join(' ')}`,
  )
})

test.each([0, 0.9, 1.2])(
  'a name of letters upside-down one by one goes, with copies %d points beside them',
  async copied => {
    const rules = [regexRule('name', 'Ilvar Quenteris')]
    const input = bufferInput('file.pdf', await pdfOf(oneByOne, { angle: 180, copied }, 'To whom it concerns'))
    const { output, report } = await anonymise(call({ input, rules }))
    const shown = await read(Buffer.from(await output.read(0, output.size)))
    expect(report.rasterised).toEqual([])
    expect(shown.replace(/\s/g, '')).toContain('[name]')
    expect(shown.replace(/\s/g, '')).not.toMatch(/Quenteris|siretneuQ/)
  },
)
