import { readAll } from '../../input.ts'
import type { Format } from '../format.ts'
import { openPdf } from './open.ts'
import { openReader } from './reader.ts'
import { secondReader } from './second.ts'
import { verifyBytes, verifyPages } from './verify.ts'

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
  open: openPdf,
  verify: async (output, expected, context) => {
    const bytes = await readAll(output, context.limits.bytes)
    const reader = await openReader(bytes)
    try {
      const second = await secondReader(bytes, expected.gone.length > 0, context)
      return [...verifyPages(reader, expected, second), ...verifyBytes(bytes, expected, context.limits.inflatedBytes)]
    } finally {
      reader.close()
    }
  },
}
