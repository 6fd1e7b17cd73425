import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { folderSource } from '../shared/engine/models/classifier.ts'
import { loadModel } from '../shared/engine/models/index.ts'
import type { Found, LoadedModel } from '../shared/engine/models/model.ts'
import { patternSource } from '../shared/engine/recognisers/index.ts'

/**
 * Measures what the shipped models find on open development sets, beside a baseline where there is one, and how fast.
 * `npm run bench:models` (needs the data beside the project; without it only the speed is measured).
 */
const { values } = parseArgs({
  options: { models: { type: 'string' }, boot: { type: 'string', default: '1000' }, only: { type: 'string' } },
})
const shared = join(import.meta.dirname, '../../shared')
const open = join(shared, 'data/open')
const scratch = mkdtempSync(join(tmpdir(), 'bench-models-'))

type Doc = { id: string; text: string; spans: { start: number; end: number; type: string }[] }
type Setting = {
  file: string
  /** Labels kept of the classifier and of the patterns (all when absent; no patterns when false). */
  entities?: string[]
  patterns?: string[] | false
  threshold?: number
  baseline?: string
  /** The set's names of types, as ours. */
  gold?: Record<string, string>
}

const names = { PER: 'PERSON', LOC: 'LOCATION', ORG: 'ORGANIZATION' }
const settings: Setting[] = [
  {
    file: 'tab-dev-21',
    entities: ['PERSON', 'LOCATION', 'ADDRESS', 'DATE', 'AGE', 'DEMOGRAPHIC', 'ID', 'PHONE', 'QUANTITY'],
    baseline: 'baselines/tab-dev-21.presidio.jsonl',
  },
  { file: 'presidio-generated-large' },
  { file: 'meddocan-dev' },
  { file: 'uner-en-ewt-dev', entities: Object.values(names), patterns: false, gold: names },
  { file: 'uner-pt-bosque-dev', entities: Object.values(names), patterns: false, gold: names },
  { file: 'uner-sv-talbanken-dev', entities: Object.values(names), patterns: false, gold: names },
]

const began = performance.now()
const classifier = await loadModel({ modelId: 'pii-ner', modelVersion: '1.0.0' }, [
  folderSource(values.models ?? join(import.meta.dirname, '../models'), 1),
])
console.log(`pii-ner loads in ${(performance.now() - began).toFixed(0)} ms`)
const patterns = (await patternSource({ modelId: 'pii-patterns', modelVersion: '1.0.0' }))!

try {
  if (!existsSync(open)) console.log(`Quality is NOT measured: ${open} is absent`)
  else for (const setting of settings) if (!values.only || setting.file === values.only) await quality(setting)
  await speed(classifier)
} finally {
  rmSync(scratch, { recursive: true })
}

async function quality(setting: Setting) {
  const gold = join(open, `${setting.file}.jsonl`)
  const docs = readFileSync(gold, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Doc)
  const texts = docs.map(({ text }) => text)
  const threshold = setting.threshold ?? 0.5
  const found: Found[][] = (await classifier.detect(texts, { threshold, entities: setting.entities })).map(list => [
    ...list,
  ])
  if (setting.patterns !== false) {
    const more = await patterns.detect(texts, { threshold, entities: setting.patterns })
    for (const [i, list] of more.entries()) found[i]!.push(...list)
  }
  const predictions = join(scratch, `${setting.file}.jsonl`)
  const line = ({ id }: Doc, i: number) =>
    JSON.stringify({ id, spans: distinct(found[i]!).map(({ start, end, label }) => ({ start, end, type: label })) })
  writeFileSync(predictions, docs.map(line).join('\n'))
  console.log(`\n== ${setting.file}: pii-ner${setting.patterns === false ? '' : ' + pii-patterns'} at ${threshold}`)
  score(gold, predictions, setting.gold)
  person(docs, found)
  if (setting.baseline) {
    console.log(`-- ${setting.file}: Presidio`)
    score(gold, join(open, setting.baseline))
  }
}

/** One span for each place: of overlapping ones the longest, as replacement takes them. */
function distinct(found: Found[]): Found[] {
  const kept: Found[] = []
  for (const one of found.toSorted((a, b) => b.end - b.start - (a.end - a.start) || b.score - a.score)) {
    if (!kept.some(other => other.start < one.end && one.start < other.end)) kept.push(one)
  }
  return kept
}

function score(gold: string, predictions: string, map: Record<string, string> = {}) {
  const mapping = join(scratch, 'map.json')
  writeFileSync(mapping, JSON.stringify({ gold: map }))
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(shared, 'tools/score.mjs'), '--gold', gold, '--pred', predictions, '--boot', values.boot, '--map', mapping],
    { encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  if (status !== 0) throw new Error(stderr)
  process.stdout.write(stdout)
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
  console.log(
    `PERSON precision ${(right / Math.max(all, 1)).toFixed(4)} (${right}/${all})   false positives per 1,000 words ${((1000 * harmless) / words).toFixed(2)}`,
  )
}

/** Pieces of text per second of one core's time, next to a fixed piece of arithmetic as a measure of that core. */
async function speed(model: LoadedModel) {
  const sentence =
    'The hearing took place on 12 March 2004 before Judge Anna Petersson in the old town hall of Malmo, Sweden. '
  const document = sentence.repeat(600)
  const pieces = 600 * 24
  await model.detect([document.slice(0, 4000)], { threshold: 0.5 })
  const before = process.cpuUsage()
  await model.detect([document], { threshold: 0.5 })
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  const read = Math.round((pieces * 126) / 96 / seconds)
  console.log(`\n== speed, one thread, by CPU time: ${read} pieces read by the model/s (windows overlap)`)
  console.log(
    `   ${(document.length / seconds / 1e6).toFixed(3)} MB of text/s; ${arithmetic().toFixed(2)} billion multiply-adds/s in plain JavaScript on the same core`,
  )
  console.log(`   memory of the process ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`)
}

function arithmetic(): number {
  const before = process.cpuUsage()
  let sum = 0
  for (let i = 0; i < 2e8; i++) sum += i * 0.5
  return sum > 0 ? 0.2 / (process.cpuUsage(before).user / 1e6) : 0
}
