import { isIbanLong, validators } from '../detect/validators.ts'
import type { Recogniser } from './recogniser.ts'

const account = [
  'account',
  'acct',
  'a/c',
  'account number',
  'account no',
  'bank',
  'konto',
  'kontonummer',
  'cuenta',
  'conta',
  'compte',
  'rekening',
  'rachunek',
  'konto nr',
]

/** Lengths of card numbers by their first digits (ISO/IEC 7812 issuers: American Express, Diners, JCB, Visa, Mastercard and others). */
const issuers: readonly [RegExp, readonly number[]][] = [
  [/^3[47]/, [15]],
  [/^3(?:0[0-5]|09|[689])/, [14, 15, 16, 17, 18, 19]],
  [/^35/, [16, 17, 18, 19]],
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|2[2-7])/, [16]],
  [/^(?:50|5[6-9]|6[37])/, [12, 13, 14, 15, 16, 17, 18, 19]],
  [/^(?:6[024569]|81)/, [16, 17, 18, 19]],
]

/** Luhn, and an issuer that gives numbers of this length: all digits alike are a placeholder. */
function card(text: string): boolean {
  const digits = text.replace(/\D/g, '')
  const issued = issuers.some(([first, lengths]) => first.test(digits) && lengths.includes(digits.length))
  return issued && !/^(\d)\1+$/.test(digits) && validators.luhn(digits)
}

export const finance: Recogniser[] = [
  {
    name: 'iban',
    label: 'IBAN',
    pattern: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?(?![\p{L}\p{N}])/giu,
    valid: validators.iban,
    checksum: true,
    score: 0.98,
    source: 'ISO 13616-1, check by ISO 7064 MOD 97-10, lengths of the SWIFT register',
    needs: /\d/,
  },
  {
    name: 'pl.nrb',
    label: 'BANK_ACCOUNT',
    pattern: /(?<![\p{L}\p{N}.,-])\d{2}(?:[ -]?\d{4}){6}(?![\p{L}\p{N}]|[.,-]\d)/gu,
    valid: text => validators.iban(`PL${text.replace(/\D/g, '')}`),
    checksum: true,
    score: 0.75,
    near: 0.95,
    context: account,
    source: 'Narodowy Bank Polski: the IBAN of Poland without its letters, as it is written within the country',
    needs: /\d{4}/,
  },
  {
    name: 'iban.written',
    label: 'IBAN',
    pattern: /(?<![\p{L}\p{N}])[A-Z]{2}\d{2}(?: [A-Z0-9]{4}){3,7}(?: [A-Z0-9]{1,3})?(?![\p{L}\p{N}])/gu,
    valid: isIbanLong,
    score: 0.65,
    source:
      'SWIFT register: the length that the country has, in groups of four as ISO 13616-1 prints them; for slips of the pen',
    needs: /\d{4} \d{4}/,
  },
  {
    name: 'card',
    label: 'PAYMENT_CARD',
    pattern: /(?<![\p{L}\p{N}.-])(?:\d[ -]?){11,18}\d(?![\p{L}\p{N}]|[.-]\d)/gu,
    valid: card,
    checksum: true,
    score: 0.8,
    near: 0.99,
    context: [
      'card',
      'credit',
      'debit',
      'visa',
      'mastercard',
      'amex',
      'american express',
      'discover',
      'cc',
      'tarjeta',
      'karte',
      'kreditkarte',
      'cartão',
      'kort',
      'carte',
      'carta',
      'karta',
      'pan',
      'cvv',
      'expires',
      'exp',
    ],
    source: 'ISO/IEC 7812-1: 12 to 19 digits, Luhn',
    needs: /\d/,
  },
  {
    name: 'us.aba',
    label: 'BANK_ACCOUNT',
    pattern: /(?<![\p{L}\p{N}.-])[0-3]\d{8}(?![\p{L}\p{N}-])/gu,
    valid: validators.aba,
    checksum: true,
    score: 0.2,
    near: 0.9,
    context: ['routing', 'aba', 'rtn', 'routing number', 'transit'],
    source: 'American Bankers Association, weights 3 7 1',
    needs: /\d{9}/,
  },
  {
    name: 'bic',
    label: 'BANK_ACCOUNT',
    pattern:
      /(?<![\p{L}\p{N}])[A-Z]{4}(?:A[DEFGILMNORSTUWXZ]|B[ABDEFGHIJLMNORSTWYZ]|C[ACDFGHIKLMNORUVWYZ]|D[EJKMOZ]|E[CEGRST]|F[IJKMOR]|G[ABDEFGHILMNPQRTUWY]|H[KNRTU]|I[DELMNOQRST]|J[EMOP]|K[EGHIMNPRWYZ]|L[ABCIKRSTUVY]|M[ACDEGHKLMNOPQRSTUVWXYZ]|N[ACEFGILOPRUZ]|OM|P[AEFGHKLMNRSTWY]|QA|R[EOSUW]|S[ABCDEGHIJKLMNORSTVXYZ]|T[CDFGHJKLMNORTVWZ]|U[AGMSYZ]|V[ACEGINU]|W[FS]|XK|Y[ET]|Z[AMW])[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?![\p{L}\p{N}])/gu,
    score: 0.1,
    near: 0.85,
    context: ['bic', 'swift', 'swift code', 'bic code'],
    source: 'ISO 9362',
  },
  {
    name: 'account',
    label: 'BANK_ACCOUNT',
    pattern: /(?<![\p{L}\p{N}.,-])\d(?:[ -]?\d){6,16}(?![\p{L}\p{N}]|[.,]\d)/gu,
    score: 0.05,
    near: 0.6,
    context: account,
    source: 'seven to seventeen digits that are called an account',
    needs: /\d/,
  },
  {
    name: 'gb.sort-code',
    label: 'BANK_ACCOUNT',
    pattern: /(?<![\p{L}\p{N}-])\d{2}-\d{2}-\d{2}(?![\p{L}\p{N}-])/gu,
    score: 0.1,
    near: 0.9,
    context: ['sort code', 'sortcode', 'sort'],
    source: 'Pay.UK, sorting codes',
    needs: /-/,
  },
]
