import type { AnonymiseCall } from './anonymise.ts'
import { bufferInput, bufferOutput } from './input.ts'

/** A place for outputs in memory: for files that fit there several times over. */
export const memoryWorkspace = (): AnonymiseCall['workspace'] => ({
  async create(name) {
    const output = bufferOutput()
    return { output, input: async () => bufferInput(name, output.bytes()) }
  },
})

/** Numbers distinct values from 1 in the order of their first appearance, as long as it is used. */
export function memoryNumbering(): AnonymiseCall['numbering'] {
  const numbers = new Map<string, number>()
  const numberOf = (key: string) => {
    if (!numbers.has(key)) numbers.set(key, numbers.size + 1)
    return numbers.get(key)!
  }
  return { number: async keys => keys.map(numberOf) }
}
