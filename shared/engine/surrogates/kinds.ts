import type { CheckDigit } from './numbers.ts'

/** What may be kept of a value, each of which tells something. */
export const keepable = ['domain', 'issuer'] as const

/** How surrogates are made. */
export type SurrogateOptions = {
  checkDigit?: CheckDigit
  /** BCP 47; of its language are the names and places that stand for unknown ones, and for those that it has. */
  locale?: string
  keep?: (typeof keepable)[number][]
}

/** Labels that have the generator of another, as models of others name what ours find. */
export const numberKinds: readonly string[] =
  `ID NATIONAL_ID SOCIAL_SECURITY TAX_ID HEALTH_ID PASSPORT DRIVING_LICENCE DEVICE_ID VEHICLE_ID BANK_ACCOUNT
  CRYPTO_ADDRESS SECRET SSN PASSPORT_NUMBER DRIVER_ID LICENSE_PLATE BANK_ACCOUNT_NUMBER BANK_ROUTING PIN
  CA_HEALTH_NUMBER CA_SOCIAL_INSURANCE_NUMBER IN_AADHAAR IN_NREGA IN_PERMANENT_ACCOUNT_NUMBER IN_VOTER_NUMBER
  UK_NATIONAL_HEALTH_SERVICE_NUMBER UK_NATIONAL_INSURANCE_NUMBER UK_UNIQUE_TAXPAYER_REFERENCE_NUMBER
  US_INDIVIDUAL_TAX_IDENTIFICATION_NUMBER VEHICLE_IDENTIFICATION_NUMBER`.split(/\s+/)

/** How values are compared, so that one is the same in every way to write it. */
export type Comparison = 'number' | 'phone' | 'address' | 'text'

const accountKinds = ['IBAN', 'INTERNATIONAL_BANK_ACCOUNT_NUMBER', 'PAYMENT_CARD', 'CREDIT_DEBIT_NUMBER']

const textKinds = `PERSON NAME LOCATION ADDRESS ORGANIZATION ORGANISATION EMAIL URL USERNAME`.split(' ')

/**
 * How the values of labels are compared of which none shall be another one's surrogate. Dates are not among them: all move
 * by the same number of days, and so one often becomes another.
 */
export const comparisons: ReadonlyMap<string, Comparison> = new Map<string, Comparison>([
  ...[...numberKinds, ...accountKinds, 'MAC_ADDRESS'].map(label => [label, 'number'] as const),
  ['PHONE', 'phone'],
  ['IP_ADDRESS', 'address'],
  ...textKinds.map(label => [label, 'text'] as const),
])

/** Labels of which surrogates can be made. */
export const surrogateKinds: readonly string[] = [...comparisons.keys(), 'DATE', 'DATE_OF_BIRTH', 'DATE_TIME'].sort()

/** Whether surrogates of a label can be made. */
export const hasSurrogates = (label: string): boolean => surrogateKinds.includes(label)
