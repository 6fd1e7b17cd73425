import type { Format } from '../format.ts'

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
  open: async (input, context) => (await import('./open.ts')).openPdf(input, context),
  verify: async (output, expected, context) => (await import('./check.ts')).checkPdf(output, expected, context),
  read: async (input, pages, where, context) => (await import('./read.ts')).readPdf(input, pages, where, context),
}
