import { brotliDecompressSync } from 'node:zlib'

/** A word of a list, and for each of its columns the languages that have it there, as bits in the order of {@link languages}. */
export type Entry = { text: string; masks: number[] }

/** The languages of the lists, in the order of their bits. */
export const languages = 'en de fr es it pt nl pl sv da no fi cs ro hu tr ru el'.split(' ')

const linesOf = (coded: string) => brotliDecompressSync(Buffer.from(coded, 'base64')).toString().split('\n')

/** A text that tells how much of the one before it repeats. */
const afterThe = (before: string, text: string) => before.slice(0, Number.parseInt(text[0]!, 36)) + text.slice(1)

/** Reads a list that `make.py` wrote. */
export function decodeList(coded: string): Entry[] {
  let before = ''
  return linesOf(coded).map(line => {
    const [text, masks] = line.split('\t') as [string, string]
    before = afterThe(before, text)
    return { text: before, masks: masks.split(' ').map(mask => Number.parseInt(mask, 16)) }
  })
}

/**
 * A town: its name and its English one, the power of two that its people are below, the abbreviation of its region where
 * addresses have one, and some of its postcodes, or the parts of them that tell a town.
 */
export type Town = { names: string[]; size: number; region: string; codes: string[] }

/** Reads the list of towns that `make.py` wrote, by country. */
export function decodeTowns(coded: string): Map<string, Town[]> {
  const countries = new Map<string, Town[]>()
  let before = ''
  let towns: Town[] = []
  for (const line of linesOf(coded)) {
    if (line.startsWith('=')) {
      towns = []
      countries.set(line.slice(1), towns)
      before = ''
      continue
    }
    const [name, size, region = '', codes = '', english] = line.split('\t') as [string, string, ...string[]]
    before = afterThe(before, name)
    let code = ''
    const read = codes
      .split(' ')
      .filter(Boolean)
      .map(text => (code = afterThe(code, text)))
    towns.push({ names: english ? [before, english] : [before], size: Number.parseInt(size, 36), region, codes: read })
  }
  return countries
}
