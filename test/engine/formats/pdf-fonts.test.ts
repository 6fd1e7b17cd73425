import { PDFDocument, PDFName, type PDFObject, StandardFonts } from '@cantoo/pdf-lib'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { doubtfulPages } from '../../../shared/engine/formats/pdf/text/doubtful-pages.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { call, regexRule } from '../call.ts'
import { showPdf } from './pdf-samples.ts'

/** A page with this content, shown in `/F1`: a font of the standard ones, or the given one. */
const makePage = async (content: string, font?: (document: PDFDocument) => PDFObject, more: object = {}) => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const { context } = document
  const page = document.addPage([400, 200])
  const own = font?.(document) ?? (await document.embedFont(StandardFonts.TimesRoman)).ref
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: own }, ...more }))
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(content)))
  return document.save({ useObjectStreams: false })
}

/** A composite font whose own map, with these ranges of codes, leads to narrow and wide glyphs. */
const mapped = (spaces: string, ranges: string) => (document: PDFDocument) => {
  const { context } = document
  const map = `/CIDInit /ProcSet findresource begin begincmap
    ${spaces.split(',').length} begincodespacerange ${spaces.replaceAll(',', ' ')} endcodespacerange
    ${ranges.split(',').length} begincidrange ${ranges.replaceAll(',', ' ')} endcidrange endcmap end`
  const letters = Array.from({ length: 95 }, (_, i) => (0x20 + i).toString(16))
  const unicode = `begincmap 1 begincodespacerange <00> <7f> endcodespacerange
    ${letters.map(code => `1 beginbfchar <${code}> <00${code}> endbfchar <00${code}> <00${code}> endbfchar`).join('\n')} endcmap`
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: 'Sample',
    DW: 1000,
    W: [1, 40, 300, 41, 95, 700],
    FontDescriptor: { Type: 'FontDescriptor', FontName: 'Sample', Flags: 4, FontBBox: [0, -200, 600, 800] },
  })
  return context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: 'Sample',
    Encoding: context.register(context.stream(map, { Type: 'CMap', CMapName: 'Own' })),
    DescendantFonts: [context.register(descendant)],
    ToUnicode: spaces.includes('<00>') ? context.register(context.stream(unicode)) : 'Identity-H',
  })
}

const run = async (bytes: Uint8Array, pattern: string) => {
  const { output, report, findings } = await anonymise(
    call({ input: bufferInput('file.pdf', bytes), rules: [regexRule('name', pattern)] }),
  )
  const shown = (await showPdf(await output.read(0, output.size))).join('\n')
  return { shown, rasterised: report.rasterised, count: findings[0]?.count }
}

const hex = (text: string, digits: number) =>
  [...text].map(letter => letter.charCodeAt(0).toString(16).padStart(digits, '0')).join('')

describe('a word is cut where the reader sees it, and the page stays text', () => {
  test.each([
    ['codes of two bytes in a map of the font', '<0000> <ffff>', '<0020> <007e> 1', 4],
    ['codes of one byte and more', '<00> <7f>,<c080> <dfbf>,<e08080> <efbfbf>', '<20> <7e> 1', 2],
  ])('%s', async (_, spaces, ranges, digits) => {
    const content = `BT /F1 12 Tf 20 100 Td [<${hex('SIGNED BY ', digits)}> 50 <${hex('Zyander IN May', digits)}>] TJ ET`
    const result = await run(await makePage(content, mapped(spaces, ranges)), 'Zy\\w+')
    expect(result).toMatchObject({ rasterised: [], count: 1 })
    expect(result.shown).toMatch(/SIGNED BY/)
    expect(result.shown).toMatch(/IN May/)
    expect(result.shown).not.toMatch(/Zy|ander/)
  })

  test('a font that the page names but does not have', async () => {
    const content = 'BT /F7 12 Tf 20 100 Td (Signed by Zyander in May) Tj ET'
    expect(await run(await makePage(content), 'Zy\\w+')).toMatchObject({ rasterised: [], count: 1 })
  })

  test('a font size that a graphics state sets', async () => {
    const font = { Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier' }
    const more = { ExtGState: { G1: { Font: [font, 24] } } }
    const content = 'BT /F1 12 Tf /G1 gs 20 100 Td (Signed by Zyander in May) Tj ET'
    const result = await run(await makePage(content, undefined, more), 'Zy\\w+')
    expect(result).toMatchObject({ rasterised: [], count: 1 })
    expect(result.shown).toMatch(/Signed by/)
    expect(result.shown).toMatch(/in May/)
  })

  test('letters set so tight that their boxes lie over each other', async () => {
    // Condensed by spacing: the middle of the dot lies in the box of the letter before it.
    const content = 'BT /F1 20 Tf -4 Tc 20 100 Td (of Zyandrm. Then) Tj 0 Tc 0 -40 Td (Tight lines) Tj ET'
    const result = await run(await makePage(content), 'Zy\\w+')
    expect(result).toMatchObject({ rasterised: [], count: 1 })
    expect(result.shown).toContain('Tight lines')
    expect(result.shown).toMatch(/\. ?Then|\.T/)
  })

  test('letters that are shown twice each, one by one, to make them bold', async () => {
    const twice = (text: string, x: number, y: number) =>
      [...text].map((letter, i) =>
        [0, 0.4].map(shift => `1 0 0 1 ${x + 7.3 * i + shift} ${y} Tm (${letter}) Tj`).join(' '),
      )
    const font = (document: PDFDocument) =>
      document.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Courier' })
    const content = `BT /F1 12 Tf ${[...twice('Zyander', 20, 100), ...twice('Other Hill', 20, 60)].join(' ')} ET`
    const result = await run(await makePage(content, font), '\\bZyander\\b')
    expect(result).toMatchObject({ rasterised: [], count: 1 })
    expect(result.shown).not.toMatch(/Z|y|d/)
    expect(result.shown).toMatch(/O.*t.*h.*e.*r/)
  })

  test('a copy drawn beside a letter to make it bold goes too', async () => {
    const line = '(Signed by Zyander in May) Tj'
    const content = `BT /F1 12 Tf 20 100 Td ${line} ET BT /F1 12 Tf 20.3 100 Td ${line} ET`
    const result = await run(await makePage(content), 'Zy\\w+')
    expect(result.rasterised).toEqual([])
    expect(result.shown).not.toMatch(/Zy|ander/)
    expect(result.shown).toContain('in May')
  })
})

describe('a font that contradicts itself', () => {
  const lying = (document: PDFDocument) => {
    const map = `begincmap 1 begincodespacerange <00> <ff> endcodespacerange
      2 beginbfchar <71> <006b> <51> <0071> endbfchar endcmap`
    const ToUnicode = document.context.register(document.context.stream(map))
    return document.context.obj({ Type: 'Font', Subtype: 'Type1', BaseFont: 'Times-Roman', ToUnicode })
  }

  test('makes no picture of a page on which the letters of all matches go', async () => {
    const content = 'BT /F1 20 Tf 20 100 Td (Signed by Zyander quite soon) Tj ET'
    const result = await run(await makePage(content, lying), 'Zyander')
    expect(result).toMatchObject({ rasterised: [] })
    expect(result.shown).toMatch(/Signed by/)
    expect(result.shown).not.toMatch(/Zy|ander/)
  })

  test.each([
    ['of a word that goes on', 'Signed by Zyander-quite-soon'],
    ['behind letters of other widths', 'WWWWWWWWWWWW iiiiiiiiiiiiiiiiiii Zyander quite'],
  ])('nor where they are those %s', async (_, line) => {
    const result = await run(await makePage(`BT /F1 14 Tf 20 100 Td (${line}) Tj ET`, lying), 'Zyander')
    expect(result).toMatchObject({ rasterised: [] })
    expect(result.shown).not.toMatch(/Zy|ander/)
  })

  test('makes one of a page that shows a match once more than its letters tell', async () => {
    const content = 'BT /F1 20 Tf 20 100 Td (Signed quite, Quite soon) Tj ET'
    expect((await run(await makePage(content, lying), '[qQ]uite')).rasterised).toEqual([1])
  })

  test('makes one of a page that shows a match which its letters do not tell', async () => {
    const content = 'BT /F1 20 Tf 20 100 Td (Signed by Zyander quite soon) Tj ET'
    expect((await run(await makePage(content, lying), 'quite')).rasterised).toEqual([1])
  })

  test('makes one where a drawing may show the same', async () => {
    const outline = '100 90 m 110 90 l 120 95 l 125 100 l 120 110 l 110 115 l 100 110 l h f'
    const content = `0.9 g ${outline} 0 g BT /F1 20 Tf 20 100 Td (Signed by Zyander quite soon) Tj ET`
    expect((await run(await makePage(content, lying), 'Zyander')).rasterised).toEqual([1])
  })

  /** A TrueType program with nothing but tables of codes that lead from 0xe4 to a glyph, for these platforms. */
  const program = (platforms: number[]) => {
    const codes = Buffer.alloc(262)
    codes.writeUInt8(1, 6 + 0xe4)
    const head = Buffer.alloc(4 + 8 * platforms.length)
    head.writeUInt16BE(platforms.length, 2)
    platforms.forEach((platform, n) => {
      head.writeUInt16BE(platform, 4 + 8 * n)
      head.writeUInt16BE(platform === 3 ? 1 : 0, 6 + 8 * n)
      head.writeUInt32BE(head.length, 8 + 8 * n)
    })
    const directory = Buffer.from('00010000000100000000000063'.padEnd(56, '0'), 'hex')
    directory.write('cmap', 12, 'latin1')
    directory.writeUInt32BE(28, 20)
    directory.writeUInt32BE(head.length + codes.length, 24)
    return Buffer.concat([directory, head, codes])
  }

  test.each([
    ['that has a table for another system than its encoding', 'WinAnsiEncoding', [1], true],
    ['that has the table of its encoding', 'WinAnsiEncoding', [1, 3], false],
    ['without an encoding', undefined, [1], true],
  ])('%s', async (_, encoding, platforms, doubtful) => {
    const font = (document: PDFDocument) => {
      const { context } = document
      const FontFile2 = context.register(context.stream(new Uint8Array(program(platforms))))
      const FontDescriptor = context.obj({ Type: 'FontDescriptor', FontName: 'Sample', Flags: 4, FontFile2 })
      const more = encoding === undefined ? {} : { Encoding: encoding }
      return context.obj({ Type: 'Font', Subtype: 'TrueType', BaseFont: 'Sample', FontDescriptor, ...more })
    }
    const page = await makePage('BT /F1 20 Tf 20 100 Td <416c6c67e475> Tj ET', font)
    expect(doubtfulPages(await PDFDocument.load(page)).has(0)).toBe(doubtful)
    // Two readers may give it another accent.
    const accented = await makePage('BT /F1 20 Tf 20 100 Td <447572e965> Tj ET', font)
    expect(doubtfulPages(await PDFDocument.load(accented)).has(0)).toBe(doubtful)
    const plain = await makePage('BT /F1 20 Tf 20 100 Td (Allgau) Tj ET', font)
    expect(doubtfulPages(await PDFDocument.load(plain)).has(0)).toBe(false)
  })
})

test('where PDFium drops the map of a font, whose ranges go on to another first byte, the other reader is asked', async () => {
  const font = (document: PDFDocument) => {
    const { context } = document
    const map = `begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange
      1 beginbfrange <01f0> <0210> <0061> endbfrange endcmap`
    const descendant = {
      Type: 'Font',
      Subtype: 'CIDFontType2',
      BaseFont: 'Sample',
      FontDescriptor: { Type: 'FontDescriptor', FontName: 'Sample', Flags: 4, FontBBox: [0, -200, 600, 800] },
    }
    return context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: 'Sample',
      Encoding: 'Identity-H',
      DescendantFonts: [descendant],
      ToUnicode: context.register(context.stream(map)),
    })
  }
  const codes = [...'zyander'].map(letter => (0x01f0 + letter.charCodeAt(0) - 0x61).toString(16).padStart(4, '0'))
  const result = await run(await makePage(`BT /F1 12 Tf 20 100 Td <${codes.join('')}> Tj ET`, font), 'zyander')
  expect(result).toMatchObject({ rasterised: [1], shown: '' })
})

test.each([
  ['epsilon1', false],
  ['Omega1', false],
  ['glyph1', true],
])('a letter named %s among others makes a page doubtful: %s', async (name, doubtful) => {
  const page = await makePage('BT /F1 12 Tf 20 100 Td (a\\002b) Tj ET', ({ context }) =>
    context.obj({
      Type: 'Font',
      Subtype: 'Type1',
      BaseFont: 'Helvetica',
      Encoding: { Type: 'Encoding', Differences: [2, name] },
    }),
  )
  expect(doubtfulPages(await PDFDocument.load(page)).has(0)).toBe(doubtful)
})
