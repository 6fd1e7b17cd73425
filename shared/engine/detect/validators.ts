import { stdnumCheck } from './stdnum.ts'
import type { ValidatorName } from './validator-names.ts'

const digits = (text: string) => Array.from(text.replace(/\D/g, ''), Number)

/** Letters and digits in upper case; separators that people write inside of numbers are left out. */
const compact = (text: string) => text.toUpperCase().replace(/[^0-9A-Z]/g, '')

const weighted = (values: number[], weights: number[]) =>
  weights.reduce((sum, weight, index) => sum + weight * (values[index] ?? 0), 0)

/** Remainder of a number of any length, letters counting as 10 to 35 (ISO 7064). */
function remainder(text: string, modulus: number): number {
  let rest = 0
  for (const character of text) {
    for (const digit of Number.parseInt(character, 36).toString()) rest = (rest * 10 + Number(digit)) % modulus
  }
  return rest
}

/** ISO/IEC 7812-1 annex B. */
function luhn(text: string): boolean {
  const values = digits(text).reverse()
  const sum = values.reduce((total, digit, index) => {
    const value = index % 2 === 1 ? digit * 2 : digit
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return values.length > 1 && sum % 10 === 0
}

/** Length of the IBAN of each country (ISO 13616 register). */
const ibanLengths: Record<string, number> = {
  AD: 24,
  AE: 23,
  AL: 28,
  AT: 20,
  AZ: 28,
  BA: 20,
  BE: 16,
  BG: 22,
  BH: 22,
  BI: 27,
  BR: 29,
  BY: 28,
  CH: 21,
  CR: 22,
  CY: 28,
  CZ: 24,
  DE: 22,
  DJ: 27,
  DK: 18,
  DO: 28,
  EE: 20,
  EG: 29,
  ES: 24,
  FI: 18,
  FK: 18,
  FO: 18,
  FR: 27,
  GB: 22,
  GE: 22,
  GI: 23,
  GL: 18,
  GR: 27,
  GT: 28,
  HN: 28,
  HR: 21,
  HU: 28,
  IE: 22,
  IL: 23,
  IQ: 23,
  IS: 26,
  IT: 27,
  JO: 30,
  KW: 30,
  KZ: 20,
  LB: 28,
  LC: 32,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  LY: 25,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MN: 20,
  MR: 27,
  MT: 31,
  MU: 30,
  NI: 28,
  NL: 18,
  NO: 15,
  OM: 23,
  PK: 24,
  PL: 28,
  PS: 29,
  PT: 25,
  QA: 29,
  RO: 24,
  RS: 22,
  RU: 33,
  SA: 24,
  SC: 31,
  SD: 18,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  SO: 23,
  ST: 25,
  SV: 28,
  TL: 23,
  TN: 24,
  TR: 26,
  UA: 29,
  VA: 22,
  VG: 24,
  XK: 20,
  YE: 30,
}

/** Whether something has the length of the IBANs of the country that it names. */
export const isIbanLong = (text: string): boolean => compact(text).length === ibanLengths[text.slice(0, 2)]

function iban(text: string): boolean {
  const value = compact(text)
  return isIbanLong(value) && remainder(value.slice(4) + value.slice(0, 4), 97) === 1
}

/** United Kingdom, NHS number: weights 10 to 2, modulo 11 (NHS Data Dictionary). */
function nhs(text: string): boolean {
  const values = digits(text)
  const check = 11 - (weighted(values, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)
  return values.length === 10 && check !== 10 && (check === 11 ? 0 : check) === values[9]
}

/** United States, ABA routing number: weights 3 7 1, modulo 10. */
function aba(text: string): boolean {
  const values = digits(text)
  return values.length === 9 && values.some(Boolean) && weighted(values, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0
}

const vinValues: Record<string, number> = {
  A: 1,
  B: 2,
  C: 3,
  D: 4,
  E: 5,
  F: 6,
  G: 7,
  H: 8,
  J: 1,
  K: 2,
  L: 3,
  M: 4,
  N: 5,
  P: 7,
  R: 9,
  S: 2,
  T: 3,
  U: 4,
  V: 5,
  W: 6,
  X: 7,
  Y: 8,
  Z: 9,
}

/** Vehicle identification number, North America: check digit at place 9, modulo 11 (49 CFR 565.15). */
function vin(text: string): boolean {
  const value = compact(text)
  if (!/^[A-HJ-NPR-Z0-9]{17}$/.test(value)) return false
  const values = Array.from(value, character => vinValues[character] ?? Number(character))
  const rest = weighted(values, [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return value[8] === (rest === 10 ? 'X' : String(rest))
}

/** Digits that the same remainder of 97 proves: ISO 7064 MOD 97-10 (LEI of 20 characters, among others). */
function lei(text: string): boolean {
  const value = compact(text)
  return value.length === 20 && remainder(value, 97) === 1
}

/** ISBN of 10 or 13 digits. */
function isbn(text: string): boolean {
  const value = compact(text)
  if (/^\d{13}$/.test(value)) return weighted(digits(value), [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0
  if (!/^\d{9}[\dX]$/.test(value)) return false
  const values = Array.from(value, character => (character === 'X' ? 10 : Number(character)))
  return weighted(values, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
}

/** Device identity IMEI: 15 digits, Luhn (3GPP TS 23.003 annex B). */
const imei = (text: string) => digits(text).length === 15 && luhn(text)

/** One digit repeated passes many sums, and is nobody's number. */
const varied = (check: (text: string) => boolean) => (text: string) => new Set(digits(text)).size > 1 && check(text)

/** Spain, of citizens and of foreigners. */
const dni = stdnumCheck('ES', 'dni')
const nie = stdnumCheck('ES', 'nie')

/** Tells by name whether a match passes a checksum. */
export type Validators = Record<ValidatorName, (text: string) => boolean>

/** Every checksum that a rule may name; each is true when a match passes. */
export const validators = {
  aadhaar: stdnumCheck('IN', 'aadhaar'),
  aba,
  bsn: varied(stdnumCheck('NL', 'bsn')),
  cnpj: varied(stdnumCheck('BR', 'cnpj')),
  codice_fiscale: stdnumCheck('IT', 'codicefiscale'),
  cpf: varied(stdnumCheck('BR', 'cpf')),
  dni: text => dni(text) || nie(text),
  iban,
  imei,
  isbn,
  lei,
  luhn,
  nhs,
  nip: stdnumCheck('PL', 'nip'),
  nir: stdnumCheck('FR', 'nir'),
  pesel: stdnumCheck('PL', 'pesel'),
  regon: stdnumCheck('PL', 'regon'),
  steuer_id: stdnumCheck('DE', 'idnr'),
  vin,
} as const satisfies Validators
