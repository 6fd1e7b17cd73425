import type { Limits } from './formats/format.ts'

const mebibyte = 1024 * 1024

/** What the engine accepts when its caller sets nothing else. */
export const defaultLimits: Limits = {
  bytes: 64 * 1024 * mebibyte,
  inflatedBytes: 2048 * mebibyte,
  streamBytes: 128 * mebibyte,
  ratio: 1000,
  entries: 20_000,
  depth: 64,
  pages: 5000,
}

/** Largest text or table, bytes, all values of which are held to be looked for in names of files, links and identifiers. */
export const smallText = 2 * mebibyte

/** The same of workbooks, which are compressed. */
export const smallWorkbook = mebibyte / 4

/** Number of column names above which they are not columns of a table. */
export const maxColumns = 10_000

/** Characters of different names that a chunk may hand on. */
export const maxNameCharacters = 1024 * 1024
