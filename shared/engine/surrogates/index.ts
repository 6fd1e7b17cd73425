import type { KeyObject } from 'node:crypto'
import { createShift } from '../dates/shift.ts'
import { EngineError } from '../errors.ts'
import { compareBy, phoneCodes, singleWord, textAndWords, textOf, wordWithin } from './comparison.ts'
import { createKeyed, type Keyed } from './keyed.ts'
import { comparisons, hasSurrogates, numberKinds, type SurrogateOptions } from './kinds.ts'
import { createMarker } from './marker.ts'
import { createNames } from './names.ts'
import type { Names } from './naming.ts'
import { type Login, type Logins, otherEmail, otherIp, otherMac, otherUrl, otherUsername } from './network.ts'
import { otherCard, otherIban, otherNumber, otherPhone } from './numbers.ts'
import { otherOrganisation } from './organisation.ts'
import { createOutside, type Generate } from './outside.ts'
import { createPersons, type Persons } from './person.ts'
import { createPlaces, isPostcode } from './places.ts'
import { type Avoid, isNever } from './pool.ts'
import { fold } from './spelling.ts'
import { openFilter } from './value-filter.ts'

/** What generators work with. No surrogate shall be one of the values that the text holds, or of those in a filter. */
export type Surroundings = {
  key: KeyObject
  options: SurrogateOptions
  found: readonly string[]
  filter?: { bytes: Uint8Array; key: KeyObject }
  /** Whether these are all values of the job, and surrogates none of them. */
  isWhole?: boolean
}

type Kit = Surroundings & {
  keyed: Keyed
  names(): Promise<Names>
  persons(): Promise<Persons>
  avoid: Avoid
  language: string | undefined
}

/** Makes what makes surrogates of one kind. */
type Maker = (kit: Kit) => Promise<Generate>

const number: Maker =
  async ({ keyed, options }) =>
  value =>
    otherNumber(value, keyed, options.checkDigit ?? 'valid')
const person: Maker = async ({ persons }) => {
  const { name } = await persons()
  return Object.assign((value: string) => name(value), { isSettled: () => true, tells: true as const })
}
const iban: Maker =
  async ({ keyed, options }) =>
  value =>
    otherIban(value, keyed, options.checkDigit ?? 'valid')
const card: Maker = async ({ keyed, options }) => {
  const keepsIssuer = options.keep?.includes('issuer') ?? false
  return value => otherCard(value, keyed, options.checkDigit ?? 'valid', keepsIssuer)
}
/** Dates all move by the same number of days. What is no date of a known form is suppressed. */
const date: Maker = async ({ key }) => {
  const move = createShift(key, {})
  return value => move(value) ?? '*'
}
/** Towns and postcodes by themselves agree with each other, whatever the values of the job are. */
const isLone = (value: string) => !/\d/.test(value) || isPostcode(value.trim())
const places =
  (what: 'location' | 'address'): Maker =>
  async ({ keyed, options, avoid }) => {
    const { beyond, ...made } = await createPlaces(keyed, options.locale, avoid)
    return Object.assign(made[what], what === 'location' ? { isSettled: isLone } : { isSettled: isPostcode, beyond })
  }
const organisation: Maker = async ({ keyed, names }) => {
  const { another, madeUp } = await names()
  const make = (value: string) => otherOrganisation(value, word => another(word, 'surname'), keyed)
  return Object.assign(make, { beyond: (value: string) => otherOrganisation(value, madeUp, keyed) })
}
type OtherLogin = (value: string, logins: Logins, keyed: Keyed, keepsDomain: boolean) => string
const login =
  (make: OtherLogin): Maker =>
  async ({ keyed, names, persons, options }) => {
    const [own, { madeUp }] = [await persons(), await names()]
    const keepsDomain = options.keep?.includes('domain') ?? false
    const word: Login = text => fold(madeUp(fold(text)))
    const all: Logins = { login: word, logins: words => words.map(word), all: true }
    const beyond = (value: string) => make(value, all, keyed, keepsDomain)
    return Object.assign((value: string) => make(value, own, keyed, keepsDomain), { beyond })
  }
const phone: Maker = async ({ keyed }) => {
  const codeLength = await phoneCodes()
  return value => otherPhone(value, keyed, codeLength)
}

const makers: Readonly<Record<string, Maker>> = {
  ...Object.fromEntries(numberKinds.map(label => [label, number])),
  DATE: date,
  DATE_OF_BIRTH: date,
  DATE_TIME: date,
  PERSON: person,
  NAME: person,
  LOCATION: places('location'),
  ADDRESS: places('address'),
  ORGANIZATION: organisation,
  ORGANISATION: organisation,
  EMAIL: login(otherEmail),
  URL: login(otherUrl),
  USERNAME: login(otherUsername),
  PHONE: phone,
  IBAN: iban,
  INTERNATIONAL_BANK_ACCOUNT_NUMBER: iban,
  PAYMENT_CARD: card,
  CREDIT_DEBIT_NUMBER: card,
  IP_ADDRESS:
    async ({ keyed }) =>
    value =>
      otherIp(value, keyed),
  MAC_ADDRESS:
    async ({ keyed }) =>
    value =>
      otherMac(value, keyed),
}

/** What makes surrogates, of the labels that were loaded: some need lists, which are read then. */
export function createSurrogates({ key, options, found, filter, isWhole }: Surroundings) {
  const keyed = createKeyed(key)
  const language = options.locale?.split('-')[0]
  const others = filter && openFilter(filter.bytes, createMarker(filter.key))
  const isOther = others && ((text: string) => others.has('text', textOf(text)))
  const held = new Set(found.flatMap(textAndWords))
  const isHeld = (compared: string) => held.has(compared) || others?.has('text', compared) === true
  const isValue = isOther ?? (isWhole ? (text: string) => held.has(textOf(text)) : undefined)
  const isName = isValue && (isHeld(singleWord) ? isValue : isNever)
  const avoid: Avoid = { has: word => isHeld(wordWithin(word)) || isHeld(textOf(word)), isValue }
  let isShort = false
  const tell = () => {
    isShort = true
  }
  let names: Promise<Names> | undefined
  let persons: Promise<Persons> | undefined
  const kit: Kit = {
    ...{ key, options, found, keyed, language, avoid },
    names: () => (names ??= createNames(keyed, language, { ...avoid, isValue: isName })),
    persons: () => (persons ??= kit.names().then(known => createPersons(known, keyed, found, isValue, tell))),
  }
  const generators = new Map<string, Generate>()
  const load = async (labels: Iterable<string>) => {
    for (const label of labels) {
      if (generators.has(label)) continue
      if (!hasSurrogates(label)) throw new EngineError('invalid_workflow', `There are no surrogates for ${label}`)
      const comparison = comparisons.get(label)
      const compared = comparison && { comparison, plain: await compareBy(comparison) }
      generators.set(label, Object.assign(await makers[label]!(kit), compared))
    }
  }
  const outside = createOutside(found, keyed, others, isValue && tell)
  return {
    load,
    make: (label: string, value: string): string => outside(generators.get(label)!, value),
    /** Whether some that were made are values all the same, as too few others are left. */
    areShort: () => isShort,
  }
}
