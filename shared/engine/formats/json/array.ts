import { smallText } from '../../limits.ts'
import type { Format } from '../format.ts'
import { arrayItems } from './items.ts'

/** A JSON array of objects: a table whose columns are the paths of their fields, streamed record by record. */
export const jsonRecords: Format = {
  id: 'json-records',
  type: 'TABLE',
  mediaType: 'application/json',
  // Named as any JSON is.
  extensions: [],
  propagates: false,
  identifiers: smallText,
  keepsText: false,
  matches(head, name) {
    const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 4096)).toString('utf8')
    if (!/^\ufeff?\s*\[\s*\{\s*["}]/.test(start)) return 0
    return /\.json$/i.test(name) ? 0.96 : 0.7
  },
  // Loaded when a file is opened or verified: telling formats apart needs none of it.
  names: async (input, context) => (await import('./records.ts')).firstNames(input, context, arrayItems),
  open: async (input, context) => (await import('./records.ts')).openRecords(input, context, arrayItems),
  async verify(output, expected, context) {
    const { verifyRecords } = await import('./records.ts')
    return verifyRecords(output, expected, context, (await import('./verify-records.ts')).rereadArray)
  },
}
