import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from './folders.ts'

/** Something that the person who starts the local cloud can put right; the message says how. */
export class UserError extends Error {
  override readonly name: string = 'Inconvenience'
}

/** Somebody else has the folder. */
class Busy extends UserError {}

/** What SQLite answers where another process holds a lock. */
const SQLITE_BUSY = 5

/**
 * Takes a folder for this process and answers what lets go of it. The lock is the operating system's, by way of SQLite:
 * it ends with the process, however that ends.
 */
export function lockFolder(directory: string): () => void {
  const lock = openLock(directory)
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw unwritable(directory)
    throw new Busy(`Another local cloud is using ${directory}: stop it, or set LOCAL_DATA_DIR to another folder`)
  }
  return () => lock.close()
}

function openLock(directory: string): DatabaseSync {
  try {
    makeFolder(directory, 0o700)
    return new DatabaseSync(join(directory, 'lock'))
  } catch {
    throw unwritable(directory)
  }
}

const unwritable = (directory: string) =>
  new UserError(
    `${directory} can't be written to: make it a folder of yours with room in it, or set LOCAL_DATA_DIR to another one`,
  )

/** Takes a folder as soon as nobody else has it. */
export async function waitForFolder(directory: string): Promise<() => void> {
  for (;;) {
    try {
      return lockFolder(directory)
    } catch (error) {
      if (!(error instanceof Busy)) throw error
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  }
}
