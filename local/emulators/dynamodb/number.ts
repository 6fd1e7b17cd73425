import { invalid } from '../aws/errors.ts'

/** A decimal number, exactly: `coefficient * 10 ** exponent`, the coefficient without trailing zeros (zero: 0, 0). */
export interface Decimal {
  coefficient: bigint
  exponent: number
}

const shape = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,6}))?$/

function normal(coefficient: bigint, exponent: number): Decimal {
  if (coefficient === 0n) return { coefficient: 0n, exponent: 0 }
  const digits = coefficient.toString()
  const zeros = digits.length - digits.replace(/0+$/, '').length
  return { coefficient: zeros ? BigInt(digits.slice(0, -zeros)) : coefficient, exponent: exponent + zeros }
}

const digitsOf = ({ coefficient }: Decimal) => (coefficient < 0n ? -coefficient : coefficient).toString()

function inRange(number: Decimal): Decimal {
  if (number.coefficient === 0n) return number
  const digits = digitsOf(number).length
  const magnitude = number.exponent + digits - 1
  if (magnitude > 125)
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range')
  if (magnitude < -130)
    throw invalid('Number underflow. Attempting to store a number with magnitude smaller than supported range')
  if (digits > 38) throw invalid('Attempting to store more than 38 significant digits in a Number')
  return number
}

/** Reads a number; refuses what isn't one, more than 38 significant digits and magnitudes out of 1E-130 to 9.9E+125. */
export function parseDecimal(text: string): Decimal {
  const match = text.length <= 1024 ? shape.exec(text) : null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match ?? []
  if (!match || whole + fraction === '') throw invalid('The parameter cannot be converted to a numeric value')
  const number = normal(BigInt(whole + fraction), Number(exponent) - fraction.length)
  return inRange(sign === '-' ? { ...number, coefficient: -number.coefficient } : number)
}

/** A number as DynamoDB writes it: plain digits, no exponent, no superfluous zeros. */
export function formatDecimal(number: Decimal): string {
  const sign = number.coefficient < 0n ? '-' : ''
  const digits = digitsOf(number)
  const point = digits.length + number.exponent
  if (number.exponent >= 0) return sign + digits + '0'.repeat(number.exponent)
  return point > 0
    ? `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
    : `${sign}0.${'0'.repeat(-point)}${digits}`
}

/** The exact sum, refused if it doesn't fit into a number. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent)
  const scale = (n: Decimal) => n.coefficient * 10n ** BigInt(n.exponent - exponent)
  return inRange(normal(scale(a) + scale(b), exponent))
}

/** The number with its sign turned. */
export const negate = (number: Decimal): Decimal => ({ ...number, coefficient: -number.coefficient })

/** Negative, zero or positive as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const exponent = Math.min(a.exponent, b.exponent)
  const scale = (n: Decimal) => n.coefficient * 10n ** BigInt(n.exponent - exponent)
  const [x, y] = [scale(a), scale(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

/** Bytes whose order is the numbers' order: sign, exponent, digits, the last two turned round for negative numbers. */
export function sortableNumber(text: string): Buffer {
  const number = parseDecimal(text)
  if (number.coefficient === 0n) return Buffer.from([1])
  const digits = digitsOf(number)
  const bytes = [number.exponent + digits.length + 130, ...[...digits].map(digit => Number(digit) + 1)]
  // A shorter negative number is the greater one when it is a prefix, hence the closing 255.
  return number.coefficient > 0n ? Buffer.from([2, ...bytes]) : Buffer.from([0, ...bytes.map(byte => 255 - byte), 255])
}
