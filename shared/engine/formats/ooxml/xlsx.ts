import { smallWorkbook } from '../../limits.ts'
import type { Format } from '../format.ts'
import { looksLikePackage } from '../zip/head.ts'

/** Excel workbooks, rows streamed. Everything in them but the cells of visible sheets is a hidden place. */
export const xlsx: Format = {
  id: 'xlsx',
  type: 'TABLE',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  // What cells hold is carried over to the hidden places here, as there may be millions of values; to identifiers in other cells only if there are few.
  propagates: false,
  identifiers: smallWorkbook,
  keepsText: false,
  matches: (head, name) => looksLikePackage(head, name, 'xl/', xlsx.extensions),
  // Loaded when a file is opened: telling formats apart needs none of it.
  names: async (input, context) => ({
    columns: await (await import('./workbook.ts')).workbookColumns(input, context),
    whole: true,
  }),
  open: async (input, context) => (await import('./read-workbook.ts')).openXlsx(input, context),
  verify: async (output, expected, context) =>
    (await import('./verify-workbook.ts')).verifyWorkbook(output, expected, context),
}
