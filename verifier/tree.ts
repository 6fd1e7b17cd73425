import { type Bytes, concat, hex, sha256, utf8 } from './bytes.ts'

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

const leafHash = (line: string): Promise<Bytes> => sha256(concat(LEAF, utf8(line)))

/** Root of the Merkle tree over some lines (RFC 6962), hexadecimal: level by level, the last one alone goes up as it is. */
export async function rootOf(lines: readonly string[]): Promise<string> {
  if (lines.length === 0) return hex(await sha256(new Uint8Array()))
  let level = await Promise.all(lines.map(leafHash))
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, n) => level.slice(2 * n, 2 * n + 2))
    level = await Promise.all(pairs.map(([left, right]) => (right ? sha256(concat(NODE, left!, right)) : left!)))
  }
  return hex(level[0]!)
}

/** Root that a line leads to by its path (RFC 9162, 2.1.3.2), hexadecimal; undefined when the path does not fit the place. */
export async function rootByPath(line: string, index: number, count: number, path: readonly Bytes[]) {
  if (!(Number.isSafeInteger(index) && index >= 0 && index < count)) return undefined
  let [at, last, hash] = [index, count - 1, await leafHash(line)]
  for (const beside of path) {
    if (last === 0) return undefined
    if (at % 2 === 1 || at === last) {
      hash = await sha256(concat(NODE, beside, hash))
      while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else hash = await sha256(concat(NODE, hash, beside))
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 ? hex(hash) : undefined
}

const same = (a: Bytes, b: Bytes): boolean => hex(a) === hex(b)

/** Whether a tree over the first `first` entries became the one over all `second` by adding to it (RFC 9162, 2.1.4.2). */
export async function isConsistent(
  [first, firstRoot]: readonly [size: number, root: Bytes],
  [second, secondRoot]: readonly [size: number, root: Bytes],
  path: readonly Bytes[],
): Promise<boolean> {
  if (![first, second].every(size => Number.isSafeInteger(size) && size >= 0) || first > second) return false
  // Every tree began with nothing, and is itself.
  if (first === 0) return path.length === 0 && same(firstRoot, await sha256(new Uint8Array()))
  if (first === second) return path.length === 0 && same(firstRoot, secondRoot)
  let [at, last] = [first - 1, second - 1]
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  // Where the first tree is a complete one, its root is not told again.
  const [start, ...others] = at === 0 ? [firstRoot, ...path] : path
  if (!start || others.length === 0) return false
  let [older, newer] = [start, start]
  for (const beside of others) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      older = await sha256(concat(NODE, beside, older))
      newer = await sha256(concat(NODE, beside, newer))
      while (at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)]
    } else newer = await sha256(concat(NODE, newer, beside))
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 && same(older, firstRoot) && same(newer, secondRoot)
}
