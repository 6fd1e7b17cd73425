import { randomUUID } from 'node:crypto'
import { createWriteStream, constants as flags } from 'node:fs'
import {
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  opendir,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
} from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { overtaken, SourceError } from '../errors.ts'
import { byName, page } from '../paths.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'

const MAX = 100_000
const partial = /^\.[0-9a-f-]{36}\.partial$/

/**
 * A folder of this machine as a store. Nothing outside it can be reached: a key whose real path isn't the one that it
 * spells (a symbolic link on the way, another case) does not exist, nor does anything but regular files and folders.
 */
export function folderStore(root: string): ObjectStore {
  /** The path of a key, shown to lie in the root without a link on the way. */
  const inside = async (key: string): Promise<string | undefined> => {
    const base = await realpath(root).catch(absent)
    if (base === undefined) throw new SourceError('source_not_found', 'The folder of the local files does not exist')
    const path = key ? join(base, ...key.split('/').filter(Boolean)) : base
    return (await realpath(path).catch(absent)) === path ? path : undefined
  }

  const describe = async (path: string, key: string): Promise<StoredObject | undefined> => {
    const stat = await lstat(path).catch(absent)
    if (!stat?.isFile()) return
    return {
      key,
      size: stat.size,
      modifiedAt: stat.mtime.toISOString(),
      etag: `${stat.ino}-${stat.size}-${stat.mtimeMs}`,
    }
  }

  return {
    async list(folder, query, signal) {
      const path = await inside(folder)
      if (path === undefined || !(await lstat(path)).isDirectory()) throw new SourceError('source_not_found')
      const names: { name: string; folder: boolean }[] = []
      for await (const entry of await opendir(path)) {
        signal.throwIfAborted()
        if (names.length === MAX) throw new SourceError('source_limit_exceeded', 'The folder holds too many files')
        if ((entry.isFile() || entry.isDirectory()) && !partial.test(entry.name))
          names.push({ name: entry.name, folder: entry.isDirectory() })
      }
      const { entries, cursor } = page(names.sort(byName), query)
      const files = entries.filter(entry => !entry.folder)
      const objects = await Promise.all(files.map(({ name }) => describe(join(path, name), folder + name)))
      return {
        objects: objects.filter(object => object !== undefined),
        folders: entries.filter(entry => entry.folder).map(({ name }) => `${folder}${name}/`),
        cursor,
      }
    },

    async head(key) {
      const path = await inside(key)
      return path === undefined ? undefined : describe(path, key)
    },

    async read(key, start) {
      const path = await inside(key)
      if (path === undefined) throw new SourceError('source_not_found')
      const file = await open(path, flags.O_RDONLY | flags.O_NOFOLLOW | flags.O_NONBLOCK).catch(absent)
      // Between the look and the opening a folder on the way may have become a link.
      if (!file || !(await isFileAt(file, path).catch(() => false))) {
        await file?.close()
        throw new SourceError('source_not_found')
      }
      return file.createReadStream({ start, highWaterMark: 256 * 1024 })
    },

    async write(key, body, { create, draft: named = randomUUID() }, signal) {
      const parent = dirname(key)
      await makeFolders(root, parent === '.' ? [] : parent.split('/'))
      const folder = await inside(parent === '.' ? '' : parent)
      if (folder === undefined) throw new SourceError('source_not_found')
      const target = join(folder, key.slice(key.lastIndexOf('/') + 1))
      const existing = await lstat(target).catch(absent)
      if (existing && (create || !existing.isFile())) throw new SourceError('source_conflict')
      await writeWhole(target, draftsIn(folder, named), body, { create, signal })
    },

    async tidy(key, draft) {
      const parent = dirname(key)
      const folder = await inside(parent === '.' ? '' : parent)
      if (folder !== undefined) await rm(draftsIn(folder, draft), { force: true, recursive: true })
    },
  }
}

/**
 * Writes a file under a draft and gives it its name when it is whole. Whoever writes the same takes the folder with the other's
 * draft away, never its place: a writer that has lost its lease must not make the beginning of another's file the target.
 */
async function writeWhole(
  target: string,
  drafts: string,
  body: Readable,
  { create, signal }: { create: boolean; signal: AbortSignal },
): Promise<void> {
  const draft = join(drafts, randomUUID())
  try {
    await rm(drafts, { force: true, recursive: true })
    await mkdir(drafts).catch(error => {
      throw error.code === 'EEXIST' ? overtaken() : error
    })
    await pipeline(body, createWriteStream(draft, { flags: 'wx', flush: true }), { signal }).catch(refused)
    await (create ? link : rename)(draft, target).catch(refused)
  } finally {
    await rm(draft, { force: true })
    // Another's draft may be there by now, and stays.
    await rmdir(drafts).catch(() => {})
  }
}

/** Where the drafts of one result are, which may be several. */
const draftsIn = (folder: string, named: string): string => join(folder, `.${named}.partial`)

/**
 * Whether what is open is the regular file of a path without links. Linux tells the path of what is open; elsewhere the
 * path is looked at once more, which a folder that is swapped for a link and back at the right moments can deceive.
 */
async function isFileAt(file: FileHandle, path: string): Promise<boolean> {
  const opened = await file.stat()
  if (process.platform === 'linux') return opened.isFile() && (await readlink(`/proc/self/fd/${file.fd}`)) === path
  const there = (await realpath(path)) === path ? await lstat(path) : undefined
  return opened.isFile() && there?.ino === opened.ino && there.dev === opened.dev
}

/** Makes the folders one by one, so that none is made behind a link. */
async function makeFolders(root: string, parts: string[]) {
  let path = await realpath(root)
  for (const part of parts) {
    path = `${path}${sep}${part}`
    await mkdir(path).catch(error => {
      if (error.code !== 'EEXIST') throw error
    })
    if (!(await lstat(path)).isDirectory()) throw new SourceError('source_not_found')
  }
}

const absent = (error: NodeJS.ErrnoException): undefined => {
  if (error.code === 'EACCES' || error.code === 'EPERM') throw new SourceError('source_permission_denied')
  if (!['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL'].includes(error.code ?? '')) throw error
}

/** Why a draft does not become the file. */
const refused = (error: NodeJS.ErrnoException): never => {
  if (error.code === 'EEXIST') throw new SourceError('source_conflict')
  throw error.code === 'ENOENT' ? overtaken() : error
}
