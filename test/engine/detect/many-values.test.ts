import { expect, test } from 'vitest'
import { createDictionary } from '../../../shared/engine/detect/dictionary/dictionary.ts'
import { dice } from './dice.ts'

test('of a million values each is found, and nothing that is none', () => {
  const roll = dice(1)
  const syllables = ['ba', 'ke', 'li', 'mo', 'nu', 'ra', 'se', 'ti', 'vo', 'wu', 'xa', 'ze', 'pra', 'sto', 'kri', 'lum']
  const word = () => Array.from({ length: 3 + roll(2) }, () => syllables[roll(syllables.length)]!).join('')
  const values = Array.from({ length: 1_000_000 }, () => `${word()} ${word()}`)
  const { find } = createDictionary(values.map(value => ({ value, match: 'word' as const })))
  const known = new Set(values)
  for (let n = 0; n < 2000; n++) {
    const present = values[roll(values.length)]!
    expect(find(`So ${present.toUpperCase()} came.`)).toEqual([{ start: 3, end: 3 + present.length }])
    const other = `${word()} ${word()}`
    expect(find(other).length > 0).toBe(known.has(other))
  }
})
