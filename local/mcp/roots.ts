import { realpathSync, type Stats, statSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { UserError } from '../lock.ts'

/** The folders whose files may be worked on. */
export type Roots = {
  /** The real path of a file that has content and lies in one of them; refuses all others alike, wherever links lead. */
  locate(path: string): string
  /** A path below the first folder as it is shortest, any other whole. */
  shown(path: string): string
}

/** Opens folders, of which the first is where paths are taken from. */
export function openRoots(paths: readonly string[], from: string): Roots {
  const [first, ...others] = (paths.length > 0 ? paths : ['.']).map(path => openRoot(resolve(from, path)))
  const roots = [first!, ...others]
  return {
    locate(path) {
      const found = follow(resolve(first!, path))
      if (!found || !roots.some(root => isWithin(root, found.real)))
        throw new UserError('There is no such file in the folders that may be used')
      if (!found.stats.isFile()) throw new UserError('The path is not that of a file')
      if (found.stats.size === 0) throw new UserError('The file is empty')
      return found.real
    },
    shown: path => (isWithin(first!, path) ? relative(first!, path) : path),
  }
}

function openRoot(path: string): string {
  const found = follow(path)
  if (!found?.stats.isDirectory()) throw new UserError(`There is no folder ${path}, or it can't be read`)
  return found.real
}

const isWithin = (root: string, path: string): boolean => path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)

/** Where a path leads; nothing where it leads nowhere. */
function follow(path: string): { real: string; stats: Stats } | undefined {
  try {
    const real = realpathSync(path)
    return { real, stats: statSync(real) }
  } catch {
    return undefined
  }
}
