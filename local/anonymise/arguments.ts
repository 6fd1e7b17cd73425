import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Inconvenience } from '../lock.ts'
import { parseRule, type RuleAndText } from './rules.ts'

/** How the command is used. */
export const USAGE = `npm run anonymise -- FILE|FOLDER... [options]

Anonymises files with the models and patterns that ship with the service. letter.txt becomes letter.anonymised.txt
beside it; the files of letters/ keep their names and their tree in letters.anonymised/.

  --rule NAME=PATTERN=TEXT  replaces what the regular expression finds as well; may be given several times
  --only-rules              replaces nothing but what --rule names
  --out FOLDER              writes there instead; folders keep their names and their tree in it
  --overwrite               replaces outputs that exist; else they stay, and their files are left out
  --url URL                 uses the service at this address, and no other; else the one on this machine, or one
                            that is started for this run and removed after it
  --help                    shows this

A service beyond this machine asks for ANONYMISE_EMAIL and ANONYMISE_PASSWORD in the environment. Ctrl-C removes
whatever the run has made but finished outputs.

Exit status: 0 all files are anonymised or left out, 1 some failed, 2 the command can't be carried out, 130 interrupted.`

/** What the command line asks for; `help` stands alone. */
export type Arguments = {
  paths: string[]
  rules: RuleAndText[]
  onlyRules: boolean
  out: string | undefined
  overwrite: boolean
  url: string | undefined
}

/** The arguments, or `help`; what is wrong with them is thrown in plain words. Paths are taken from the folder `from`. */
export function readArguments(given: string[], from: string): Arguments | 'help' {
  const { positionals, values } = parse(given)
  if (values.help) return 'help'
  const rules = values.rule?.map(parseRule) ?? []
  const onlyRules = values['only-rules'] ?? false
  if (positionals.length === 0) throw new Inconvenience(`Name a file or a folder.\n\n${USAGE}`)
  if (onlyRules && rules.length === 0) throw new Inconvenience('--only-rules needs at least one --rule')
  return {
    paths: positionals.map(path => resolve(from, path)),
    rules,
    onlyRules,
    out: values.out === undefined ? undefined : resolve(from, values.out),
    overwrite: values.overwrite ?? false,
    url: values.url === undefined ? undefined : readUrl(values.url),
  }
}

function parse(args: string[]) {
  const flag = { type: 'boolean' } as const
  const text = { type: 'string' } as const
  try {
    const rule = { ...text, multiple: true } as const
    const options = { rule, 'only-rules': flag, out: text, overwrite: flag, url: text, help: flag } as const
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw new Inconvenience(`${(error as Error).message}\n\n${USAGE}`)
  }
}

/** The base URL of a service; credentials and files go unencrypted to this machine only. */
function readUrl(text: string): string {
  const url = URL.parse(text)
  const local = url?.protocol === 'http:' && isLoopback(url.href)
  if (!url || !(local || url.protocol === 'https:') || url.username || url.search || url.hash) {
    throw new Inconvenience(`--url must be an https address, or http on this machine, not ${JSON.stringify(text)}`)
  }
  return `${url.origin}${url.pathname.replace(/\/(api\/?)?$/, '')}`
}

/** Whether an address is one of this machine. */
export const isLoopback = (url: string): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)
