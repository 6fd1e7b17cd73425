import type { Format } from '../format.ts'
import { arrayItems } from './items.ts'
import { namesOf, namesWithin, openRecords, verifyRecords } from './records.ts'
import { rereadArray } from './verify-records.ts'

/** A JSON array of objects: a table whose columns are the paths of their fields, streamed record by record. */
export const jsonRecords: Format = {
  id: 'json-records',
  type: 'TABLE',
  mediaType: 'application/json',
  // Named as any JSON is.
  extensions: [],
  propagates: false,
  keepsText: false,
  matches(head, name) {
    const start = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 4096)).toString('utf8')
    if (!/^\ufeff?\s*\[\s*\{\s*["}]/.test(start)) return 0
    return /\.json$/i.test(name) ? 0.96 : 0.7
  },
  names: (input, context) => namesOf(input, context, arrayItems, namesWithin),
  open: async (input, context) => openRecords(input, context, arrayItems),
  verify: (output, expected, context) => verifyRecords(output, expected, context, rereadArray),
}
