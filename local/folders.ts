import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder with the parents that it lacks, and gives the first one that had to be made. What Node.js has for this
 * tries for ever where a file system like `/proc` lets nobody make any.
 */
export function makeFolder(path: string, mode = 0o777): string | undefined {
  const parent = dirname(path)
  const first = existsSync(parent) ? undefined : makeFolder(parent, mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
    return first
  }
  return first ?? path
}
