import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { anonymise } from '../../../shared/engine/anonymise.ts'
import { bufferInput, bufferOutput } from '../../../shared/engine/input.ts'
import { textOf } from '../../../shared/engine/surrogates/comparison.ts'
import { createSurrogates } from '../../../shared/engine/surrogates/index.ts'
import { decodeList, decodeTowns } from '../../../shared/engine/surrogates/lists/decode.ts'
import { names } from '../../../shared/engine/surrogates/lists/names.ts'
import { towns } from '../../../shared/engine/surrogates/lists/towns.ts'
import { isParticle, isTitle } from '../../../shared/engine/surrogates/name-words.ts'
import { fold } from '../../../shared/engine/surrogates/spelling.ts'
import { filterOf } from '../../../shared/engine/surrogates/value-filter.ts'
import { createMarks } from '../../../shared/engine/surrogates/value-marks.ts'
import { call, regexRule } from '../call.ts'
import { namesOf } from './listed.ts'

const [key, other] = [createSecretKey(Buffer.alloc(32, 4)), createSecretKey(Buffer.alloc(32, 5))]
const { given, surnames } = namesOf('pl')

/** What makes surrogates in a job of these values, or in a file of it that holds some. */
async function making(label: string, values: readonly string[] | undefined, found: readonly string[] = []) {
  const output = bufferOutput()
  const { add, end } = await createMarks(other, ['text'], output)
  await add(values ?? [])
  await end()
  const bytes = await filterOf([bufferInput('marks', output.bytes())])
  const filter = values && { bytes, key: other }
  const { load, make, areShort } = createSurrogates({ key, options: { locale: 'pl' }, found, filter })
  await load([label])
  return { make: (value: string) => make(label, value), areShort }
}

/** Values of which no two become the same, and none another one of them. */
async function expectApart(label: string, values: readonly string[]) {
  const held = new Set(values.map(textOf))
  const { make, areShort } = await making(label, values)
  const made = values.map(make)
  expect(made.filter(value => held.has(textOf(value)))).toEqual([])
  expect(new Set(made.map(textOf)).size).toBe(held.size)
  expect(areShort()).toBe(false)
  return made
}

/** Names of a few given names and surnames, with so many of all that there are. */
const persons = (share: number) =>
  given
    .slice(0, 100)
    .flatMap((name, n) =>
      surnames.slice(0, 400).flatMap((surname, m) => ((n * 7 + m * 13) % 100 < share ? [`${name} ${surname}`] : [])),
    )

test.each([5, 40, 70])(
  'no name becomes another where a table has %s of a hundred',
  { timeout: 60_000 },
  async share => {
    await expectApart('PERSON', persons(share))
  },
)

/** Whether a word stands beside names, as titles do. */
const isBeside = (folded: string) => isTitle(folded) || isParticle(folded)

test('where all names there are have a surname, two given ones stand for one', { timeout: 60_000 }, async () => {
  const listed = decodeList(names)
  const alone = listed.filter(({ masks }) => masks[2]).map(({ text }) => `Xqwyl ${text}`)
  const all = listed.filter(
    ({ text, masks }) => /^\p{Lu}\p{Ll}+$/u.test(text) && (masks[0] || masks[1]) && !isBeside(fold(text)),
  )
  const [surname] = surnames as [string]
  const becomes = (await making('PERSON', alone)).make(surname)
  const values = all.flatMap(({ text }) => [`${text} ${surname}`, `${text} ${becomes}`])
  const { make } = await making('PERSON', [...alone, ...values])
  const held = new Set(values.map(textOf))
  const made = all.slice(0, 500).map(({ text }) => make(`${text} ${surname}`))
  expect(made.filter(name => held.has(textOf(name)))).toEqual([])
  expect(made.filter(name => !/^\S+-\S+ \S+$/.test(name)).length).toBeLessThan(50)
})

test('the surname stays with everybody who has it, and addresses and initials agree', async () => {
  const values = persons(40)
  const [alone, job] = [await making('PERSON', undefined), await making('PERSON', values)]
  const [addresses, text] = [await making('EMAIL', values), await making('PERSON', values, values)]
  const moved = values.filter(value => alone.make(value) !== job.make(value))
  expect(moved.length).toBeGreaterThan(values.length / 20)
  const plain = (name: string) => textOf(name).split(' ').sort()
  for (const value of moved.slice(0, 300)) {
    const [name, surname] = value.split(' ') as [string, string]
    const made = job.make(value)
    expect(made.split(' ').at(-1)).toBe(job.make(`Pani ${surname}`).split(' ').at(-1))
    const address = addresses.make(`${textOf(name)}.${textOf(surname)}@klinika.pl`)
    expect(address.split('@')[0]!.split(/[.-]/).sort()).toEqual(plain(made))
    expect(text.make(`${surname}, ${name}`)).toBe(made.replace(/^(\S+) (\S+)$/, '$2, $1'))
  }
})

test('a name is a value in every order and with every title', async () => {
  const values = persons(30)
  const { make } = await making(
    'PERSON',
    values.map(value => `${value.replace(/^(\S+) (\S+)$/, '$2, $1')} dr`),
  )
  const held = new Set(values)
  expect(values.map(make).filter(name => held.has(name))).toEqual([])
})

test('files of a job that hold different names give each the same surrogate', async () => {
  const values = persons(20)
  const [one, two] = [values.slice(0, 60), values.slice(40, 100)]
  const [whole, first, second] = await Promise.all([[], one, two].map(found => making('PERSON', values, found)))
  for (const value of one.slice(40)) {
    expect(first!.make(value)).toBe(second!.make(value))
    expect(first!.make(value)).toBe(whole!.make(value))
  }
})

const polish = [...decodeTowns(towns)].find(([country]) => country === 'PL')![1].map(({ names }) => names[0]!)

test('no word by itself becomes another one, however much of its list there is', { timeout: 60_000 }, async () => {
  for (const share of [0.05, 0.3, 0.35, 0.6, 0.95, 1]) {
    await expectApart('PERSON', surnames.slice(0, surnames.length * share))
    await expectApart('PERSON', given.slice(0, given.length * share))
    await expectApart('LOCATION', polish.slice(0, polish.length * share))
  }
})

test.each([
  ['ADDRESS', Array.from({ length: 2000 }, (_, n) => `ul. Długa ${n % 1000}, ${polish[n % 40]}`)],
  ['EMAIL', persons(20).map(name => `${textOf(name).replace(' ', '.')}@mail.example`)],
  ['USERNAME', persons(10).map(name => textOf(name).replace(' ', '_'))],
  ['ORGANIZATION', surnames.slice(0, 300).flatMap(name => [`${name} GmbH`, `${name} Ltd`])],
])('no value of another kind becomes one either: %s', { timeout: 60_000 }, async (label, values) => {
  const distinct = [...new Set(values)]
  const held = new Set(distinct.map(textOf))
  const { make } = await making(label, distinct)
  expect(distinct.map(make).filter(value => held.has(textOf(value)))).toEqual([])
})

test.each([
  ['EMAIL', ['info@acme.com', 'DE@acme.com', 'no-reply@acme.com']],
  ['URL', ['https://acme.com/user', 'acme.com']],
  ['USERNAME', ['admin', 'de']],
  ['ADDRESS', ['Platz', 'P.O. Box', 'Germany, France']],
  ['LOCATION', ['Germany; France']],
  ['ORGANIZATION', ['The Bank', 'GmbH']],
  ['PERSON', ['Dr.', 'von']],
])('no value stays itself, with or without others: %s', async (label, values) => {
  const key = createSecretKey(Buffer.alloc(32, 4))
  const { load, make } = createSurrogates({ key, options: { keep: ['domain'] }, found: [] })
  await load([label])
  for (const value of values) {
    const alone = createSurrogates({ key, options: { keep: ['domain'] }, found: [value], isWhole: true })
    await alone.load([label])
    for (const made of [make(label, value), alone.make(label, value)]) expect(textOf(made)).not.toBe(textOf(value))
  }
  if (label === 'EMAIL') expect(make(label, values[0]!)).toMatch(/^[a-z]+@acme\.com$/)
})

test('the report of a table says where some can be no others: numbers of which there are no more', async () => {
  const reportOf = async (as: string, values: readonly string[]) => {
    const replacement = { surrogate: { as, ...(as === 'PERSON' && { locale: 'pl' }) } }
    const rule = regexRule('value', '.+', { replacement, replace: 'cell' })
    const input = bufferInput('t.csv', Buffer.from(values.join('\n')))
    const asked = call({ input, rules: [rule], assetType: 'TABLE', options: { header: false } })
    return (await anonymise(asked)).report.warnings.filter(warning => warning.includes('too few others'))
  }
  expect(await reportOf('PERSON', surnames)).toEqual([])
  expect(await reportOf('LOCATION', polish)).toEqual([])
  expect(await reportOf('PERSON', [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'])).toEqual([])
  expect(
    (
      await reportOf(
        'ID',
        Array.from({ length: 90 }, (_, n) => String(n + 10)),
      )
    ).length,
  ).toBe(1)
})

test('a text without models keeps to this as well', async () => {
  const values = Array.from({ length: 300 }, (_, n) => String(n).padStart(3, '0'))
  const rule = regexRule('number', '\\d{3}', { replacement: { surrogate: { as: 'ID' } } })
  const input = bufferInput('t.txt', Buffer.from(values.join('\n')))
  const { output } = await anonymise(call({ input, rules: [rule], assetType: 'DOCUMENT' }))
  const made = Buffer.from(await output.read(0, output.size))
    .toString()
    .split('\n')
  expect(made.filter(value => values.includes(value))).toEqual([])
  expect(new Set(made).size).toBe(300)
})

test('no surname becomes what a given name becomes where both stand by themselves', async () => {
  const { make } = await making('PERSON', [])
  const givenBy = new Map(given.map(name => [make(name), name]))
  // A title says that one is a surname.
  const pairs = surnames.flatMap(name => {
    const [value, other] = [`Pani ${name}`, givenBy.get(make(`Pani ${name}`).slice('Pani '.length))]
    return other === undefined ? [] : [[value, other]]
  })
  expect(pairs.length).toBeGreaterThan(5)
  for (const pair of pairs) await expectApart('PERSON', pair)
  await expectApart('PERSON', pairs.flat())
})
