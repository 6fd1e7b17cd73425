import { chmodSync, existsSync, mkdtempSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, parse } from 'node:path'
import { makeFolder } from '../folders.ts'
import { UserError } from '../lock.ts'
import { markedName, type Task } from './find.ts'
import type { Outcome } from './outcome.ts'
import { troubleOf } from './troubles.ts'

/** Where outputs go: outputs of this run never take each other's place, and no others unless `overwrite`. */
export type Outputs = {
  /** Where outputs lie that get no path. */
  temporary: string
  /** What comes of a file whose output can't stand at a path because something else does. */
  blocked(file: string, path: string): Outcome | undefined
  /** Gives what was made for a file a path that no other output of this run has: `a.txt`, `a (2).txt`. */
  place(made: string, task: Task, path: string): string
}

/** Starts with no outputs. */
export function createOutputs(overwrite: boolean): Outputs {
  const taken = new Set<string>()
  return {
    temporary: tmpdir(),
    blocked(file, path) {
      const none = { file, findings: [], problems: [] }
      if (path === file) return { ...none, problems: ['its output would replace it'] }
      const known = taken.has(path) ? undefined : statSync(path, { throwIfNoEntry: false })
      if (!known || (overwrite && known.isFile())) return undefined
      if (!known.isFile()) return { ...none, problems: [`${path} exists and is no file`] }
      return { ...none, leftOut: `${path} exists; --overwrite replaces it` }
    },
    place(made, { file, name: renamed }, path) {
      const { dir, name, ext } = parse(path)
      let free = path
      for (let n = 2; taken.has(free) || (!overwrite && existsSync(free)); n++) free = join(dir, `${name} (${n})${ext}`)
      // Who may read the input may read the output. Standard input has no mode that says so.
      if (renamed === undefined) chmodSync(made, statSync(file).mode & 0o777)
      renameSync(made, free)
      taken.add(free)
      return free
    },
  }
}

/** Folders of unfinished outputs of this process, which go with it. */
const unfinished = new Set<string>()
process.on('exit', () => {
  for (const folder of unfinished) rmSync(folder, { recursive: true, force: true })
})

/** A folder for unfinished outputs, below `parent`; parents that had to be made go with it if they stay empty. */
export function workFolder(parent: string): { path: string; remove(): void } {
  const made = makeFolder(parent)
  const path = mkdtempSync(join(parent, '.anonymising-'))
  unfinished.add(path)
  return {
    path,
    remove() {
      rmSync(path, { recursive: true, force: true })
      unfinished.delete(path)
      for (let folder = parent; made && folder.length >= made.length; folder = dirname(folder)) {
        try {
          rmdirSync(folder)
        } catch {
          break
        }
      }
    },
  }
}

/** Refuses a folder that outputs can't be written into, before any file is looked at. */
export function tryFolder(folder: string): void {
  try {
    workFolder(folder).remove()
  } catch (error) {
    throw new UserError(`Nothing can be written to ${folder}: ${troubleOf(error) ?? 'it refuses'}`)
  }
}

/** A name that the engine gives, as one of a file in a folder: a replacement's text may hold anything. */
const nameOfFile = (name: string): string => name.replace(/[/\\\p{Cc}]/gu, '_').replace(/^\.+/, '_')

/** The path of a task's output, of which the engine says the name. */
export const outputOf = ({ folder, marked }: Task, name: string): string => {
  const safe = nameOfFile(name)
  return join(folder, marked ? markedName(safe) : safe)
}
