import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchMany } from '../../../shared/engine/detect/regex/many-patterns.ts'
import { measure } from '../../../shared/engine/detect/regex/measure.ts'
import { parsePattern } from '../../../shared/engine/detect/regex/syntax.ts'
import { recognisers } from '../../../shared/engine/recognisers/index.ts'
import { prepare } from '../../../shared/engine/recognisers/recogniser.ts'
import { formats, harmless, valid } from '../recognisers/vectors.ts'

const list = (matches: Iterable<RegExpExecArray>) => Array.from(matches, ({ 0: text, index }) => `${index} ${text}`)

const atom = fc.constantFrom(
  ...['a', 'B', 'k', 'ß', 's', 'Å', '1', ' ', '.', '\\d', '\\w', '\\s', '\\p{L}', '\\p{Lu}', '[ab]', '[Kk]', '[^a1]'],
  ...['[a-f\\d]', '[\\p{L}\\p{M}]', '[á-ſ]', '[\\u2100-\\u2200]', '😀', '[😀b]', '\\n', 'ж', '[\\p{N}.-]'],
)
const { pattern: anyPattern } = fc.letrec(tie => ({
  pattern: fc.oneof(
    { weight: 3, arbitrary: tie('sequence') },
    fc.array(tie('sequence'), { minLength: 2, maxLength: 12 }).map(list => list.join('|')),
  ),
  sequence: fc.array(tie('item'), { minLength: 1, maxLength: 5 }).map(items => items.join('')),
  item: fc.oneof(
    { maxDepth: 3 },
    { weight: 5, arbitrary: fc.tuple(atom, tie('quantifier')).map(([a, q]) => `${a}${q}`) },
    fc.tuple(tie('pattern'), tie('quantifier')).map(([a, q]) => `(?:${a})${q}`),
    fc.tuple(atom, atom).map(([a, b]) => `(${a})${b}?\\1`),
    fc.constantFrom('\\b', '\\B', '^', '$'),
    fc.tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), tie('pattern')).map(([open, a]) => `${open}${a})`),
    fc.tuple(fc.constantFrom('(?<=', '(?<!'), atom, atom).map(([open, a, b]) => `${open}^|${a}|${b} ?)`),
  ),
  quantifier: fc.constantFrom('', '', '', '', '+', '*', '?', '{2}', '{1,3}', '{9}', '{0,12}', '+?'),
})) as { pattern: fc.Arbitrary<string> }
/** Patterns that are valid and never match the empty text. */
const filled = anyPattern.filter(pattern => {
  try {
    return measure(parsePattern(pattern).tree).min > 0 && new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    return false
  }
})
const flags = fc.constantFrom('gu', 'gu', 'giu', 'gmu', 'gsu')
const text = fc.string({
  unit: fc.constantFrom(...Array.from('aabBkK1 1..\n\u2028sSſßẞÅ\u212a\u212bżжЖ😀'), '\ud83d', '\ude00'),
  maxLength: 60,
})

test('finds in any text what each pattern finds alone', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(filled, flags), { minLength: 1, maxLength: 6 }), fc.array(text), (all, texts) => {
      const patterns = all.map(([source, letters]) => new RegExp(source, letters))
      const search = searchMany(patterns, 0)
      for (const one of texts) {
        const searched = search(one)
        for (const [index, pattern] of patterns.entries()) {
          const alone = list(one.matchAll(pattern))
          expect(list(searched.matches(index))).toEqual(alone)
          expect(searched.mayMatch(index) || alone.length === 0).toBe(true)
        }
      }
    }),
    { numRuns: 100 },
  )
})

const { patterns } = prepare(recognisers)
const search = searchMany(patterns, 0)
const samples = [...Object.values(valid), ...Object.values(formats), ...harmless]

test('finds what every recogniser finds alone, between words of several scripts', () => {
  const words = [
    'Frau ',
    'née Żak, ',
    'Rechnung Nr. ',
    '\nDear ',
    'Dr. ',
    '😀',
    'Адрес: ',
    '(',
    '. ',
    '\n',
    'Calle Mayor 3',
    '@',
  ]
  const piece = fc.oneof(fc.constantFrom(...samples), fc.constantFrom(...words))
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
      const one = pieces.join('')
      const searched = search(one)
      for (const [index, pattern] of patterns.entries())
        expect([String(pattern), list(searched.matches(index))]).toEqual([String(pattern), list(one.matchAll(pattern))])
    }),
    { numRuns: 80 },
  )
})

test('leaves out patterns that no place of a text begins like', () => {
  const searched = search('Sehr geehrte Damen und Herren, wir danken für die Lieferung und bitten um etwas Geduld.')
  const left = patterns.filter((_, index) => searched.mayMatch(index)).length
  expect(left).toBeLessThan(patterns.length / 8)
})

test('searches plainly where a pattern may begin nearly everywhere, and before the tables pay', () => {
  const letters = [/\p{L}+(?=!)/gu]
  const long = `${'x '.repeat(500)}there!`
  for (const plainly of [0, 10_000]) expect(list(searchMany(letters, plainly)(long).matches(0))).toEqual(['1000 there'])
})

test('searches for any number of patterns together', () => {
  const many = Array.from({ length: 3_000 }, (_, n) => new RegExp(`k${n}(?!\\d)`, 'gu'))
  const searched = searchMany(many, 0)('k0 k17 k1023 k1024 k2999 k17')
  const found = many.flatMap((_, n) => list(searched.matches(n)))
  expect(found).toEqual(['0 k0', '3 k17', '25 k17', '7 k1023', '13 k1024', '19 k2999'])
})
