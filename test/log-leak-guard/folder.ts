import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const CANARIES = '.canaries.json'

/** A name for what one file of tests noted. */
export const canariesFile = (): string => `${randomUUID()}${CANARIES}`

/** What a run left in its folder: every canary that a file of tests noted, and every log of a local service. */
export function readFolder(folder: string): { canaries: Set<string>; logs: { name: string; text: string }[] } {
  const names = readdirSync(folder)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  return {
    canaries: new Set(
      names.filter(name => name.endsWith(CANARIES)).flatMap(name => JSON.parse(read(name)) as string[]),
    ),
    logs: names.filter(name => name.endsWith('.log')).map(name => ({ name, text: read(name) })),
  }
}
