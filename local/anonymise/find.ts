import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { UserError } from '../lock.ts'

/** A file to anonymise, and the folder that its output goes to; `marked`: beside the file, so under another name.
 * `name`: what the file is called where that isn't the name of its path. */
export type Task = { file: string; folder: string; marked: boolean; name?: string }

/** What is left out, and why. */
export type Skipped = { path: string; why: string }

/** What stands in the names of outputs. */
const MARK = '.anonymised'

const isOutput = (name: string): boolean => name.endsWith(MARK) || name.slice(0, -extname(name).length).endsWith(MARK)

/** `letter.txt` gives `letter.anonymised.txt`. */
export const markedName = (name: string): string => {
  const extension = extname(name)
  return `${name.slice(0, name.length - extension.length)}${MARK}${extension}`
}

/** Every file below some paths, each once, with where its output goes; folders keep their tree below `out` or beside. */
export function findFiles(paths: string[], out: string | undefined): { tasks: Task[]; skipped: Skipped[] } {
  const tasks = new Map<string, Task>()
  const skipped: Skipped[] = []
  const add = (file: string, size: number, folder: string, marked: boolean) => {
    if (isOutput(basename(file))) skipped.push({ path: file, why: 'an output' })
    else if (size === 0) skipped.push({ path: file, why: 'empty' })
    else if (!tasks.has(realpathSync(file))) tasks.set(realpathSync(file), { file, folder, marked })
  }
  const walk = (folder: string, into: string) => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name)
      const why = path === out ? 'the folder of outputs' : whyNot(entry)
      if (why) skipped.push({ path, why })
      else if (entry.isDirectory()) walk(path, join(into, entry.name))
      else add(path, statSync(path).size, into, false)
    }
  }
  for (const path of paths) {
    const known = look(path)
    if (known.isDirectory() && isOutput(basename(path))) skipped.push({ path, why: 'outputs' })
    else if (known.isDirectory()) walk(path, out ? join(out, basename(path)) : `${path}${MARK}`)
    else if (known.isFile()) add(path, known.size, out ?? dirname(path), !out)
    else throw new UserError(`${path} is neither a file nor a folder`)
  }
  return { tasks: [...tasks.values()], skipped }
}

function look(path: string): Stats {
  try {
    return statSync(path)
  } catch {
    throw new UserError(`There is no file or folder ${path}, or it can't be read`)
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    throw new UserError(`The folder ${folder} can't be read`)
  }
}

/** Why an entry of a folder is no file of the user's. */
function whyNot(entry: Dirent): string | undefined {
  if (entry.name.startsWith('.')) return 'hidden'
  if (entry.name.startsWith('~$')) return 'a lock file of an office program'
  if (entry.isSymbolicLink()) return 'a link'
  if (entry.isDirectory()) return isOutput(entry.name) ? 'outputs' : undefined
  return entry.isFile() ? undefined : 'not a file'
}
