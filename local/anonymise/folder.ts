import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockFolder } from '../lock.ts'

/** What the folders of runs are called before their ids. */
const PREFIX = 'anonymisation-run-'
/** Age from which a folder that nobody has locked yet is nobody's, milliseconds. */
const UNLOCKED_MS = 60_000

/** A folder for the data of one run's service, and what removes it; it goes when the process ends, however it ends but by force. */
export function temporaryFolder(): { directory: string; remove(): void } {
  removeAbandoned()
  const directory = mkdtempSync(join(tmpdir(), PREFIX))
  const remove = () => rmSync(directory, { recursive: true, force: true })
  process.on('exit', remove)
  return { directory, remove }
}

/** Removes the folders of runs that were ended by force. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir()).filter(entry => entry.startsWith(PREFIX))) {
    const directory = join(tmpdir(), name)
    try {
      if (Date.now() - statSync(directory).mtimeMs < UNLOCKED_MS && !readdirSync(directory).includes('lock')) continue
      lockFolder(directory)()
      rmSync(directory, { recursive: true, force: true })
    } catch {
      // A run that goes on, or another user's.
    }
  }
}
