import { SourceError } from './errors.ts'

/**
 * A name from outside as a path below the root of a source, without slashes at its ends; undefined where a part of it
 * leads elsewhere: nothing that such a name could mean is part of the source.
 */
export function pathOf(name: string): string | undefined {
  const path = name.replace(/^\/+/, '').replace(/(?<!\/)\/+$/, '')
  const parts = path ? path.split('/') : []
  const strange = /[\u0000-\u001f\u007f\\]/.test(path) || parts.some(part => ['', '.', '..'].includes(part))
  return strange ? undefined : path
}

/** The same. Throws `source_not_found` where there is no such path. */
export function relativePath(name: string): string {
  const path = pathOf(name)
  if (path !== undefined) return path
  throw new SourceError('source_not_found', 'No such file: the name is not a path below the root of the source')
}

/** A path below a base, both without slashes at the ends. */
export const below = (base: string, path: string): string => [base, path].filter(Boolean).join('/')

/** Last part of a path. */
export const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The page of already sorted entries after the cursor, which is the name of the last entry of the page before. */
export function page<T extends { name: string }>(sorted: T[], { cursor, limit }: { cursor?: string; limit: number }) {
  const rest = cursor === undefined ? sorted : sorted.filter(({ name }) => name > cursor)
  const entries = rest.slice(0, limit)
  return rest.length > entries.length && entries.length ? { entries, cursor: entries.at(-1)!.name } : { entries }
}

/** Order of names that pages rely on. */
export const byName = (a: { name: string }, b: { name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0
