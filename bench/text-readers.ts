import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { guarded } from './guarded.ts'
import type { Job, Outcome } from './text-readers-child.ts'

// What other programs read in messages, pages, calendars, RTF, notebooks, tables and other texts that were anonymised: five
// words of each, as `text-readers.py` reads it, are replaced, and it must find none of them in the output, but all others.
// `PYTHON` names a Python with what that file needs. Arguments: folders; figures come for each kind of file.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Kinds of files that are taken, as below. */
    kinds: { type: 'string', default: 'html,eml,rtf,ics,ipynb,md,csv,json,xml,txt' },
    /** Every so many-th file is taken. */
    every: { type: 'string', default: '1' },
    /** Seconds of processor time after which a file is given up. */
    seconds: { type: 'string', default: '60' },
    /** Whether files are told of whose report says what was left out, where only that is missing. */
    all: { type: 'boolean', default: false },
  },
})

/** Kinds by the ends of names. */
const kindOf: Record<string, string> = {
  ...{ html: 'html', htm: 'html', xhtml: 'html', eml: 'eml', mht: 'eml', mhtml: 'eml', rtf: 'rtf', ipynb: 'ipynb' },
  ...{ ics: 'ics', vcf: 'ics', vcs: 'ics', md: 'md', markdown: 'md', csv: 'csv', tsv: 'csv', json: 'json' },
  ...{
    geojson: 'json',
    xml: 'xml',
    svg: 'xml',
    rss: 'xml',
    atom: 'xml',
    kml: 'xml',
    gpx: 'xml',
    txt: 'txt',
    log: 'txt',
  },
}

const jobsIn = (folder: string): Job[] => {
  if (existsSync(folder))
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .flatMap(name => {
        const kind = kindOf[name.split('.').at(-1)!.toLowerCase()]
        return kind && values.kinds.split(',').includes(kind) ? [{ path: join(folder, name), kind }] : []
      })
  console.log(`skipped: ${folder} is not there`)
  return []
}

const needed = 'import bs4, html5lib, lxml, markdown_it, striprtf'
if (spawnSync(process.env.PYTHON ?? 'python3', ['-c', needed]).status !== 0) {
  console.log('skipped: no Python with beautifulsoup4, html5lib, lxml, markdown-it-py and striprtf is here')
  process.exit(0)
}

const { check, close } = guarded<Job, Outcome>(
  fileURLToPath(new URL('text-readers-child.ts', import.meta.url)),
  Number(values.seconds),
)

const none = () => ({ files: 0, slow: 0, leaking: 0, left: 0, lacking: 0, missing: 0, words: 0, seconds: 0 })
type Figures = ReturnType<typeof none> & { became: Record<string, number> }
const figures: Record<string, Figures> = {}

const note = (kind: string, { kind: became, seconds, left = [], missing = [], words = 0, dropped = [] }: Outcome) => {
  figures[kind] ??= { ...none(), became: {} }
  const own = figures[kind]
  own.files++
  own.seconds += seconds
  own.words += words
  own.left += left.length
  own.missing += missing.length
  if (seconds > 10) own.slow++
  if (left.length > 0) own.leaking++
  if (missing.length > 0 && dropped.length === 0) own.lacking++
  own.became[became] = (own.became[became] ?? 0) + 1
}

const jobs = positionals.flatMap(jobsIn).filter((_, i) => i % Number(values.every) === 0)
for (const job of jobs) {
  const outcome: Outcome = await check(job)
  note(job.kind, outcome)
  const { kind, left = [], missing = [], dropped = [], ...more } = outcome
  const isTold = missing.length > 0 && (values.all || dropped.length === 0)
  if (kind !== 'clean' || left.length > 0 || isTold || outcome.seconds > 10)
    console.log(JSON.stringify({ path: job.path, kind, left, missing: missing.slice(0, 20), dropped, ...more }))
}
for (const [kind, { became, seconds, ...counts }] of Object.entries(figures))
  console.log(`${kind} ${JSON.stringify({ ...counts, seconds: Math.round(seconds) })} ${JSON.stringify(became)}`)
close()
