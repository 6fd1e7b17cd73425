import { setFlagsFromString } from 'node:v8'
import { afterAll, expect, test } from 'vitest'
import { flagLetters, parsePattern } from '../../../shared/engine/detect/regex/syntax.ts'
import { patternOf } from '../../../shared/engine/models/tokenizers/patterns.ts'
import { recognise } from '../../../shared/engine/recognisers/index.ts'

// What V8 does by itself once it has compiled a great deal.
setFlagsFromString('--no-regexp-optimization')
afterAll(() => setFlagsFromString('--regexp-optimization'))

const compiled = (pattern: string, flags?: string) => {
  const parsed = parsePattern(pattern, flags)
  return new RegExp(parsed.source, `${flagLetters(parsed.flags)}gu`)
}

test.each([
  ['(?i:anna|bert) \\d', 'ANNA 1, Bert 2, anna 3', ['ANNA 1', 'Bert 2', 'anna 3']],
  ['(?i:x(?:ab|cd)y)', 'XABY xcdy Xcdy', ['XABY', 'xcdy', 'Xcdy']],
  ['(?i:x(?:ab|cd){2}?y)+Z', 'XABcdyxABABYZ xababyz', ['XABcdyxABABYZ']],
  ['(?<!(?i:ver|rev) )\\d+', 'Ver 1, REV 2, no 3', ['3']],
  ['(?i:(?<who>a|b)\\k<who>)', 'Aa aB bB', ['Aa', 'bB']],
  ['(?i:a(?-i:b|c)d)', 'AbD ABD aCd Acd', ['AbD', 'Acd']],
  ['(?i:a|)x', 'Ax x AX', ['Ax', 'x']],
  ['(?s:a.|b.)c|(?m:^d|e$)', 'a\nc\nd\ne', ['a\nc', 'd', 'e']],
  ['[(?i:]|(?i:q|r)', '( ? i : Q R', ['(', '?', 'i', ':', 'Q', 'R']],
])('%s finds the same when V8 optimises nothing', (pattern, text, expected) => {
  expect(text.match(compiled(pattern))).toEqual(expected)
})

test('a pattern without groups that change flags stays as it is', () => {
  for (const pattern of ['a|b', '(?:a|b)(?<n>c)\\k<n>', '(?<=a|b)[(?i:]'])
    expect(parsePattern(pattern).source).toBe(pattern)
})

test('a pattern with one flag for all of it is not touched', () => {
  expect('Anna BERT'.match(compiled('anna|bert', 'i'))).toEqual(['Anna', 'BERT'])
})

test.each(['Chrome/120.0.0.1', 'VERSION 10.2.3.4', 'Firmware: 2.0.14.1'])('%s is no address', text => {
  expect(recognise(text, { threshold: 0.5 })).toEqual([])
})

test('the pattern of a tokeniser cuts the same', () => {
  expect("WE'RE it's".match(patternOf({ Regex: "(?i:'s|'re)" }))).toEqual(["'RE", "'s"])
})
