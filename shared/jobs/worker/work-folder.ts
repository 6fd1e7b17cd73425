import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** No attempt takes as long: the time-out of a worker and a minute, milliseconds. */
const LONGEST_MS = 16 * 60_000

/**
 * A folder for one attempt at an asset, which holds the asset in clear. Whoever makes it removes it. A worker that was
 * killed couldn't, so what such workers left is removed first: the next asset needs the room, and nothing of the last may stay.
 */
export async function makeWorkFolder(parent = tmpdir()): Promise<string> {
  const names = await readdir(parent)
  await Promise.all(names.map(name => removeIfLeft(join(parent, name), /^asset-(\d+)-/.exec(name)?.[1])))
  return mkdtemp(join(parent, `asset-${process.pid}-`))
}

async function removeIfLeft(path: string, owner: string | undefined): Promise<void> {
  if (owner === undefined) return
  const made = await stat(path).catch(() => undefined)
  if (!made || (isRunning(Number(owner)) && Date.now() - made.mtimeMs < LONGEST_MS)) return
  // Another user's can't be removed, and is that user's to remove.
  await rm(path, { recursive: true, force: true }).catch(() => undefined)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
