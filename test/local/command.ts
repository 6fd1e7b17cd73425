import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { reasonOf, runCommand, statuses } from '../../local/anonymise/main.ts'

export const LETTER = 'Dear Grace Miller, write to ada@example.org.\nYours, John Smith\n'

/** A folder with files of these names and texts; names with a slash go into folders. */
export async function folderOf(files: Record<string, string>): Promise<string> {
  const made = await mkdtemp(join(inject('runFolder'), 'files-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(made, name, '..'), { recursive: true })
    await writeFile(join(made, name), content)
  }
  return made
}

/** The names of everything in a folder, at any depth. */
export const tree = async (...path: string[]): Promise<string[]> =>
  (await readdir(join(...path), { recursive: true })).sort()

/** Runs the command in a folder, in this process; `columns`: on a terminal as wide as that. */
export async function command(
  from: string,
  args: string[],
  input = '',
  columns?: number,
): Promise<{ status: number; out: string; err: string }> {
  const [stdout, stderr] = [Object.assign(new PassThrough(), { columns }), new PassThrough()]
  const told = Promise.all([text(stdout), text(stderr)])
  const { signal } = new AbortController()
  let status: number
  try {
    status = await runCommand(args, { from, environment: {}, stdin: Readable.from([input]), stdout, stderr, signal })
  } catch (error) {
    status = statuses.refused
    stderr.write(reasonOf(error))
  }
  stdout.end()
  stderr.end()
  const [out, err] = await told
  return { status, out, err }
}
