import { expect, test } from 'vitest'
import { createDictionary } from '../../../shared/engine/detect/dictionary/dictionary.ts'
import type { ListMatch } from '../../../shared/engine/detect/dictionary/entry.ts'
import { isWithin } from '../../../shared/engine/detect/dictionary/fuzzy.ts'
import { dice } from './dice.ts'

const cases: [ListMatch, string, string, string[]][] = [
  ['word', 'Anna Maria Moser', 'ANNA-MARIA  Moser, anna maria mosers', ['ANNA-MARIA  Moser']],
  ['word', 'Anna Maria Moser', 'Anna; Maria Moser, Anna\n\nMaria Moser; Anna\nMaria Moser', ['Anna\nMaria Moser']],
  [
    'word',
    'Anna Maria Moser',
    'Anna\tMaria\t\tMoser, Anna |\n\tMaria | Moser',
    ['Anna\tMaria\t\tMoser', 'Anna |\n\tMaria | Moser'],
  ],
  ['word', 'Anna Maria Moser', 'Anna: Maria Moser, Anna! Maria Moser?', []],
  ['word', 'St. Gallen', 'in St. Gallen, St Gallen and ST.GALLEN', ['St. Gallen', 'St Gallen', 'ST.GALLEN']],
  ['word', 'Moser', 'Moser, Mosers, moser’s, xMoser, Moser1', ['Moser', 'moser']],
  ['word', '山田太郎', 'これは山田太郎です', ['山田太郎']],
  ['word', 'Ærø', 'på ÆRØ og ærø', ['ÆRØ', 'ærø']],
  ['word', 'New York City', 'New York, New York City, York City', ['New York City']],
  ['case', 'Reich', 'reich, Reich, REICH', ['Reich']],
  ['case', 'May Day', 'May Day, may day, May day', ['May Day']],
  ['exact', 'P-77', 'P-77 XP-771 p-77', ['P-77', 'P-77']],
  ['inflected', 'Kowalski', 'Kowalskiego, Kowalskim i kowalski', ['Kowalskiego', 'Kowalskim', 'kowalski']],
  ['inflected', 'Anna Nowak', 'Anna Nowaka? Annę znam. dla Anna Nowakowi', ['Anna Nowaka', 'Anna Nowakowi']],
  ['inflected', 'Anna', 'Annę, Anny, Annie, Annex', ['Annę', 'Anny', 'Annie']],
  ['inflected', 'Müller', 'Müllers Haus, Müllern, Müllerin', ['Müllers', 'Müllern']],
  [
    'fuzzy',
    'Schwarzenegger',
    'Schwarzeneger, Schwartzenegger, Shwarzeneger, Schwarz',
    ['Schwarzeneger', 'Schwartzenegger', 'Shwarzeneger'],
  ],
  ['fuzzy', 'Meier', 'Meier, Maier, Meyer, Mayer, Meir, Emier', ['Meier', 'Maier', 'Meyer', 'Meir', 'Emier']],
  ['fuzzy', 'Anna', 'Anna Hanna Anne', ['Anna']],
  ['fuzzy', 'Erika Mustermann', 'Frau Erica Musterman kam', ['Erica Musterman']],
]

test.each(cases)('%s finds %j in %j', (match, value, text, expected) => {
  const found = createDictionary([
    { value, match },
    { value: 'Zürich Nord', match },
  ]).find(text)
  expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(expected)
})

test('the longest value wins, and ways of looking stand side by side', () => {
  const { find, patterns } = createDictionary([
    { value: 'New York', match: 'word' },
    { value: 'New York Times', match: 'word' },
    { value: 'York', match: 'case' },
    { value: 'C-\\d+', match: 'pattern' },
  ])
  const text = 'The New York Times of New York'
  expect(find(text).map(({ start, end }) => text.slice(start, end))).toEqual([
    'New York Times',
    'York',
    'New York',
    'York',
  ])
  expect(patterns).toEqual(['C-\\d+'])
})

test('nothing that begins before the given place is found, nor the rest of a word', () => {
  const { find } = createDictionary([{ value: 'Moser', match: 'word' }])
  expect(find('Moser Moser', 1)).toEqual([{ start: 6, end: 11 }])
  expect(find('xMoser Moser', 1)).toEqual([{ start: 7, end: 12 }])
  expect(find('Moser', 0)).toEqual([{ start: 0, end: 5 }])
})

/** The edit distance with neighbours swapped, of the whole table. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j))
  for (let j = 0; j <= b.length; j++) table[0]![j] = j
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      table[i]![j] = Math.min(table[i - 1]![j]! + 1, table[i]![j - 1]! + 1, table[i - 1]![j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        table[i]![j] = Math.min(table[i]![j]!, table[i - 2]![j - 2]! + 1)
    }
  return table[a.length]![b.length]!
}

test('slips are found just where the edit distance allows them', () => {
  const roll = dice(7)
  const word = (length: number) => Array.from({ length }, () => 'abc'[roll(3)]!).join('')
  for (let n = 0; n < 300; n++) {
    const known = word(5 + roll(8))
    const slips = known.length < 9 ? 1 : 2
    const { find } = createDictionary([{ value: known, match: 'fuzzy' }])
    for (let m = 0; m < 20; m++) {
      const letters = [...known]
      for (let change = 0; change < 1 + roll(3); change++)
        letters.splice(roll(letters.length), roll(2), ...word(roll(3)))
      const text = letters.join('')
      expect([known, text, find(text).length > 0]).toEqual([known, text, distance(known, text) <= slips])
      expect(isWithin(known, text, slips)).toBe(distance(known, text) <= slips)
    }
  }
})
