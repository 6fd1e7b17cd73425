import { hashWithin, inclusionPath, leafHash, levelsOf } from '../../transparency/tree.ts'

/** Root of the tree over some lines (RFC 6962), hexadecimal. */
export const rootOf = (lines: readonly string[]): string =>
  hashWithin(levelsOf(lines.map(leafHash)), [0, lines.length]).toString('hex')

/** What the root is computed from with a line: the hashes beside its way up, hexadecimal (RFC 6962, 2.1.1). */
export function pathOf(lines: readonly string[], index: number): string[] {
  const levels = levelsOf(lines.map(leafHash))
  return inclusionPath(index, [0, lines.length]).map(range => hashWithin(levels, range).toString('hex'))
}
