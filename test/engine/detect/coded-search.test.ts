import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCodedSearch } from '../../../shared/engine/detect/regex/coded-search.ts'
import { measure } from '../../../shared/engine/detect/regex/measure.ts'
import { compileRule } from '../../../shared/engine/detect/regex/rule.ts'
import { createRegexSearch, defaultBudgets } from '../../../shared/engine/detect/regex/search.ts'
import { separator } from '../../../shared/engine/detect/regex/separator.ts'
import { parsePattern } from '../../../shared/engine/detect/regex/syntax.ts'
import { runs } from '../../runs.ts'

const ruleOf = (pattern: string, flags = '', index = 0) =>
  compileRule({ type: 'REGEX', pattern, flags }, index, 'id', 'rule')

/** What V8 finds in each text alone, as it stands where they are joined. */
function plainly(pattern: string, flags: string, texts: readonly string[]): number[] {
  const expected = new RegExp(pattern, `g${flags}u`)
  const found: number[] = []
  let base = 0
  for (const text of texts) {
    for (const { index, 0: match } of text.matchAll(expected)) found.push(base + index, base + index + match.length)
    base += text.length + 1
  }
  return found
}

const atom = fc.constantFrom(
  ...[
    'a',
    'b',
    '1',
    '@',
    '-',
    '_',
    '\\.',
    '\\d',
    '\\w',
    '[ab]',
    '[a-c1]',
    '[A-Z0-9]',
    '[ .-]',
    '[\\x00-\\x1f-]',
    '\\x1f',
  ],
)
const often = fc.constantFrom(
  '',
  '',
  '',
  '?',
  '??',
  '{2}',
  '{1,3}',
  '{1,3}?',
  '{6}',
  '{0,2}',
  '+',
  '*',
  '+?',
  '{2,40}',
  '{20}',
)
const few = fc.constantFrom('', '', '?', '??', '{2}', '{1,3}', '{0,2}?', '{3}')
const look = fc
  .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), atom, fc.constantFrom('', '|a', '|1'))
  .map(([open, one, other]) => `${open}${one}${other})`)
const simple = fc.tuple(atom, often).map(parts => parts.join(''))
const edge = fc.oneof(look, fc.constantFrom('\\b', '\\B', '^', '$'))
const parts = fc.array(fc.oneof({ weight: 6, arbitrary: simple }, { weight: 1, arbitrary: edge }), {
  minLength: 1,
  maxLength: 3,
})
const group = fc
  .tuple(fc.constantFrom('(?:', '('), fc.array(parts, { minLength: 1, maxLength: 3 }), few)
  .map(([open, list, rounds]) => `${open}${list.map(one => one.join('')).join('|')})${rounds}`)
const item = fc.oneof({ weight: 5, arbitrary: simple }, { weight: 2, arbitrary: group }, { weight: 1, arbitrary: edge })
const pattern = fc
  .tuple(fc.constantFrom('', '\\b', '\\b', '^'), fc.array(item, { minLength: 2, maxLength: 6 }))
  .map(([first, items]) => first + items.join(''))
const alternatives = fc
  .array(pattern, { minLength: 1, maxLength: 2 })
  .map(list => list.join('|'))
  .filter(source => measure(parsePattern(source).tree).min > 0)
const flags = fc.constantFrom('', '', '', 'i', 's', 'm')
const pieces = [
  ...'aabbcABZ1111@@--__  ..\n\0',
  '\xc3\xa9',
  '\xff',
  'ab11',
  'a-1-1',
  '1111111',
  '@a.',
  'aaaaaaaaaaaaaaaaaaaaaaaa',
]
const text = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 24, size: 'max' })
const texts = fc.array(text, { minLength: 1, maxLength: 12 })

test('code finds what V8 finds in each text alone', () => {
  let coded = 0
  fc.assert(
    fc.property(fc.array(fc.tuple(alternatives, flags), { minLength: 1, maxLength: 4 }), texts, (all, list) => {
      const search = createCodedSearch(all.map(([source, letters], index) => ruleOf(source, letters, index)))
      if (!search) return
      const joined = list.join(separator)
      const found = search.find(joined)
      if (!found) return
      coded += search.rules.length
      expect(placesOf(found)).toEqual(search.rules.map(({ rule }) => plainly(...all[rule]!, list)))
      expect(placesOf(search.find(joined, Buffer.from(joined, 'latin1')))).toEqual(placesOf(found))
    }),
    { numRuns: runs(1500) },
  )
  expect(coded).toBeGreaterThan(runs(1000))
})

/** Lists of places, whatever they are kept in. */
const placesOf = (lists: readonly ArrayLike<number>[] | undefined) => lists?.map(list => Array.from(list))

const searchOf = (rules: readonly (readonly [pattern: string, flags?: string])[]) =>
  createRegexSearch(
    rules.map(([source, letters], index) => ruleOf(source, letters, index)),
    defaultBudgets,
    rule => ['rules', String(rule)],
  )

test('rules with code and rules without find the same together, in texts of any length', () => {
  const rules = [
    ['\\b\\d{3}-\\d{4}\\b'],
    ['\\b(?:AB)+-1\\b'],
    ['[a-z.]{1,20}@[a-z.]{1,20}\\.[a-z]{2,5}'],
    ['\\b(AB|BA)-\\1\\b'],
  ] as const
  const list = [
    'x-'.repeat(90_000),
    '555-1234',
    '',
    'ABAB-1 or a.b@c.de',
    'BA-BA',
    `${'x\n'.repeat(70_000)}555-1234@`,
    'z@z.zz',
  ]
  for (const texts of [list, [...list.slice(1, 5), 'x '.repeat(9000)], ['y'.repeat(9000), ...list, ...list]]) {
    const search = searchOf(rules)
    for (const _ of [1, 2, 3])
      expect(placesOf(search.findInBytes(texts.join(separator)).map(({ at }) => at))).toEqual(
        rules.map(([source]) => plainly(source, '', texts)),
      )
  }
})

test('what takes too many steps is left to the watchdog', () => {
  const slow = '\\b1\\d{0,40}\\d{0,40}\\d{0,40}\\d{0,40}\\d{0,40}X'
  const text = `${'x '.repeat(9000)}${'1'.repeat(80)}Y 555-1234`
  const coded = createCodedSearch([ruleOf(slow), ruleOf('\\b\\d{3}-\\d{4}\\b')])!
  expect(coded.rules.length).toBe(2)
  expect(coded.find(text)).toBeUndefined()
  for (const long of ['1\\d{2999}X', '1\\d{2999,3000}?X', '1\\d+X', '1(?=\\d*X)'])
    expect(createCodedSearch([ruleOf(long)])!.find('1'.repeat(30_000))).toBeUndefined()
  expect(placesOf(coded.find('555-1234'))).toEqual([[], [0, 8]])
  const search = searchOf([[slow], ['\\b\\d{3}-\\d{4}\\b']])
  for (const _ of [1, 2, 3, 4, 5])
    expect(placesOf(search.findInBytes(text).map(({ at }) => at))).toEqual([[], [text.length - 8, text.length]])
})

test('a match counts only where its checksum is right', () => {
  const card = { type: 'REGEX' as const, pattern: '\\b4\\d{15}\\b', validator: 'luhn' }
  const isEven = (text: string) => Number(text.at(-1)) % 2 === 0
  const rule = compileRule(card, 0, 'id', 'rule', { luhn: isEven } as never)
  const text = ['4000000000000001', '4000000000000002'].join(separator)
  expect(placesOf(createCodedSearch([rule])!.find(text))).toEqual([[17, 33]])
})

test('shapes that have no code are left', () => {
  for (const source of [
    '\\b1(?:ab)+',
    '\\b12(a|b)\\1',
    '\\b123é?',
    '\\b123[^a]',
    '\\b(?<redact>1)23',
    '\\b1(?:a{0,400}b){8}(?:c{8}){8}(?:d(?:e|f){8}){8}(?:g(?:e|f){8}){8}',
    '[a-z]+',
  ])
    expect(createCodedSearch([ruleOf(source)])).toBeUndefined()
})
