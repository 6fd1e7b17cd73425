import { expect, test } from 'vitest'
import { checkPattern } from '../../../shared/engine/detect/regex/check.ts'

test.each<[string, Parameters<typeof checkPattern>[0], unknown]>([
  ['a word', { pattern: 'abc' }, { ok: true, linear: true }],
  ['an e-mail address', { pattern: '[\\w.+-]+@[\\w-]+\\.[\\w.]+' }, { ok: true, linear: true }],
  ['a look-ahead', { pattern: '\\d+(?= EUR)' }, { ok: true, linear: false }],
  ['a look-behind', { pattern: '(?<=EUR )\\d+' }, { ok: true, linear: true }],
  ['escapes that only classes know', { pattern: '(?<!\\d)[\\w.%+\\-]{1,9}@x(?!\\d)' }, { ok: true, linear: false }],
  ['a look-ahead behind a word', { pattern: '\\b\\d{3}(?=-\\d{4})' }, { ok: true, linear: false }],
  ['a back-reference', { pattern: '(\\w)\\1' }, { ok: true, linear: false }],
  ['Unicode classes', { pattern: '\\p{Lu}\\p{Ll}+' }, { ok: true, linear: true }],
  ['leading flags', { pattern: '(?i)abc' }, { ok: true, linear: true }],
  ['flags', { pattern: 'abc.$', flags: 'is' }, { ok: true, linear: true }],
  ['a checksum', { pattern: '\\d{16}', validator: 'luhn' }, { ok: true, linear: true }],
  ['nested repeats', { pattern: '(a+)+$' }, { ok: true, linear: true }],
  ['an unknown checksum', { pattern: 'a', validator: 'nope' }, ['validator_unknown']],
  ['a name of the language', { pattern: 'a', validator: 'constructor' }, ['validator_unknown']],
  ['an open group', { pattern: 'a(b' }, ['regex_syntax']],
  ['a needless escape', { pattern: '\\-a' }, ['regex_syntax']],
  ['a lone brace', { pattern: 'a{' }, ['regex_syntax']],
  ['POSIX classes are no syntax of this dialect', { pattern: '(?P<x>a)' }, ['regex_syntax']],
  ['the empty pattern', { pattern: '' }, ['regex_empty_match']],
  ['an optional text', { pattern: 'a*' }, ['regex_empty_match']],
  ['only an assertion', { pattern: '\\b' }, ['regex_empty_match']],
  ['an empty choice', { pattern: 'a|' }, ['regex_empty_match']],
  ['too long', { pattern: 'a'.repeat(1001) }, ['regex_too_long']],
  ['too deep', { pattern: `${'(?:'.repeat(60)}a${')'.repeat(60)}` }, ['regex_too_complex']],
  ['a huge program', { pattern: `(?:${'abcdefghij'.repeat(20)}){1000}` }, ['regex_too_complex']],
  ['many classes of Unicode', { pattern: manyClasses(80) }, ['regex_too_complex']],
  ['the same class often', { pattern: '\\p{L}'.repeat(80) }, { ok: true, linear: true }],
  ['many small classes', { pattern: manyClasses(80, ''), flags: 'i' }, { ok: true, linear: true }],
  ['exponential, with a look-ahead', { pattern: '(?=b|a)(a+)+$' }, ['regex_too_complex']],
  ['two problems', { pattern: 'a*', validator: 'nope' }, ['validator_unknown', 'regex_empty_match']],
])('%s', (_, rule, expected) => {
  const answer = checkPattern(rule)
  expect(answer.ok ? answer : answer.problems.map(({ type }) => type)).toEqual(expected)
})

/** So many classes of characters, no two alike. */
function manyClasses(count: number, also = '\\p{L}'): string {
  return Array.from({ length: count }, (_, n) => `[${also}${String.fromCodePoint(0x430 + n)}]`).join('')
}

test.each([
  ['as many classes of Unicode as there may be are', manyClasses(16), true],
  ['one more is not', manyClasses(17), false],
  [
    'many letters in any case are',
    Array.from({ length: 300 }, (_, n) => String.fromCodePoint(0x400 + n)).join(''),
    true,
  ],
])('%s gone through', (_, pattern, isTaken) => {
  const answer = checkPattern({ pattern, flags: 'i' })
  expect(answer.ok || answer.problems.map(({ type }) => type)).toEqual(isTaken || ['regex_too_complex'])
})

test('no character that case changes stands for one that it does not', () => {
  const points = Array.from({ length: 0x110000 }, (_, point) => point).filter(point => point < 0xd800 || point > 0xdfff)
  const [cased, others]: [string[], string[]] = [[], []]
  for (const point of points) {
    const character = String.fromCodePoint(point)
    if (/[\p{CWCM}\p{CWCF}]/u.test(character)) cased.push(character)
    else others.push(`\\u{${point.toString(16)}}`)
  }
  const anyOther = new RegExp(`^[${others.join('')}]$`, 'iu')
  expect(cased.length).toBeGreaterThan(2500)
  expect(cased.filter(character => anyOther.test(character))).toEqual([])
})

test('says where the syntax is wrong', () => {
  const answer = checkPattern({ pattern: '(?i)ab)c' })
  expect(answer).toMatchObject({ ok: false, problems: [{ type: 'regex_syntax', position: 6 }] })
})
