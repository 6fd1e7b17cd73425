import { isObject } from './bytes.ts'
import type { Leaf, Statement } from './statement.ts'

/** What a report is made from: a certificate that was accepted, and nothing else. */
export type Certified = { statement: Statement; leaves: readonly Leaf[]; keyid: string }

type Cell = string | number | null | undefined

/** Text as HTML shows it: names of rules, labels and outputs may hold anything. */
const escaped = (text: Cell): string => String(text ?? '–').replace(/[&<>"']/g, char => `&#${char.charCodeAt(0)};`)

const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string => {
  const row = (cells: readonly Cell[], tag: string) =>
    `<tr>${cells.map(cell => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  return rows.length === 0
    ? '<p>None.</p>'
    : `<table>${row(head, 'th')}${rows.map(cells => row(cells, 'td')).join('')}</table>`
}

const section = (title: string, ...parts: readonly string[]): string =>
  `<section><h2>${title}</h2>${parts.join('')}</section>`

const objects = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(isObject) : [])
const object = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {})
const cell = (value: unknown): Cell => (typeof value === 'string' || typeof value === 'number' ? value : undefined)
const cells = (from: Record<string, unknown>, ...names: readonly string[]): Cell[] =>
  names.map(name => cell(from[name]))

/** Assets that a report shows one by one. */
const SHOWN = 200

function jobSection({ statement: { predicate } }: Certified): string {
  const { job, counts } = predicate
  const told = object(job)
  const [id, ownerId, mode, outcome, startedAt, finishedAt] = cells(
    told,
    ...['id', 'ownerId', 'mode', 'outcome', 'startedAt', 'finishedAt'],
  )
  const [assets, succeeded, failed, findings] = cells(object(counts), 'assets', 'succeeded', 'failed', 'findings')
  const inspected = mode === 'INSPECT'
  return section(
    'The job',
    table(
      ['', ''],
      [
        ['Job', id],
        ['Owner', ownerId],
        ['Purpose', inspected ? 'Only looked: no outputs were made' : 'Sensitive content was replaced'],
        ['Outcome', outcome],
        ['Started', startedAt],
        ['Ended', finishedAt],
        ['Files and tables', `${assets}: ${succeeded} processed, ${failed} failed`],
        [inspected ? 'Found' : 'Replaced', findings],
      ],
    ),
  )
}

function rulesSection({ statement: { predicate } }: Certified): string {
  const { rules, exclusions, preset } = object(predicate.workflow)
  const rows = objects(rules).map(({ name, detection, replacement }) => {
    const { type, modelId, modelVersion, confidenceThreshold } = object(detection)
    const how = type === 'AIMODEL' ? `model ${modelId} ${modelVersion}, from ${confidenceThreshold}` : cell(type)
    return [cell(name), how, cell(object(replacement).form), cell(object(replacement).scope)]
  })
  const [presetId, version] = cells(object(preset), 'id', 'version')
  return section(
    'What was looked for',
    presetId ? `<p>By the shipped workflow ${escaped(presetId)}, version ${escaped(version)}.</p>` : '',
    table(['Rule', 'Looks by', 'Replaced by', 'The same within'], rows),
    exclusions ? `<p>Values of ${escaped(cell(exclusions))} lists were left as they are.</p>` : '',
  )
}

function findingsSection({ statement: { predicate } }: Certified): string {
  const rows = objects(object(predicate.counts).labels).map(one => cells(one, 'label', 'count'))
  return section('What was found', table(['Label', 'Number'], rows))
}

function assetsSection({ leaves }: Certified): string {
  const rows = leaves.slice(0, SHOWN).map(leaf => {
    const found = objects(leaf.findings).reduce((sum, { count }) => sum + Number(count), 0)
    return [
      leaf.output?.name ?? leaf.assetId,
      ...cells(leaf, 'status', 'format', 'examined'),
      found,
      cell(leaf.searched),
    ]
  })
  const rest = leaves.length > SHOWN ? `<p>The first ${SHOWN} of ${leaves.length}.</p>` : ''
  const head = [
    'Output',
    'Status',
    'Format',
    'Characters or bytes examined',
    'Found',
    'Values searched for in the output',
  ]
  return section('Files and tables', rest, table(head, rows))
}

/** How often each word comes up, the most frequent first. */
function tally(words: readonly [word: string, count: number][]): [string, number][] {
  const counts = new Map<string, number>()
  for (const [word, count] of words) counts.set(word, (counts.get(word) ?? 0) + count)
  return [...counts].sort((a, b) => b[1] - a[1])
}

/** Confidence of text recognition below which a report warns. */
const DOUBTFUL = 0.5

function limitsSection({ leaves }: Certified): string {
  const list = (value: unknown) => (Array.isArray(value) ? value : [])
  const dropped = leaves.flatMap(leaf =>
    objects(leaf.dropped).map(({ what, count }): [string, number] => [`left out: ${what}`, Number(count)]),
  )
  const failed = leaves.flatMap(leaf => list(leaf.errors).map((type): [string, number] => [`failed: ${type}`, 1]))
  const pixels = leaves.map((leaf): [string, number] => ['pages that became pictures', list(leaf.rasterised).length])
  const warned = leaves.map((leaf): [string, number] => [
    'warnings in the reports of files',
    Number(leaf.warnings ?? 0),
  ])
  const doubtful = leaves.map((leaf): [string, number] => {
    const { confidence } = object(leaf.ocr)
    return [
      'files whose pictures could hardly be read',
      typeof confidence === 'number' && confidence < DOUBTFUL ? 1 : 0,
    ]
  })
  const rows = tally([...failed, ...dropped, ...pixels, ...doubtful, ...warned]).filter(([, count]) => count > 0)
  return section(
    'What was not done',
    '<p>Rules find what they describe and models what they have learnt: something may have been overlooked. Nothing is said of ' +
      'persons who can be recognised by what stands in the text without being named.</p>',
    table(['', 'Number'], rows),
  )
}

const percent = (value: unknown): Cell => (typeof value === 'number' ? `${Math.round(value * 1000) / 10} %` : undefined)

/** A bar as long as a share. */
const bar = (share: unknown): string => {
  const width = typeof share === 'number' ? Math.round(Math.min(1, Math.max(0, share)) * 200) : 0
  return `<svg width="200" height="12" role="img"><rect width="200" height="12" fill="#ddd"/><rect width="${width}" height="12" fill="#36c"/></svg>`
}

function riskSection({ leaves }: Certified): string {
  const measured = leaves.filter(({ risk }) => isObject(risk))
  const tables = measured.map(({ output, assetId, risk }) => {
    const { quasiIdentifiers, threshold, before, after } = object(risk)
    const rows = [before, after].map((figures, n) => {
      const { prosecutor, uniqueness, records, k } = object(figures)
      const { highest, average, recordsAtRisk } = object(prosecutor)
      const told = [
        n === 0 ? 'before' : 'after',
        cell(records),
        cell(k),
        ...[uniqueness, highest, average, recordsAtRisk].map(percent),
      ]
      return `<tr>${told.map(one => `<td>${escaped(one)}</td>`).join('')}<td>${bar(average)}</td></tr>`
    })
    const head = [
      '',
      'Records',
      'k',
      'Unique',
      'Highest risk',
      'Average risk',
      `Above ${percent(threshold)}`,
      'Average risk',
    ]
    const columns = Array.isArray(quasiIdentifiers) ? quasiIdentifiers.join(', ') : ''
    return `<h3>${escaped(output?.name ?? assetId)}</h3><p>By the columns ${escaped(columns)}.</p><table><tr>${head.map(one => `<th>${escaped(one)}</th>`).join('')}</tr>${rows.join('')}</table>`
  })
  return section('Risk of being recognised', tables.length === 0 ? '<p>Was not measured.</p>' : tables.join(''))
}

function checksSection({ statement: { predicate }, keyid }: Certified): string {
  const { reader, compared, searched } = object(predicate.verification)
  const programs = objects(predicate.engines).map(engine => [
    ...cells(engine, 'version', 'bundle'),
    objects(engine.models)
      .map(({ modelId, modelVersion, sha256 }) => `${modelId} ${modelVersion} ${sha256 ?? ''}`)
      .join('; '),
  ])
  const approvals = objects(object(predicate.review).approvals).map(({ at }) => cell(at) ?? '')
  return section(
    'What was checked',
    table(
      ['Every output, before it was stored', ''],
      [
        ['Read by', cell(reader)],
        ['Compared', cell(compared)],
        ['Searched', cell(searched)],
      ],
    ),
    predicate.review === null
      ? '<p>No review by people was asked for.</p>'
      : `<p>Released by people: ${escaped(approvals.join(', ') || 'nobody')}.</p>`,
    table(['Program', 'Digest', 'Models'], programs),
    `<p>Signed by the key ${escaped(keyid)}.</p>`,
  )
}

const blank = (...lines: readonly string[]): string =>
  table(
    ['', ''],
    lines.map(line => [line, ' ']),
  )

const templates = (): string =>
  section(
    'For an expert’s determination',
    blank(
      'Method and data set',
      'Recipients and their environment',
      'Risk that is accepted, and why',
      'Determination',
      'Valid until',
      'Name, date, signature',
    ),
  ) +
  section(
    'Annex to a data protection impact assessment',
    '<p>Unless the determination above says otherwise, the outputs are pseudonymised: they stay personal data (GDPR, Art. 4(5)).</p>',
    blank(
      'Purpose of the processing',
      'Who could recognise persons, and by what',
      'Measures besides this one',
      'Remaining risk',
      'Name, date, signature',
    ),
  )

const style =
  'body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em}table{border-collapse:collapse;margin:.5em 0;width:100%}' +
  'td,th{border:1px solid #bbb;padding:.2em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}td:empty{height:2em}section{break-inside:avoid-page}'

/** A report for people as a page of HTML that loads nothing: what was looked for, found, checked and not done. */
export function reportOf(certified: Certified): string {
  const sections = [jobSection, rulesSection, findingsSection, assetsSection, limitsSection, riskSection, checksSection]
  const body = sections.map(make => make(certified)).join('')
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>Report of a job</title><style>${style}</style></head><body><h1>Report of a job</h1>${body}${templates()}</body></html>\n`
}
