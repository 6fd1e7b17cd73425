import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { folderSource } from '../shared/engine/models/classifier.ts'
import { loadModel } from '../shared/engine/models/load-model.ts'
import { patternSource } from '../shared/engine/recognisers/index.ts'
import { type Doc, deliver, rulesBut, type Stretch, usual } from './delivered.ts'
import { nameSets } from './name-sets.ts'

/**
 * Which persons both shipped models find in news, novels, speeches and Wikipedia in Italian, Czech and Swedish:
 * `npm run bench:persons -- --folder FOLDER`, where FOLDER holds clones of dhfbk/KIND, Babelscape/wikineural,
 * SlavicNLP/SlavicNER and klintan/swedish-ner-corpus. What is added to logits was chosen on the even documents
 * (for Czech on others, by chance); the figures to quote are those of the odd ones. Then what of the people of whole Swedish
 * documents is masked in what a job delivers, where a name that is found is looked for in the whole document.
 */
const { values } = parseArgs({ options: { folder: { type: 'string' } } })
const folder = values.folder ?? join(import.meta.dirname, '../../name-sets')

const shipped = join(import.meta.dirname, '../models')
const models = [
  await loadModel(usual('pii-ner'), [folderSource(shipped, 1)]),
  (await patternSource(usual('pii-patterns')))!,
]

const touch = (a: Stretch, b: Stretch) => a.start < b.end && b.start < a.end
const share = (part: number, all: number) => `${(part / Math.max(all, 1)).toFixed(3)} (${part}/${all})`

/** The stretches without those that a longer one covers in part. */
function distinct(all: readonly Stretch[]): Stretch[] {
  const kept: Stretch[] = []
  for (const one of all.toSorted((a, b) => b.end - b.start - (a.end - a.start)))
    if (!kept.some(other => touch(other, one))) kept.push(one)
  return kept
}

async function measure(name: string, docs: readonly Doc[]) {
  const texts = docs.map(({ text }) => text)
  const lists = await Promise.all(models.map(model => model.detect(texts, { threshold: 0.5 })))
  const persons = docs.map((_, n) => lists.flatMap(list => list[n]!.filter(({ label }) => label === 'PERSON')))
  print(name, docs, persons)
}

/** Says how much of the people of some documents was found, and of what was found there. */
function print(name: string, docs: readonly Doc[], persons: readonly Stretch[][]) {
  const count = { gold: 0, hit: 0, found: 0, right: 0 }
  for (const [n, { spans }] of docs.entries()) {
    const gold = distinct(spans)
    const found = distinct(persons[n]!)
    count.gold += gold.length
    count.found += found.length
    count.hit += gold.filter(one => found.some(other => touch(one, other))).length
    count.right += found.filter(one => gold.some(other => touch(one, other))).length
  }
  console.log(
    `${name.padEnd(24)} precision ${share(count.right, count.found)}  recall ${share(count.hit, count.gold)}  by overlap`,
  )
}

for (const { name, path, read } of nameSets) {
  const whole = join(folder, path)
  if (!existsSync(whole)) {
    console.log(`${name} is NOT measured: ${whole} is absent`)
    continue
  }
  const docs = read(whole)
  for (const [half, rest] of [
    ['even', 0],
    ['odd', 1],
  ] as const)
    await measure(
      `${name}, ${half}`,
      docs.filter((_, n) => n % 2 === rest),
    )
}

/** Whole documents of a set that has a sentence in a line, with ids such as `P408-0012`. */
function talbanken(part: string): Doc[] {
  const path = join(import.meta.dirname, `../../shared/data/open/uner-sv-talbanken-${part}.jsonl`)
  if (!existsSync(path)) return []
  const sentences = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Doc)
  const documents = Map.groupBy(sentences, ({ id }) => id.split('-')[0]!)
  return [...documents].map(([id, parts]) => {
    const doc: Doc = { id, text: '', spans: [] }
    for (const { text, spans } of parts) {
      for (const { start, end, type } of spans)
        if (type.startsWith('PER')) doc.spans.push({ start: start + doc.text.length, end: end + doc.text.length, type })
      doc.text += `${text}\n`
    }
    return doc
  })
}

const persons = rulesBut([]).map(rule => ({ ...rule, detection: { ...rule.detection, entities: ['PERSON'] } }))
for (const part of ['dev', 'train']) {
  const docs = talbanken(part)
  const masked: Stretch[][] = []
  for (const { text } of docs) masked.push((await deliver(text, shipped, persons)).masked)
  if (docs.length === 0) console.log(`Swedish Talbanken, ${part}, is NOT measured: it is absent`)
  else print(`delivered, Talbanken ${part}`, docs, masked)
}
