import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { Replacement as Contract } from '../../shared/api/replacements.ts'
import { anonymise } from '../../shared/engine/anonymise.ts'
import { bufferInput } from '../../shared/engine/input.ts'
import { checkReplacement, operators, type Replacement } from '../../shared/engine/operators/index.ts'
import { call, regexRule } from './call.ts'

const names = Object.keys(operators).sort()

test('the contract and the README have the same replacements as the engine', async () => {
  const forms = Contract.options.flatMap(({ shape }) => Object.keys(shape))
  expect(forms.sort()).toEqual(names)
  const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  expect(Array.from(readme.matchAll(/^\| `\{"(\w+)":/gm), ([, name]) => name).sort()).toEqual(names)
})

/** Replacements that no type allows, as a plan of another version or of JavaScript may hold them. */
const wrong: [unknown, string[]][] = [
  [{ encrypt: {} }, []],
  [{ constructor: {} }, []],
  [{}, []],
  [null, []],
  [{ text: 'x', remove: {} }, []],
  [{ text: 1 }, ['text']],
  [{ mask: { keepFirst: -1 } }, ['mask', 'keepFirst']],
  [{ mask: { char: '' } }, ['mask', 'char']],
  [{ mask: { keepLast: 1.5 } }, ['mask', 'keepLast']],
  [{ hash: { key: 'x' } }, ['hash']],
  [{ generalise: { round: 1 } }, ['generalise']],
  [{ generalise: { range: 0 } }, ['generalise', 'range']],
  [{ generalise: { range: { bounds: [2, 1] } } }, ['generalise', 'range', 'bounds']],
  [{ generalise: { date: 'week' } }, ['generalise', 'date']],
  [{ generalise: { prefix: { keep: -1 } } }, ['generalise', 'prefix', 'keep']],
  [{ generalise: { hierarchy: { level: 1, rows: [['a']] } } }, ['generalise', 'hierarchy', 'level']],
]

test.each(wrong)('%j is refused as a replacement, in texts and in tables', async (replacement, loc) => {
  expect(checkReplacement(replacement as Replacement)).toEqual([{ msg: expect.any(String), loc }])
  const rules = [regexRule('x', 'Anna', { replacement: replacement as Replacement })]
  for (const [name, assetType] of [
    ['a.txt', 'DOCUMENT'],
    ['a.csv', 'TABLE'],
  ] as const) {
    const input = bufferInput(name, Buffer.from('name,city\nAnna,Ulm\n'))
    const error = { type: 'invalid_workflow', loc: ['rules', rules[0]!.ruleId, 'replacement', ...loc] }
    await expect(anonymise(call({ input, rules, assetType }))).rejects.toMatchObject(error)
  }
})

test('a placeholder that nothing fills is refused when it is saved', () => {
  expect(checkReplacement({ text: '[{{name}}]' })).toEqual([{ msg: expect.any(String), loc: ['text'] }])
  expect(checkReplacement({ text: '[{{label}} {{rule}} {{n}}]' })).toEqual([])
})
