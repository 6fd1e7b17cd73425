/** Pieces by their beginnings. Node 0 is the root, and no node is below itself: 0 also stands for none. */
export type Trie = {
  /** The node that a UTF-16 unit leads to, or 0. */
  step(node: number, unit: number): number
  /** For each node: the number of the piece that ends there, or -1. */
  ids: Int32Array
}

/**
 * A trie in flat arrays: as maps within maps, a multilingual vocabulary of 150,000 pieces takes ten times the memory
 * and a second to build. Edges are found by hashing their node and unit.
 */
export function trie(pieces: readonly string[]): Trie {
  let most = 1
  for (const { length } of pieces) most += length
  const parents = new Int32Array(most)
  const units = new Uint16Array(most)
  const ids = new Int32Array(most).fill(-1)
  const bits = Math.max(4, 33 - Math.clz32(most))
  const table = new Int32Array(2 ** bits)
  let count = 1

  /** Where in the table an edge stands, or would stand. */
  const slot = (node: number, unit: number) => {
    let at = (Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> (32 - bits)
    for (let found = table[at]!; found !== 0; found = table[at]!) {
      if (parents[found] === node && units[found] === unit) break
      at = (at + 1) & (table.length - 1)
    }
    return at
  }
  for (const [id, piece] of pieces.entries()) {
    let node = 0
    for (let i = 0; i < piece.length; i++) {
      const unit = piece.charCodeAt(i)
      const at = slot(node, unit)
      if (table[at] === 0) {
        table[at] = count
        parents[count] = node
        units[count] = unit
        count++
      }
      node = table[at]!
    }
    ids[node] = id
  }
  return { step: (node, unit) => table[slot(node, unit)]!, ids: ids.slice(0, count) }
}
