import { dirname } from 'node:path'
import type { WriteStream } from 'node:tty'
import { presets } from 'anonymisation-engine/presets'
import { UserError } from '../lock.ts'
import { type Arguments, readArguments, USAGE } from './arguments.ts'
import { startBar } from './bar.ts'
import type { Engine } from './engine.ts'
import { findFiles, type Skipped, type Task } from './find.ts'
import { anonymiseHere, spool, type Target } from './in-process.ts'
import { hasFailed, type Outcome } from './outcome.ts'
import { createOutputs, type Outputs, tryFolder } from './outputs.ts'
import { checkModels, modelsFor, notLookedFor, planOf, sharedKeys } from './plan.ts'
import { printable } from './printable.ts'
import { jsonOf, type Run, reportOf } from './report.ts'
import { sarifOf } from './sarif.ts'
import { anonymiseThere } from './there.ts'
import { troubleOf } from './troubles.ts'

/** What surrounds a run of the command. */
export type Surroundings = {
  /** The folder that paths are taken from. */
  from: string
  environment: NodeJS.ProcessEnv
  stdin: NodeJS.ReadableStream
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream
  signal: AbortSignal
}

/** Exit statuses; an interrupted run ends with that of its signal. */
export const statuses = { done: 0, failed: 1, refused: 2, found: 3 } as const

/** Runs the command and gives its exit status. Refuses what can't be carried out with a {@link UserError}. */
export async function runCommand(args: string[], around: Surroundings): Promise<number> {
  const { from, stdout } = around
  const asked = readArguments(args, from)
  if (asked === 'help') return say(stdout, USAGE)
  if (asked === 'presets') return say(stdout, presets.map(({ id, title }) => `${id}: ${title}`).join('\n'))
  const plan = planOf(asked.choices)
  checkModels(plan, asked.choices)
  const outputs = createOutputs(asked.overwrite)
  const { out } = asked
  if (out.to === 'folder' || out.to === 'file') tryFolder(out.to === 'folder' ? out.path : dirname(out.path))
  const { tasks, skipped, done } = await tasksOf(asked, outputs, around)
  try {
    const worked = tasks.length === 0 ? [] : await carryOut(asked, tasks, outputs, around)
    const outcomes = asked.paths.length > 0 ? worked : worked.map(outcome => ({ ...outcome, file: '-' }))
    const missing = notLookedFor(plan)
    const run = {
      outcomes,
      skipped,
      missing,
      from,
      dryRun: asked.dryRun,
      diff: asked.showing.diff,
      quiet: asked.showing.quiet,
      width: (stdout as Partial<WriteStream>).columns,
    }
    show(asked, run, around)
    if (tasks.length === 0 || outcomes.some(hasFailed)) return statuses.failed
    const found = asked.dryRun && outcomes.some(({ findings }) => findings.some(({ count }) => count > 0))
    return found ? statuses.found : statuses.done
  } finally {
    done()
  }
}

function say(stdout: NodeJS.WritableStream, text: string): number {
  stdout.write(`${text}\n`)
  return statuses.done
}

type Found = { tasks: Task[]; skipped: Skipped[]; done(): void }

/** The files to work on; standard input is brought to disk first. */
async function tasksOf({ paths, out }: Arguments, { temporary }: Outputs, { stdin }: Surroundings): Promise<Found> {
  if (paths.length > 0) {
    const folder = out.to === 'folder' ? out.path : undefined
    return { ...findFiles(paths, folder), done: () => {} }
  }
  const { path, remove } = await spool(stdin, temporary)
  return {
    tasks: [{ file: path, folder: out.to === 'folder' ? out.path : temporary, marked: false, name: 'input' }],
    skipped: [],
    done: remove,
  }
}

function targetOf({ out, dryRun }: Arguments, { stdout }: Surroundings): Target {
  if (dryRun) return { to: 'nowhere' }
  if (out.to === 'stdout') return { to: 'stream', stream: stdout }
  return out.to === 'file' ? { to: 'file', path: out.path } : { to: 'tree' }
}

/** Works on the files one after the other, here or on a service. */
async function carryOut(asked: Arguments, tasks: Task[], outputs: Outputs, around: Surroundings): Promise<Outcome[]> {
  const { signal } = around
  const { showing, url, receipts, choices, encoding } = asked
  const options = encoding === undefined ? undefined : { encoding }
  const bar = showing.quiet ? undefined : startBar(tasks.map(({ file }) => file))
  try {
    if (url)
      return await anonymiseThere(
        { url, plan: planOf(choices), options, tasks, outputs, receipts, signal, bar },
        around.environment,
      )
    const engine: Engine = {
      plan: planOf(choices),
      models: modelsFor(choices),
      ...sharedKeys(),
      options,
      list: asked.dryRun || showing.diff,
    }
    const outcomes: Outcome[] = []
    for (const task of tasks) {
      signal.throwIfAborted()
      const told = (bytes: number) => bar?.progress(task.file, bytes)
      outcomes.push(await anonymiseHere(engine, task, targetOf(asked, around), outputs, { signal, told }))
      bar?.finish(task.file)
    }
    return outcomes
  } finally {
    bar?.stop()
  }
}

/** Shows what came of a run; beside an output on standard output, on the standard error. */
function show({ showing, out, dryRun }: Arguments, run: Run, { stdout, stderr }: Surroundings): void {
  const text =
    showing.as === 'json' ? jsonOf(run) : showing.as === 'sarif' ? sarifOf(run.outcomes, run.from) : reportOf(run)
  if (text === '') return
  const stream = out.to === 'stdout' && !dryRun ? stderr : stdout
  stream.write(`${text}\n`)
}

/** What went wrong with a run, in plain words. */
export const reasonOf = (error: unknown): string =>
  printable(
    error instanceof UserError ? error.message : `The run failed: ${troubleOf(error) ?? (error as Error).message}`,
  )
