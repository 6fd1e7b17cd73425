import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isStopWord } from '../shared/engine/detect/stop-words.ts'
import { folderSource } from '../shared/engine/models/classifier.ts'
import { presetRules, presets } from '../shared/engine/presets.ts'
import { type Delivered, type Doc, deliver } from './delivered.ts'
import { keepingFindings } from './kept-findings.ts'

/**
 * What of a development set can still be read after a preset has done its work, by kind, and which harmless text is gone:
 * `npm run bench:leaks -- --set tab-train-92 --show`. With `--keep FOLDER` what the classifier finds is kept there.
 */
const { values } = parseArgs({
  options: {
    set: { type: 'string', default: 'tab-train-92' },
    preset: { type: 'string', default: 'gdpr-direct-and-quasi' },
    first: { type: 'string', default: '1000' },
    keep: { type: 'string' },
    out: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
})
const file = join(import.meta.dirname, '../../shared/data/open', `${values.set}.jsonl`)
const models = join(import.meta.dirname, '../models')

type Span = Doc['spans'][number]

/** What of a span can still be read, but for words that are too common to tell of anybody. */
const left = ({ text }: Doc, { masked }: Delivered, { start, end }: Span) => {
  const units = text.slice(start, end).split('')
  for (const one of masked) units.fill(' ', Math.max(0, one.start - start), Math.max(0, one.end - start))
  const words = units.join('').match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter(word => !isStopWord(word.toLowerCase())).join(' ')
}

const count = (text: string) => text.match(/\S/gu)?.length ?? 0

async function measure() {
  const preset = presets.find(({ id }) => id === values.preset)
  if (!preset) throw new Error(`There is no preset ${values.preset}`)
  const source = folderSource(models, 1)
  const kept = values.keep ? keepingFindings(source, values.keep) : source
  const docs = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(0, Number(values.first))
    .map(line => JSON.parse(line) as Doc)
  const kinds = new Map<string, { mentions: number; leaks: number }>()
  const lines: string[] = []
  const total = { leaking: 0, harmless: 0, gone: 0 }
  for (const doc of docs) {
    const text = doc.text.replace(/\p{Cf}/gu, ({ length }) => ' '.repeat(length))
    const delivered = await deliver(text, models, presetRules(preset), kept)
    lines.push(JSON.stringify({ id: doc.id, spans: delivered.masked.map(one => ({ ...one, type: 'MASKED' })) }))
    let leaks = 0
    for (const span of doc.spans.filter(({ protect }) => protect !== false)) {
      const kind = kinds.get(span.type) ?? { mentions: 0, leaks: 0 }
      kinds.set(span.type, kind)
      kind.mentions++
      const rest = left({ ...doc, text }, delivered, span)
      if (rest === '') continue
      kind.leaks++
      leaks++
      const around = text.slice(Math.max(0, span.start - 50), span.end + 40).replaceAll('\n', '⏎')
      if (values.show) console.log(`LEFT ${span.type} «${text.slice(span.start, span.end)}» as «${rest}»: ${around}`)
    }
    if (leaks > 0) total.leaking++
    const plain = text.split('')
    for (const { start, end, protect } of doc.spans) if (protect !== false) plain.fill(' ', start, end)
    total.harmless += count(plain.join(''))
    for (const { start, end } of delivered.masked) {
      const more = plain.slice(start, end).join('')
      total.gone += count(more)
      if (values.show && count(more) > 1) console.log(`MORE «${more.trim()}» of «${text.slice(start, end)}»`)
    }
  }
  if (values.out) writeFileSync(values.out, lines.join('\n'))
  for (const [kind, { mentions, leaks }] of kinds) console.log(`${kind.padEnd(24)} ${leaks} of ${mentions} left`)
  console.log(`documents with any      ${total.leaking} of ${docs.length}`)
  console.log(`harmless text masked     ${((100 * total.gone) / total.harmless).toFixed(2)} %`)
}

if (existsSync(file)) await measure()
else console.log(`NOT measured: ${file} is absent`)
