// npm run bench:surrogates [-- VALUES]: how fast surrogates are made, each value once and so without any memory of earlier ones,
// how many of that many distinct values (1,000,000 unless given) become the same as another, and how many become one of the values:
// of tables, of whose values there is a filter, and of documents, whose values are known themselves.
import { createSecretKey, type KeyObject, randomBytes, randomInt } from 'node:crypto'
import { bufferInput, bufferOutput } from '../shared/engine/input.ts'
import { textOf } from '../shared/engine/surrogates/comparison.ts'
import { createSurrogates } from '../shared/engine/surrogates/index.ts'
import { comparisons } from '../shared/engine/surrogates/kinds.ts'
import { decodeList, languages } from '../shared/engine/surrogates/lists/decode.ts'
import { names } from '../shared/engine/surrogates/lists/names.ts'
import { filterOf } from '../shared/engine/surrogates/value-filter.ts'
import { createMarks } from '../shared/engine/surrogates/value-marks.ts'

const count = Number(process.argv[2] ?? 1_000_000)
const german = 1 << languages.indexOf('de')

/** The distinct values of each kind, by their number. */
const kinds: Record<string, (n: number) => string> = {
  ID: n => `PAT-${10_000_000 + n * 7}`,
  PHONE: n => `+49 30 ${10_000_000 + n * 37}`,
  IP_ADDRESS: n => [24, 16, 8, 0].map(bits => Math.floor((n * 4000) / 2 ** bits) % 256).join('.'),
  MAC_ADDRESS: n =>
    `00:1a:2b:${n
      .toString(16)
      .padStart(6, '0')
      .replace(/(?=(?:..)+$)\B/g, ':')}`,
  PAYMENT_CARD: n => `4111${String(n * 13).padStart(12, '0')}`,
}

/** Names of the German lists by a random number, among them titles and particles; those that differ in marks alone are one. */
function randomNames(): Set<string> {
  const entries = decodeList(names)
  const listed = (isOne: (masks: readonly number[]) => number) =>
    entries.filter(({ masks }) => isOne(masks) & german).map(({ text }) => text)
  const [given, surnames] = [listed(([female, male]) => female! | male!), listed(([, , surname]) => surname!)]
  const any = (words: readonly string[]) => words[randomInt(words.length)]!
  const made = new Map<string, string>()
  while (made.size < count) {
    const name = `${any(given)} ${any(surnames)}`
    made.set(textOf(name), name)
  }
  return new Set(made.values())
}

async function filterFor(label: string, values: Iterable<string>, key: KeyObject): Promise<Uint8Array> {
  const output = bufferOutput()
  const { add, end } = await createMarks(key, [comparisons.get(label)!], output)
  await add(values)
  await end()
  return filterOf([bufferInput('marks', output.bytes())])
}

for (const [label, write] of [['PERSON', undefined], ...Object.entries(kinds)] as const) {
  const values = write ? new Set(Array.from({ length: count }, (_, n) => write(n))) : randomNames()
  const plain = write ? (value: string) => value : textOf
  const compared = new Set([...values].map(plain))
  const key = createSecretKey(randomBytes(32))
  for (const [where, known] of [
    ['table', { found: [], filter: { bytes: await filterFor(label, values, key), key } }],
    ['document', { found: [...values], isWhole: true }],
  ] as const) {
    const { load, make } = createSurrogates({ key: createSecretKey(randomBytes(32)), options: {}, ...known })
    await load([label])
    const made = new Set<string>()
    const before = process.cpuUsage()
    for (const value of values) made.add(make(label, value))
    const { user, system } = process.cpuUsage(before)
    const speed = Math.round(values.size / ((user + system) / 1e6)).toLocaleString('en')
    const same = `${values.size - made.size} the same as another`
    const again = `${[...made].filter(value => compared.has(plain(value))).length} one of the values`
    console.log(`${label.padEnd(14)} ${where.padEnd(8)} ${speed.padStart(9)} a second, ${same}, ${again}`)
  }
}
