import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { choicesOf, isLoopback, lookOptions } from '../anonymise/arguments.ts'
import type { Surroundings } from '../anonymise/main.ts'
import { checkModels, modelsFor, planOf } from '../anonymise/plan.ts'
import { UserError } from '../lock.ts'
import { createMasking } from './masking.ts'
import { startProxy, type Told } from './server.ts'

const USAGE = `anonymise proxy --upstream URL [options]

Stands between a program and a language model: what it sends has placeholders such
as PERSON_7QK2 in place of values, and what comes back has the values again.

  --upstream URL   the provider, such as https://api.openai.com or
                   https://api.anthropic.com; http on this machine only
  --port PORT      where it listens on this machine, 8787 unless said otherwise
  --quiet          tells nothing of requests
  --help           shows this

What is looked for is said by --preset, --rule, --only-rules, --model, --models and
--workflow, as without proxy.`

const options = {
  ...lookOptions,
  upstream: { type: 'string' },
  port: { type: 'string', default: '8787' },
  quiet: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h' },
} as const

/** Runs the proxy until it is stopped. Refuses what can't be carried out with a {@link UserError}. */
export async function runProxy(args: string[], { from, stdout, stderr, signal }: Surroundings): Promise<number> {
  const values = read(args)
  if (values.help) {
    stdout.write(`${USAGE}\n`)
    return 0
  }
  const upstream = readUpstream(values.upstream)
  const choices = choicesOf(values, from)
  const plan = planOf(choices)
  checkModels(plan, choices)
  const told = ({ method, path, status, replaced, milliseconds }: Told) =>
    stderr.write(`${method} ${path} ${status}, ${replaced} replaced, ${milliseconds} ms\n`)
  const { server, port } = await start({
    upstream,
    masking: createMasking({ plan, models: modelsFor(choices) }),
    port: readPort(values.port),
    ...(values.quiet ? {} : { told }),
  })
  stdout.write(
    `\n  OpenAI      base URL http://127.0.0.1:${port}/v1\n  Anthropic   base URL http://127.0.0.1:${port}\n`,
  )
  stdout.write(`  Upstream    ${upstream}\n\n  Ctrl-C stops it.\n\n`)
  if (!signal.aborted) await once(signal, 'abort')
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  return 0
}

function read(args: string[]) {
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    throw new UserError(`${(error as Error).message.split('. To specify')[0]}; --help shows the options`)
  }
}

async function start(settings: Parameters<typeof startProxy>[0]) {
  try {
    return await startProxy(settings)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new UserError(`Port ${settings.port} is in use: choose another one by --port`)
  }
}

/** The provider's address up to what stands before `/v1`; keys go unencrypted to this machine only. */
function readUpstream(text: string | undefined): string {
  if (text === undefined) throw new UserError('Give the address of the language model with --upstream URL; see --help')
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.href))
  if (!url || !isSafe || url.username || url.search || url.hash)
    throw new UserError('--upstream must be an https address, or http on this machine, without a query')
  return `${url.origin}${url.pathname.replace(/\/(?:v1\/?)?$/, '')}`
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new UserError('--port must be a number from 0 to 65535')
  return port
}
