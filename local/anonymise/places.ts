import { readFile } from 'node:fs/promises'
import type { AnonymiseResult } from 'anonymisation-engine'
import type { Placed } from './outcome.ts'

/** Largest text whose lines are counted, bytes. */
const MOST = 50 * 1024 ** 2

/** The matches of a file, with their lines where it is a text that is read as it stands. */
export async function linesOf(
  file: string,
  { format, matches = [], report, bytesIn }: Pick<AnonymiseResult, 'format' | 'matches' | 'report' | 'bytesIn'>,
): Promise<Placed[]> {
  const { encoding } = report.choices
  if (!['txt', 'md'].includes(format) || encoding !== 'utf-8' || bytesIn > MOST) return matches
  const text = (await readFile(file, 'utf8')).replace(/^\ufeff/, '')
  let [line, begun, at] = [1, 0, 0]
  return matches.map(match => {
    for (let next = text.indexOf('\n', at); next >= 0 && next < match.start; next = text.indexOf('\n', at)) {
      line++
      at = next + 1
      begun = at
    }
    return { ...match, line, column: match.start - begun + 1 }
  })
}

/** Where a match stands, in words: `line 3`, `page 2`, `row 4, mail`, `word/document.xml`. */
export function placeOf({ line, column, place }: Placed): string {
  if (line !== undefined) return `${line}:${column}`
  const told = [
    place.page === undefined ? '' : `page ${place.page}`,
    place.row === undefined ? '' : `row ${place.row}`,
    place.column ?? '',
    place.page === undefined && place.row === undefined ? (place.part ?? '') : '',
  ]
  return told.filter(Boolean).join(', ') || (place.kind === 'body' ? '' : place.kind)
}
