import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { findValues } from '../../../shared/engine/found-values.ts'
import { bufferInput } from '../../../shared/engine/input.ts'
import { checkLabels, checkReplacement, type Replacement } from '../../../shared/engine/operators/index.ts'
import type { PlannedRule } from '../../../shared/engine/plan.ts'
import { comparedBy } from '../../../shared/engine/plan-facts.ts'
import { splitAsset } from '../../../shared/engine/split.ts'
import { filterOf } from '../../../shared/engine/surrogates/value-filter.ts'
import { call, regexRule } from '../call.ts'

const surrogate = (as: string) => ({ replacement: { surrogate: { as } } })

async function outputOf(name: string, content: string, rules: PlannedRule[], more: object = {}) {
  const input = bufferInput(name, Buffer.from(content))
  const { output } = await anonymise({
    ...call({ input, rules, assetType: /csv|json/.test(name) ? 'TABLE' : 'DOCUMENT' }),
    ...more,
  })
  return Buffer.from(await output.read(0, output.size)).toString()
}

const person = regexRule('name', '(?:Anna|A\\.) Berg|Frau Berg', surrogate('PERSON'))
const email = regexRule('email', '[\\w.]+@[\\w.]+\\.\\w+', surrogate('EMAIL'))

test.each([
  ['letter.txt', (text: string) => text],
  ['letter.md', (text: string) => text],
  ['letter.html', (text: string) => `<meta charset="utf-8"><p>${text}</p>`],
  ['letter.xml', (text: string) => `<a>${text}</a>`],
])('a person and her address agree in %s', async (name, wrap) => {
  const text = 'Anna Berg was here. Frau Berg wrote from anna.berg@klinik.de.'
  const out = await outputOf(name, wrap(text), [person, email])
  const [, given, surname] = /(\p{Lu}\p{L}+) (\p{Lu}\p{L}+) was here\. Frau \2 wrote from/u.exec(out)!
  expect([given, surname]).not.toContain('Berg')
  expect(out).toMatch(/wrote from \w+\.\w+@\w+\.example/)
})

test('a table has the same surrogates whole and in chunks, by bytes and cell by cell', async () => {
  const rows = Array.from({ length: 400 }, (_, n) => `${n},Anna Berg,anna.berg${n % 40}@klinik.de`)
  const content = `id,name,email\n${rows.join('\n')}\n`
  const rules = [
    regexRule('name', '.+', { ...surrogate('PERSON'), columns: ['name'], replace: 'cell' }),
    regexRule('email', '.+', { ...surrogate('EMAIL'), columns: ['email'], replace: 'cell' }),
  ]
  const whole = await outputOf('people.csv', content, rules)
  expect(whole).not.toMatch(/Anna|Berg|klinik/)
  expect(
    new Set(
      whole
        .trim()
        .split('\n')
        .slice(1)
        .map(line => line.split(',')[2]),
    ).size,
  ).toBe(40)
  const input = bufferInput('people.csv', Buffer.from(content))
  const split = (await splitAsset({ input, size: 3000, signal: new AbortController().signal }))!
  expect(split.ranges.length).toBeGreaterThan(2)
  const parts: string[] = []
  const asked = call({ input, rules, assetType: 'TABLE' })
  const filter = await filterOf([await findValues({ ...asked, compared: comparedBy(asked.plan) })])
  for (const range of split.ranges)
    parts.push(await outputOf('people.csv', content, rules, { range, options: split.options, filter }))
  expect(parts.join('')).toBe(whole)
})

test.each([
  [{ surrogate: { as: 'AGE' } }, ['surrogate', 'as']],
  [{ surrogate: { scope: 'world' } }, ['surrogate', 'scope']],
  [{ surrogate: { locale: 'xx' } }, ['surrogate', 'locale']],
  [{ surrogate: { keep: ['name'] } }, ['surrogate', 'keep']],
  [{ surrogate: { checkDigit: true } }, ['surrogate', 'checkDigit']],
  [{ surrogate: { mode: 1 } }, ['surrogate', 'mode']],
])('%j is refused', (replacement, loc) => {
  expect(checkReplacement(replacement as Replacement)).toEqual([{ msg: expect.any(String), loc }])
})

test('a rule whose labels have no surrogates is refused, and one whose label says nothing', () => {
  const problem = [{ msg: expect.any(String), loc: ['surrogate', 'as'] }]
  expect(checkLabels({ surrogate: {} }, ['PERSON', 'EMAIL'])).toEqual([])
  expect(checkLabels({ surrogate: {} }, ['PERSON', 'AGE'])).toEqual([
    { ...problem[0], msg: expect.stringContaining('AGE') },
  ])
  expect(checkLabels({ surrogate: {} }, [])).toEqual(problem)
  expect(checkLabels({ surrogate: {} }, undefined)).toEqual(problem)
  expect(checkLabels({ surrogate: { as: 'PERSON' } }, undefined)).toEqual([])
})

test('a pattern rule without `as` fails the asset', async () => {
  const rules = [regexRule('name', 'Anna', { replacement: { surrogate: {} } })]
  await expect(outputOf('a.txt', 'Anna', rules)).rejects.toMatchObject({ type: 'invalid_workflow' })
})
