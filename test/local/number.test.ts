import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDecimals,
  compareDecimals,
  formatDecimal,
  parseDecimal,
  sortableNumber,
} from '../../local/emulators/dynamodb/number.ts'

// 19 digits and exponents of up to 9 either way: what is computed with them stays within 38 digits.
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }), fc.integer({ min: -9, max: 9 }))
  .map(([digits, exponent]) => `${digits}e${exponent}`)
const scaled = (text: string) => {
  const [digits, exponent] = text.split('e')
  return BigInt(digits!) * 10n ** BigInt(Number(exponent) + 9)
}

describe('numbers', () => {
  test.each([
    ['1.50', '1.5'],
    ['-0.0', '0'],
    ['1e3', '1000'],
    ['12.5e-3', '0.0125'],
    ['.5', '0.5'],
    ['007', '7'],
    ['1e125', `1${'0'.repeat(125)}`],
    ['-1E-130', `-0.${'0'.repeat(129)}1`],
    ['12345678901234567890123456789012345678', '12345678901234567890123456789012345678'],
  ])('%s is %s', (text, expected) => expect(formatDecimal(parseDecimal(text))).toBe(expected))

  test.each([
    '',
    '.',
    'e5',
    '1e',
    'NaN',
    'Infinity',
    '0x1',
    '1,5',
    ' 1',
    '1e126',
    '1e-131',
    '1'.repeat(39),
    '9'.repeat(2000),
  ])('%s is refused', text => expect(() => parseDecimal(text)).toThrow())

  test('keep their order as bytes, and their value as text', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const order = Number(scaled(a) > scaled(b)) - Number(scaled(a) < scaled(b))
        expect(compareDecimals(parseDecimal(a), parseDecimal(b))).toBe(order)
        expect(Buffer.compare(sortableNumber(a), sortableNumber(b))).toBe(order)
        expect(parseDecimal(formatDecimal(parseDecimal(a)))).toEqual(parseDecimal(a))
      }),
      { numRuns: 2000 },
    )
  })

  test('add exactly', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const sum = addDecimals(parseDecimal(a), parseDecimal(b))
        expect(sum.coefficient * 10n ** BigInt(sum.exponent + 9)).toBe(scaled(a) + scaled(b))
      }),
      { numRuns: 2000 },
    )
  })
})
