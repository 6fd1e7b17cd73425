import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Something that the person who starts the local cloud can put right; the message says how. */
export class Inconvenience extends Error {
  override readonly name = 'Inconvenience'
}

/**
 * Takes a folder for this process and answers what lets go of it. The lock is the operating system's, by way of SQLite:
 * it ends with the process, however that ends.
 */
export function lockFolder(directory: string): () => void {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const lock = new DatabaseSync(join(directory, 'lock'))
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    throw new Inconvenience(
      `Another local cloud is using ${directory}: stop it, or set LOCAL_DATA_DIR to another folder`,
    )
  }
  return () => lock.close()
}

/** Takes a folder as soon as nobody else has it. */
export async function waitForFolder(directory: string): Promise<() => void> {
  for (;;) {
    try {
      return lockFolder(directory)
    } catch (error) {
      if (!(error instanceof Inconvenience)) throw error
      await new Promise(resolve => setTimeout(resolve, 200))
    }
  }
}
