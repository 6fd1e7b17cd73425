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

function iban(text: string): boolean {
  const value = compact(text)
  const length = ibanLengths[value.slice(0, 2)]
  return value.length === length && remainder(value.slice(4) + value.slice(0, 4), 97) === 1
}

const dniLetters = 'TRWAGMYFPDXBNJZSQVHLCKE'

/** Spain, DNI and NIE: the letter is the number modulo 23 (Orden INT/2058/2008). */
function dni(text: string): boolean {
  const value = compact(text)
  const parts = /^([XYZ]?)(\d{7,8})([A-Z])$/.exec(value)
  if (!parts || (parts[1] ? parts[2]!.length !== 7 : parts[2]!.length !== 8)) return false
  const number = Number((parts[1] ? 'XYZ'.indexOf(parts[1]).toString() : '') + parts[2])
  return dniLetters[number % 23] === parts[3]
}

/** United Kingdom, NHS number: weights 10 to 2, modulo 11 (NHS Data Dictionary). */
function nhs(text: string): boolean {
  const values = digits(text)
  const check = 11 - (weighted(values, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)
  return values.length === 10 && check !== 10 && (check === 11 ? 0 : check) === values[9]
}

/** Brazil, CPF: two check digits modulo 11; eleven equal digits are none. */
function cpf(text: string): boolean {
  const values = digits(text)
  if (values.length !== 11 || values.every(digit => digit === values[0])) return false
  const check = (length: number) => {
    const sum = values.slice(0, length).reduce((total, digit, index) => total + digit * (length + 1 - index), 0)
    return ((sum * 10) % 11) % 10
  }
  return check(9) === values[9] && check(10) === values[10]
}

/** Brazil, CNPJ: two check digits modulo 11. */
function cnpj(text: string): boolean {
  const values = digits(text)
  if (values.length !== 14 || values.every(digit => digit === values[0])) return false
  const check = (weights: number[]) => {
    const rest = weighted(values, weights) % 11
    return rest < 2 ? 0 : 11 - rest
  }
  const weights = [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]
  return check(weights) === values[12] && check([6, ...weights]) === values[13]
}

/** Poland, PESEL: weights 1 3 7 9, modulo 10 (ustawa o ewidencji ludności). */
function pesel(text: string): boolean {
  const values = digits(text)
  const sum = weighted(values, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3])
  return values.length === 11 && (10 - (sum % 10)) % 10 === values[10]
}

/** Poland, NIP: weights 6 5 7 2 3 4 5 6 7, modulo 11. */
function nip(text: string): boolean {
  const values = digits(text)
  return values.length === 10 && weighted(values, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === values[9]
}

/** Poland, REGON of 9 digits: weights 8 9 2 3 4 5 6 7, modulo 11, 10 counts as 0. */
function regon(text: string): boolean {
  const values = digits(text)
  return values.length === 9 && (weighted(values, [8, 9, 2, 3, 4, 5, 6, 7]) % 11) % 10 === values[8]
}

/** Netherlands, BSN: weights 9 to 2 and -1, modulo 11 ("elfproef"). */
function bsn(text: string): boolean {
  const values = digits(text)
  return values.length === 9 && values.some(Boolean) && weighted(values, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0
}

/** Germany, tax identification number: ISO 7064 MOD 11,10. */
function steuerId(text: string): boolean {
  const values = digits(text)
  if (values.length !== 11 || values[0] === 0) return false
  let product = 10
  for (const digit of values.slice(0, 10)) {
    const sum = (digit + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === values[10]
}

/** France, NIR (social security number): 97 minus the number modulo 97; Corsica's 2A and 2B count as 19 and 18. */
function nir(text: string): boolean {
  const value = compact(text).replace('2A', '19').replace('2B', '18')
  return /^\d{15}$/.test(value) && 97 - remainder(value.slice(0, 13), 97) === Number(value.slice(13))
}

const codiceOdd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/** Italy, codice fiscale: table of odd and even places, modulo 26 (D.M. 23 December 1976). */
function codiceFiscale(text: string): boolean {
  const value = compact(text)
  if (!/^[A-Z]{6}[\dLMNPQRSTUV]{2}[A-Z][\dLMNPQRSTUV]{2}[A-Z][\dLMNPQRSTUV]{3}[A-Z]$/.test(value)) return false
  let sum = 0
  for (let index = 0; index < 15; index++) {
    const code = value.charCodeAt(index)
    const place = code < 58 ? code - 48 : code - 65
    sum += index % 2 === 0 ? codiceOdd[place]! : place
  }
  return (sum % 26) + 65 === value.charCodeAt(15)
}

const verhoeffTimes = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
]
const verhoeffPermute = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
]

/** Verhoeff's dihedral checksum, as India's Aadhaar uses it (12 digits). */
function aadhaar(text: string): boolean {
  const values = digits(text).reverse()
  const check = values.reduce((c, digit, i) => Number(verhoeffTimes[c]![Number(verhoeffPermute[i % 8]![digit])]), 0)
  return values.length === 12 && values[11]! > 1 && check === 0
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

/** Every checksum that a rule may name; each is true when a match passes. */
export const validators = {
  aadhaar,
  aba,
  bsn,
  cnpj,
  codice_fiscale: codiceFiscale,
  cpf,
  dni,
  iban,
  imei,
  isbn,
  lei,
  luhn,
  nhs,
  nip,
  nir,
  pesel,
  regon,
  steuer_id: steuerId,
  vin,
} as const satisfies Record<string, (text: string) => boolean>

/** The name of a checksum in {@link validators}. */
export type ValidatorName = keyof typeof validators

/** Whether a rule may name this checksum. */
export const isValidator = (name: string): name is ValidatorName => Object.hasOwn(validators, name)
