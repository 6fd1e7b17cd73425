import { expect, test } from 'vitest'
import { anonymise } from '../../shared/engine/anonymise.ts'
import type { EntityModel } from '../../shared/engine/detect/model.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import type { PlannedRule } from '../../shared/engine/plan.ts'
import { call, regexRule } from './call.ts'

/** A model that knows a person only behind a title, as small models do, and says how often it was asked. */
function titleModel() {
  const asked: string[] = []
  const model: EntityModel = {
    find: async texts =>
      texts.map(text => {
        asked.push(text)
        return [...text.matchAll(/(?<=Mrs\. )\p{Lu}\p{L}+/gu)].map(match => ({
          label: 'PERSON',
          start: match.index,
          end: match.index + match[0].length,
          score: match[0] === 'Maybe' ? 0.3 : 0.9,
        }))
      }),
  }
  return { model, asked }
}

const person: PlannedRule = {
  ruleId: 'person',
  name: 'person',
  detection: { type: 'AIMODEL', modelId: 'm', modelVersion: '1', confidenceThreshold: 0.5 },
  replacement: { text: '<{{label}}>' },
}

async function run(name: string, content: string, rules: PlannedRule[], model: EntityModel) {
  const result = await anonymise(
    call({ input: bufferInput(name, Buffer.from(content)), rules, models: async () => model }),
  )
  const output = Buffer.from(await result.output.read(0, result.output.size)).toString()
  return { output, counts: result.findings.map(({ count }) => count) }
}

test('what a model found in one sentence is replaced in all others, as a whole word', async () => {
  const { model } = titleModel()
  const text = 'Smith called.\nMrs. Smith came. smith, Smithson and Smith’s dog.\nMrs. Maybe left; Maybe not.\n'
  expect(await run('note.txt', text, [person], model)).toEqual({
    output: '<PERSON> called.\nMrs. <PERSON> came. smith, Smithson and <PERSON>’s dog.\nMrs. Maybe left; Maybe not.\n',
    counts: [3],
  })
})

test('what a pattern found is replaced where it matches only', async () => {
  const { model } = titleModel()
  const rules = [regexRule('id', '(?<=ID: )\\d{5}'), person]
  expect((await run('note.txt', 'ID: 12345, order 12345, Mrs. Smith\n', rules, model)).output).toBe(
    'ID: [id], order 12345, Mrs. <PERSON>\n',
  )
})

test('in a table each cell stands for itself, and equal cells are asked about once', async () => {
  const { model, asked } = titleModel()
  const text = 'who,note\nMrs. Smith,x\nSmith,x\nMrs. Smith,x\n'
  expect((await run('t.csv', text, [person], model)).output).toBe(
    'who,note\nMrs. <PERSON>,x\nSmith,x\nMrs. <PERSON>,x\n',
  )
  expect(asked.filter(cell => cell === 'Mrs. Smith')).toHaveLength(1)
})

test('a longer text is gone through in pieces, and the edges lose nothing', async () => {
  const { model } = titleModel()
  const line = 'Some words that fill the line, and nothing else at all.\n'
  const text = `Smith\n${line.repeat(3000)}Mrs. Smith\n${line.repeat(3000)}Smith\n`
  const { output, counts } = await run('note.txt', text, [person], model)
  expect(output).toBe(text.replaceAll('Smith', '<PERSON>'))
  expect(counts).toEqual([3])
})

test('without a loader, or with a model that fails, the asset fails', async () => {
  const input = bufferInput('note.txt', Buffer.from('Mrs. Smith'))
  await expect(anonymise(call({ input, rules: [person] }))).rejects.toMatchObject({ type: 'model_load_failed' })
  const broken: EntityModel = { find: () => Promise.reject(new Error('broken')) }
  await expect(run('note.txt', 'Mrs. Smith', [person], broken)).rejects.toThrow('broken')
})
