import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { folderSource } from '../shared/engine/models/classifier.ts'
import { loadModel } from '../shared/engine/models/load-model.ts'
import type { Found } from '../shared/engine/models/model.ts'
import { patternSource } from '../shared/engine/recognisers/index.ts'
import { measureChecksums } from '../test/engine/recognisers/measure.ts'
import { type Delivered, type Doc, deliver, measureDelivered, usual } from './delivered.ts'

/**
 * Measures what the shipped models find on open development sets, beside a baseline where there is one, and how fast.
 * `npm run bench:models` (needs the data beside the project; without it only the speed is measured).
 */
const { values } = parseArgs({
  options: {
    models: { type: 'string' },
    boot: { type: 'string', default: '1000' },
    only: { type: 'string' },
    // Another graph of the same inputs, timed in turn with that of pii-ner.
    beside: { type: 'string' },
  },
})
const shared = join(import.meta.dirname, '../../shared')
const open = join(shared, 'data/open')
const scratch = mkdtempSync(join(tmpdir(), 'bench-models-'))

type Setting = {
  file: string
  /** Labels kept of the classifier and of the patterns (all when absent; no patterns when false). */
  entities?: string[]
  patterns?: string[] | false
  threshold?: number
  baseline?: string
  /** The set's names of types, as ours. */
  gold?: Record<string, string>
  /** Whether what `anonymise` delivers of it is measured too. */
  delivered?: true
  /** Whether the model of all scripts reads it. */
  world?: true
}

/** What is printed at the end, a line for each thing that is to be reached. */
const summary: string[] = []

const largeFile = 'one file of 650 kB'

const names = { PER: 'PERSON', LOC: 'LOCATION', ORG: 'ORGANIZATION' }
const settings: Setting[] = [
  {
    file: 'tab-dev-21',
    entities: ['PERSON', 'LOCATION', 'ADDRESS', 'DATE', 'AGE', 'DEMOGRAPHIC', 'ID', 'PHONE', 'QUANTITY'],
    baseline: 'baselines/tab-dev-21.presidio.jsonl',
    delivered: true,
  },
  { file: 'presidio-generated-large', delivered: true },
  { file: 'meddocan-dev', delivered: true },
  { file: 'uner-en-ewt-dev', entities: Object.values(names), patterns: false, gold: names },
  { file: 'uner-pt-bosque-dev', entities: Object.values(names), patterns: false, gold: names },
  { file: 'uner-sv-talbanken-dev', entities: Object.values(names), patterns: false, gold: names },
  { file: 'uner-zh-gsd-dev', entities: Object.values(names), patterns: false, gold: names, world: true },
]

const root = values.models ?? join(import.meta.dirname, '../models')
const classifier = await loadModel(usual('pii-ner'), [folderSource(root, 1)])
const world = { modelId: 'pii-ner-world', modelVersion: '2.5.0' }
const ownModels = process.env.OWN_MODELS ?? join(import.meta.dirname, '../.local/own-models')
const patterns = (await patternSource(usual('pii-patterns')))!

try {
  if (!existsSync(open)) console.log(`Quality is NOT measured: ${open} is absent`)
  else {
    for (const setting of settings) if (!values.only || setting.file === values.only) await quality(setting)
    if (!values.only || values.only === largeFile) await large()
  }
  if (!values.only) {
    checksums()
    speed()
  }
  console.log('\n== summary: what is to be reached, and what was measured')
  for (const line of summary) console.log(line)
} finally {
  rmSync(scratch, { recursive: true })
}

/** The documents of a set. Blanks stand for characters that nobody sees, as it can't be told whether those are masked. */
function documentsOf(file: string): Doc[] {
  const docs = readFileSync(join(open, `${file}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Doc)
  return docs.map(doc => ({ ...doc, text: doc.text.replace(/\p{Cf}/gu, ({ length }) => ' '.repeat(length)) }))
}

async function quality(setting: Setting) {
  if (setting.world && !existsSync(join(ownModels, world.modelId))) {
    console.log(`\n== ${setting.file} is NOT measured: ${world.modelId} is not in ${ownModels}`)
    return
  }
  const model = setting.world ? await loadModel(world, [folderSource(ownModels, 1)]) : classifier
  const gold = join(open, `${setting.file}.jsonl`)
  const docs = documentsOf(setting.file)
  const texts = docs.map(({ text }) => text)
  const threshold = setting.threshold ?? 0.5
  const found: Found[][] = (await model.detect(texts, { threshold, entities: setting.entities })).map(list => [...list])
  if (setting.patterns !== false) {
    const more = await patterns.detect(texts, { threshold, entities: setting.patterns })
    for (const [i, list] of more.entries()) found[i]!.push(...list)
  }
  const predictions = join(scratch, `${setting.file}.jsonl`)
  const line = ({ id }: Doc, i: number) =>
    JSON.stringify({ id, spans: distinct(found[i]!).map(({ start, end, label }) => ({ start, end, type: label })) })
  writeFileSync(predictions, docs.map(line).join('\n'))
  console.log(
    `\n== ${setting.file}: ${model.modelId}${setting.patterns === false ? '' : ' + pii-patterns'} at ${threshold}`,
  )
  const report = score(gold, predictions, setting.gold)
  const { precision, harmless } = person(docs, found)
  if (setting.baseline) console.log(`-- ${setting.file}: Presidio`)
  summarise(setting.file, report, setting.baseline && score(gold, join(open, setting.baseline)))
  row(`${setting.file}: PERSON precision`, precision, '>= 0.85')
  row(`${setting.file}: false positives per 1,000 words`, harmless, 'reported')
  if (setting.delivered) await delivered(setting.file, docs)
}

/** Court cases and clinical records as one long file, in which one bad finding would be looked for everywhere. */
async function large() {
  const whole: Doc = { id: largeFile, text: '', spans: [] }
  for (const { text, spans } of ['tab-train-92', 'tab-dev-21', 'meddocan-dev'].flatMap(documentsOf)) {
    const at = whole.text.length
    whole.text += `${text}\n\n`
    for (const span of spans) whole.spans.push({ ...span, start: span.start + at, end: span.end + at })
    if (Buffer.byteLength(whole.text) >= 650_000) break
  }
  await delivered(largeFile, [whole])
}

/** What of a set can still be read, and what harmless is masked, in the texts that come out of `anonymise`. */
async function delivered(file: string, docs: Doc[]) {
  const results: Delivered[] = []
  for (const { text } of docs) results.push(await deliver(text, root))
  for (const [what, share, wanted] of measureDelivered(docs, results)) row(`${file}, delivered: ${what}`, share, wanted)
  if (!file.startsWith('tab')) return
  const predictions = join(scratch, `${file}-delivered.jsonl`)
  const line = ({ id }: Doc, i: number) =>
    JSON.stringify({ id, spans: results[i]!.masked.map(one => ({ ...one, type: 'MASKED' })) })
  writeFileSync(predictions, docs.map(line).join('\n'))
  console.log(`\n== ${file}: what is delivered`)
  const direct = /direct (\S+) \(n=/.exec(score(join(open, `${file}.jsonl`), predictions))?.[1] ?? '?'
  row(`${file}, delivered: direct identifiers hidden`, direct, '1.0000')
}

/** One span for each place: of overlapping ones the longest, as replacement takes them. */
function distinct(found: Found[]): Found[] {
  const kept: Found[] = []
  for (const one of found.toSorted((a, b) => b.end - b.start - (a.end - a.start) || b.score - a.score)) {
    if (!kept.some(other => other.start < one.end && one.start < other.end)) kept.push(one)
  }
  return kept
}

function score(gold: string, predictions: string, map: Record<string, string> = {}): string {
  const mapping = join(scratch, 'map.json')
  writeFileSync(mapping, JSON.stringify({ gold: map }))
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(shared, 'tools/score.mjs'), '--gold', gold, '--pred', predictions, '--boot', values.boot, '--map', mapping],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  if (status !== 0) throw new Error(stderr)
  process.stdout.write(stdout)
  return stdout
}

/** How often what is called a person overlaps something that the set marks as one, and what is found in nothing. */
function person(docs: Doc[], found: Found[][]) {
  const isPerson = /^(?:PER|PERSON|NOMBRE_.*)$/
  const touches = (a: { start: number; end: number }, b: { start: number; end: number }) =>
    a.start < b.end && b.start < a.end
  let right = 0
  let all = 0
  let words = 0
  let harmless = 0
  for (const [i, { text, spans }] of docs.entries()) {
    words += text.split(/\s+/).length
    for (const one of found[i]!) {
      if (!spans.some(span => touches(span, one))) harmless++
      if (one.label !== 'PERSON') continue
      all++
      if (spans.some(span => isPerson.test(span.type) && touches(span, one))) right++
    }
  }
  const told = {
    precision: `${(right / Math.max(all, 1)).toFixed(4)} (${right}/${all})`,
    harmless: ((1000 * harmless) / words).toFixed(2),
  }
  console.log(`PERSON precision ${told.precision}   false positives per 1,000 words ${told.harmless}`)
  return told
}

/** Identifiers with a checksum among generated look-alikes. */
function checksums() {
  const { found, missed, wrong } = measureChecksums()
  console.log(
    `\n== identifiers with checksums, generated: ${found} found, ${missed} missed, ${wrong} look-alikes taken`,
  )
  const [precision, recall] = [found / (found + wrong), found / (found + missed)]
  row('identifiers with checksums', `precision ${precision.toFixed(4)} recall ${recall.toFixed(4)}`, 'both >= 0.99')
}

/** Speed, loading and memory, in a process that does nothing else. */
function speed() {
  const child = [join(import.meta.dirname, 'models-speed.ts'), root, ...(values.beside ? [values.beside] : [])]
  const run = spawnSync(process.execPath, child, { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(run.stderr)
  const told = JSON.parse(run.stdout) as Record<string, number>
  console.log(`\n== speed, one thread, by the processor's time: ${run.stdout.trim()}`)
  console.log(`   ${arithmetic().toFixed(2)} billion multiply-adds/s in plain JavaScript on the same core`)
  row('speed, one thread: tokens of text', `${told.piecesPerSecond}/s, ${told.megabytesPerSecond} MB/s`, '>= 19,000/s')
  row('the same in tokens of windows', `${told.windowPiecesPerSecond}/s`, 'reported')
  row('the bare graph, windows of 128 tokens', `${told.barePiecesPerSecond}/s`, '>= 19,000/s')
  if (values.beside) row('the graph beside it', `${told.besidePiecesPerSecond}/s`, 'reported')
  row('loading', `${told.loadWallMs} ms (${told.loadCpuMs} ms of the processor)`, '< 400 ms')
  row('memory of the process', `${told.memoryMB} MB`, '< 350 MB')
}

function arithmetic(): number {
  const before = process.cpuUsage()
  let sum = 0
  for (let i = 0; i < 2e8; i++) sum += i * 0.5
  return sum > 0 ? 0.2 / (process.cpuUsage(before).user / 1e6) : 0
}

/** A line of the summary. */
function row(what: string, measured: string, wanted: string) {
  summary.push(`${what.padEnd(52)} ${measured.padEnd(46)} ${wanted}`)
}

/** The lines of the summary that the scores of one set give. */
function summarise(file: string, report: string, baseline?: string) {
  const pick = (text: string, pattern: RegExp) => pattern.exec(text)?.[1] ?? '?'
  const beside = (pattern: RegExp) => `${pick(report, pattern)} (Presidio ${pick(baseline ?? '', pattern)})`
  const boot = (name: string) => pick(report, new RegExp(`95% ${name}\\s+(\\S+ … \\S+)`))
  if (file.startsWith('tab')) {
    row(`${file}: direct identifiers hidden everywhere`, beside(/direct (\S+) \(n=/), 'above Presidio')
    row(`${file}: documents with a leak`, beside(/documents with a leak \S+ \((\S+)\)/), 'below Presidio')
    row(`${file}: harmless text masked`, beside(/harmless text masked (\S+)/), 'not above Presidio')
  } else if (file.startsWith('presidio')) {
    row(`${file}: tokens F2`, `${pick(report, /^tokens .*F2 (\S+)/m)} (${boot('token F2')})`, '> 0.70, stretch 0.85')
  } else if (file.startsWith('meddocan')) {
    const [precision, recall] = [/^exact span {2}.*P (\S+)/m, /^exact span {2}.*R (\S+)/m].map(one => pick(report, one))
    row(`${file}: spans, exact`, `recall ${recall} precision ${precision}`, 'recall > 0.80')
  } else {
    const typed = pick(report, /^exact span \+ type .*F1 (\S+)/m)
    const any = `${pick(report, /^exact span {2}.*F1 (\S+)/m)} (${boot('exact F1')})`
    row(`${file}: exact F1 with type; any type`, `${typed}; ${any}`, file.includes('ewt') ? 'with type > 0.70' : '')
  }
}
