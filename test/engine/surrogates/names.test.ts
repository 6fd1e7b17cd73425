import { createHash, createSecretKey } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { createSurrogates } from '../../../shared/engine/surrogates/index.ts'
import { createKeyed } from '../../../shared/engine/surrogates/keyed.ts'
import { decodeList, languages } from '../../../shared/engine/surrogates/lists/decode.ts'
import { names } from '../../../shared/engine/surrogates/lists/names.ts'
import { streets } from '../../../shared/engine/surrogates/lists/streets.ts'
import { towns } from '../../../shared/engine/surrogates/lists/towns.ts'
import { fold } from '../../../shared/engine/surrogates/spelling.ts'
import { difference, widthOf } from '../../../shared/engine/surrogates/width.ts'

const keyOf = (byte: number) => createSecretKey(Buffer.alloc(32, byte))

async function maker(found: string[] = [], byte = 7, locale?: string) {
  const { load, make } = createSurrogates({ key: keyOf(byte), options: { locale }, found })
  await load(['PERSON', 'EMAIL', 'USERNAME', 'ORGANIZATION'])
  return make
}

let make: Awaited<ReturnType<typeof maker>>
beforeAll(async () => {
  make = await maker(['Aïcha Benmoussa'])
})

test('the lists are those of this version of the scheme: others would change every surrogate', async () => {
  const digest = createHash('sha256').update(names).update(streets).update(towns).digest('hex')
  expect(digest.slice(0, 16)).toBe('dafeaff9eb620231')
  expect(await readFile(new URL('../../../shared/engine/surrogates/scheme.ts', import.meta.url), 'utf8')).toContain(
    '/v2',
  )
})

describe('a person', () => {
  test('stays one person, however the name is written', () => {
    const [given, surname] = make('PERSON', 'Aïcha Benmoussa').split(' ') as [string, string]
    expect(make('PERSON', 'Mme Benmoussa')).toBe(`Mme ${surname}`)
    expect(make('PERSON', 'A. Benmoussa')).toBe(`${given[0]}. ${surname}`)
    expect(make('PERSON', 'Benmoussa, Aïcha')).toBe(`${surname}, ${given}`)
    expect(make('PERSON', 'AÏCHA BENMOUSSA')).toBe(`${given} ${surname}`.toUpperCase())
    expect(make('PERSON', 'Benmoussa’s')).toBe(`${surname}’s`)
    expect(make('EMAIL', 'a.benmoussa@acme.com')).toMatch(
      new RegExp(`^${fold(given[0]!)}\\.${fold(surname)}@\\w+\\.example$`),
    )
    expect(make('USERNAME', 'aicha.benmoussa')).toBe(`${fold(given)}.${fold(surname)}`)
  })

  test('keeps titles, particles, hyphens, apostrophes and gender', async () => {
    expect(make('PERSON', 'Dr. Hans-Peter von der Weide')).toMatch(
      /^Dr\. \p{Lu}\p{L}+-\p{Lu}\p{L}+ von der \p{Lu}\p{L}+$/u,
    )
    const german = await maker([], 7, 'de')
    const lists = decodeList(names)
    const genderOf = (name: string) => lists.find(({ text }) => text === name)!.masks.map(mask => mask !== 0)
    expect(genderOf(german('PERSON', 'Ursula'))[0]).toBe(true)
    expect(genderOf(german('PERSON', 'Günther'))[1]).toBe(true)
    expect(make('PERSON', 'Анна Петрова')).toMatch(/^\p{Script=Cyrillic}+ \p{Script=Cyrillic}+а$/u)
    expect(`${make('PERSON', 'Петров')}а`).toBe(make('PERSON', 'Петрова'))
  })

  test('is another one under another key', async () => {
    const other = await maker([], 8)
    const sample = ['Maria Jensen', 'John Smith', 'Pedro Gómez', 'Anna Schulz', 'Luca Rossi']
    expect(sample.filter(name => other('PERSON', name) === make('PERSON', name))).toEqual([])
  })

  test('never becomes one of the text, and no two become the same', async () => {
    const found = [
      'Anna Berg',
      'Julia Holm',
      'Peter Keller',
      'Maria',
      'Julia',
      'Sara',
      'Emma',
      'Keller',
      'Hansen',
      'Jensen',
    ]
    for (let byte = 0; byte < 20; byte++) {
      const renamed = await maker(found, byte)
      const made = found.map(name => renamed('PERSON', name))
      expect(made.filter(name => found.includes(name))).toEqual([])
      expect(new Set(made).size).toBe(found.length)
    }
  })
})

test('no two of the listed names of one language become the same, nor itself', async () => {
  const german = await maker([], 3, 'de')
  const lists = decodeList(names)
  const distinct = (column: number[]) => [
    ...new Map(
      lists.filter(({ masks }) => column.some(n => masks[n]! & 2)).map(({ text }) => [fold(text), text]),
    ).values(),
  ]
  const surnames = distinct([2])
  const made = surnames.map(name => fold(german('PERSON', `Frau ${name}`)))
  expect(surnames.length).toBeGreaterThan(2000)
  expect(new Set(made).size).toBe(surnames.length)
  expect(made.filter((name, n) => name === fold(`Frau ${surnames[n]}`))).toEqual([])
})

test.each(['de', 'pl', 'ru'])('a name becomes one of similar width where there are enough: %s', async language => {
  const renamed = await maker([], 4, language)
  const bit = 2 ** languages.indexOf(language)
  const entries = decodeList(names).filter(({ masks }) => masks[2]! & bit)
  const unlike = entries.map(({ text }) => {
    const made = renamed('PERSON', `Dr. ${text}`).slice(4)
    return difference(widthOf(fold(text)), widthOf(fold(made)))
  })
  expect(entries.length).toBeGreaterThan(400)
  expect(unlike.filter(factor => factor <= 1.15).length / unlike.length).toBeGreaterThan(0.85)
})

test('a name that no list has becomes one of similar width first', () => {
  const unlike = Array.from({ length: 500 }, (_, n) => {
    const name = `${['Brq', 'Oxwil', 'Zyanmeri', 'Quorwenthal'][n % 4]}${['ak', 'um', 'elt', 'ior'][n % 3]}${n % 7 ? 'x' : 'w'}`
    return difference(widthOf(fold(make('PERSON', name))), widthOf(fold(name)))
  })
  expect(unlike.filter(factor => factor <= 1.15).length).toBeGreaterThan(300)
})

test('a permutation gives each number another one, and no two the same', () => {
  const keyed = createKeyed(keyOf(1))
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 600 }), fc.string(), (size, tweak) => {
      const made = Array.from({ length: size }, (_, value) => keyed.permute(value, size, tweak))
      expect(new Set(made).size).toBe(size)
      expect(made.every((other, value) => other !== value && other >= 0 && other < size)).toBe(true)
    }),
    { numRuns: 30 },
  )
  const large = Array.from({ length: 20_000 }, (_, value) => keyed.permute(value * 1_000_003, 1e14, 'large'))
  expect(new Set(large).size).toBe(large.length)
})

test('an organisation keeps its legal form, and the name of a person in it agrees with the person', () => {
  const [, surname] = make('PERSON', 'Maria Jensen').split(' ')
  expect(make('ORGANIZATION', 'Jensen Consulting Ltd.')).toBe(`${surname} Consulting Ltd.`)
})
