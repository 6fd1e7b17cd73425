import { blank, cell, cells, facts, list, object, objects, paragraph, percent, section, table } from './report-parts.ts'
import { isLow, riskSection } from './report-risk.ts'
import type { Leaf, Statement } from './statement.ts'

/** What a report is made from: a certificate that was accepted, and nothing else. */
export type Certified = { statement: Statement; leaves: readonly Leaf[]; keyid: string }

/** Assets that a report shows one by one. */
const SHOWN = 200

function jobSection({ statement: { predicate }, leaves }: Certified): string {
  const { job, counts } = predicate
  const told = object(job)
  const [id, ownerId, outcome, startedAt, finishedAt] = cells(
    told,
    ...['id', 'ownerId', 'outcome', 'startedAt', 'finishedAt'],
  )
  const [assets, succeeded, failed, findings] = cells(object(counts), 'assets', 'succeeded', 'failed', 'findings')
  const inspected = told.mode === 'INSPECT'
  return section(
    'The job',
    facts([
      ['Job', id],
      ['Owner', ownerId],
      ['What it did', inspected ? 'Only looked: no outputs were made' : 'Replaced sensitive content'],
      ['Outcome', outcome],
      ['Started', startedAt],
      ['Ended', finishedAt],
      ['Files and tables', `${assets}: ${succeeded} processed, ${failed} failed`],
      [inspected ? 'Found' : 'Replaced', findings],
    ]),
    inspected ? '' : standing(leaves),
  )
}

/** What the outputs are called: no more than the figures allow. */
function standing(leaves: readonly Leaf[]): string {
  if (!isLow(leaves))
    return paragraph('The outputs are pseudonymised. Unless an expert determines otherwise, they stay personal data.')
  return paragraph(
    'The outputs are pseudonymised. No record of their tables is above the threshold of risk any more: an expert may determine, ' +
      'for given recipients and their means, that they are anonymised. Until then they stay personal data.',
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
    presetId ? paragraph(`By the shipped workflow ${presetId}, version ${version}.`) : '',
    table(['Rule', 'Looks by', 'Replaced by', 'The same within'], rows),
    exclusions ? paragraph(`Values of ${cell(exclusions)} lists were left as they are.`) : '',
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
  const rest = leaves.length > SHOWN ? paragraph(`The first ${SHOWN} of ${leaves.length}.`) : ''
  const head = ['Output', 'Status', 'Format', 'Characters or bytes examined', 'Found', 'Values searched for']
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
/** Names of files that a sentence tells at most. */
const NAMED = 20

const isDoubtful = (leaf: Leaf): boolean => {
  const { confidence } = object(leaf.ocr)
  return typeof confidence === 'number' && confidence < DOUBTFUL
}

/** In which languages models looked, and what becomes of text in others. */
function languagesOf({ statement: { predicate } }: Certified): string {
  const models = objects(predicate.engines).flatMap(({ models }) => objects(models))
  const sentences = models.flatMap(({ modelId, modelVersion, languages }) => {
    const name = `The model ${cell(modelId)} ${cell(modelVersion)}`
    if (!Array.isArray(languages)) return [`${name} does not say which languages it was made for.`]
    return languages.length === 0 ? [] : [`${name} was made for text in ${languages.join(', ')}.`]
  })
  if (sentences.length === 0)
    return paragraph(
      'No model of a language took part: names and places were found only where a rule says what they look like.',
    )
  const others =
    'In text of other languages it may find little, and only patterns and lists of words find what they do elsewhere.'
  return paragraph([...new Set(sentences), others].join(' '))
}

function doubtfulOf(leaves: readonly Leaf[]): string {
  const names = leaves.filter(isDoubtful).map(({ output, assetId }) => output?.name ?? assetId)
  if (names.length === 0) return ''
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return paragraph(
    `The pictures in these files could hardly be read (confidence below ${percent(DOUBTFUL)}), so words in them may have been ` +
      `overlooked: ${names.slice(0, NAMED).join(', ')}${more}.`,
  )
}

function limitsSection(certified: Certified): string {
  const { leaves } = certified
  const dropped = leaves.flatMap(leaf =>
    objects(leaf.dropped).map(({ what, count }): [string, number] => [`left out: ${what}`, Number(count)]),
  )
  const failed = leaves.flatMap(leaf => list(leaf.errors).map((type): [string, number] => [`failed: ${type}`, 1]))
  const pixels = leaves.map((leaf): [string, number] => ['pages that became pictures', list(leaf.rasterised).length])
  const warned = leaves.map((leaf): [string, number] => [
    'warnings in the results of files',
    Number(leaf.warnings ?? 0),
  ])
  const doubtful = leaves.map((leaf): [string, number] => [
    'files whose pictures could hardly be read',
    isDoubtful(leaf) ? 1 : 0,
  ])
  const rows = tally([...failed, ...dropped, ...pixels, ...doubtful, ...warned]).filter(([, count]) => count > 0)
  return section(
    'What was not done',
    paragraph(
      'Rules find what they describe and models what they have learnt: something may have been overlooked. Nothing is said of ' +
        'persons who can be recognised by what stands in the text without being named.',
    ),
    languagesOf(certified),
    doubtfulOf(leaves),
    table(['What else', 'Number'], rows),
  )
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
    '<p>Of every output, before it was stored:</p>',
    facts([
      ['Read by', cell(reader)],
      ['Compared', cell(compared)],
      ['Searched', cell(searched)],
    ]),
    predicate.review === null
      ? '<p>No review by people was asked for.</p>'
      : paragraph(`Released by people: ${approvals.join(', ') || 'nobody'}.`),
    table(['Program', 'Digest', 'Models'], programs),
    paragraph(`Signed by the key ${keyid}.`),
  )
}

const determination = (): string =>
  section(
    'For an expert’s determination',
    '<p>To be filled in by an expert, for instance under HIPAA, 45 CFR 164.514(b)(1). The service has decided nothing of this.</p>',
    blank([
      'Method and data set',
      'Recipients and their environment',
      'Means they are likely to use',
      'Risk that is accepted, and why',
      'Determination',
      'Valid until',
      'Name and qualification',
      'Date and signature',
    ]),
  )

const assessment = (): string =>
  section(
    'Annex to a data protection impact assessment',
    '<p>Unless a determination says otherwise, the outputs stay personal data (GDPR, Art. 4(5)).</p>',
    blank([
      'Purpose of the processing',
      'Legal basis',
      'Who could recognise persons, and by what',
      'Measures besides this one',
      'Remaining risk',
      'Name and role',
      'Date and signature',
    ]),
  )

const style =
  ':root{color-scheme:light}body{font:15px/1.5 system-ui,sans-serif;color:#1b1d21;background:#fff;max-width:56rem;margin:2rem auto;padding:0 1rem}' +
  'h1{font-size:1.8rem;margin:0 0 .2rem}h2{font-size:1.25rem;margin:2.2rem 0 .5rem;padding-bottom:.2rem;border-bottom:2px solid #1d5fb8;break-after:avoid}' +
  'h3{margin:1.5rem 0 .2rem;break-after:avoid;overflow-wrap:anywhere}p{margin:.5rem 0;overflow-wrap:anywhere}' +
  'table{border-collapse:collapse;margin:.6rem 0;width:100%}th,td{border:1px solid #c4c7cc;padding:.25rem .5rem;text-align:left;vertical-align:top;overflow-wrap:anywhere}' +
  'th{background:#f1f3f5;font-weight:600}th,td{min-width:6rem}section{overflow-x:auto}tr,figure{break-inside:avoid}.facts th{width:30%;min-width:8rem}.blank td{height:2.4rem}' +
  'figure{margin:1rem 0}figcaption{font-weight:600}svg{max-width:100%;height:auto;font:12px system-ui,sans-serif}' +
  '@page{size:A4;margin:16mm}@media print{section{overflow:visible}body{font-size:10.5pt;margin:0;max-width:none;padding:0}.form{break-before:page}h2{margin-top:1.4rem}*{print-color-adjust:exact}}'

/** A report for people as a page of HTML that loads nothing: what was looked for, found, checked and not done. */
export function reportOf(certified: Certified): string {
  const sections = [jobSection, rulesSection, findingsSection, limitsSection]
  const body = [
    ...sections.map(make => make(certified)),
    riskSection(certified.leaves),
    ...[checksSection, assetsSection].map(make => make(certified)),
    ...[determination(), assessment()].map(form => `<div class="form">${form}</div>`),
  ]
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>Report of a job</title><style>${style}</style>`
  const origin = paragraph(
    'Made from the certificate of the job and from nothing else, after its signature was checked.',
  )
  return `<!doctype html><html lang="en"><head>${head}</head><body><main><h1>Report of a job</h1>${origin}${body.join('')}</main></body></html>\n`
}
