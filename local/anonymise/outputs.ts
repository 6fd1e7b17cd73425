import { tmpdir } from 'node:os'
import { join, parse } from 'node:path'
import { markedName, type Task } from './find.ts'

/** Where outputs go: outputs of this run never take each other's place, and no others unless `overwrite`. */
export type Outputs = {
  overwrite: boolean
  taken: Set<string>
  /** Where outputs lie that get no path. */
  temporary: string
  /** A path that no other output of this run has: `a.txt`, `a (2).txt`. */
  free(path: string): string
}

/** Starts with no outputs. */
export function createOutputs(overwrite: boolean): Outputs {
  const taken = new Set<string>()
  return {
    overwrite,
    taken,
    temporary: tmpdir(),
    free(path) {
      const { dir, name, ext } = parse(path)
      let free = path
      for (let n = 2; taken.has(free); n++) free = join(dir, `${name} (${n})${ext}`)
      taken.add(free)
      return free
    },
  }
}

/** A name that the engine gives, as one of a file in a folder: a replacement's text may hold anything. */
const nameOfFile = (name: string): string => name.replace(/[/\\\p{Cc}]/gu, '_').replace(/^\.+/, '_')

/** The path of a task's output, of which the engine says the name. */
export const outputOf = ({ folder, marked }: Task, name: string): string => {
  const safe = nameOfFile(name)
  return join(folder, marked ? markedName(safe) : safe)
}
