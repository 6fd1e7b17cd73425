import type { Format } from '../format.ts'

/** Parquet, row group by row group: every page, dictionary, statistic and index of the output is made anew. */
export const parquet: Format = {
  id: 'parquet',
  type: 'TABLE',
  mediaType: 'application/vnd.apache.parquet',
  extensions: ['parquet'],
  propagates: false,
  keepsText: false,
  matches: head => (/^PAR[1E]$/.test(Buffer.from(head.subarray(0, 4)).toString('latin1')) ? 1 : 0),
  // Loaded when a file is opened: telling formats apart needs none of the libraries behind it.
  open: async (input, context) => (await import('./read.ts')).openParquet(input, context),
  verify: async (output, expected, context) => (await import('./verify.ts')).verifyParquet(output, expected, context),
}
