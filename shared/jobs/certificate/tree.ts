import { createHash } from 'node:crypto'

const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Hash of a leaf of a Merkle tree (RFC 6962, 2.1). */
const leafHash = (line: string): Buffer => sha256(Buffer.of(0), Buffer.from(line))

/** The largest power of two below a number above 1. */
const half = (count: number): number => 2 ** Math.floor(Math.log2(count - 1))

function rootOfHashes(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return sha256()
  if (hashes.length === 1) return hashes[0]!
  const middle = half(hashes.length)
  return sha256(Buffer.of(1), rootOfHashes(hashes.slice(0, middle)), rootOfHashes(hashes.slice(middle)))
}

function pathOfHashes(hashes: readonly Buffer[], index: number): Buffer[] {
  if (hashes.length <= 1) return []
  const middle = half(hashes.length)
  const [left, right] = [hashes.slice(0, middle), hashes.slice(middle)]
  return index < middle
    ? [...pathOfHashes(left, index), rootOfHashes(right)]
    : [...pathOfHashes(right, index - middle), rootOfHashes(left)]
}

/** Root of the tree over some lines (RFC 6962), hexadecimal. */
export const rootOf = (lines: readonly string[]): string => rootOfHashes(lines.map(leafHash)).toString('hex')

/** What the root is computed from with a line: the hashes beside its way up, hexadecimal (RFC 6962, 2.1.1). */
export const pathOf = (lines: readonly string[], index: number): string[] =>
  pathOfHashes(lines.map(leafHash), index).map(hash => hash.toString('hex'))
