// npm run bench:surrogate-letters [-- KEYS]: how often a person has two surrogates in letters, because their surrogates are none of
// the words of their own names, and in letters of one job, where they are none of all: 50 letters with 20 names each, of 250 people
// with names of the lists, under random keys. Then how many people of a table get another given name than others with theirs, because
// with the surname's surrogate it would be somebody else's name.
import { createSecretKey, randomBytes, randomInt } from 'node:crypto'
import { bufferInput, bufferOutput } from '../shared/engine/input.ts'
import { createSurrogates } from '../shared/engine/surrogates/index.ts'
import { decodeList, languages } from '../shared/engine/surrogates/lists/decode.ts'
import { names } from '../shared/engine/surrogates/lists/names.ts'
import { filterOf } from '../shared/engine/surrogates/value-filter.ts'
import { createMarks } from '../shared/engine/surrogates/value-marks.ts'

const [keys, letters, perLetter, people] = [Number(process.argv[2] ?? 10), 50, 20, 250]
const entries = decodeList(names)
const any = <T>(items: readonly T[]) => items[randomInt(items.length)]!

const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`

async function filterFor(values: readonly string[]) {
  const [key, output] = [createSecretKey(randomBytes(32)), bufferOutput()]
  const { add, end } = await createMarks(key, ['text'], output)
  await add(values)
  await end()
  return { key, bytes: await filterOf([bufferInput('marks', output.bytes())]) }
}

for (const language of ['de', 'en', 'es', 'pl']) {
  const bit = 1 << languages.indexOf(language)
  const given = entries.filter(({ masks: [female, male] }) => (female! | male!) & bit).map(({ text }) => text)
  const surnames = entries.filter(({ masks }) => masks[2]! & bit).map(({ text }) => text)
  for (const where of ['letters by themselves', 'letters of one job']) {
    let [several, shared, other, mentions] = [0, 0, 0, 0]
    for (let draw = 0; draw < keys; draw++) {
      const key = createSecretKey(randomBytes(32))
      const persons = Array.from({ length: people }, () => `${any(given)} ${any(surnames)}`)
      const made = new Map<string, string[]>()
      const filter = where === 'letters of one job' ? await filterFor(persons) : undefined
      for (let letter = 0; letter < letters; letter++) {
        const found = Array.from({ length: perLetter }, () => any(persons))
        const { load, make } = createSurrogates({ key, options: {}, found, filter })
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
    console.log(
      `${language}, ${where}: ${percent(several, shared)} of people in several have two surrogates, ${percent(other, mentions)} of mentions`,
    )
  }
  const persons = [...new Set(Array.from({ length: 90_000 }, () => `${any(given)} ${any(surnames)}`))]
  const make = async (filter?: Awaited<ReturnType<typeof filterFor>>) => {
    const { load, make } = createSurrogates({ key, options: {}, found: [], filter })
    await load(['PERSON'])
    return persons.map(name => make('PERSON', name))
  }
  const key = createSecretKey(randomBytes(32))
  const [alone, made] = [await make(), await make(await filterFor(persons))]
  const held = new Set(persons)
  const values = (names: readonly string[]) => names.filter(name => held.has(name)).length
  const givenFor = Map.groupBy(persons.keys(), n => persons[n]!.split(' ')[0]!)
  let moved = 0
  for (const those of givenFor.values()) {
    const names = those.map(n => made[n]!.split(' ')[0]!)
    const times = [...Map.groupBy(names, name => name).values()].map(({ length }) => length)
    moved += names.length - Math.max(...times)
  }
  console.log(
    `${language}, a table of ${persons.length}: ${values(alone)} would be another's name, ${values(made)} are, ${percent(moved, persons.length)} get another given name`,
  )
}
