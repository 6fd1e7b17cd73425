import { createSecretKey, randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type AnonymiseResult, anonymise, EngineError, fileInput, fileOutput } from 'anonymisation-engine'
import type { Engine, Watch } from './engine.ts'
import type { Task } from './find.ts'
import type { Outcome } from './outcome.ts'
import { type Outputs, outputOf, workFolder } from './outputs.ts'
import { anonymiseInParts } from './parts.ts'
import { linesOf } from './places.ts'
import { troubleOf } from './troubles.ts'

/** Most matches of a file that are listed. */
const MOST = 100_000

/** Where a file's output goes: a path of its own, one that is given, or a stream; or nowhere. */
export type Target =
  | { to: 'tree' }
  | { to: 'file'; path: string }
  | { to: 'stream'; stream: NodeJS.WritableStream }
  | { to: 'nowhere' }

/** Anonymises one file on this machine. An output has its name once it is whole and proven to be clean. */
export async function anonymiseHere(
  engine: Engine,
  task: Task,
  target: Target,
  outputs: Outputs,
  watch: Watch,
): Promise<Outcome> {
  const { file } = task
  const planned = target.to === 'tree' ? outputOf(task, basename(file)) : target.to === 'file' ? target.path : undefined
  const blocked = planned && outputs.blocked(file, planned)
  if (blocked) return blocked
  let work: ReturnType<typeof workFolder> | undefined
  try {
    work = workFolder(planned ? dirname(planned) : outputs.temporary)
    const own = { ...engine, secrets: { ...engine.secrets, document: createSecretKey(randomBytes(32)) } }
    const inParts = await anonymiseInParts(own, task, work.path, watch)
    const result: Made = inParts ?? (await run(own, task, work.path, watch))
    const matches = result.matches && (await linesOf(file, result))
    const outcome: Outcome = {
      file,
      findings: result.findings,
      problems: [],
      dropped: result.report.dropped,
      warnings: result.report.warnings,
      format: result.format,
      encoding: result.report.choices.encoding as string | undefined,
      matches,
    }
    if (target.to === 'nowhere') return outcome
    const made = join(work.path, result.written)
    if (target.to === 'stream') {
      await pipeline(createReadStream(made), target.stream, { end: false })
      return { ...outcome, output: '-' }
    }
    const wanted = target.to === 'tree' ? outputOf(task, result.name) : target.path
    return outputs.blocked(file, wanted) ?? { ...outcome, output: outputs.place(made, task, wanted) }
  } catch (error) {
    if (watch.signal.aborted) throw watch.signal.reason
    return { file, findings: [], problems: [problemOf(error)] }
  } finally {
    work?.remove()
  }
}

/** What is told of a file, and the name of its output in the folder that it was written to. */
type Made = Pick<AnonymiseResult, 'name' | 'findings' | 'report' | 'format' | 'matches' | 'bytesIn'> & {
  written: string
}

/** Runs the engine over a file; what it writes lies in the folder under the name `written`. */
async function run(
  { plan, models, secrets, numbering, options, replacer, list }: Engine,
  { file, name }: Task,
  folder: string,
  { signal, told }: Watch,
) {
  let written = ''
  const result: AnonymiseResult = await anonymise({
    input: await fileInput(file, name ?? basename(file)),
    plan,
    models,
    secrets,
    numbering,
    options,
    replacer,
    workspace: {
      async create(part) {
        const path = join(folder, part)
        const output = fileOutput(path)
        if (part.startsWith('output')) written = part
        return {
          output,
          async input() {
            await output.close()
            return fileInput(path, part)
          },
        }
      },
    },
    progress: told,
    signal,
    ...(list && { listMatches: MOST }),
  })
  return { ...result, written }
}

/** Why a file has no output, without anything of what is in it. */
function problemOf(error: unknown): string {
  if (error instanceof EngineError) return `${error.type}: ${error.message}`
  const trouble = troubleOf(error)
  if (trouble) return `it can't be read, or its output can't be written: ${trouble}`
  const { code } = error as NodeJS.ErrnoException
  return `unexpected failure (${(error as Error).name}${code ? ` ${code}` : ''})`
}

/** Brings standard input to disk, so that it can be read more than once and of any length. */
export async function spool(stdin: NodeJS.ReadableStream, folder: string): Promise<{ path: string; remove(): void }> {
  const { path, remove } = workFolder(folder)
  const file = join(path, 'input')
  await pipeline(stdin, createWriteStream(file, { mode: 0o600 }))
  return { path: file, remove }
}
