import { readFileSync } from 'node:fs'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { showPdf } from './pdf-samples.ts'

const program = readFileSync(
  new URL('../../../node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf', import.meta.url),
)

/** The letter thirteen places on in the alphabet. */
const turned = (text: string): string =>
  text.replace(/[a-z]/gi, letter => {
    const first = letter < 'a' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
  })

/** The font with another table of codes, and without names of its glyphs: no part of it tells what a letter shows. */
const withCodes = (shown: (letter: string) => string): Buffer => {
  const [first, last] = [0x20, 0x7e]
  const codes = Buffer.alloc(12 + 10 + 2 * (last - first + 1))
  codes.set([0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0, 12, 0, 6])
  codes.writeUInt16BE(codes.length - 12, 14)
  codes.writeUInt16BE(first, 18)
  codes.writeUInt16BE(last - first + 1, 20)
  // Its glyphs stand in the order of ASCII.
  for (let code = first; code <= last; code++)
    codes.writeUInt16BE(shown(String.fromCharCode(code)).charCodeAt(0) - 29, 22 + 2 * (code - first))
  const font = Buffer.concat([program, codes])
  for (let entry = 12, count = font.readUInt16BE(4); entry < 12 + 16 * count; entry += 16) {
    const tag = font.toString('latin1', entry, entry + 4)
    if (tag === 'post') font.writeUInt32BE(0x30000, font.readUInt32BE(entry + 8))
    if (tag !== 'cmap') continue
    font.writeUInt32BE(program.length, entry + 8)
    font.writeUInt32BE(codes.length, entry + 12)
  }
  return font
}

/** Widths of the letters that codes stand for by the font, in thousandths of its height. */
const widthsOf = (shown: (letter: string) => string): number[] => {
  let table = 0
  for (let entry = 12; table === 0; entry += 16)
    if (program.toString('latin1', entry, entry + 4) === 'hmtx') table = program.readUInt32BE(entry + 8)
  return Array.from({ length: 95 }, (_, i) => {
    const glyph = shown(String.fromCharCode(32 + i)).charCodeAt(0) - 29
    return Math.round((1000 * program.readUInt16BE(table + 4 * glyph)) / 2048)
  })
}

/** A page that shows a text in an embedded font, and other content: `/F2` is Helvetica, and `/X1` a form with the same text. */
const pageOf = async (text: string, shown: (letter: string) => string, others = ''): Promise<Uint8Array> => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([400, 200])
  const FontDescriptor = {
    Type: 'FontDescriptor',
    FontName: 'ABCDEF+Sample',
    Flags: 32,
    FontBBox: [0, -200, 1000, 900],
    FontFile2: context.register(context.flateStream(new Uint8Array(withCodes(shown)))),
  }
  const F1 = {
    Type: 'Font',
    Subtype: 'TrueType',
    BaseFont: 'ABCDEF+Sample',
    Encoding: 'WinAnsiEncoding',
    FirstChar: 32,
    LastChar: 126,
    Widths: widthsOf(shown),
    FontDescriptor: context.register(context.obj(FontDescriptor as never)),
  }
  const F2 = { Type: 'Font', Subtype: 'Type1', BaseFont: 'Helvetica' }
  const line = `BT /F1 20 Tf 20 100 Td (${text}) Tj ET `
  const form = { Type: 'XObject', Subtype: 'Form', BBox: [0, 0, 400, 200], Resources: { Font: { F1 } } }
  const X1 = context.register(context.flateStream(line, form as never))
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1, F2 }, XObject: { X1 } } as never))
  const content = others.includes('/X1') ? others : line + others
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)))
  return document.save({ useObjectStreams: false })
}

const run = async (text: string, exchanged: (letter: string) => string) => {
  const rules = [regexRule('name', 'Margaret|Johnson')]
  const { output, report, findings } = await anonymise(
    call({ input: bufferInput('file.pdf', await pageOf(text, exchanged)), rules }),
  )
  const bytes = await output.read(0, output.size)
  return { bytes, shown: await showPdf(bytes), report, count: findings[0]?.count }
}

describe('a font all of whose data agree on other letters than it shows', () => {
  test.each([
    ['all letters', turned],
    ['two letters', (text: string) => text.replace(/[Mz]/g, letter => (letter === 'M' ? 'z' : 'M'))],
  ])('is found by its outlines where it exchanges %s', { timeout: 120_000 }, async (_, exchanged) => {
    const { bytes, shown, report } = await run(exchanged('Margaret Johnson wrote'), exchanged)
    expect(report.rasterised).toEqual([1])
    expect(shown.join('')).toBe('')
    // What the page shows now, read anew.
    const again = await anonymise(
      call({ input: bufferInput('file.pdf', bytes), rules: [regexRule('name', 'Margaret|Johnson')] }),
    )
    expect(again.findings[0]!.count).toBe(0)
  })

  test('is believed where they are those that it shows', { timeout: 120_000 }, async () => {
    const { shown, report, count } = await run('Margaret Johnson wrote', letter => letter)
    expect(count).toBe(2)
    expect(report).toMatchObject({ rasterised: [] })
    expect(report.ocr).toBeUndefined()
    expect(shown.join('')).toContain('wrote')
  })

  test('is looked at together with the lines around it, and no others', { timeout: 120_000 }, async () => {
    const line = (x: number, y: number, text: string) => `BT /F2 20 Tf ${x} ${y} Td (${text}) Tj ET `
    const others = line(150, 100, 'Margaret came') + line(20, 75, 'beside it') + line(20, 180, 'apart')
    const input = bufferInput('file.pdf', await pageOf(turned('so says Ann'), turned, others))
    const rules = ['Ann Margaret', 'beside', 'apart'].map(word => regexRule(word, word))
    const { report, findings } = await anonymise(call({ input, rules }))
    expect(report.ocr?.pages).toBe(1)
    // Two readers of letters find what stands in other fonts, and where it is looked at it counts once more.
    expect(findings.map(({ count }) => count)).toEqual([1, 3, 2])
  })

  test('is looked at where it stands turned in a form', { timeout: 120_000 }, async () => {
    const others = 'q 0 1 -1 0 380 -10 cm /X1 Do Q BT /F2 20 Tf 20 180 Td (apart) Tj ET'
    const input = bufferInput('file.pdf', await pageOf(turned('Margaret sends a'), turned, others))
    const rules = [regexRule('name', 'Margaret'), regexRule('apart', 'apart')]
    const { findings } = await anonymise(call({ input, rules }))
    expect(findings.map(({ count }) => count)).toEqual([1, 2])
  })
})
