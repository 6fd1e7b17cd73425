import { type Countries, createCountries } from './countries.ts'
import type { Keyed } from './keyed.ts'
import type { Town } from './lists/decode.ts'
import type { Avoid } from './pool.ts'
import { anyPostcode, postcodeForms, writtenLike } from './postcodes.ts'
import { sameShape } from './shape.ts'
import { inCaseOf } from './spelling.ts'
import { createStreets, type Streets } from './streets.ts'
import { createTowns, languageOfCountry, type Place, type Towns } from './towns.ts'

/** How places and addresses are replaced. */
export type Places = {
  /** A town, a postcode, a country or several of them. */
  location(value: string): string
  /** A postal address: its town, postcode and region become those of one town of the same country, which stays. */
  address(value: string): string
  /** A postal address with a made-up street. */
  beyond(value: string): string
}

/** A part of an address. What a form finds stands in `groups`; what it doesn't find is a street. */
type Part = { text: string; kind: 'country' | 'code' | 'town' | 'street'; groups: Record<string, string | undefined> }

const town = String.raw`(?<town>\p{L}[\p{L}\p{M} .'’/()-]*?)`
const region = '(?<region>[A-Z]{2,3})'
const code = `(?<code>${anyPostcode})`
/** Ways to write a town with what tells where it is: `80331 München`, `20121 Milano MI`, `Springfield IL 62701`, `IL 62701`. */
const townForms = [
  new RegExp(String.raw`^(?:[A-Z]{1,3}-)?${code}\s+${town}(?:\s+\(?${region}\)?)?$`, 'u'),
  new RegExp(String.raw`^(?:${region}\s+|[A-Z]{1,3}-)?${code}$`, 'u'),
  new RegExp(String.raw`^${town}(?:\s+${region})?\s+${code}$`, 'u'),
]
/** A street with its number before a postcode and a town, with nothing between that divides them. */
const undivided = /^(.*\p{L}.*\s\d+\s?\p{L}?)(\s+)((?:[A-Z]{1,3}-)?\d{4,5}\s+\p{L}[\p{L}\p{M} .'’-]*)$/u
const alone = new RegExp(`^(?:${anyPostcode})$`, 'u')
/** Whether a text is a postcode and nothing else. */
export const isPostcode = (text: string): boolean => alone.test(text)
const lettersOnly = new RegExp(`^${town}$`, 'u')

/** The postal abbreviations of countries on letters before postcodes. */
const letterCountries: Readonly<Record<string, string>> = {
  D: 'DE',
  A: 'AT',
  F: 'FR',
  I: 'IT',
  E: 'ES',
  B: 'BE',
  L: 'LU',
  S: 'SE',
  N: 'NO',
  FIN: 'FI',
}

/** The longest part in which a town is looked for. */
const longest = 200

function partOf(text: string, isCountry: boolean): Part {
  if (isCountry) return { text, kind: 'country', groups: {} }
  if (text.length > longest) return { text, kind: 'street', groups: {} }
  for (const form of townForms) {
    const groups = form.exec(text)?.groups
    if (groups) return { text, kind: 'code', groups }
  }
  return { text, kind: lettersOnly.test(text) ? 'town' : 'street', groups: { town: text } }
}

/** What places are replaced with. */
type Kit = {
  keyed: Keyed
  avoid: Avoid
  countries: Countries
  towns: Towns
  streets: Streets
  locale: string | undefined
}

/** Which part tells the town: the last with a postcode, else the last with the name of a town, else one behind the street. */
function townAmong(parts: readonly Part[], towns: Towns): Part | undefined {
  const rest = parts.filter(({ kind }) => kind !== 'country')
  const withCode = rest.findLast(({ kind }) => kind === 'code')
  const named =
    rest.findLast(({ kind, text }) => kind === 'town' && towns.has(text)) ??
    rest.findLast(({ kind }, index) => kind === 'town' && index > 0)
  // `1600 Amphitheatre` is a street where a town stands behind it.
  const isStreet = withCode && withCode === rest[0] && !towns.has(withCode.groups.town ?? '')
  return (isStreet && named) || (withCode ?? named)
}

/** Where an address is, of which one part tells the town. */
function placeOf(parts: readonly Part[], told: Part, countries: Countries): Place {
  const named = parts.find(({ kind }) => kind === 'country')
  const letters = /^([A-Z]{1,3})-/.exec(told.text)?.[1]
  const before = parts.slice(0, parts.indexOf(told)).findLast(({ kind }) => kind === 'town')
  return {
    country: named ? countries.codeOf(named.text) : letters && (letterCountries[letters] ?? letters),
    // `IL 62701` stands behind its town.
    town: told.groups.town ?? before?.text,
    code: told.groups.code,
  }
}

/** A postcode of a town for another, which is drawn by that one and written like it; the same form where none is known. */
function otherCode(code: string, town: Town | undefined, country: string, { keyed, avoid }: Kit): string {
  const codes = town?.codes ?? []
  const drawn = keyed.hash(`code|${code}`)
  const ordered = codes.map((_, n) => codes[(drawn + n) % codes.length]!)
  const listed = ordered.find(one => !avoid.has(one)) ?? ordered[0]
  const made =
    listed === undefined
      ? sameShape(code, keyed, `postcode|${code.length}`)
      : writtenLike(code, listed, country, own => sameShape(own, keyed, 'postcode'))
  return avoid.isValue?.(made) ? madeUpCode(made, keyed, avoid.isValue) : made
}

/** Draws for a postcode that is no value. */
const maxDraws = 1000

/** A postcode that need not exist, for one that the job has by itself: in the same area where one is left there. */
function madeUpCode(code: string, keyed: Keyed, isValue: (text: string) => boolean): string {
  for (let draw = 1; draw <= maxDraws; draw++) {
    const area = code.slice(0, draw < maxDraws / 2 ? 2 : 0)
    const made = area + sameShape(code.slice(area.length), keyed, `made up postcode|${draw}|${code}`)
    if (!isValue(made)) return made
  }
  return code
}

/** A part that tells a town, told of another one. */
function retold({ text, groups }: Part, other: Town, country: string, kit: Kit): string {
  const { town: name, region: short, code: postcode } = groups
  // From the end, so that what a name holds is not taken for what stands behind it.
  const changes = [
    { from: postcode, to: postcode && otherCode(postcode, other, country, kit) },
    { from: short, to: other.region || short },
    { from: name, to: name && inCaseOf(name, other.names[0]!) },
  ].flatMap(({ from, to }) => (from && to ? [{ from, to, at: text.lastIndexOf(from) }] : []))
  return changes
    .toSorted((one, another) => another.at - one.at)
    .reduce((made, { from, to, at }) => made.slice(0, at) + to + made.slice(at + from.length), text)
}

/** Another postcode of one by itself, of which only some tell their country; others keep their form. */
function lonePostcode(text: string, kit: Kit): string | undefined {
  const { towns, locale } = kit
  if (!isPostcode(text)) return undefined
  const country = towns.countryOf({ code: text })
  const { form, isClear } = postcodeForms[country]!
  const isTold = form.test(text) && (isClear || locale !== undefined)
  return otherCode(text, isTold ? towns.another({ code: text }, country) : undefined, country, kit)
}

function otherAddress(value: string, kit: Kit): string {
  const { countries, towns, streets, locale } = kit
  const pieces = value
    .split(/([,;\n]+\s*)/)
    .flatMap(piece => (piece.length > longest ? undefined : undivided.exec(piece)?.slice(1)) ?? [piece])
  const parts = pieces.map(piece => {
    const text = piece.trim()
    return /[\p{L}\d]/u.test(text) ? partOf(text, countries.codeOf(text) !== undefined) : undefined
  })
  const all = parts.filter(part => part !== undefined)
  if (all.every(({ kind }) => kind === 'country'))
    return pieces
      .map(piece =>
        piece.replace(piece.trim(), text => countries.another(text) ?? sameShape(text, kit.keyed, 'country')),
      )
      .join('')
  const told = townAmong(all, towns)
  const spoken = all.map(({ text }) => streets.languageOf(text)).find(Boolean)
  const place = told ? placeOf(all, told, countries) : {}
  const country = towns.countryOf(place, spoken)
  const other = told && towns.another(place, country)
  const language = spoken ?? (told || locale ? languageOfCountry[country] : undefined)
  const isTheTown = (part: Part) => part === told || (told?.groups.town === undefined && part.text === place.town)
  const replaced = (part: Part, index: number) => {
    if (part.kind === 'country') return part.text
    if (other && isTheTown(part)) return retold(part, other, country, kit)
    if (part.kind === 'town' && index > 0 && towns.has(part.text, country))
      return inCaseOf(part.text, towns.another({ town: part.text }, country).names[0]!)
    return streets.another(part.text, language)
  }
  return pieces
    .map((piece, index) => {
      const part = parts[index]
      return part ? piece.replace(part.text, () => replaced(part, index)) : piece
    })
    .join('')
}

/** Makes the replacing of places; `locale` is a language or a language and a country. */
export async function createPlaces(keyed: Keyed, locale: string | undefined, avoid: Avoid): Promise<Places> {
  const towns = await createTowns(keyed, locale, avoid)
  const kit = {
    keyed,
    avoid,
    towns,
    locale,
    countries: createCountries(keyed, avoid),
    streets: await createStreets(keyed, avoid),
  }
  const whole = (text: string) => lonePostcode(text, kit) ?? otherAddress(text, kit)
  const location = (text: string) => {
    if (/[,;\n\d]/.test(text)) return whole(text)
    return (
      kit.countries.another(text) ??
      inCaseOf(text, towns.another({ town: text }, towns.countryOf({ town: text })).names[0]!)
    )
  }
  const within = (make: (text: string) => string) => (value: string) => {
    const text = value.trim()
    return text === '' ? value : value.replace(text, () => make(text))
  }
  const madeUp = { ...kit, streets: { ...kit.streets, another: kit.streets.madeUp } }
  return { location: within(location), address: within(whole), beyond: within(text => otherAddress(text, madeUp)) }
}
