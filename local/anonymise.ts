import { readArguments, USAGE } from './anonymise/arguments.ts'
import { startBar } from './anonymise/bar.ts'
import { anonymiseFile, type Outcome, type Outputs } from './anonymise/file.ts'
import { findFiles, type Task } from './anonymise/find.ts'
import { hasFailed, reportOf } from './anonymise/report.ts'
import { defaultRules, type RuleAndText } from './anonymise/rules.ts'
import { inRun } from './anonymise/run.ts'
import { openService } from './anonymise/service.ts'
import { Inconvenience } from './lock.ts'
import { onSignal } from './signals.ts'

/** Files that are under way at the same time. */
const AT_ONCE = 4

const stopping = new AbortController()
let interrupted: number | undefined
onSignal(status => {
  interrupted = status
  console.error('\nRemoving what this run has made ...')
  stopping.abort(new Error('interrupted'))
})

async function anonymise(tasks: Task[], rules: readonly RuleAndText[], outputs: Outputs, url: string | undefined) {
  const { signal } = stopping
  const outcomes: Outcome[] = []
  const service = await openService(url, process.env)
  try {
    signal.throwIfAborted()
    await inRun(service.client, rules, async run => {
      const bar = startBar(tasks.map(({ file }) => file))
      const left = tasks.entries()
      const worker = async () => {
        for (const [n, task] of left) {
          const { file } = task
          const told = (bytes: number) => bar.progress(file, bytes)
          const failed = (error: Error): Outcome => ({ file, findings: [], problems: [error.message] })
          outcomes[n] = await (signal.aborted
            ? failed(signal.reason)
            : anonymiseFile(run, task, outputs, { signal, told }).catch(failed))
          bar.finish(file)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, worker)).finally(() => bar.stop())
    })
  } finally {
    await service.close()
  }
  return outcomes
}

async function main(): Promise<number> {
  // npm runs scripts in the folder of the project; paths are meant from where it was called.
  const { npm_lifecycle_event, INIT_CWD } = process.env
  const from = npm_lifecycle_event === 'anonymise' && INIT_CWD ? INIT_CWD : process.cwd()
  const asked = readArguments(process.argv.slice(2), from)
  if (asked === 'help') {
    console.log(USAGE)
    return 0
  }
  const { tasks, skipped } = findFiles(asked.paths, asked.out)
  if (tasks.length === 0) {
    console.log(reportOf([], skipped))
    return 1
  }
  const rules = asked.onlyRules ? asked.rules : [...asked.rules, ...defaultRules]
  const outcomes = await anonymise(tasks, rules, { overwrite: asked.overwrite, taken: new Set() }, asked.url)
  console.log(reportOf(outcomes, skipped))
  return outcomes.some(hasFailed) ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  if (interrupted === undefined)
    console.error(error instanceof Inconvenience ? error.message : `The run failed: ${(error as Error).message}`)
  process.exitCode = 2
}
if (interrupted !== undefined) process.exitCode = interrupted
