/** Whole rows: UTF-8 bytes, and the same read as characters. */
export type Rows = { text: string; bytes: Uint8Array }

/** Rows of a text. */
export const rowsOf = (text: string): Rows => ({ text, bytes: Buffer.from(text, 'latin1') })

/** The cells with a text in some whole rows, in lists with one entry each. Texts and offsets are those of UTF-8 bytes. */
export type OdsRows = {
  /** Where the rows end that were read. */
  end: number
  /** Number of the last of them, from 1. */
  last: number
  texts: string[]
  /** By text: its cell, and where its paragraph's text stands; -1 for a value that stands in an attribute. */
  cells: number[]
  starts: number[]
  ends: number[]
  /** By cell: where it begins, where its start tag and where it ends, its first text, and where it stands in the table. */
  cellStarts: number[]
  tagEnds: number[]
  cellEnds: number[]
  firsts: number[]
  rows: number[]
  repeats: number[]
  columns: number[]
}

/** None yet from an offset on, after a row of this number. */
export const noRows = (from: number, after: number): OdsRows => ({
  ...{ end: from, last: after, texts: [], cells: [], starts: [], ends: [], cellStarts: [] },
  ...{ tagEnds: [], cellEnds: [], firsts: [], rows: [], repeats: [], columns: [] },
})

/** Leaves only so many texts and cells. */
export function cut(found: OdsRows, texts: number, cells: number): void {
  for (const list of [found.texts, found.cells, found.starts, found.ends]) list.length = texts
  const { cellStarts, tagEnds, cellEnds, firsts, rows, repeats, columns } = found
  for (const list of [cellStarts, tagEnds, cellEnds, firsts, rows, repeats, columns]) list.length = cells
}
