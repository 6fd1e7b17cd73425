import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderSource } from '../shared/engine/models/classifier.ts'
import { patternSource } from '../shared/engine/recognisers/index.ts'
import { usual } from './delivered.ts'

/**
 * Reads texts, lines of JSON with a `text` each, with both shipped models in one thread, and prints the seconds of processor time of the
 * best of three passes. Argument: the file.
 */
const texts = readFileSync(process.argv[2]!, 'utf8')
  .trim()
  .split('\n')
  .map(line => (JSON.parse(line) as { text: string }).text)
const models = [
  await patternSource(usual('pii-patterns')),
  await folderSource(join(import.meta.dirname, '../models'), 1)(usual('pii-ner')),
]

async function pass(): Promise<number> {
  const before = process.cpuUsage()
  for (const model of models) await model!.detect(texts, { threshold: 0.5 })
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

await pass()
const passes = [await pass(), await pass(), await pass()]
console.log(JSON.stringify({ seconds: Math.min(...passes) }))
