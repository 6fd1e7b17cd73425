import { brotliDecompressSync } from 'node:zlib'

/** A word of a list, and for each of its columns the languages that have it there, as bits in the order of {@link languages}. */
export type Entry = { text: string; masks: number[] }

/** The languages of the lists, in the order of their bits. */
export const languages = 'en de fr es it pt nl pl sv da no fi cs ro hu tr ru el'.split(' ')

/** Reads what `make.py` wrote: lines that tell how much of the line before they repeat. */
export function decodeList(coded: string): Entry[] {
  let before = ''
  return brotliDecompressSync(Buffer.from(coded, 'base64'))
    .toString()
    .split('\n')
    .map(line => {
      const tab = line.indexOf('\t')
      before = before.slice(0, Number.parseInt(line[0]!, 36)) + line.slice(1, tab)
      const masks = line
        .slice(tab + 1)
        .split(' ')
        .map(mask => Number.parseInt(mask, 16))
      return { text: before, masks }
    })
}
