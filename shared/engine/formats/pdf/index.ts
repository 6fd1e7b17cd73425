import type { Format } from '../format.ts'
import { naming, namingEach } from './failures.ts'

/** Portable documents: text, forms, annotations, outlines, links, layers, scans. */
export const pdf: Format = {
  id: 'pdf',
  type: 'DOCUMENT',
  mediaType: 'application/pdf',
  extensions: ['pdf'],
  propagates: true,
  keepsText: true,
  matches: head => {
    const at = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, 1024)).indexOf('%PDF-')
    return at < 0 ? 0 : at === 0 ? 1 : 0.9
  },
  // Loaded when a file is opened: telling formats apart needs none of the libraries behind it.
  open: (input, context) =>
    naming(async () => {
      const file = await (await import('./read.ts')).openPdf(input, context)
      return {
        ...file,
        segments: () => namingEach(file.segments()),
        write: (output, edit, escalations) => naming(() => file.write(output, edit, escalations)),
      }
    }),
  verify: (output, expected, context) =>
    naming(async () => (await import('./verify.ts')).checkPdf(output, expected, context)),
  draw: (input, page, context) => naming(async () => (await import('./draw.ts')).drawPdf(input, page, context)),
  read: (input, pages, where, context) =>
    naming(async () => (await import('./ocr-pages.ts')).readPdf(input, pages, where, context)),
}
