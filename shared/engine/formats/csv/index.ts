import { smallText } from '../../limits.ts'
import type { Format } from '../format.ts'
import { looksLikeText } from '../text/first-bytes.ts'
import { detectDialect } from './dialect.ts'

const named = (name: string, extensions: readonly string[]) =>
  extensions.includes(name.toLowerCase().split('.').at(-1) ?? '')
const documents = ['txt', 'text', 'log', 'md', 'markdown', 'mdown']

/** Whether text without a telling name is surely a table with one of these delimiters. */
function looksLikeTable(head: Uint8Array, delimiters: readonly string[]): boolean {
  if (!looksLikeText(head)) return false
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, 16 * 1024)).toString('latin1')
  const found = detectDialect(text, head.length <= 16 * 1024, {}, ',')
  return found.sure && delimiters.includes(found.delimiter)
}

const shared = {
  type: 'TABLE',
  propagates: false,
  identifiers: smallText,
  keepsText: false,
  formulas: true,
  verify: async (output, expected, context) => (await import('./verify.ts')).verifyTable(output, expected, context),
} as const satisfies Partial<Format>

/** What opens and cuts tables of a delimiter, loaded when it is needed: telling formats apart needs none of it. */
const opening = (delimiter: string): Pick<Format, 'names' | 'open' | 'split' | 'borders'> => ({
  names: async (input, context) => (await import('./open.ts')).firstNames(input, context, delimiter),
  open: async (input, context) => (await import('./open.ts')).openTable(input, context, delimiter),
  split: async (input, size, context) => (await import('./split.ts')).splitTable(input, size, context, delimiter),
  async *borders(input, start, context) {
    yield* (await import('./split.ts')).tableBorders(input, start, context, delimiter)
  },
})

/** Comma-separated values, in whatever dialect. */
export const csv: Format = {
  ...shared,
  ...opening(','),
  id: 'csv',
  mediaType: 'text/csv',
  extensions: ['csv'],
  matches(head, name) {
    if (named(name, this.extensions)) return looksLikeText(head) ? 0.5 : 0
    if (named(name, [...documents, ...tsv.extensions])) return 0
    return looksLikeTable(head, [',', ';', '|']) ? 0.2 : 0
  },
}

/** Tab-separated values. */
export const tsv: Format = {
  ...shared,
  ...opening('\t'),
  id: 'tsv',
  mediaType: 'text/tab-separated-values',
  extensions: ['tsv', 'tab'],
  matches(head, name) {
    if (named(name, this.extensions)) return looksLikeText(head) ? 0.5 : 0
    if (named(name, [...documents, ...csv.extensions])) return 0
    return looksLikeTable(head, ['\t']) ? 0.2 : 0
  },
}
