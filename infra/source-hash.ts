import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'

/** The folder of the repository. */
export const root = join(import.meta.dirname, '..')

/** Hash of the names and contents of all files that a list of patterns, relative to the repository, matches. */
export function hashOf(patterns: string[], ...more: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(more))
  for (const file of globSync(patterns, { cwd: root }).toSorted()) {
    hash.update(`\0${file.replaceAll(sep, '/')}\0`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex').slice(0, 16)
}
