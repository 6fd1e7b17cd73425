import type { Reader } from '../page-reader.ts'
import { borrow, memory } from '../pdfium.ts'
import { asWritten } from './floats.ts'

/** What a link draws around itself, as its annotation writes it; what it leaves out is left to viewers. */
type LinkLook = { Border?: number[]; BS?: { W: number; S: string; D?: number[] }; C?: number[] }

/** A place on a page that leads elsewhere: a web address, or a page (from 0) of the same document. */
export type Link = { rect: [number, number, number, number]; look: LinkLook } & ({ uri: string } | { page: number })

/** Styles of borders by the numbers that the reader gives them. */
const borderStyles = ['S', 'S', 'D', 'B', 'I', 'U']

const lookOf = ({ pdfium }: Reader, page: number, link: number): LinkLook => {
  const annotation = pdfium.FPDFLink_GetAnnot(page, link)
  if (annotation === 0) return {}
  const has = (key: string) => pdfium.FPDFAnnot_HasKey(annotation, key)
  const look: LinkLook = {}
  const floats = (count: number, read: (pointer: number) => unknown): number[] =>
    borrow(pdfium, 4 * count, pointer => {
      read(pointer)
      const view = memory(pdfium, pointer, 4 * count)
      return Array.from({ length: count }, (_, i) => asWritten(view.getFloat32(4 * i, true)))
    })
  if (has('Border')) look.Border = floats(3, at => pdfium.FPDFAnnot_GetBorder(annotation, at, at + 4, at + 8))
  if (has('BS')) {
    let style = 0
    const [width = 1] = floats(1, at => {
      style = pdfium.EPDFAnnot_GetBorderStyle(annotation, at)
    })
    look.BS = { W: width, S: borderStyles[style] ?? 'S' }
    const count = Math.min(16, pdfium.EPDFAnnot_GetBorderDashPatternCount(annotation))
    if (count > 0) look.BS.D = floats(count, at => pdfium.EPDFAnnot_GetBorderDashPattern(annotation, at, count))
  }
  if (has('C'))
    look.C = borrow(pdfium, 12, at => {
      if (!pdfium.EPDFAnnot_GetColor(annotation, 0, at, at + 4, at + 8)) return []
      const view = memory(pdfium, at, 12)
      return [0, 4, 8].map(part => view.getUint32(part, true) / 255)
    })
  pdfium.FPDFPage_CloseAnnot(annotation)
  return look
}

/** The links of a loaded page that lead to a web address or to a page. */
export const readLinks = (reader: Reader, page: number): Link[] => {
  const { pdfium, document } = reader
  return borrow(pdfium, 8, scratch => {
    const links: Link[] = []
    memory(pdfium, scratch, 4).setInt32(0, 0, true)
    while (pdfium.FPDFLink_Enumerate(page, scratch, scratch + 4)) {
      const link = memory(pdfium, scratch + 4, 4).getUint32(0, true)
      const found = borrow(pdfium, 16, rect => {
        if (!pdfium.FPDFLink_GetAnnotRect(link, rect)) return
        const view = memory(pdfium, rect, 16)
        // FS_RECTF is left, top, right, bottom.
        const at = (i: number) => asWritten(view.getFloat32(i * 4, true))
        const box: [number, number, number, number] = [at(0), at(3), at(2), at(1)]
        const look = lookOf(reader, page, link)
        const action = pdfium.FPDFLink_GetAction(link)
        const size = action === 0 ? 0 : pdfium.FPDFAction_GetURIPath(document, action, 0, 0)
        if (size > 1) {
          const uri = borrow(pdfium, size, text => {
            pdfium.FPDFAction_GetURIPath(document, action, text, size)
            return Buffer.from(pdfium.pdfium.HEAPU8.subarray(text, text + size - 1)).toString('latin1')
          })
          return { rect: box, look, uri }
        }
        const own = pdfium.FPDFLink_GetDest(document, link)
        const destination = own === 0 && action !== 0 ? pdfium.FPDFAction_GetDest(document, action) : own
        const target = destination === 0 ? -1 : pdfium.FPDFDest_GetDestPageIndex(document, destination)
        return target < 0 ? undefined : { rect: box, look, page: target }
      })
      if (found) links.push(found)
    }
    return links
  })
}
