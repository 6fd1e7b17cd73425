import { gunzipSync, gzipSync } from 'node:zlib'
import type { Entry } from '../api/lists.ts'

/** A value as a row of the file of its list. */
type Row = [
  value: string,
  match: Entry['match'],
  addedAt: string,
  addedBy: string,
  until: string | null,
  why: string | null,
]

/** The values of a list as a file: a row of JSON for each, compressed. */
export const encodeEntries = (entries: readonly Entry[]): Buffer =>
  gzipSync(
    entries
      .map(({ value, match, addedAt, addedBy, until, why }) =>
        JSON.stringify([value, match, addedAt, addedBy, until, why] satisfies Row),
      )
      .join('\n'),
  )

/** What {@link encodeEntries} made a file of. */
export function decodeEntries(file: Uint8Array): Entry[] {
  const text = gunzipSync(file).toString()
  if (text === '') return []
  return text.split('\n').map(line => {
    const [value, match, addedAt, addedBy, until, why] = JSON.parse(line) as Row
    return { value, match, addedAt, addedBy, until, why }
  })
}

/** Those that count at a time. */
export const current = (entries: readonly Entry[], now: string): Entry[] =>
  entries.filter(({ until }) => until === null || until > now)
