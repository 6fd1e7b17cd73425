import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderSource } from '../shared/engine/models/classifier.ts'
import { loadModel } from '../shared/engine/models/load-model.ts'
import type { Found } from '../shared/engine/models/model.ts'
import { patternSource } from '../shared/engine/recognisers/index.ts'
import { type Doc, type Stretch, usual } from './delivered.ts'

/**
 * Measures what a review gains: how much of what must go is found when a reviewer looks at the most doubtful findings of each
 * document, and accepts those that touch what people have marked. `npm run bench:review` (needs the data beside the project).
 */
const shared = join(import.meta.dirname, '../../shared')
const gold = join(shared, 'data/open/tab-dev-21.jsonl')
/** Scores from which a finding counts by itself, and from which it is shown to the reviewer. */
const [sure, shown] = [0.5, 0.02]
/** So many doubtful findings of each document are looked at. */
const looks = [0, 5, 10, 20, 40, Number.POSITIVE_INFINITY]

const touch = (a: Stretch, b: Stretch) => a.start < b.end && b.start < a.end

if (existsSync(gold)) await measure()
else console.log(`Nothing is measured: ${gold} is absent`)

async function measure() {
  const docs = readFileSync(gold, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Doc)
  const found = await detect(docs.map(({ text }) => text))
  console.log('| looked at | of a document | quasi-identifiers hidden | their mentions | precision of tokens |')
  console.log('|---|---|---|---|---|')
  for (const most of looks) {
    const reviewed = docs.map((doc, i) => review(doc, found[i]!, most))
    const told = score(docs.map(({ id }, i) => ({ id, spans: reviewed[i]!.kept })))
    const average = reviewed.reduce((sum, { seen }) => sum + seen, 0) / docs.length
    console.log(`| ${most === Number.POSITIVE_INFINITY ? 'all' : most} | ${average.toFixed(1)} | ${told.join(' | ')} |`)
  }
}

/** What the shipped models find in each text, from the lowest score on that is shown. */
async function detect(texts: string[]): Promise<Found[][]> {
  const root = join(import.meta.dirname, '../models')
  const classifier = await loadModel(usual('pii-ner'), [folderSource(root, 1)])
  const patterns = (await patternSource(usual('pii-patterns')))!
  const [names, numbers] = await Promise.all(
    [classifier, patterns].map(model => model.detect(texts, { threshold: shown })),
  )
  return texts.map((_, i) => [...names![i]!, ...numbers![i]!])
}

/** What is replaced in a document once somebody has looked at its most doubtful findings, and at how many they have. */
function review({ spans }: Doc, found: Found[], most: number) {
  const certain = found.filter(({ score }) => score >= sure)
  const doubtful = found
    .filter(one => one.score < sure && !certain.some(other => touch(one, other)))
    .sort((a, b) => b.score - a.score)
  const seen = doubtful.slice(0, most)
  const marked = spans.filter(({ protect }) => protect)
  const accepted = seen.filter(one => marked.some(span => touch(one, span)))
  return { kept: [...certain, ...accepted], seen: seen.length }
}

/** Quasi-identifiers of which every mention is hidden, their mentions, and how much of what is hidden had to be. */
function score(docs: { id: string; spans: Found[] }[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'bench-review-'))
  try {
    const predictions = join(folder, 'predictions.jsonl')
    const line = ({ id, spans }: (typeof docs)[number]) =>
      JSON.stringify({ id, spans: spans.map(({ start, end, label }) => ({ start, end, type: label })) })
    writeFileSync(predictions, docs.map(line).join('\n'))
    const tool = join(shared, 'tools/score.mjs')
    const given = [tool, '--gold', gold, '--pred', predictions]
    const { stdout, stderr, status } = spawnSync(process.execPath, given, { encoding: 'utf8', maxBuffer: 1 << 26 })
    if (status !== 0) throw new Error(stderr)
    const figures = [/ quasi (\S+) \(n=/, /mention recall direct \S+ quasi (\S+)/, /token precision (\S+)/]
    return figures.map(figure => figure.exec(stdout)?.[1] ?? '?')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
