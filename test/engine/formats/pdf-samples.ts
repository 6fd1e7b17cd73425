import { PDFDocument, type PDFFont, PDFName, PDFNumber, type PDFPage, type PDFRef, PDFString } from '@cantoo/pdf-lib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { openReader } from '../../../shared/engine/formats/pdf/page-reader.ts'
import { readPage } from '../../../shared/engine/formats/pdf/text/page-text.ts'

const hex4 = (code: number) => code.toString(16).padStart(4, '0')
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16().toString('hex')

/** A font that isn't embedded, with such letters (marks take no room): its own object, and how it writes one of them. */
const letterFont = ({ context }: PDFDocument, letters: readonly string[]) => {
  const code = (letter: string) => letters.indexOf(letter) + 1
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def /CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${letters.map(letter => `1 beginbfchar <${hex4(code(letter))}> <${utf16(letter)}> endbfchar`).join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`
  const descendant = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: 'Sample',
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
    DW: 600,
    W: letters.filter(letter => /\p{M}/u.test(letter)).flatMap(letter => [code(letter), [0]]),
    FontDescriptor: {
      Type: 'FontDescriptor',
      FontName: 'Sample',
      Flags: 4,
      FontBBox: [0, -200, 600, 800],
      Ascent: 800,
      Descent: -200,
    },
  })
  const font = context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: 'Sample',
    Encoding: 'Identity-H',
    DescendantFonts: [context.register(descendant)],
    ToUnicode: context.register(context.stream(map)),
  })
  return { ref: context.register(font), write: (letter: string) => `<${hex4(code(letter))}>` }
}

const setContent = (page: PDFPage, font: PDFRef, lines: readonly string[]): void => {
  const { context } = page.doc
  page.node.set(PDFName.of('Resources'), context.obj({ Font: { F1: font } }))
  page.node.set(PDFName.of('Contents'), context.register(context.flateStream(lines.join('\n'))))
  page.node.set(PDFName.of('Rotate'), PDFNumber.of(0))
}

/**
 * A PDF that shows each text on a line of its own, whatever its letters, in a font that isn't embedded. With `leftwards` each
 * letter stands to the left of the one before it. Marks take no room. The font draws the letters of a `ligature` as one.
 */
export const makePdf = async (texts: string[], { leftwards = false, ligature = '' } = {}): Promise<Uint8Array> => {
  const lettersIn = (text: string) =>
    ligature ? text.split(ligature).flatMap((part, i) => [...(i > 0 ? [ligature] : []), ...part]) : [...text]
  const document = await PDFDocument.create({ updateMetadata: false })
  const page = document.addPage([595, 842])
  const font = letterFont(document, [...new Set(texts.flatMap(lettersIn))])
  const lines = texts.map(
    (text, line) =>
      `BT /F1 12 Tf ${leftwards ? 400 : 50} ${780 - 30 * line} Td [${lettersIn(text)
        .map(font.write)
        .join(leftwards ? '1200' : '')}] TJ ET`,
  )
  setContent(page, font.ref, lines)
  return document.save({ useObjectStreams: false, addDefaultPage: false })
}

/** A line of a page, from its left edge and its bottom. */
export type PlacedLine = { text: string; y: number; x?: number; size?: number }

/** A PDF with such lines on each of its pages, whatever their letters, all of one width but for marks, which take no room. */
export const makePages = async (pages: readonly PlacedLine[][]): Promise<Uint8Array> => {
  const document = await PDFDocument.create({ updateMetadata: false })
  const font = letterFont(document, [...new Set(pages.flat().flatMap(({ text }) => [...text]))])
  for (const lines of pages)
    setContent(
      document.addPage([300, 400]),
      font.ref,
      lines.map(
        ({ text, y, x = 30, size = 10 }) =>
          `BT /F1 ${size} Tf ${x} ${y} Td [${[...text].map(font.write).join('')}] TJ ET`,
      ),
    )
  return document.save({ useObjectStreams: false, addDefaultPage: false })
}

/** What a PDF shows, line by line, in the order of place: read by PDF.js. */
export const showPdf = async (bytes: Uint8Array): Promise<string[]> => {
  const task = getDocument({ data: Uint8Array.from(bytes), verbosity: 0 })
  const document = await task.promise
  const lines: string[] = []
  for (let number = 1; number <= document.numPages; number++) {
    const { items } = await (await document.getPage(number)).getTextContent()
    const rows = new Map<number, { x: number; end: number; text: string }[]>()
    for (const item of items) {
      if (!('str' in item) || item.str.trim() === '') continue
      const [x, y] = [item.transform[4] as number, item.transform[5] as number]
      const key = [...rows.keys()].find(row => Math.abs(row - y) < 8) ?? y
      rows.set(key, [...(rows.get(key) ?? []), { x, end: x + item.width, text: item.str }])
    }
    for (const [, row] of [...rows].sort(([a], [b]) => b - a)) {
      const sorted = row.sort((a, b) => a.x - b.x)
      lines.push(
        sorted
          .map(({ text }) => text.trim())
          .join(' ')
          .replace(/\s+/g, ' ')
          .replace(/ ([.,;:])/g, '$1'),
      )
    }
  }
  await task.destroy()
  return lines
}

/** The text of the first page, as the engine reads it. */
export const readFirstPage = async (bytes: Uint8Array): Promise<string> => {
  const reader = await openReader(bytes)
  const { text } = readPage(reader, 0)
  reader.close()
  return text
}

/** Fills a part of a page, which has content before, with a pattern whose cells show a text. */
export const fillWithText = (page: PDFPage, font: PDFFont, text: string): void => {
  const { context } = page.doc
  const cell = context.flateStream(`BT /F1 10 Tf (${text}) Tj ET`, {
    Type: 'Pattern',
    PatternType: 1,
    PaintType: 1,
    TilingType: 1,
    BBox: [0, 0, 80, 20],
    XStep: 80,
    YStep: 20,
    Resources: { Font: { F1: font.ref } },
  })
  page.node.Resources()!.set(PDFName.of('Pattern'), context.obj({ P1: context.register(cell) }))
  page.node.addContentStream(context.register(context.flateStream('/Pattern cs /P1 scn 0 0 200 50 re f')))
}
