import type { PDFDict, PDFDocument } from '@cantoo/pdf-lib'
import { PDFName } from '@cantoo/pdf-lib'
import { Encodings } from '@cantoo/pdf-lib/standard-fonts'
import { asDict, compressed, dictAt, nameAt, value } from '../objects/objects.ts'
import { walkStructure } from '../objects/structure.ts'

const name = 'ZapfDingbats'

/** Whether a font is the standard one of signs, which says nothing more of what its codes mean. */
const isBare = (font: PDFDict): boolean => {
  const descriptor = dictAt(font, 'FontDescriptor')
  return (
    nameAt(font, 'BaseFont') === name &&
    nameAt(font, 'Subtype') === 'Type1' &&
    value(font, 'ToUnicode') === undefined &&
    dictAt(font, 'Encoding') === undefined &&
    !['FontFile', 'FontFile2', 'FontFile3'].some(key => value(descriptor, key))
  )
}

const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0')

/** A map to Unicode of the codes of the font. */
const mapOfSigns = (): Buffer => {
  const signs = Encodings.ZapfDingbats
  const lines = signs.supportedCodePoints.map(
    point => `<${hex(signs.encodeUnicodeCodePoint(point).code, 2)}> <${hex(point, 4)}>`,
  )
  const sections = Array.from({ length: Math.ceil(lines.length / 100) }, (_, at) => {
    const section = lines.slice(100 * at, 100 * (at + 1))
    return `${section.length} beginbfchar\n${section.join('\n')}\nendbfchar\n`
  })
  return Buffer.from(
    `/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapName /Signs def\n/CMapType 2 def\n1 begincodespacerange\n<00> <ff>\nendcodespacerange\n${sections.join('')}endcmap\nend\nend\n`,
  )
}

/** Says of the standard font of signs what they mean: some readers take other letters for them, which may spell words. */
export const nameSigns = (document: PDFDocument, bytes: Uint8Array): void => {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(name)) return
  const { context } = document
  const fonts = new Set<PDFDict>()
  walkStructure(document, ({ object, kind }) => {
    const font = kind === 'font' ? asDict(object) : undefined
    if (font && isBare(font)) fonts.add(font)
  })
  if (fonts.size === 0) return
  const map = context.register(compressed(context, mapOfSigns()))
  for (const font of fonts) font.set(PDFName.of('ToUnicode'), map)
}
