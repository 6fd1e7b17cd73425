import type { ValidatorName } from '../detect/validator-names.ts'
import { validators } from '../detect/validators.ts'
import type { Keyed } from './keyed.ts'
import { isDigit, otherDigits, sameShape } from './shape.ts'

/** Whether a number that had a valid check digit gets one, or is made to fail the check. */
export type CheckDigit = 'valid' | 'invalid'

const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** How the number of a kind is made anew: what of it stays, what is drawn, and where its check characters stand. */
type Form = {
  /** What it looks like without separators. */
  shape: RegExp
  /** Places that stay, for what they hold is not free. */
  keep?: readonly number[]
  /** Where two digits of a year, a month and a day stand that must be a date; `months` is what a month may be more by. */
  date?: { at: number; hasDay: boolean }
  /** Places of the check characters from the left; negative ones from the right. */
  checks: readonly number[]
  alphabet?: string
}

const last = { checks: [-1] }
const lastTwo = { checks: [-2, -1] }

/** The forms of the numbers whose checks are known, by the names of these. */
const forms: Partial<Record<ValidatorName, Form>> = {
  pesel: { shape: /^\d{11}$/, date: { at: 0, hasDay: true }, ...last },
  nir: { shape: /^\d[0-9AB]{12,14}$/, keep: [0], date: { at: 1, hasDay: false }, ...lastTwo },
  codice_fiscale: { shape: /^[A-Z0-9]{16}$/, keep: [8, 9, 10, 11], checks: [-1], alphabet: letters },
  dni: { shape: /^[0-9XYZ]\d{7}[A-Z]$/, checks: [-1], alphabet: letters },
  bsn: { shape: /^\d{8,9}$/, ...last },
  nhs: { shape: /^\d{10}$/, ...last },
  nip: { shape: /^\d{10}$/, ...last },
  regon: { shape: /^(?:\d{9}|\d{14})$/, ...last },
  steuer_id: { shape: /^\d{11}$/, ...last },
  aadhaar: { shape: /^\d{12}$/, ...last },
  aba: { shape: /^\d{9}$/, keep: [0, 1], ...last },
  cpf: { shape: /^\d{11}$/, ...lastTwo },
  cnpj: { shape: /^\d{14}$/, ...lastTwo },
  lei: { shape: /^[A-Z0-9]{18}\d\d$/, checks: [-2, -1] },
  isbn: { shape: /^(?:97[89]\d{10}|\d{9}[\dX])$/, keep: [0, 1, 2], checks: [-1], alphabet: `${digits}X` },
  vin: { shape: /^[A-HJ-NPR-Z0-9]{17}$/, keep: [0, 1, 2], checks: [8], alphabet: `${digits}X` },
  imei: { shape: /^\d{15}$/, ...last },
  luhn: { shape: /^\d{12,19}$/, ...last },
}

/** Numbers tried until one passes; a permutation walks through all of them, so that no two get the same. */
const maxTries = 3000

/** Puts characters where a text has letters and digits, and keeps what stands between them. */
function laidOver(text: string, compact: string): string {
  let next = 0
  return text.replace(/[\p{L}\p{N}]/gu, source => {
    const character = compact[next++]!
    return source === source.toLowerCase() ? character.toLowerCase() : character
  })
}

/** The letters and digits of a number. */
export const compactOf = (text: string) => text.toUpperCase().replace(/[^0-9A-Z]/g, '')

/** Two digits of year within their decade, month, and day: other ones that are a date. A month beyond 12 tells the century. */
function otherDate(value: string, hasDay: boolean, keyed: Keyed): string {
  const month = Number(value.slice(2, 4))
  const century = Math.floor(month / 20) * 20
  const day = hasDay ? Number(value.slice(4, 6)) - 1 : 0
  const days = hasDay ? 28 : 1
  // Days that not all months have become one of the first 28 of another.
  const at = (Number(value[1]) * 12 + (month - century - 1)) * days + Math.min(day, days - 1)
  if (at < 0 || at >= 120 * days) return value
  const made = keyed.permute(at, 120 * days, `date|${day >= days ? day : ''}`)
  const two = (number: number) => String(number).padStart(2, '0')
  const months = Math.floor(made / days)
  return (
    value[0] +
    String(Math.floor(months / 12)) +
    two((months % 12) + 1 + century) +
    (hasDay ? two((made % days) + 1) : '')
  )
}

/** Draws what is free of a number, once. */
function redraw(compact: string, { keep = [], date, checks }: Form, keyed: Keyed, name: string): string {
  const fixed = new Set([...keep, ...checks.map(at => (at < 0 ? compact.length + at : at))])
  const characters = Array.from(compact)
  if (date) {
    const end = date.at + (date.hasDay ? 6 : 4)
    const made = otherDate(compact.slice(date.at, end), date.hasDay, keyed)
    for (let at = date.at; at < end; at++) {
      characters[at] = made[at - date.at]!
      fixed.add(at)
    }
  }
  const free = characters.map((_, at) => at).filter(at => !fixed.has(at))
  const drawn = sameShape(free.map(at => characters[at]).join(''), keyed, `number|${name}`)
  free.forEach((at, index) => {
    characters[at] = drawn[index]!
  })
  return characters.join('')
}

/** The number with check characters that pass, if there are such. */
function completed(compact: string, { checks, alphabet = digits }: Form, passes: (text: string) => boolean) {
  const places = checks.map(at => (at < 0 ? compact.length + at : at))
  const characters = Array.from(compact)
  for (let choice = 0; choice < alphabet.length ** places.length; choice++) {
    let rest = choice
    for (const at of places) {
      characters[at] = alphabet[rest % alphabet.length]!
      rest = Math.floor(rest / alphabet.length)
    }
    const text = characters.join('')
    if (passes(text)) return text
  }
  return undefined
}

/** The number with another check character, which fails. */
function failing(compact: string, { checks, alphabet = digits }: Form, passes: (text: string) => boolean): string {
  const at = checks.at(-1)! < 0 ? compact.length + checks.at(-1)! : checks.at(-1)!
  for (let step = 1; step < alphabet.length; step++) {
    const character = alphabet[(alphabet.indexOf(compact[at]!) + step) % alphabet.length]!
    const text = compact.slice(0, at) + character + compact.slice(at + 1)
    if (!passes(text)) return text
  }
  return compact
}

const names = Object.keys(forms) as ValidatorName[]
/** The shapes of all forms, at which most numbers are told apart from them. */
const anyShape = new RegExp(
  Object.values(forms)
    .map(({ shape }) => shape.source)
    .join('|'),
)

/** Every check that a number passes. Some pass several by chance, and what stands for them shall pass the same. */
const passedBy = (compact: string): ValidatorName[] =>
  anyShape.test(compact) ? names.filter(name => forms[name]!.shape.test(compact) && validators[name](compact)) : []

/** Whether a German tax number has one digit twice or thrice in its first ten, and the others once at most. */
function isTaxNumber(compact: string): boolean {
  const counts = new Map<string, number>()
  for (const digit of compact.slice(0, 10)) counts.set(digit, (counts.get(digit) ?? 0) + 1)
  const repeated = [...counts.values()].filter(count => count > 1)
  return repeated.length === 1 && repeated[0]! < 4 && !/(\d)\1\1/.test(compact.slice(0, 10))
}

/** What a number is held to beside its check digits: as well as it was before. */
const alsoHolds: Partial<Record<ValidatorName, (compact: string) => boolean>> = { steuer_id: isTaxNumber }

const isSame = (some: readonly string[], others: readonly string[]) => some.join() === others.join()

/** A number of the same form: with a check digit as asked where the number's own proves it, else of the same shape. */
export function otherNumber(value: string, keyed: Keyed, checkDigit: CheckDigit): string {
  const compact = compactOf(value)
  const passed = passedBy(compact)
  const [name] = passed
  if (!name) {
    // What proves nothing must not become what does, or two numbers might become the same.
    let made = sameShape(value, keyed, 'id')
    for (let tries = 0; tries < 50 && passedBy(compactOf(made)).length > 0; tries++) made = sameShape(made, keyed, 'id')
    return made
  }
  const form = forms[name]!
  const holds = alsoHolds[name]
  let drawn = compact
  for (let tries = 0; tries < maxTries; tries++) {
    drawn = redraw(drawn, form, keyed, name)
    const made = completed(drawn, form, validators[name])
    if (!made || !isSame(passedBy(made), passed) || holds?.(made) !== holds?.(compact)) continue
    return laidOver(value, checkDigit === 'valid' ? made : failing(made, form, text => passedBy(text).length > 0))
  }
  return sameShape(value, keyed, 'id')
}

const mod97 = (text: string): number => {
  let rest = 0
  for (const character of text)
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97
  return rest
}

/** A check digit inside of a Spanish account number, of the bank and branch or of the account. */
function spanishDigit(digits: string): string {
  const weights = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6].slice(-digits.length)
  const rest = weights.reduce((sum, weight, place) => sum + weight * Number(digits[place]), 0) % 11
  return String(rest < 2 ? rest : 11 - rest)
}

/** A Spanish account number with the check digits that it has inside. */
const spanishAccount = (bank: string, account: string) => bank + spanishDigit(bank) + spanishDigit(account) + account

/** Another account number of a country, without the check digits of the IBAN. */
function otherAccount(account: string, country: string, keyed: Keyed): string {
  const [bank, own] = [account.slice(0, 8), account.slice(10)]
  if (country !== 'ES' || account !== spanishAccount(bank, own)) return sameShape(account, keyed, `iban|${country}`)
  const made = sameShape(bank + own, keyed, `iban|${country}`)
  return spanishAccount(made.slice(0, 8), made.slice(8))
}

/** An IBAN of the same country: another bank and account, and check digits as asked. */
export function otherIban(value: string, keyed: Keyed, checkDigit: CheckDigit): string {
  const compact = compactOf(value)
  if (!/^[A-Z]{2}\d{2}[0-9A-Z]{6,30}$/.test(compact)) return sameShape(value, keyed, 'iban')
  const country = compact.slice(0, 2)
  let account = compact.slice(4)
  for (let tries = 0; ; tries++) {
    account = otherAccount(account, country, keyed)
    const check = 98 - mod97(`${account}${country}00`)
    const wrong = checkDigit === 'invalid' ? 1 + (check % 96) : check
    const made = country + String(wrong).padStart(2, '0') + account
    // Some countries prove parts of the account as well.
    if (tries >= maxTries || checkDigit === 'invalid' || validators.iban(made)) return laidOver(value, made)
  }
}

/** A text of digits whose last one is so much more. */
const withMore = (text: string, more: number) => text.slice(0, -1) + ((Number(text.at(-1)) + more) % 10)

/**
 * A payment card of the same network's first digit, or the same issuer. Where a check digit is wrong, that of the other card is
 * so by as much, or cards that differ in it alone would become one.
 */
export function otherCard(value: string, keyed: Keyed, checkDigit: CheckDigit, keepsIssuer: boolean): string {
  const compact = compactOf(value)
  if (!/^\d{12,19}$/.test(compact)) return sameShape(value, keyed, 'card')
  const kept = keepsIssuer ? 6 : 1
  const drawn = compact.slice(0, kept) + otherDigits(compact.slice(kept, -1), keyed, `card|${compact.slice(0, kept)}`)
  const made = completed(`${drawn}0`, forms.luhn!, validators.luhn)!
  if (!validators.luhn(compact)) {
    const right = completed(compact, forms.luhn!, validators.luhn)!
    return laidOver(value, withMore(made, (Number(compact.at(-1)) - Number(right.at(-1)) + 10) % 10))
  }
  return laidOver(value, checkDigit === 'valid' ? made : failing(made, forms.luhn!, validators.luhn))
}

/** Says how many digits the code of the country has, with which the digits of an international number begin. */
type CodeLength = (digits: string) => number

/** The digits of a text. */
function digitsOf(text: string): string {
  let found = ''
  for (let at = 0; at < text.length; at++) if (isDigit(text.charCodeAt(at))) found += text[at]
  return found
}

/** All digits of a telephone number, and where the national number begins among them. */
function digitsOfPhone(value: string, codeLength: CodeLength): { all: string; national: number } {
  const all = digitsOf(value)
  const begin = /^\s*\(?\s*(\+|00)?/.exec(value)![1]
  if (begin !== undefined) {
    const prefix = begin === '+' ? 0 : 2
    // `+44 (0)20` and the like.
    const trunk = value.includes('(0)') ? 1 : 0
    // Some write both: `+0049`.
    return { all, national: prefix + codeLength(all.startsWith('00') ? all.slice(2) : all) + trunk }
  }
  return { all, national: all.startsWith('0') || (all.length === 11 && all.startsWith('1')) ? 1 : 0 }
}

/** The digits of a telephone number as they are in every way to write it. */
export function nationalOf(value: string, codeLength: CodeLength): string {
  const { all, national } = digitsOfPhone(value, codeLength)
  return all.slice(national)
}

/**
 * A telephone number of the same country and area, or kind of line: the first digits of the national number stay, three or of
 * long ones four, for without them it would be none. Written with the code of its country or without it, it becomes the same number.
 */
export function otherPhone(value: string, keyed: Keyed, codeLength: CodeLength): string {
  const { all, national } = digitsOfPhone(value, codeLength)
  const kept = all.length - national >= 10 ? 4 : 3
  const begin = Math.min(national + kept, Math.max(0, all.length - 3))
  const made = all.slice(0, begin) + otherDigits(all.slice(begin), keyed, `phone|${all.slice(national, begin)}`)
  let [out, next] = ['', 0]
  for (let at = 0; at < value.length; at++) out += isDigit(value.charCodeAt(at)) ? made[next++] : value[at]
  return out
}
