// npm run bench:surrogate-letters [-- KEYS]: how often a person has two surrogates in a job, because each letter's surrogates are
// none of the words of its own names: 50 letters with 20 names each, of 250 people with names of the lists, under random keys.
import { createSecretKey, randomBytes, randomInt } from 'node:crypto'
import { createSurrogates } from '../shared/engine/surrogates/index.ts'
import { decodeList, languages } from '../shared/engine/surrogates/lists/decode.ts'
import { names } from '../shared/engine/surrogates/lists/names.ts'

const [keys, letters, perLetter, people] = [Number(process.argv[2] ?? 10), 50, 20, 250]
const entries = decodeList(names)
const any = <T>(items: readonly T[]) => items[randomInt(items.length)]!

for (const language of ['de', 'en', 'es', 'pl']) {
  const bit = 1 << languages.indexOf(language)
  const given = entries.filter(({ masks: [female, male] }) => (female! | male!) & bit).map(({ text }) => text)
  const surnames = entries.filter(({ masks }) => masks[2]! & bit).map(({ text }) => text)
  let [several, shared, other, mentions] = [0, 0, 0, 0]
  for (let draw = 0; draw < keys; draw++) {
    const key = createSecretKey(randomBytes(32))
    const persons = Array.from({ length: people }, () => `${any(given)} ${any(surnames)}`)
    const made = new Map<string, string[]>()
    for (let letter = 0; letter < letters; letter++) {
      const found = Array.from({ length: perLetter }, () => any(persons))
      const { load, make } = createSurrogates({ key, options: {}, found })
      await load(['PERSON'])
      for (const person of new Set(found)) made.set(person, [...(made.get(person) ?? []), make('PERSON', person)])
    }
    for (const surrogates of [...made.values()].filter(({ length }) => length > 1)) {
      shared++
      mentions += surrogates.length
      if (new Set(surrogates).size > 1) several++
      const most = Math.max(...surrogates.map(one => surrogates.filter(same => same === one).length))
      other += surrogates.length - most
    }
  }
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`
  console.log(
    `${language}: ${percent(several, shared)} of people in several letters have two surrogates, ${percent(other, mentions)} of mentions`,
  )
}
