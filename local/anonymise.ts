import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Surroundings } from './anonymise/main.ts'
import { onSignal } from './signals.ts'

// Compiled code is kept, so that the command starts in two thirds of the time from its second run on.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))

// Left to itself V8 lets the heap grow to three times what is needed before it collects what is left of files that are done.
setFlagsFromString('--heap-growing-percent=60')

const { reasonOf, runCommand, statuses } = await import('./anonymise/main.ts')

/** What runs until it is stopped. */
const servers: Record<string, (args: string[], around: Surroundings) => Promise<number>> = {
  proxy: async (args, around) => (await import('./proxy/main.ts')).runProxy(args, around),
  mcp: async (args, around) => (await import('./mcp/main.ts')).runMcp(args, around),
}
const [command = '', ...rest] = process.argv.slice(2)
const server = Object.hasOwn(servers, command) ? servers[command] : undefined
const stopping = new AbortController()
let interrupted: number | undefined
onSignal(status => {
  interrupted = status
  process.stderr.write(server ? '\nStopping ...\n' : '\nRemoving what this run has begun ...\n')
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
  process.exitCode = await (server ? server(rest, around) : runCommand(process.argv.slice(2), around))
} catch (error) {
  if (interrupted === undefined) process.stderr.write(`${reasonOf(error)}\n`)
  process.exitCode = statuses.refused
}
if (interrupted !== undefined) process.exitCode = interrupted
