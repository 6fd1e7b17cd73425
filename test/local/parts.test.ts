import { createSecretKey } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../local/anonymise/engine.ts'
import { anonymiseHere } from '../../local/anonymise/in-process.ts'
import { createOutputs } from '../../local/anonymise/outputs.ts'
import { anonymiseInParts } from '../../local/anonymise/parts.ts'
import { memoryNumbering, type PlannedRule } from '../../shared/engine/index.ts'
import { modelLoader } from '../../shared/engine/models.ts'
import { patternSource } from '../../shared/engine/rules.ts'
import { regexRule } from '../engine/call.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parts-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const measures = { table: 10_000, part: 4000, threads: 2 }
const key = createSecretKey(Buffer.alloc(32, 1))
const secrets = { hash: key, pseudonym: key, document: key, project: key, deployment: key }

const modelRule = (modelId: string, modelVersion = '1.0.0'): PlannedRule => ({
  ruleId: modelId,
  name: modelId,
  detection: { type: 'AIMODEL', modelId, modelVersion, confidenceThreshold: 0.5 },
  replacement: { text: '[{{label}}]' },
})

const engineOf = (rules: PlannedRule[]): Engine => ({
  plan: { rules, assetType: 'DOCUMENT' },
  models: modelLoader([patternSource]),
  secrets,
  numbering: memoryNumbering(),
  list: false,
})

const names = ['Grace', 'Ann', 'Zoë', 'Łukasz']
/** A table with quotes and line ends in its cells, some 50 bytes a row. */
const tableOf = (rows: number) =>
  `name,mail,note\n${Array.from({ length: rows }, (_, n) => {
    const name = names[n % 4]!
    return `${name},ann${n % 90}@example.org,"${n % 7 === 0 ? `by ${name},\r\nsaid ""Grace""` : `call 0${n}`}"`
  }).join('\n')}\n`
const table = tableOf(800)

async function fileOf(content: string) {
  const made = await mkdtemp(join(folder, 'table-'))
  await writeFile(join(made, 'table.csv'), content)
  return { file: join(made, 'table.csv'), folder: made, marked: true }
}

/** The output of one pass over a file, and what was found. */
async function inOnePiece(engine: Engine, content: string) {
  const task = await fileOf(content)
  const watch = { signal: new AbortController().signal, told: () => {} }
  const outcome = await anonymiseHere(engine, task, { to: 'tree' }, createOutputs(false), watch)
  return { text: await readFile(outcome.output!, 'utf8'), findings: outcome.findings }
}

async function inParts(engine: Engine, content: string, signal = new AbortController().signal) {
  const task = await fileOf(content)
  const told: number[] = []
  try {
    const made = await anonymiseInParts(
      engine,
      task,
      task.folder,
      { signal, told: bytes => told.push(bytes) },
      measures,
    )
    const text = made && (await readFile(join(task.folder, made.written), 'utf8'))
    return { made, text, told, left: await readdir(task.folder) }
  } catch (error) {
    return { error, told, left: [] }
  }
}

test('a table in parts becomes byte for byte what it becomes in one piece', async () => {
  const rules = [
    regexRule('mail', '[a-z0-9]+@[a-z]+\\.org', { replacement: { pseudonym: {} } }),
    regexRule('name', 'Ann|Łukasz', { columns: ['na*'], replacement: { hash: {} } }),
  ]
  const whole = await inOnePiece(engineOf(rules), table)
  const { text, made, told, left } = await inParts(engineOf(rules), table)
  expect(text).toBe(whole.text)
  expect(text).not.toContain('ann1@')
  expect(made!.findings).toEqual(whole.findings)
  expect(left.sort()).toEqual(['output', 'table.csv'])
  expect(told.at(-1)).toBe(Buffer.byteLength(table))
  expect(told).toEqual(told.toSorted((a, b) => a - b))
})

test('threads know the forms of things by themselves', async () => {
  const short = tableOf(300)
  const engine = engineOf([regexRule('name', 'Łukasz'), modelRule('pii-patterns')])
  const { text } = await inParts({ ...engine, models: () => Promise.reject(new Error('not to be asked')) }, short)
  expect(text).toBe((await inOnePiece(engine, short)).text)
  expect(text).toContain('[EMAIL]')
})

test.each<[string, string, { rules?: PlannedRule[]; list?: boolean }]>([
  ['small ones', 'name\nAnn\n', {}],
  ['those whose values are numbered', table, { rules: [regexRule('mail', 'ann', { replacement: { text: '{{n}}' } })] }],
  ['those of which a list is asked', table, { list: true }],
  ['those that a classifier reads', table, { rules: [modelRule('pii-ner')] }],
  ['letters', `Dear Ann,\n${'and so on. '.repeat(2000)}`, {}],
])('in one piece stay %s', async (_, content, { rules = [regexRule('name', 'Ann')], list = false }) => {
  expect((await inParts({ ...engineOf(rules), list }, content)).made).toBeUndefined()
})

test('what one part can not do ends all of them', async () => {
  const { error } = await inParts(engineOf([modelRule('pii-patterns', '0.0.0')]), table)
  expect(error).toMatchObject({ name: 'EngineError', type: 'model_load_failed' })
})

test('an interrupted run ends its threads', async () => {
  const stopping = new AbortController()
  const task = await fileOf(table)
  const watch = { signal: stopping.signal, told: () => stopping.abort(new Error('interrupted')) }
  const engine = engineOf([regexRule('name', 'Ann')])
  await expect(anonymiseInParts(engine, task, task.folder, watch, measures)).rejects.toThrow('interrupted')
})
