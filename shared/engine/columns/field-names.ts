import { createHmac, type KeyObject } from 'node:crypto'
import { EngineError } from '../errors.ts'
import { maxColumns, maxNameCharacters } from '../limits.ts'
import type { Plan } from '../plan.ts'
import { partsByChance } from '../verify/name-words.ts'
import { checkColumns } from './check.ts'

/**
 * What one chunk of a table whose records name their own fields leaves for the check of all chunks together: what a single
 * pass would have seen of the whole. Holds names, and keyed hashes of the replaced values that can't be read back.
 */
export type Fields = {
  /** Names of the columns of the chunk as it was; absent where the plan names none, or where there are too many. */
  columns?: string[]
  /** Names of the fields of its output, each once. */
  names: string[]
  /** Values that its output must not hold: UTF-16 units of each, and its hash. */
  gone: [length: number, hash: string][]
}

/** Stretches of names that are held against the values of all chunks. */
const maxStretches = 1_000_000

const tooMany = () =>
  new EngineError('limit_exceeded', 'The records have too many different names of fields to be worked on in chunks')

const hashOf = (key: KeyObject) => (text: string) =>
  createHmac('sha256', key).update(`field\u0000${text}`, 'utf8').digest('base64url')

/** Starts collecting the names of the fields of a chunk's output. Throws `limit_exceeded` for too many. */
export function createFields(key: KeyObject) {
  const names = new Set<string>()
  let characters = 0
  return {
    add(name: string) {
      if (names.has(name)) return
      names.add(name)
      characters += name.length
      if (characters > maxNameCharacters) throw tooMany()
    },
    end(gone: readonly string[], columns: string[] | undefined): Fields {
      const hash = hashOf(key)
      return { ...(columns && { columns }), names: [...names], gone: gone.map(value => [value.length, hash(value)]) }
    },
  }
}

/**
 * Checks over all chunks what each could check of itself only: the table has the columns that the plan names
 * (`invalid_workflow`), and no name of a field holds a value that was replaced in another chunk (`leak_detected`). `read`
 * gives what the chunks left, in their order, each time anew.
 */
export async function checkFields(read: () => AsyncIterable<Fields>, plan: Plan, key: KeyObject): Promise<void> {
  const names = new Set<string>()
  const columns = new Set<string>()
  const lengths = new Set<number>()
  let all = true
  for await (const fields of read()) {
    for (const name of fields.names) names.add(name)
    for (const column of fields.columns ?? []) columns.add(column)
    for (const [length] of fields.gone) lengths.add(length)
    all &&= fields.columns !== undefined
  }
  if (all && columns.size <= maxColumns) checkColumns(plan, [...columns])
  const hash = hashOf(key)
  const stretches = new Set<string>()
  for (const length of lengths) {
    const texts = new Set<string>()
    for (const name of names) {
      const isByChance = partsByChance(name)
      for (let at = 0; at + length <= name.length; at++)
        if (!isByChance(at, at + length)) texts.add(name.slice(at, at + length))
      if (stretches.size + texts.size > maxStretches) throw tooMany()
    }
    for (const text of texts) stretches.add(hash(text))
  }
  for await (const { gone } of read()) {
    if (gone.some(([, value]) => stretches.has(value)))
      throw new EngineError('leak_detected', 'A replaced value is the name of a field')
  }
}
