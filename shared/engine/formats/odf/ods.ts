import { smallWorkbook } from '../../limits.ts'
import type { Format } from '../format.ts'
import { matches, media } from './index.ts'

/** OpenDocument spreadsheets, rows streamed. Everything in them but the cells of their tables is a hidden place. */
export const ods: Format = {
  id: 'ods',
  type: 'TABLE',
  mediaType: `${media}.spreadsheet`,
  extensions: ['ods', 'ots'],
  // As in workbooks, what cells hold is carried over to the hidden places by the format.
  propagates: false,
  identifiers: smallWorkbook,
  keepsText: false,
  matches: (head, name) => matches(head, 'spreadsheet', name, ods),
  // Loaded when a file is opened: telling formats apart needs none of it.
  open: async (input, context) => (await import('./read-ods.ts')).openOds(input, context),
  verify: async (output, expected, context) => (await import('./verify-ods.ts')).verifyOds(output, expected, context),
}
