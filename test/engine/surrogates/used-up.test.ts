import { createSecretKey } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput, bufferOutput } from '../../../shared/engine/input.ts'
import { textOf } from '../../../shared/engine/surrogates/comparison.ts'
import { createSurrogates } from '../../../shared/engine/surrogates/index.ts'
import type { SurrogateOptions } from '../../../shared/engine/surrogates/kinds.ts'
import { decodeList, decodeTowns, languages } from '../../../shared/engine/surrogates/lists/decode.ts'
import { names } from '../../../shared/engine/surrogates/lists/names.ts'
import { streets } from '../../../shared/engine/surrogates/lists/streets.ts'
import { towns } from '../../../shared/engine/surrogates/lists/towns.ts'
import { isParticle, isTitle } from '../../../shared/engine/surrogates/name-words.ts'
import { fold } from '../../../shared/engine/surrogates/spelling.ts'
import { filterOf } from '../../../shared/engine/surrogates/value-filter.ts'
import { createMarks } from '../../../shared/engine/surrogates/value-marks.ts'
import { exhaustive } from '../../runs.ts'
import { call, regexRule } from '../call.ts'
import { namesOf } from './listed.ts'

const countries = { de: 'DE', en: 'US', fr: 'FR', es: 'ES', pl: 'PL', ru: 'RU', el: 'GR', tr: 'TR' } as const
const locales = Object.keys(countries) as (keyof typeof countries)[]
/** The long run tries all languages; others one, one whose surnames go by gender, and one that is not written in Latin. */
const tried = exhaustive ? locales : (['de', 'pl', 'ru'] as const)
const [entries, listedTowns] = [decodeList(names), decodeTowns(towns)]

/** How words are compared that the lists have as given names, and as surnames. */
const [givenWords, surnameWords] = [0, 2].map(
  column =>
    new Set(entries.filter(({ masks }) => masks[column] || (!column && masks[1])).map(({ text }) => fold(text))),
)
/** Whether a word is one of both wherever it stands, and no title. */
const isClear = (word: string) => {
  const folded = fold(word)
  return givenWords!.has(folded) !== surnameWords!.has(folded) && !isTitle(folded) && !isParticle(folded)
}

const asRegions = { type: 'region', fallback: 'none' } as const
const capitals = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** All pairs of letters, of which some name countries. */
const regions = capitals.flatMap(first => capitals.map(second => first + second))

const distinct = (values: readonly string[]) => [...new Map(values.map(value => [textOf(value), value])).values()]

/** All names of a language's lists, streets of its own, and all towns and postcodes of its country. */
function listsOf(language: keyof typeof countries) {
  const bit = 1 << languages.indexOf(language)
  const named = (isOne: (masks: readonly number[]) => number) =>
    distinct(entries.filter(({ masks }) => isOne(masks) & bit).map(({ text }) => text))
  return {
    surnames: named(([, , surname]) => surname!),
    given: named(([female, male]) => female! | male!),
    towns: distinct(listedTowns.get(countries[language])!.map(({ names: [name] }) => name!)),
    streets: distinct(decodeList(streets).flatMap(({ text, masks: [mask = 0] }) => (mask & bit ? [text] : []))),
    postcodes: distinct(listedTowns.get(countries[language])!.flatMap(({ codes }) => codes)),
    countries: distinct(regions.flatMap(region => new Intl.DisplayNames(language, asRegions).of(region) ?? [])),
  }
}

/** Values of each kind that are tried beside names and towns. */
const tries = 60

/** What makes surrogates of a job: of its tables, whose values a filter has, or of its only document, whose values are known. */
async function making(values: readonly string[], options: SurrogateOptions, where: 'tables' | 'a document', byte = 4) {
  const [key, other] = [createSecretKey(Buffer.alloc(32, byte)), createSecretKey(Buffer.alloc(32, 5))]
  const output = bufferOutput()
  const { add, end } = await createMarks(other, ['text'], output)
  await add(values)
  await end()
  const filter = { bytes: await filterOf([bufferInput('marks', output.bytes())]), key: other }
  const known = where === 'tables' ? { found: [], filter } : { found: values, isWhole: true }
  const { load, make, areShort } = createSurrogates({ key, options, ...known })
  await load(['PERSON', 'LOCATION', 'EMAIL', 'ADDRESS', 'ORGANIZATION', 'USERNAME', 'URL'])
  return { make, areShort }
}

describe.each(tried)('where a job holds all that the lists have: %s', language => {
  const lists = listsOf(language)

  test.each([
    ['surnames', 'PERSON', 'tables', language],
    ['surnames', 'PERSON', 'tables', undefined],
    ['surnames', 'PERSON', 'a document', language],
    ['given', 'PERSON', 'tables', language],
    ['given', 'PERSON', 'tables', undefined],
    ['given', 'PERSON', 'a document', language],
    ['towns', 'LOCATION', 'tables', language],
    ['towns', 'LOCATION', 'a document', language],
  ] as const)(
    'no word of its %s as %s of %s becomes another, and it is not short: %s',
    async (what, label, where, locale) => {
      // As a word alone may be either, a title says that one is a surname.
      const values = distinct(lists[what].map(value => (what === 'surnames' ? `Dr. ${value}` : value)))
      const { make, areShort } = await making(values, { locale }, where)
      const made = values.map(value => make(label, value))
      const held = new Set(values.map(textOf))
      expect(made.filter(value => held.has(textOf(value)))).toEqual([])
      expect(new Set(made.map(textOf)).size).toBe(held.size)
      expect(areShort()).toBe(false)
    },
  )

  test.each(['tables', 'a document'] as const)(
    'nothing else becomes another in %s',
    { timeout: 120_000 },
    async where => {
      const { surnames, streets, postcodes, countries } = lists
      const logins = distinct(surnames.filter(name => /^\p{L}+$/u.test(name)).map(fold))
      for (const [label, values] of [
        ['ADDRESS', streets],
        ['ADDRESS', postcodes],
        ['LOCATION', postcodes],
        ['LOCATION', countries],
        ['ORGANIZATION', surnames.map(name => `${name} GmbH`)],
        ['EMAIL', [...logins, 'info'].map(login => `${login}@acme.com`)],
        ['URL', logins.map(login => `https://acme.com/${login}`)],
        ['USERNAME', logins],
        ['PERSON', capitals.map(letter => `${letter}.`)],
      ] as const) {
        const { make, areShort } = await making(values, { locale: language, keep: ['domain'] }, where)
        const held = new Set(values.map(textOf))
        const tried = values.filter((_, n) => n % Math.ceil(values.length / tries) === 0)
        expect([label, tried.filter(value => held.has(textOf(make(label, value))))]).toEqual([label, []])
        expect([label, areShort()]).toEqual([label, false])
      }
    },
  )

  test.each(['tables', 'a document'] as const)('a person stays one person in %s', { timeout: 60_000 }, async where => {
    const { make } = await making([...lists.surnames, ...lists.given], { locale: language }, where)
    const { given, surnames } = namesOf(language)
    const [anyGiven, anySurname] = [given, surnames].map(words => fc.constantFrom(...words.filter(isClear)))
    fc.assert(
      fc.property(anyGiven!, anySurname!, (first, last) => {
        const made = make('PERSON', `Dr. ${last}`)
        const surname = made.slice('Dr. '.length)
        const [name, ...rest] = make('PERSON', `${first} ${last}`).split(' ')
        expect(rest).toEqual([surname])
        expect(make('PERSON', `Frau ${last}`)).toBe(`Frau ${surname}`)
        expect(make('PERSON', `${last}, ${first}`)).toBe(`${surname}, ${name}`)
        expect(make('PERSON', `DR. ${last}`.toUpperCase())).toBe(made.toUpperCase())
        const [local] = make('EMAIL', `${fold(first)}.${fold(last)}@acme.com`).split('@')
        expect(local).toBe(`${fold(name!)}.${fold(surname)}`)
      }),
      { numRuns: 50 },
    )
  })
})

const made = async (file: string, assetType: 'TABLE' | 'DOCUMENT', values: readonly string[], as: string) => {
  const replacement = { surrogate: { as, locale: 'de' } }
  const rule = regexRule('value', '.+', { replacement, ...(assetType === 'TABLE' && { replace: 'cell' }) })
  const input = bufferInput(file, Buffer.from(values.join('\n')))
  const asked = call({ input, rules: [rule], assetType, ...(assetType === 'TABLE' && { options: { header: false } }) })
  const { output, report } = await anonymise(asked)
  const lines = Buffer.from(await output.read(0, output.size))
    .toString()
    .split('\n')
  return { lines, warnings: report.warnings.filter(warning => warning.includes('too few others')) }
}

test.each([
  ['a.csv', 'TABLE'],
  ['a.txt', 'DOCUMENT'],
] as const)('the same holds for whole files: %s', { timeout: 60_000 }, async (file, assetType) => {
  const { surnames, towns: own } = listsOf('de')
  for (const [as, values] of [
    ['PERSON', surnames.map(name => `Frau ${name}`)],
    ['LOCATION', own],
  ] as const) {
    const { lines, warnings } = await made(file, assetType, values, as)
    const held = new Set(values.map(textOf))
    expect(lines.length).toBe(values.length)
    expect(lines.filter(line => held.has(textOf(line)))).toEqual([])
    expect(warnings).toEqual([])
  }
})

test('a town that has a made-up name keeps the postcodes of the town that it stands for', async () => {
  const polish = listedTowns.get('PL')!
  const { make } = await making(
    polish.map(({ names: [name] }) => name!),
    { locale: 'pl' },
    'tables',
  )
  const unlike = polish.filter(({ names: [name], codes: [code = ''] }) => {
    const [made, address] = [make('LOCATION', name!), make('LOCATION', `${code.slice(0, 2)}-${code.slice(2)} ${name}`)]
    return !address.endsWith(` ${made}`)
  })
  expect(unlike).toEqual([])
})
