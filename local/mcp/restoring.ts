import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { createRestorer, type Entry } from 'anonymisation-engine/placeholders'
import { UserError } from '../lock.ts'

/** Largest file whose placeholders are put back, bytes. */
const MOST = 10 * 2 ** 20

/** What became of the placeholders of a file. Quotes nothing of it. */
export type RestoredFile = { output: string; restored: number; altered: number; unknown: number }

/** Puts the values back in a text file, and writes it beside: `answer.md` gives `answer.restored.md`. Replaces no file. */
export function restoreFile(file: string, entries: readonly Entry[]): RestoredFile {
  const extension = extname(file)
  const output = `${file.slice(0, file.length - extension.length)}.restored${extension}`
  if (existsSync(output)) throw new UserError('The output exists already: it must be moved or removed first')
  const writing = extension.toLowerCase() === '.json' ? 'json' : 'text'
  const { text, restored, altered, unknown } = createRestorer([...entries]).restore({ text: readText(file), writing })
  writeFileSync(output, text, { flag: 'wx', mode: statSync(file).mode & 0o777 })
  return { output, restored, altered: altered.length, unknown: unknown.length }
}

function readText(file: string): string {
  if (statSync(file).size > MOST) throw new UserError(`Only files of at most ${MOST} bytes can be restored`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file))
  } catch {
    throw new UserError('Only files of plain text in UTF-8 can be restored')
  }
}
