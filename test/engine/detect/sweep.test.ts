import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { measure } from '../../../shared/engine/detect/regex/measure.ts'
import { compileRule } from '../../../shared/engine/detect/regex/rule.ts'
import { createRegexSearch, defaultBudgets } from '../../../shared/engine/detect/regex/search.ts'
import { createSweep } from '../../../shared/engine/detect/regex/sweep.ts'
import { parsePattern } from '../../../shared/engine/detect/regex/syntax.ts'
import { runs } from '../../runs.ts'

type Pair = [start: number, end: number]

const ruleOf = (pattern: string, flags = '', index = 0) =>
  compileRule({ type: 'REGEX', pattern, flags }, index, 'id', 'rule')

function plainly(pattern: string, flags: string, text: string, from = 0): Pair[] {
  const expected = new RegExp(pattern, `g${flags}u`)
  const found: Pair[] = []
  expected.lastIndex = from
  for (let match = expected.exec(text); match; match = expected.exec(text))
    found.push([match.index, expected.lastIndex])
  return found
}

const atom = fc.constantFrom(
  ...['a', 'K', '1', '@', '-', '_', ' ', 'é', 'ſ', '\\.', '.', '\\d', '\\w', '\\s', '[ab]', '[A-Z0-9]', '[^a]'],
  ...['[é-ü]', '[ÿ-ž]', '\\p{Lu}', '🙂', '[\\x00-\\x1e]', '\\n'],
)
const bounded = ['', '', '', '?', '{2}', '{1,3}', '{9}', '{0,2}']
const quantifier = fc.constantFrom(...bounded, '+')
const look = fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!', '(?<=^|'), atom).map(([a, b]) => `${a}${b})`)
const item = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(atom, quantifier).map(parts => parts.join('')) },
  // Two that may begin alike, repeated without an end, would take V8 forever.
  {
    weight: 1,
    arbitrary: fc.tuple(atom, atom, fc.constantFrom(...bounded)).map(([a, b, often]) => `(?:${a}|1${b})${often}`),
  },
  { weight: 1, arbitrary: fc.oneof(look, fc.constantFrom('\\b', '\\B', '^', '$', '(?i:k)')) },
)
const pattern = fc
  .tuple(fc.constantFrom('', '\\b', '\\b', '(?:\\b|_)', '^'), fc.array(item, { minLength: 2, maxLength: 7 }))
  .map(([first, items]) => first + items.join(''))
  .filter(source => measure(parsePattern(source).tree).min > 0)
const flags = fc.constantFrom('', '', 'i', 's', 'm')
const pieces = [...'aabKk1111@-_  \n\ré🙂ſÿžſK.\0', '\u2028', '\ud83d', 'ab11', 'K-111-1', '1111111111', '@a.']
const text = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 60, size: 'max' })
/** How long the text before is: at the edges of what is looked at in one go too. */
const before = fc.constantFrom(0, 3, 15, 16, 17, 16_350, 16_380, 16_383, 16_384, 16_385, 32_760)

describe('a sweep finds what V8 alone finds', () => {
  test('in one text, from a place on', () => {
    let swept = 0
    fc.assert(
      fc.property(pattern, flags, before, text, fc.nat(5), (source, letters, length, end, back) => {
        const { plain, beginning } = ruleOf(source, letters)
        const begun = beginning()
        if (!begun) return
        swept++
        const subject = 'x-'.repeat(length).slice(0, length) + end
        const from = Math.max(0, length - back)
        const found: Pair[] = []
        const take = (start: number, end: number) => found.push([start, end])
        const [rest] = createSweep([begun])(subject, from, [{ sticky: plain.sticky, take }])
        expect(rest).toBe(-1)
        expect(found).toEqual(plainly(source, letters, subject, from))
      }),
      { numRuns: runs(1500) },
    )
    expect(swept).toBeGreaterThan(runs(300))
  })

  test('for many rules together, in one text and in many that are joined', () => {
    const one = fc.tuple(
      pattern.filter(source => !/\+|\\[pnsS]/.test(source)),
      flags,
    )
    fc.assert(
      fc.property(fc.array(one, { minLength: 2, maxLength: 20 }), fc.array(text, { minLength: 2 }), (rules, texts) => {
        const compiled = rules.map(([source, letters], index) => ruleOf(source, letters, index))
        const search = createRegexSearch(compiled, defaultBudgets, () => [])
        const padded = ['x\n'.repeat(9000), ...texts, 'x-\n'.repeat(5000), ...texts]
        for (const joined of [true, false]) {
          const subject = padded.join(joined ? '\u001f' : ' ')
          const hits = search.find(subject, 0, joined)
          let base = 0
          const expected = rules.map((): number[] => [])
          for (const part of joined ? padded : [subject]) {
            for (const [index, [source, letters]] of rules.entries())
              expected[index]!.push(...plainly(source, letters, part).flatMap(([a, b]) => [a + base, b + base]))
            base += part.length + 1
          }
          expect(hits.map(({ at }) => at)).toEqual(expected)
        }
      }),
      { numRuns: runs(60), endOnFailure: true },
    )
  })
})

test('a rule that may begin at very many places is searched for plainly from some place on', () => {
  const rules = ['\\b\\d{3}-\\d{4}X?', '\\b[A-Z]\\d{7}', '\\b\\d\\d:\\d\\d'].map((source, index) =>
    ruleOf(source, '', index),
  )
  const search = createRegexSearch(rules, defaultBudgets, () => [])
  const subject = `${'A123456x '.repeat(9000)} 123-4567 B1234567 ${'A123456x '.repeat(9000)}C7654321 12:34`
  const find = () => search.find(subject, 0, false).map(({ at }) => at.length / 2)
  expect([find(), find()]).toEqual([
    [1, 2, 1],
    [1, 2, 1],
  ])
})

test('a rule beside slow ones that are swept finds everything', () => {
  const rules = ['\\b1(\\d+)+X', '\\bA\\d{3}\\b', '\\bB\\d{3}\\b'].map((source, index) => ruleOf(source, '', index))
  const search = createRegexSearch(rules, { ...defaultBudgets, chunk: 20, rule: 20 }, () => [])
  const subject = `A123 ${'1'.repeat(60)}! ${'x '.repeat(15_000)}B123`
  for (const _ of [1, 2, 3, 4, 5])
    expect(search.find(subject, 0, false).map(({ at }) => at.length / 2)).toEqual([0, 1, 1])
})
