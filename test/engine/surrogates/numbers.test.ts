import { createSecretKey } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ValidatorName } from '../../../shared/engine/detect/validator-names.ts'
import { validators } from '../../../shared/engine/detect/validators.ts'
import { phones } from '../../../shared/engine/recognisers/phones.ts'
import { createSurrogates } from '../../../shared/engine/surrogates/index.ts'
import type { CheckDigit } from '../../../shared/engine/surrogates/numbers.ts'

async function maker(checkDigit: CheckDigit, byte = 5) {
  const { load, make } = createSurrogates({
    key: createSecretKey(Buffer.alloc(32, byte)),
    options: { checkDigit },
    found: [],
  })
  await load(['ID', 'IBAN', 'PAYMENT_CARD', 'PHONE', 'IP_ADDRESS', 'MAC_ADDRESS', 'EMAIL', 'URL'])
  return make
}

const [valid, invalid] = [await maker('valid'), await maker('invalid')]

/** A valid number of each kind, with separators as people write them. */
const numbers: [ValidatorName, string, string][] = [
  ['pesel', 'ID', '44051401359'],
  ['nir', 'ID', '2 55 08 14 168 025 38'],
  ['codice_fiscale', 'ID', 'RSSMRA85T10A562S'],
  ['dni', 'ID', '12345678Z'],
  ['dni', 'ID', 'X1234567L'],
  ['bsn', 'ID', '111222333'],
  ['nhs', 'ID', '943 476 5919'],
  ['cpf', 'ID', '123.456.789-09'],
  ['cnpj', 'ID', '11.222.333/0001-81'],
  ['nip', 'ID', '123-456-32-18'],
  ['regon', 'ID', '123456785'],
  ['steuer_id', 'ID', '86095742719'],
  ['aadhaar', 'ID', '2341 2341 2346'],
  ['aba', 'ID', '021000021'],
  ['imei', 'ID', '490154203237518'],
  ['isbn', 'ID', '978-3-16-148410-0'],
  ['vin', 'ID', '1M8GDM9AXKP042788'],
  ['lei', 'ID', '5493001KJTIIGC8Y1R12'],
  ['luhn', 'PAYMENT_CARD', '4111 1111 1111 1111'],
  ['luhn', 'PAYMENT_CARD', '378282246310005'],
  ['iban', 'IBAN', 'DE89 3704 0044 0532 0130 00'],
  ['iban', 'IBAN', 'FR1420041010050500013M02606'],
  ['iban', 'IBAN', 'ES9121000418450200051332'],
  ['iban', 'IBAN', 'GB29NWBK60161331926819'],
]

describe.each(numbers)('a number that %s proves', (validator, label, number) => {
  const shape = (text: string) => text.replace(/[0-9]/g, '0').replace(/[A-Z]/g, 'A')

  test(`gets a valid or an invalid check digit as asked: ${number}`, () => {
    expect(validators[validator](number)).toBe(true)
    const made = valid(label, number)
    expect([made !== number, validators[validator](made), made.length]).toEqual([true, true, number.length])
    expect(validators[validator](invalid(label, number))).toBe(false)
    if (validator !== 'vin' && validator !== 'lei' && validator !== 'isbn') expect(shape(made)).toBe(shape(number))
  })
})

test.each(['ID', 'PHONE', 'EMAIL'])(
  '20,000 different values become 20,000 different surrogates: %s',
  { timeout: 120_000 },
  label => {
    const count = 20_000
    const values = Array.from({ length: count }, (_, n) =>
      label === 'ID' ? `PAT-${1_000_000 + n * 7}` : label === 'PHONE' ? `+49 30 ${1_000_000 + n}` : `user${n}@acme.com`,
    )
    const made = new Set(values.map(value => valid(label, value)))
    expect(made.size).toBe(count)
  },
)

test.each([
  '+49 30 12345678',
  '+1 212 555 0123',
  '+33 6 12 34 56 78',
  '+44 20 7946 0958',
  '+34 612 345 678',
  '+39 06 12345678',
  '+48 512 345 678',
])('a telephone number keeps country and form, and may be one: %s', number => {
  const made = valid('PHONE', number)
  expect(made).not.toBe(number)
  expect(phones(`Tel. ${made}`)).toHaveLength(1)
  expect(made.slice(0, 4)).toBe(number.slice(0, 4))
  expect(made.replace(/\d/g, '0')).toBe(number.replace(/\d/g, '0'))
})

test('a telephone number becomes the same one in national form', () => {
  const local = (text: string) => valid('PHONE', text).replace(/\D/g, '').slice(-9)
  expect(local('030 1234567')).toBe(local('+49 30 1234567'))
  expect(local('0049 30 1234567')).toBe(local('+49 30 1234567'))
})

test('addresses of networks are of ranges that nobody has, but for public ones of IPv4', () => {
  expect(valid('IP_ADDRESS', '192.168.0.1')).toMatch(/^2[45]\d\.\d+\.\d+\.\d+$/)
  expect(valid('IP_ADDRESS', '10.20.0.0/16')).toMatch(/^2[45]\d\.\d+\.\d+\.\d+\/16$/)
  expect(valid('IP_ADDRESS', '8.8.8.8')).not.toMatch(/^(?:0|10|127|22[4-9]|2[345]\d|192\.168|169\.254)\./)
  expect(valid('IP_ADDRESS', '2001:4860:4860::8888')).toMatch(/^2001:db8:/)
  expect(Number.parseInt(valid('MAC_ADDRESS', '00:1A:2B:3C:4D:5E').slice(0, 2), 16) & 3).toBe(2)
  expect(valid('EMAIL', 'anna@klinik.de')).toMatch(/@\w+\.example$/)
  expect(valid('EMAIL', 'anna@gmail.com')).toMatch(/@mail\.example$/)
  expect(valid('URL', 'https://www.klinik.de/a?id=12')).toMatch(/^https:\/\/www\.\w+\.example\/\w+\?id=\d\d$/)
})

test('distinct addresses of networks and devices become distinct ones', () => {
  // As many, evenly from all that there are, that a draw from the unused ones alone would hit some of them twice.
  const step = 2 ** 32 / 100_000
  const dotted = (number: number) => [24, 16, 8, 0].map(bits => Math.floor(number / 2 ** bits) % 256).join('.')
  const public4 = Array.from({ length: 100_000 }, (_, n) => dotted(Math.floor(n * step))).filter(
    address => Number(address.split('.')[0]) < 224,
  )
  const inner = Array.from({ length: 20_000 }, (_, n) => `10.${n >> 8}.${n & 255}.7`)
  const four = [...public4, ...inner]
  const hex = (byte: number) => byte.toString(16).padStart(2, '0')
  const devices = Array.from({ length: 20_000 }, (_, n) => `00:1a:2b:3c:${hex(n >> 8)}:${hex(n & 255)}`)
  const of = (label: string, values: string[]) => values.map(value => valid(label, value))
  expect(new Set(of('IP_ADDRESS', four)).size).toBe(new Set(four).size)
  expect(new Set(of('MAC_ADDRESS', devices)).size).toBe(devices.length)
  const madeOfInner = of('IP_ADDRESS', inner)
  expect(madeOfInner.filter(made => Number(made.split('.')[0]) < 240)).toEqual([])
})

test('the address of a device in any spelling becomes the same one, and a longer one keeps its form', () => {
  const digits = (text: string) => text.toLowerCase().replace(/[^0-9a-f]/g, '')
  const [colons, dashes] = ['00:1A:2B:3C:4D:5E', '00-1a-2b-3c-4d-5e'].map(text => valid('MAC_ADDRESS', text))
  expect(digits(colons!)).toBe(digits(dashes!))
  expect(valid('MAC_ADDRESS', '00:11:22:33:44:55:66:77')).toMatch(/^\w\w(?::\w\w){7}$/)
})

test('cards that differ in their check digit alone become different ones, of which one is valid', () => {
  const cards = Array.from({ length: 10 }, (_, digit) => `411111111111111${digit}`)
  const made = cards.map(card => valid('PAYMENT_CARD', card))
  expect(new Set(made).size).toBe(10)
  expect(made.filter(validators.luhn)).toEqual([valid('PAYMENT_CARD', '4111111111111111')])
  expect(cards.map(card => invalid('PAYMENT_CARD', card)).filter(validators.luhn)).toEqual([])
})
