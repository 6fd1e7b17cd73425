import { Console } from 'node:console'
import type { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { choicesOf, lookOptions, readUrl } from '../anonymise/arguments.ts'
import type { Surroundings } from '../anonymise/main.ts'
import { checkModels, modelsFor, planOf } from '../anonymise/plan.ts'
import { inRun } from '../anonymise/run.ts'
import { openService } from '../anonymise/service.ts'
import { ruleOf } from '../anonymise/there.ts'
import { UserError } from '../lock.ts'
import { openRoots } from './roots.ts'
import { createServer, type Tools } from './server.ts'
import { createWork } from './work.ts'
import { createWorkThere } from './work-there.ts'

const USAGE = `anonymise mcp [FOLDER...] [options]

Serves the Model Context Protocol on standard input and output: a language model's
program can have texts and files anonymised, without what stands in the files ever
reaching the model.

  FOLDER...   only files in these folders are read and written; the current one
              unless said otherwise
  --restore   puts placeholders such as PERSON_7QK2 in place of all values, and
              offers to put them back in files
  --url URL   has the work done by the service at this address, whose workflows the
              model can list and name; as without mcp, it asks for
              ANONYMISE_EMAIL and ANONYMISE_PASSWORD in the environment
  --help      shows this

What is looked for is said by --preset, --rule, --only-rules, --model, --models and
--workflow, as without mcp; the model can't change it unless there is a --url.`

const options = {
  ...lookOptions,
  restore: { type: 'boolean', default: false },
  url: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Serves until standard input ends or the run is stopped. Refuses what can't be carried out with a {@link UserError}. */
export async function runMcp(args: string[], around: Surroundings): Promise<number> {
  const { from, stdout, environment } = around
  const { values, positionals } = read(args)
  if (values.help) {
    stdout.write(`${USAGE}\n`)
    return 0
  }
  const roots = openRoots(positionals, from)
  const choices = choicesOf(values, from)
  const plan = planOf(choices)
  checkModels(plan, choices)
  const { restore: restores, url } = values
  const { preset } = choices
  if (url === undefined)
    return serve({ work: createWork({ plan, models: modelsFor(choices), restores, preset }), roots }, around)
  if (restores || values.models) throw new UserError('With --url there is no --restore and no --models')
  const client = await openService(readUrl(url), environment)
  return inRun(client, plan.rules.map(ruleOf), run => serve({ work: createWorkThere(run, preset), roots }, around))
}

async function serve(tools: Tools, { stdin, stdout, stderr, signal }: Surroundings): Promise<number> {
  // Standard output belongs to the protocol: what a library prints goes elsewhere.
  globalThis.console = new Console(stderr as Writable)
  const transport = new StdioServerTransport(stdin as Readable, stdout as Writable)
  const serving = serveStdio(() => createServer(tools), { transport })
  const ended = Promise.withResolvers<void>()
  const { onclose } = transport
  transport.onclose = () => {
    onclose?.()
    ended.resolve()
  }
  signal.addEventListener('abort', () => ended.resolve())
  await ended.promise
  await serving.close()
  const { readableEnded, destroyed } = stdin as Readable
  if (signal.aborted || readableEnded || destroyed) return 0
  throw new UserError('A message was larger than 10 MiB, so the server has ended')
}

function read(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new UserError(`${(error as Error).message.split('. To specify')[0]}; --help shows the options`)
  }
}
