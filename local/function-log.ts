import { randomUUID } from 'node:crypto'
import { appendFileSync, closeSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Beyond this size, bytes, a log begins anew and the old one is kept once. */
const largest = 20_000_000

/** Closes a file that could not be written; some systems say once more then that it could not. */
function abandon(file: number | undefined): void {
  try {
    if (file !== undefined) closeSync(file)
  } catch {}
}

/** Where functions and the local cloud write to: `functions.log` in the folder. */
export type Journal = { path: string; write(who: string, text: string): void }

/**
 * Opens the log of a folder. A line starts with the time and with who wrote it. With `LOCAL_LOG_DIR` every start has a
 * log of its own there instead.
 */
export function openJournal(directory: string): Journal {
  const { LOCAL_LOG_DIR } = process.env
  const path = LOCAL_LOG_DIR ? join(LOCAL_LOG_DIR, `${randomUUID()}.log`) : join(directory, 'functions.log')
  mkdirSync(directory, { recursive: true })
  const isLarge = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largest
  if (isLarge) renameSync(path, `${path}.1`)
  const open = () => openSync(path, 'a', 0o600)
  let file: number | undefined = open()
  let failing = false
  return {
    path,
    write(who, text) {
      const lines = text.split('\n').filter(line => line.trim() !== '')
      try {
        file ??= open()
        appendFileSync(file, lines.map(line => `${new Date().toISOString()} ${who} ${line}\n`).join(''))
        failing = false
      } catch (error) {
        // A full disk must not end the service: what it stores fails where it is stored, and is answered there.
        if (!failing) process.stderr.write(`Lines of the log are lost: ${(error as NodeJS.ErrnoException).code}\n`)
        failing = true
        abandon(file)
        file = undefined
      }
    },
  }
}
