import { spawnSync } from 'node:child_process'
import { createSecretKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSurrogates } from '../../../shared/engine/surrogates/index.ts'

/** Two libraries that others keep, which check numbers; `PYTHON` names the interpreter that has them. */
const python = process.env.PYTHON ?? 'python3'
const hasPeers = spawnSync(python, ['-c', 'import stdnum, phonenumbers']).status === 0

/** Reads lines of kind, tab and number, and writes for each whether it is valid. */
const script = `
import importlib, sys
import phonenumbers
for line in sys.stdin.read().split('\\n')[:-1]:
    kind, number = line.split('\\t')
    if kind == 'phone':
        print(phonenumbers.is_valid_number(phonenumbers.parse(number)))
    else:
        print(importlib.import_module('stdnum.' + kind).is_valid(number))
`

/** Whether the peers take numbers for valid, in their order. */
function peersSay(numbers: readonly (readonly [kind: string, number: string])[]): boolean[] {
  const input = numbers.map(([kind, number]) => `${kind}\t${number}\n`).join('')
  const { stdout, stderr, status } = spawnSync(python, ['-c', script], { input, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return stdout
    .trimEnd()
    .split('\n')
    .map(answer => answer === 'True')
}

/** A valid number of each kind, by the module of the peer that checks it. */
const kinds: [module: string, label: string, numbers: string[]][] = [
  ['pl.pesel', 'ID', ['44051401359', '85010112345']],
  ['fr.nir', 'ID', ['255081416802538']],
  ['it.codicefiscale', 'ID', ['RSSMRA85T10A562S']],
  ['es.dni', 'ID', ['12345678Z']],
  ['es.nie', 'ID', ['X1234567L']],
  ['nl.bsn', 'ID', ['111222333']],
  ['gb.nhs', 'ID', ['943 476 5919']],
  ['br.cpf', 'ID', ['123.456.789-09']],
  ['br.cnpj', 'ID', ['11.222.333/0001-81']],
  ['pl.nip', 'ID', ['123-456-32-18']],
  ['pl.regon', 'ID', ['123456785']],
  ['de.idnr', 'ID', ['86095742719']],
  ['in_.aadhaar', 'ID', ['2341 2341 2346']],
  ['us.rtn', 'ID', ['021000021']],
  ['imei', 'ID', ['490154203237518']],
  ['isbn', 'ID', ['978-3-16-148410-0']],
  ['lei', 'ID', ['5493001KJTIIGC8Y1R12']],
  ['luhn', 'PAYMENT_CARD', ['4111111111111111', '378282246310005']],
  [
    'iban',
    'IBAN',
    ['DE89370400440532013000', 'FR1420041010050500013M02606', 'GB29NWBK60161331926819', 'ES9121000418450200051332'],
  ],
  [
    'phone',
    'PHONE',
    [
      '+49 30 12345678',
      '+1 212 555 0123',
      '+33 6 12 34 56 78',
      '+44 20 7946 0958',
      '+34 612 345 678',
      '+39 06 12345678',
      '+48 512 345 678',
    ],
  ],
]

/** Many surrogates of each number: those of each are numbers again, of which more are made. */
async function surrogatesOf(checkDigit: 'valid' | 'invalid', label: string, numbers: readonly string[]) {
  const made: string[] = []
  for (let byte = 0; byte < 40; byte++) {
    const key = createSecretKey(Buffer.alloc(32, byte))
    const { load, make } = createSurrogates({ key, options: { checkDigit }, found: [] })
    await load([label])
    for (const number of numbers) made.push(make(label, number))
  }
  return made
}

test.skipIf(!hasPeers)('the numbers that surrogates are made of are valid', () => {
  const all = kinds.flatMap(([module, , numbers]) => numbers.map(number => [module, number] as const))
  const said = peersSay(all)
  expect(all.filter((_, n) => !said[n])).toEqual([])
})

test.skipIf(!hasPeers).each(kinds)(
  'surrogates of %s are valid or invalid as asked, for a library that others keep',
  { timeout: 120_000 },
  async (module, label, numbers) => {
    const valid = await surrogatesOf('valid', label, numbers)
    const said = peersSay(valid.map(number => [module, number]))
    expect(valid.filter((_, n) => !said[n])).toEqual([])
    // Telephone numbers have no check digits.
    if (module === 'phone') return
    const invalid = await surrogatesOf('invalid', label, numbers)
    const saidOf = peersSay(invalid.map(number => [module, number]))
    expect(invalid.filter((_, n) => saidOf[n])).toEqual([])
  },
)
