import { createHash } from 'node:crypto'
import { createReadStream, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { ShownFile } from './outputs.ts'

/** A file on disk, read bit by bit. */
export const shownFile = (path: string, name = basename(path)): ShownFile => ({
  name,
  size: statSync(path).size,
  async digest(start, end) {
    const hash = createHash('sha256')
    if (end > start)
      for await (const piece of createReadStream(path, { start, end: end - 1 })) hash.update(piece as Buffer)
    return hash.digest('hex')
  },
})

/** The files of a folder and those below it, but for what belongs to the certificate itself. */
export function filesOf(folder: string, without: readonly string[]): ShownFile[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = found.map(entry => join(entry.parentPath, entry.name)).filter(path => !without.includes(path))
  return paths.toSorted().map(path => shownFile(path))
}
