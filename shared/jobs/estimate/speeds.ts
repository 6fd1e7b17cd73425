import type { FileKind, Reader } from '../../api/estimates.ts'

/** From the quickest to the slowest that is likely. */
export type Range = readonly [from: number, to: number]

/**
 * Worker seconds per megabyte of a file, by its kind and by what reads it: what nine of ten files are likely to take. They were
 * measured by `npm run bench:estimate`, at best on idle processors (`bench/RESULTS.md`) and at worst on two that others take most of.
 * How much text
 * a megabyte of an Office file or a PDF has varies most: from a hundredth of it with pictures to twice as much without.
 */
export const speeds: Readonly<Record<FileKind, Readonly<Record<Reader, Range>>>> = {
  text: { patterns: [0.1, 3], recognisers: [1, 40], models: [10, 100] },
  table: { patterns: [0.03, 2], recognisers: [2, 30], models: [5, 100] },
  office: { patterns: [0.1, 10], recognisers: [0.2, 50], models: [0.5, 200] },
  workbook: { patterns: [0.3, 20], recognisers: [2, 80], models: [5, 200] },
  pdf: { patterns: [0.1, 15], recognisers: [0.1, 30], models: [0.2, 60] },
  picture: { patterns: [0.5, 10], recognisers: [0.5, 10], models: [0.5, 10] },
}

/** What does not grow with the bytes. Seconds of a worker unless said otherwise. */
export const usual = {
  /** To make the rules ready, open a file, write it and record its result. */
  each: { patterns: [0.1, 2], recognisers: [0.4, 3], models: [0.5, 4] },
  /** To recognise the text of a page or a picture. */
  page: [2, 20],
  /** From `execute` to the first work, and from the last to the result. */
  start: [0.3, 3],
  /** To start a worker that was not there, and its models. */
  cold: 5,
  /** Looking without outputs takes at least this share of the whole. */
  inspection: 0.4,
  /** Workers that are free: the fewest of a deployment, and its default. */
  workers: [2, 20],
  /** Memory of a worker, the default of a deployment. */
  workerGigabytes: 3538 / 1024,
  /**
   * Requests of a job and of each of its files, US dollars a million. Together they are what a job of one file costs
   * (docs/costs.md); how it falls to the two is a judgement.
   */
  jobDollars: 140,
  fileDollars: 75,
} as const satisfies Record<string, number | Range | Record<Reader, Range>>
