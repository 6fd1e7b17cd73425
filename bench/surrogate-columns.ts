// npm run bench:surrogate-columns [-- ROWS]: how fast names are made anew once the words of names are known, and how long a column
// of a table takes whose cells become surrogates, beside the same with pseudonyms (100,000 rows unless given; the median of five pairs).
import { createSecretKey } from 'node:crypto'
import { anonymise } from '../shared/engine/anonymise.ts'
import { bufferInput } from '../shared/engine/input.ts'
import type { Replacement } from '../shared/engine/operators/index.ts'
import { createSurrogates } from '../shared/engine/surrogates/index.ts'
import { decodeList } from '../shared/engine/surrogates/lists/decode.ts'
import { names } from '../shared/engine/surrogates/lists/names.ts'
import { call, regexRule } from '../test/engine/call.ts'

const rows = Number(process.argv[2] ?? 100_000)

const listed = [...decodeList(names)]
const wordsOf = (isOne: (masks: readonly number[]) => unknown) =>
  listed.filter(({ masks }) => isOne(masks)).map(({ text }) => text)
const given = wordsOf(([female, male, surname]) => (female || male) && !surname)
const surnames = wordsOf(([female, male, surname]) => surname && !female && !male)
/** A name by its number; the given names come round soon, the surnames later. */
const person = (n: number) => `${given[n % 1000]} ${surnames[(n * 7) % 5000]}`

/** Seconds of processor time. */
async function timeOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

const { load, make } = createSurrogates({ key: createSecretKey(Buffer.alloc(32, 7)), options: {}, found: [] })
await load(['PERSON'])
for (let n = 0; n < 5000; n++) make('PERSON', person(n))
const all = Array.from({ length: rows }, (_, n) => person(n))
const seconds = await timeOf(() => {
  for (const name of all) make('PERSON', name)
})
console.log(`${Math.round(rows / seconds).toLocaleString('en')} names a second`)

const columns: Record<string, (n: number) => string> = {
  PERSON: person,
  PHONE: n => `+49 30 ${10_000_000 + n}`,
  ID: n => `PAT-${10_000_000 + n * 7}`,
}

for (const [as, write] of Object.entries(columns)) {
  const table = (count: number) =>
    Buffer.from(`id,value\n${Array.from({ length: count }, (_, n) => `${n},${write(n)}\n`).join('')}`)
  const run = (replacement: Replacement, content: Buffer) => {
    const rule = regexRule('value', '.+', { replacement, columns: ['value'], replace: 'cell' })
    const input = bufferInput('people.csv', content)
    return timeOf(() => anonymise(call({ input, rules: [rule], assetType: 'TABLE' })))
  }
  const [pseudonym, surrogate] = [{ pseudonym: { as } }, { surrogate: { as } }] as const
  // The lists are read, and the code is compiled, before it counts.
  for (const replacement of [pseudonym, surrogate]) await run(replacement, table(500))
  const content = table(rows)
  const pairs: [number, number][] = []
  for (let pair = 0; pair < 5; pair++) pairs.push([await run(pseudonym, content), await run(surrogate, content)])
  const [plain, real] = pairs.toSorted(([a, b], [c, d]) => b / a - d / c)[2]!
  const ratio = `${(real / plain).toFixed(2)} times`
  console.log(`${as.padEnd(8)} ${plain.toFixed(2)} s as pseudonyms, ${real.toFixed(2)} s as surrogates: ${ratio}`)
}
