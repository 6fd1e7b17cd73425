import { createSecretKey } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Engine } from '../../local/anonymise/engine.ts'
import { anonymiseHere } from '../../local/anonymise/in-process.ts'
import { createOutputs } from '../../local/anonymise/outputs.ts'
import { anonymiseInParts } from '../../local/anonymise/parts.ts'
import { EngineError, memoryNumbering, type PlannedRule } from '../../shared/engine/index.ts'
import type { LoadModel } from '../../shared/engine/models.ts'
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

/** A model that finds each Grace, and notes how often it is asked. */
function graces() {
  const asked: number[] = []
  const models: LoadModel = async () => ({
    async find(texts) {
      asked.push(texts.length)
      return texts.map(text => {
        const start = text.indexOf('Grace')
        return start < 0 ? [] : [{ label: 'PERSON', start, end: start + 5, score: 1 }]
      })
    },
  })
  return { asked, models }
}

const engineOf = (rules: PlannedRule[], models: LoadModel = graces().models): Engine => ({
  plan: { rules, assetType: 'DOCUMENT' },
  models,
  secrets,
  numbering: memoryNumbering(),
  list: false,
})

const names = ['Grace', 'Ann', 'Zoë', 'Łukasz']
/** A table of some 40 kB, with quotes and line ends in its cells. */
const table = `name,mail,note\n${Array.from({ length: 800 }, (_, n) => {
  const name = names[n % 4]!
  return `${name},ann${n % 90}@example.org,"${n % 7 === 0 ? `by ${name},\r\nsaid ""Grace""` : `call 0${n}`}"`
}).join('\n')}\n`

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

test('threads know the forms of things by themselves, and ask for what other models find', async () => {
  const rules = [modelRule('graces'), modelRule('pii-patterns')]
  const { asked, models } = graces()
  const { patternSource } = await import('../../shared/engine/rules.ts')
  const { modelLoader } = await import('../../shared/engine/models.ts')
  const patterns = modelLoader([patternSource])
  const whole = await inOnePiece(
    engineOf(rules, detection => (detection.modelId === 'graces' ? models : patterns)(detection)),
    table,
  )
  asked.length = 0
  const refusing: LoadModel = detection =>
    detection.modelId === 'graces' ? models(detection) : Promise.reject(new Error('not to be asked'))
  const { text } = await inParts(engineOf(rules, refusing), table)
  expect(text).toBe(whole.text)
  expect(text).toContain('[PERSON],[EMAIL]')
  expect(asked.length).toBeGreaterThan(1)
})

test.each<[string, string, { rules?: PlannedRule[]; list?: boolean }]>([
  ['small ones', 'name\nAnn\n', {}],
  ['those whose values are numbered', table, { rules: [regexRule('mail', 'ann', { replacement: { text: '{{n}}' } })] }],
  ['those of which a list is asked', table, { list: true }],
  ['letters', `Dear Ann,\n${'and so on. '.repeat(2000)}`, {}],
])('in one piece stay %s', async (_, content, { rules = [regexRule('name', 'Ann')], list = false }) => {
  expect((await inParts({ ...engineOf(rules), list }, content)).made).toBeUndefined()
})

test('what one part can not do ends all of them', async () => {
  const missing: LoadModel = () => Promise.reject(new EngineError('model_load_failed', 'There is none'))
  const { error } = await inParts(engineOf([modelRule('graces')], missing), table)
  expect(error).toMatchObject({ name: 'EngineError', type: 'model_load_failed', message: 'There is none' })
  const failing: LoadModel = () => Promise.reject(new Error('sensitive'))
  expect((await inParts(engineOf([modelRule('graces')], failing), table)).error).toMatchObject({ message: 'sensitive' })
})

test('an interrupted run ends its threads', async () => {
  const stopping = new AbortController()
  const never: LoadModel = async () => ({
    find: (_, signal) => {
      stopping.abort(new Error('interrupted'))
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    },
  })
  const { error } = await inParts(engineOf([modelRule('graces')], never), table, stopping.signal)
  expect(error).toMatchObject({ message: 'interrupted' })
})
