// npm run bench:tokens [-- VALUES]: how fast tokens and values of the same form are made and undone, each value once and so without
// any memory of earlier ones, and whether any two of that many distinct values (1,000,000 unless given) become the same.
import { createSecretKey, randomBytes } from 'node:crypto'
import { validators } from '../shared/engine/detect/validators.ts'
import { createFpe } from '../shared/engine/tokens/fpe.ts'
import { createSealer } from '../shared/engine/tokens/seal.ts'

const values = Number(process.argv[2] ?? 1_000_000)
const key = { number: 1, secret: createSecretKey(randomBytes(64)), bound: ['deployment', 'owner', 'job'] }

/** Calls a second of processor time. */
function speed(name: string, count: number, act: (n: number) => void): void {
  const before = process.cpuUsage()
  for (let n = 0; n < count; n++) act(n)
  const { user, system } = process.cpuUsage(before)
  console.log(
    `${name.padEnd(44)} ${Math.round(count / ((user + system) / 1e6))
      .toLocaleString('en')
      .padStart(9)} a second`,
  )
}

const sealer = createSealer(key, 'job')
const made = new Set<string>()
speed('tokens made', values, n => void made.add(sealer.seal(`Person ${n}`, 'PERSON')))
console.log(
  `${(values - made.size).toLocaleString('en')} of ${values.toLocaleString('en')} tokens were the same as another`,
)
const some = [...made].slice(0, 100_000)
speed('tokens opened', some.length, n => {
  if (sealer.open(some[n]!) === undefined) throw new Error('A token does not open')
})

const few = Math.min(values, 50_000)
const digits = createFpe(key, 'job', 'ID', { alphabet: 'digits', first: 0, last: 0 })
speed('numbers of 16 digits', few, n => void digits.encrypt(String(1e15 + n)))
const cards = createFpe(key, 'job', 'CARD', { alphabet: 'digits', first: 0, last: 4, isValid: validators.luhn })
speed(
  'cards as valid as they were, last digits kept',
  few / 10,
  n => void cards.encrypt(`4111${String(n).padStart(12, '0')}`),
)
