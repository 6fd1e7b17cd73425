import { createHmac, type KeyObject } from 'node:crypto'
import type { Segment } from '../formats/format.ts'

/** Characters of an id: 96 bits. */
const length = 16

/**
 * Names the texts of a file by their places, the same each time it is gone through. Is told of every text in order, and
 * answers what makes its id: of those that stand at the same place, as attributes of one part do, each has its turn. `key`
 * keeps the names of columns and parts from being guessed from it.
 */
export function createTextIds(key: KeyObject): (segment: Segment) => () => string {
  const turns = new Map<string, number>()
  let last = () => ''
  return ({ place: { kind, part, page, row, column }, before }) => {
    // A piece of the text before.
    if (before !== undefined) return last
    const name = () => JSON.stringify([kind, part, page, row, column])
    let turn = 0
    if (row === undefined) {
      turn = turns.get(name()) ?? 0
      turns.set(name(), turn + 1)
    }
    let id: string | undefined
    last = () => {
      id ??= createHmac('sha256', key).update(`text\u0000${name()}\u0000${turn}`).digest('base64url').slice(0, length)
      return id
    }
    return last
  }
}
