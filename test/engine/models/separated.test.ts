import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { separated } from '../../../shared/engine/models/tokenizers/separated.ts'
import { readTokenizer } from '../../../shared/engine/models/tokenizers/tokenizer.ts'

const open = (name: string) => readTokenizer(readFileSync(join(import.meta.dirname, `tokenizers/${name}.json`), 'utf8'))
const sentencePiece = open('unigram')

/** The words of a text, as entities are made of them. */
function wordsOf(text: string): string[] {
  const { starts, ends, words } = separated(text, sentencePiece.encode(text))
  const found: string[] = []
  for (let i = 0; i < words.length; ) {
    let last = i
    while (words[last + 1] === words[i]) last++
    found.push(text.slice(starts[i]!, ends[last]!))
    i = last + 1
  }
  return found.filter(word => word !== '')
}

test.each([
  ['Pan Sou-Mia, Gran.', ['Pan', 'Sou', '-', 'Mia', ',', 'Gran', '.']],
  ["  Mia  Som\n\tS'oun!", ['Mia', 'Som', 'S', "'", 'oun', '!']],
  ['Мойт Gru\u0308nok', ['Мойт', 'Gru\u0308nok']],
])('SentencePiece words of %j end at blanks and punctuation', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
})

test('where a script has no blanks each piece is a word', () => {
  expect(wordsOf('Gru\u0308n东京ok')).toEqual(['Gru\u0308n', '东', '京', 'ok'])
})

test('a stop behind a number is left out, one within a number is not', () => {
  const text = 'Gran 1984. Mia 2026, 12:30. 3.14 3.14.'
  expect(wordsOf(text)).toEqual(['Gran', '1984', 'Mia', '2026', '12:30', '3.14', '3.14'])
})

test('no piece begins with a blank, and each ends where it did', () => {
  const text = 'Anna \u00a0 Kowalska,\u3000Jan\r\nNowak'
  const before = sentencePiece.encode(text)
  const { ids, starts, ends } = separated(text, before)
  expect([ids, ends]).toEqual([before.ids, before.ends])
  for (const [i, start] of starts.entries()) expect(text.slice(start, ends[i]!)).toMatch(/^(?!\s)/u)
})

test('only tokenizers that mark blanks are said to', () => {
  const names = ['unigram', 'unigram-spaces', 'bpe', 'wordpiece'] as const
  expect(names.map(name => open(name).marksBlanks)).toEqual([true, true, false, false])
})
