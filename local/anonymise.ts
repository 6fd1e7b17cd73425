import { reasonOf, runCommand, statuses } from './anonymise/main.ts'
import { runProxy } from './proxy/main.ts'
import { onSignal } from './signals.ts'

const [command, ...rest] = process.argv.slice(2)
const isProxy = command === 'proxy'
const stopping = new AbortController()
let interrupted: number | undefined
onSignal(status => {
  interrupted = status
  process.stderr.write(isProxy ? '\nStopping ...\n' : '\nRemoving what this run has begun ...\n')
  stopping.abort(new Error('interrupted'))
})
// Whoever reads the output may stop reading: that is no failure.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit(0)
  throw error
})

try {
  // npm runs scripts in the folder of the project; paths are meant from where it was called.
  const { npm_lifecycle_event, INIT_CWD } = process.env
  const from = npm_lifecycle_event === 'anonymise' && INIT_CWD ? INIT_CWD : process.cwd()
  const { stdin, stdout, stderr, env: environment } = process
  const around = { from, environment, stdin, stdout, stderr, signal: stopping.signal }
  process.exitCode = isProxy ? await runProxy(rest, around) : await runCommand(process.argv.slice(2), around)
} catch (error) {
  if (interrupted === undefined) process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = statuses.refused
}
if (interrupted !== undefined) process.exitCode = interrupted
