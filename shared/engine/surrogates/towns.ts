import type { Keyed } from './keyed.ts'
import { decodeTowns, type Town } from './lists/decode.ts'
import { createMadeUp, makingsOf } from './made-up.ts'
import { type Avoid, createPool, type Pool } from './pool.ts'
import { postcodeForms, townPart } from './postcodes.ts'
import { fold } from './spelling.ts'

/** What is known of where something is: the country, the town and the postcode as written; any of them may be missing. */
export type Place = { country?: string; town?: string; code?: string }

/** Towns of the lists for others. */
export type Towns = {
  /** Whether a country of the list, or any, has a town of this name. */
  has(town: string, country?: string): boolean
  /** The country of a place, as far as it tells; else the one that its language suggests. */
  countryOf(place: Place, language?: string): string
  /** The town that stands for that of a place in a country: the same for its name and for its postcodes in the list. */
  another(place: Place, country: string): Town
}

const listedCountries = Object.keys(postcodeForms)

/** The country whose towns are taken where nothing but a language is known. */
const countryOfLanguage: Readonly<Record<string, string>> = {
  ...{
    en: 'US',
    de: 'DE',
    fr: 'FR',
    es: 'ES',
    it: 'IT',
    pt: 'PT',
    nl: 'NL',
    pl: 'PL',
    sv: 'SE',
    da: 'DK',
    no: 'NO',
    fi: 'FI',
  },
  ...{ cs: 'CZ', ro: 'RO', hu: 'HU', tr: 'TR', ru: 'RU', el: 'GR' },
}
/** The language of a country's streets. */
export const languageOfCountry: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(countryOfLanguage).map(([language, country]) => [country, language])),
  ...{ GB: 'en', IE: 'en', CA: 'en', AU: 'en', NZ: 'en', ZA: 'en', AT: 'de', CH: 'de', LU: 'fr', BE: 'nl', MX: 'es' },
  ...{ BR: 'pt', SK: 'cs' },
}

/** The towns of a country by their names and by their postcodes, which are also in order. */
type Country = { towns: ReadonlyMap<string, Town>; codes: ReadonlyMap<string, Town>; ordered: readonly string[] }
/** All countries, and those that have a town of a name, the one where it is largest first. */
type Listed = { countries: ReadonlyMap<string, Country>; byName: ReadonlyMap<string, readonly string[]> }

let listed: Listed | undefined

async function readTowns(): Promise<Listed> {
  if (listed) return listed
  const { towns: coded } = await import('./lists/towns.ts')
  const countries = new Map<string, Country>()
  const sizes = new Map<string, { country: string; size: number }[]>()
  for (const [country, entries] of decodeTowns(coded)) {
    const own = entries.map(town => [fold(town.names[0]!), town] as const)
    const english = entries.flatMap(town => town.names.slice(1).map(name => [fold(name), town] as const))
    const towns = new Map([...english, ...own])
    const codes = new Map(entries.flatMap(town => town.codes.map(code => [code, town] as const)))
    countries.set(country, { towns, codes, ordered: [...codes.keys()].toSorted() })
    for (const [name, { size }] of towns) sizes.set(name, [...(sizes.get(name) ?? []), { country, size }])
  }
  const byName = [...sizes].map(([name, ones]) => {
    return [name, ones.toSorted((one, another) => another.size - one.size).map(({ country }) => country)] as const
  })
  listed = { countries, byName: new Map(byName) }
  return listed
}

/** The last of ordered texts that is not after one; the first where all are, and none of none. */
function lastBefore(ordered: readonly string[], text: string): string {
  let [low, high] = [0, ordered.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (ordered[middle]! <= text) low = middle
    else high = middle - 1
  }
  return ordered[low] ?? ''
}

/** The names of towns by country. */
const listsOf = (countries: Listed['countries']) =>
  new Map(
    [...countries].map(([country, { towns }]) => {
      return [country, new Map([...towns.values()].map(({ names: [name] }) => [fold(name!), name!]))] as const
    }),
  )

let makings: ReturnType<typeof makingsOf> | undefined

/** Makes what draws other towns under a key; `locale` is a language or a language and a country. */
export async function createTowns(keyed: Keyed, locale: string | undefined, avoid: Avoid): Promise<Towns> {
  const { countries, byName } = await readTowns()
  const [spoken = '', written = ''] = locale?.split('-') ?? []
  const preferred = countries.has(written) ? written : countryOfLanguage[spoken]
  const pools = new Map<string, Pool>()
  const poolOf = (country: string) => {
    const made = pools.get(country)
    if (made) return made
    const names = new Set([...countries.get(country)!.towns.values()].map(town => fold(town.names[0]!)))
    const pool = createPool([...names], keyed, `town|${country}`, avoid)
    pools.set(country, pool)
    return pool
  }

  let makeUp: ReturnType<typeof createMadeUp> | undefined
  const isFree = (name: string) => !byName.has(fold(name)) && !avoid.has(fold(name))
  /** A name for a town for which none is left in the list of its country. */
  const beyond = (country: string, folded: string) => {
    makings ??= makingsOf(listsOf(countries))
    makeUp ??= createMadeUp(makings, keyed, isFree)
    return makeUp(country, folded)
  }

  /** Of some countries the one where a town of this name is largest; the preferred one if it has one. */
  const countryWith = (folded: string, among: readonly string[]) => {
    const having = (byName.get(folded) ?? []).filter(country => among.includes(country))
    return preferred && having.includes(preferred) ? preferred : having[0]
  }
  const suggestedBy = (language: string | undefined, text: string) =>
    preferred ??
    countryOfLanguage[language ?? ''] ??
    (/[\u0400-\u04ff]/.test(text) ? 'RU' : /[\u0370-\u03ff]/.test(text) ? 'GR' : undefined)

  return {
    has(town, country) {
      const having = byName.get(fold(town)) ?? []
      return country === undefined ? having.length > 0 : having.includes(country)
    },
    countryOf({ country, town = '', code }, language) {
      if (country && countries.has(country)) return country
      const folded = fold(town)
      const writing =
        code === undefined ? listedCountries : listedCountries.filter(one => postcodeForms[one]!.form.test(code))
      const among = writing.length > 0 ? writing : listedCountries
      const isPair = (one: string) => {
        const { codes, towns } = countries.get(one)!
        const owner = codes.get(townPart(code!, one))
        return owner !== undefined && towns.get(folded) === owner
      }
      const paired = code === undefined ? undefined : countryWith(folded, among.filter(isPair))
      const suggested = suggestedBy(language, town)
      const unknown = suggested && among.includes(suggested) ? suggested : code === undefined ? 'US' : among[0]!
      return paired ?? countryWith(folded, among) ?? unknown
    },
    another({ town, code = '' }, country) {
      const { towns, codes, ordered } = countries.get(country)!
      const plain = townPart(code, country)
      // Of a postcode that the list lacks, the town of the one before it, or of the last that begins with it.
      const byCode = () => (plain ? (codes.get(plain) ?? codes.get(lastBefore(ordered, `${plain}~`))) : undefined)
      const own = town === undefined ? byCode() : towns.get(fold(town))
      const pool = poolOf(country)
      const folded = fold(own?.names[0] ?? town ?? plain)
      const number = keyed.hash(`town|${folded}`)
      const name = own && pool.has(folded) ? pool.another(folded) : pool.any(number, folded)
      if (name !== undefined) return towns.get(name)!
      const next = towns.get(pool.behind(folded, number))!
      const made = beyond(country, folded)
      return made === undefined ? next : { ...next, names: [made] }
    },
  }
}
