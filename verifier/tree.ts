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
