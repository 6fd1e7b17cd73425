import { existsSync, globSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { UserError } from '../lock.ts'
import { parseModel, parseRule, readWorkflow } from './choices.ts'
import type { Choices } from './plan.ts'

/** How the command is used. */
export const USAGE = `anonymise FILE|FOLDER|GLOB|-... [options]
anonymise proxy --upstream URL [options]   (anonymise proxy --help)
anonymise mcp [FOLDER...] [options]        (anonymise mcp --help)

Anonymises files on this machine; nothing leaves it. letter.txt becomes
letter.anonymised.txt beside it; the files of letters/ keep their names and
their tree in letters.anonymised/; - reads standard input and writes standard
output. The preset "default" replaces what the shipped models and patterns find.

What to look for
  --preset ID               a shipped set of rules; --preset list shows them
  --rule NAME=PATTERN=TEXT  replaces what the regular expression finds as well
  --only-rules              nothing but what --rule names
  --model ID[@VERSION][:LABEL,...]
                            a model, in place of the preset unless one is named
  --models FOLDER           where models of one's own lie
  --workflow FILE.json      rules as GET /presets/ID shows them

How to read
  --encoding NAME           the encoding of all texts and tables, such as
                            windows-1250, where it is not told rightly

Where to write
  -o, --out PATH            a folder, or for a single file a file; - for standard
                            output
  --overwrite               replaces outputs that exist; else they stay, and
                            their files are left out

What to show
  --dry-run                 writes nothing, lists what would be replaced, and
                            ends with status 3 if there is anything
  --diff                    shows each value and what stands in its place
  --json                    the report as JSON; with --sarif as SARIF 2.1.0
  --quiet                   no bar, and no report but of failures

  --url URL                 uses the service at this address, and nothing else;
                            it asks for ANONYMISE_KEY, or ANONYMISE_EMAIL and
                            ANONYMISE_PASSWORD (and ANONYMISE_CODE, of a
                            second factor), in the environment, unless it is
                            on this machine
  --receipts                with --url: waits some minutes until the service has
                            written the certificates into its log, and saves the
                            receipts beside them
  --help                    shows this

Exit status: 0 all files are anonymised or left out, 1 some failed, 2 the command
can't be carried out, 3 a dry run has found something, 130 interrupted.`

/** How results are shown. */
export type Showing = { as: 'text' | 'json' | 'sarif'; diff: boolean; quiet: boolean }

/** What the command line asks for. */
export type Arguments = {
  /** Paths of files and folders; none where standard input is read. */
  paths: string[]
  choices: Choices
  /** Where outputs go: beside their files, into a folder, into one file, or to standard output. */
  out: { to: 'beside' } | { to: 'folder' | 'file'; path: string } | { to: 'stdout' }
  /** What texts and tables are stored in, where it is not to be told by their bytes. */
  encoding: string | undefined
  overwrite: boolean
  dryRun: boolean
  showing: Showing
  url: string | undefined
  /** Whether to wait for the receipts of the certificates. */
  receipts: boolean
}

/** The arguments, or what is asked to be shown instead; what is wrong with them is thrown in plain words. */
export function readArguments(given: string[], from: string): Arguments | 'help' | 'presets' {
  const { positionals, values } = parse(given)
  if (values.help) return 'help'
  if (values.preset === 'list') return 'presets'
  if (positionals.length === 0) throw new UserError('Give a file or a folder, or - for standard input; see --help')
  const reads = positionals.includes('-')
  if (reads && positionals.length > 1) throw new UserError("- for standard input can't be combined with other paths")
  const choices = choicesOf(values, from)
  const showing = showingOf(values)
  const dryRun = values['dry-run'] ?? false
  const paths = reads ? [] : positionals.flatMap(path => expand(path, from))
  const out = outOf(values.out, { from, reads, paths, dryRun })
  if (out.to === 'stdout' && !dryRun && (showing.as !== 'text' || showing.diff))
    throw new UserError(
      'Standard output can hold the output or a report: leave --json, --sarif and --diff away, or use -o',
    )
  const url = values.url === undefined ? undefined : readUrl(values.url)
  if (url && (reads || dryRun || showing.diff || values.models || out.to === 'file'))
    throw new UserError(
      'With --url there is no -, --dry-run, --diff, --models and no -o FILE: these work on this machine only',
    )
  const receipts = values.receipts ?? false
  if (receipts && !url) throw new UserError('--receipts are given by a service: name it by --url')
  const { encoding, overwrite = false } = values
  return { paths, choices, out, encoding, overwrite, dryRun, showing, url, receipts }
}

type Values = ReturnType<typeof parse>['values']

const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const
const many = { ...text, multiple: true } as const

/** The options that say what to look for. */
export const lookOptions = {
  preset: text,
  rule: many,
  'only-rules': flag,
  model: many,
  models: text,
  workflow: text,
} as const

function parse(args: string[]) {
  const shows = {
    'dry-run': flag,
    diff: flag,
    json: flag,
    sarif: flag,
    quiet: flag,
    help: { ...flag, short: 'h' },
  } as const
  const options = {
    ...lookOptions,
    ...shows,
    out: { ...text, short: 'o' },
    encoding: text,
    overwrite: flag,
    url: text,
    receipts: flag,
  } as const
  try {
    const parsed = parseArgs({ args, allowPositionals: true, options, tokens: true })
    const once = ['preset', 'models', 'workflow', 'encoding', 'out', 'url']
    for (const name of once) {
      const times = parsed.tokens.filter(token => token.kind === 'option' && token.name === name)
      if (times.length > 1) throw new UserError(`--${name} can be given once only`)
    }
    return parsed
  } catch (error) {
    if (error instanceof UserError) throw error
    throw new UserError(`${(error as Error).message.split('. To specify')[0]}; --help shows the options`)
  }
}

/** What is to be looked for. */
export function choicesOf(values: Pick<Values, keyof typeof lookOptions>, from: string): Choices {
  const rules = (values.rule ?? []).map(parseRule)
  const models = (values.model ?? []).map(parseModel)
  const onlyRules = values['only-rules'] ?? false
  if (onlyRules && rules.length === 0) throw new UserError('--only-rules needs at least one --rule')
  if (onlyRules && (values.preset || values.model || values.workflow))
    throw new UserError('--only-rules leaves nothing to --preset, --model and --workflow: leave one of them away')
  if (values.workflow && values.preset) throw new UserError('Give --workflow or --preset, not both')
  const workflow = values.workflow === undefined ? undefined : readWorkflow(resolve(from, values.workflow))
  const preset = values.preset ?? (onlyRules || workflow || models.length > 0 ? undefined : 'default')
  const folder = values.models === undefined ? undefined : resolve(from, values.models)
  if (folder && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(`--models must be a folder: there is none at ${folder}`)
  return { preset, rules, models, workflow, folder }
}

function showingOf({ json, sarif, diff, quiet, ...values }: Values): Showing {
  if (json && sarif) throw new UserError('Give --json or --sarif, not both')
  if (sarif && !values['dry-run']) throw new UserError('--sarif reports what a --dry-run finds: give both')
  if (diff && (json || sarif)) throw new UserError('--diff is for people: leave --json and --sarif away')
  if (quiet && diff) throw new UserError('Give --quiet or --diff, not both')
  return { as: json ? 'json' : sarif ? 'sarif' : 'text', diff: diff ?? false, quiet: quiet ?? false }
}

type Inputs = { from: string; reads: boolean; paths: string[]; dryRun: boolean }

function outOf(out: string | undefined, { from, reads, paths, dryRun }: Inputs): Arguments['out'] {
  if (dryRun && out !== undefined) throw new UserError('A --dry-run writes nothing: leave -o away')
  if (out === '') throw new UserError('-o needs a path')
  if (out === undefined) return reads ? { to: 'stdout' } : { to: 'beside' }
  const [first] = paths
  const isSingle = reads || (paths.length === 1 && statSync(first!, { throwIfNoEntry: false })?.isFile() === true)
  if (out === '-') {
    if (!isSingle) throw new UserError('-o - takes one file only')
    return { to: 'stdout' }
  }
  const path = resolve(from, out)
  const known = statSync(path, { throwIfNoEntry: false })
  if (known?.isFile() && !isSingle) throw new UserError(`-o must be a folder for several files, and ${path} is a file`)
  if (known && !known.isFile() && !known.isDirectory())
    throw new UserError(`-o must be a folder or a file, and ${path} is neither`)
  const isFile =
    isSingle && !known?.isDirectory() && !out.endsWith('/') && (reads || known !== undefined || extname(path) !== '')
  if (isFile && first === path)
    throw new UserError('The output would replace its own input: choose another path for -o')
  return { to: isFile ? 'file' : 'folder', path }
}

/** A path, or what a pattern matches that no shell has expanded. */
function expand(path: string, from: string): string[] {
  if (path === '') throw new UserError('A path is empty')
  const whole = resolve(from, path)
  if (existsSync(whole) || !/[*?[{]/.test(path)) return [whole]
  const found = globSync(path, { cwd: from }).sort()
  if (found.length === 0) throw new UserError(`Nothing matches ${path}`)
  return found.map(one => resolve(from, one))
}

/** The base URL of a service; credentials and files go unencrypted to this machine only. */
export function readUrl(text: string): string {
  const url = URL.parse(text)
  const local = url?.protocol === 'http:' && isLoopback(url.href)
  if (!url || !(local || url.protocol === 'https:') || url.username || url.search || url.hash) {
    throw new UserError(`--url must be an https address, or http on this machine, not ${JSON.stringify(text)}`)
  }
  return `${url.origin}${url.pathname.replace(/\/(api\/?)?$/, '')}`
}

/** Whether an address is one of this machine. */
export const isLoopback = (url: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
