import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { memoryNumbering } from '../../../shared/engine/in-memory.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import type { Generalisation } from '../../../shared/engine/operators/generalise.ts'
import type { Replacement } from '../../../shared/engine/operators/index.ts'
import { createReplacer } from '../../../shared/engine/operators/replacer.ts'
import { call, regexRule, secrets } from '../call.ts'

const rows = [
  ['Bachelors', 'Degree', 'Any'],
  ['Masters', 'Degree', 'Any'],
  ['9th', 'School', 'Any'],
]

test.each<[Generalisation, string, string]>([
  [{ range: 10 }, '39', '[30, 40['],
  [{ range: 10 }, ' 40 ', '[40, 50['],
  [{ range: 10 }, '-1', '[-10, 0['],
  [{ range: { width: 5, from: 2 } }, '7', '[7, 12['],
  [{ range: 0.1 }, '0.3', '[0.3, 0.4['],
  [{ range: 0.1 }, '0.29', '[0.2, 0.3['],
  [{ range: 10 }, '1e3', '[1000, 1010['],
  [{ range: 10 }, 'n/a', '*'],
  [{ range: 10 }, '3,9', '*'],
  [{ range: { bounds: [18, 65] } }, '17.9', '<18'],
  [{ range: { bounds: [18, 65] } }, '18', '[18, 65['],
  [{ range: { bounds: [18, 65] } }, '65', '>=65'],
  [{ date: 'month' }, '1987-03-04', '1987-03'],
  [{ date: 'quarter' }, '1987-03-04T10:00:00Z', '1987-Q1'],
  [{ date: 'year' }, '19870304', '1987'],
  [{ date: 'decade' }, '1987/3/4', '1980s'],
  [{ date: { part: 'month', order: 'DMY' } }, '04.03.1987', '1987-03'],
  [{ date: { part: 'month', order: 'MDY' } }, '04/03/1987', '1987-04'],
  [{ date: 'year' }, '1987-13-04', '*'],
  [{ date: 'year' }, 'in March', '*'],
  [{ prefix: { keep: 3 } }, '81667', '816**'],
  [{ prefix: { keep: 1, char: '#' } }, '😀ab', '😀##'],
  [{ prefix: { keep: 9 } }, 'ab', 'ab'],
  [{ hierarchy: { level: 1, rows } }, 'Masters', 'Degree'],
  [{ hierarchy: { level: 0, rows } }, 'Masters', 'Masters'],
  [{ hierarchy: { level: 2, rows } }, ' 9th', 'Any'],
  [{ hierarchy: { level: 1, rows } }, 'Doctorate', '*'],
])('%j makes of %j %j', async (form, value, expected) => {
  const replace = createReplacer([everything({ generalise: form }, ['age'])], secrets, memoryNumbering())
  expect(await replace([{ rule: 0, label: 'age', value, text: value }])).toEqual([expected])
})

const everything = (replacement: Replacement, columns: string[]) =>
  regexRule(columns[0]!, '[\\s\\S]+', { replacement, columns })

const rules = [
  everything({ generalise: { range: 10 } }, ['age']),
  everything({ generalise: { date: 'year' } }, ['born']),
  everything({ suppress: {} }, ['name']),
]

test.each([
  [
    't.csv',
    'name,age,born,note\r\n"Ann ""A"" Bee",39,1987-03-04,39\r\n,,,\r\nBob,x,,"1987-03-04"\r\n',
    'name,age,born,note\r\n"*","[30, 40[",1987,39\r\n,,,\r\n*,*,,"1987-03-04"\r\n',
  ],
  [
    't.ndjson',
    '{"name":"Ann","age":39,"born":"1987-03-04","note":39}\n{"name":null,"age":4.5}\n',
    '{"name":"*","age":"[30, 40[","born":"1987","note":39}\n{"name":null,"age":"[0, 10["}\n',
  ],
])('whole columns of %s are generalised and suppressed', async (name, text, expected) => {
  const { output } = await anonymise(call({ input: bufferInput(name, Buffer.from(text)), rules, assetType: 'TABLE' }))
  expect(Buffer.from(await output.read(0, output.size)).toString()).toBe(expected)
})
