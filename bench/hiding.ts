// npm run bench:hiding [-- DRAWS]: how well values that detection missed hide among what replaced the others. In documents with
// known names and places, each mention is missed with a probability and the others are replaced: by labels, by surrogates that
// agree over all documents, or by those of each document. An attacker who knows of one half of the documents which names are
// original trains a tagger on it, and looks for the original ones in the other half. Needs the data beside the project.
import { createSecretKey, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSurrogates } from '../shared/engine/surrogates/index.ts'
import { learn } from './hiding-tagger.ts'
import { type Leak, type Mention, mentionsIn, type Text, vocabularyOf } from './hiding-texts.ts'

const folder = join(import.meta.dirname, '../../shared/data/open')
const draws = Number(process.argv[2] ?? 20)
const missRates = [0.05, 0.2]

type Span = { start: number; end: number; label: string }
type Doc = { text: string; spans: Span[] }
type Form = 'labels' | 'job' | 'document'

const labels: Record<string, string> = { PERSON: 'PERSON', LOC: 'LOCATION' }

function readDocs(): Doc[] {
  const files = ['tab-train-92.jsonl', 'tab-dev-21.jsonl'].map(name => readFileSync(join(folder, name), 'utf8'))
  return files
    .flatMap(file => file.trim().split('\n'))
    .map(line => {
      const { text, spans } = JSON.parse(line) as { text: string; spans: (Omit<Span, 'label'> & { type: string })[] }
      const named = spans.flatMap(({ start, end, type }) => (labels[type] ? [{ start, end, label: labels[type] }] : []))
      const ordered = named.toSorted((one, other) => one.start - other.start || other.end - one.end)
      const apart = ordered.filter(
        ({ start }, at) => at === 0 || start >= Math.max(...ordered.slice(0, at).map(s => s.end)),
      )
      return { text, spans: apart }
    })
}

const newKey = () => createSecretKey(randomBytes(32))

/** A document whose mentions are replaced but for those that are missed, which are told. */
async function released(
  { text, spans }: Doc,
  missed: ReadonlySet<Span>,
  form: Form,
  key: ReturnType<typeof newKey>,
): Promise<Text> {
  const found = spans.filter(span => !missed.has(span)).map(({ start, end }) => text.slice(start, end))
  const { load, make } = createSurrogates({ key, options: {}, found })
  await load(Object.values(labels))
  let [out, at] = ['', 0]
  const leaks: Leak[] = []
  for (const span of spans) {
    const value = text.slice(span.start, span.end)
    out += text.slice(at, span.start)
    if (missed.has(span)) leaks.push({ start: out.length, end: out.length + value.length })
    out += missed.has(span) ? value : form === 'labels' ? `[${span.label}]` : make(span.label, value)
    at = span.end
  }
  return { text: out + text.slice(at), leaks }
}

/** Original values, those that the attacker found, mentions that were told to be original, and those that were. */
type Counts = { leaks: number; found: number; told: number; right: number }

/** One draw: which mentions are missed, the keys, and which half of the documents is known. */
async function attack(docs: readonly Doc[], form: Form, missRate: number): Promise<Counts> {
  const key = newKey()
  const texts = await Promise.all(
    docs.map(doc => {
      const missed = new Set(doc.spans.filter(() => Math.random() < missRate))
      return released(doc, missed, form, form === 'document' ? newKey() : key)
    }),
  )
  const words = vocabularyOf(texts)
  const halves: Mention[][] = [[], []]
  for (const [n, text] of texts.entries()) halves[n % 2]!.push(...mentionsIn(text, words))
  const isOriginal = learn(halves[0]!)
  const told = halves[1]!.filter(isOriginal)
  const all = texts.filter((_, n) => n % 2 === 1).reduce((sum, { leaks }) => sum + leaks.length, 0)
  const right = told.flatMap(({ leak }) => leak ?? [])
  return { leaks: all, found: new Set(right).size, told: told.length, right: right.length }
}

const percent = (part: number, of: number) => `${of === 0 ? '–' : Math.round((100 * part) / of)} %`

if (!existsSync(folder)) console.log(`Nothing is measured: ${folder} is absent`)
else {
  const docs = readDocs()
  for (const missRate of missRates) {
    for (const form of ['labels', 'job', 'document'] as const) {
      const sum: Counts = { leaks: 0, found: 0, told: 0, right: 0 }
      for (let draw = 0; draw < draws; draw++) {
        const counts = await attack(docs, form, missRate)
        for (const name of ['leaks', 'found', 'told', 'right'] as const) sum[name] += counts[name]
      }
      const figures = `recall ${percent(sum.found, sum.leaks)}, precision ${percent(sum.right, sum.told)}`
      const name = form === 'labels' ? 'labels' : `surrogates, scope ${form}`
      console.log(`${percent(missRate, 1)} missed, ${name.padEnd(26)} ${figures} (${sum.leaks} values missed)`)
    }
  }
}
