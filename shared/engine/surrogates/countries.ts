import type { Keyed } from './keyed.ts'
import { languages } from './lists/decode.ts'
import { createMadeUp, makingsOf } from './made-up.ts'
import { type Avoid, isNever } from './pool.ts'
import { fold, inCaseOf } from './spelling.ts'

const regions =
  'AF AL DZ AD AO AR AM AU AT AZ BS BD BB BY BE BZ BO BA BW BR BG KH CM CA CL CN CO CR HR CU CY CZ DK DO EC EG SV EE ET FI FR GE DE GH GR GT HN HU IS IN ID IR IQ IE IL IT JM JP JO KZ KE KW LV LB LT LU MY MT MX MD MC MN ME MA MZ NA NP NL NZ NI NG MK NO PK PA PY PE PH PL PT QA RO RU RW SA SN RS SG SK SI ZA KR ES LK SE CH TH TN TR UG UA AE GB US UY UZ VE VN ZM ZW'.split(
    ' ',
  )

/** How people write countries beside their names. */
const others: Readonly<Record<string, string>> = {
  ...{
    usa: 'US',
    us: 'US',
    'united states of america': 'US',
    uk: 'GB',
    'great britain': 'GB',
    england: 'GB',
    scotland: 'GB',
  },
  ...{
    wales: 'GB',
    'northern ireland': 'GB',
    'republic of ireland': 'IE',
    holland: 'NL',
    'czech republic': 'CZ',
    turkey: 'TR',
  },
}

/** What countries' names are, and which one stands for another. */
export type Countries = {
  /** The two letters of a country that is named in one of the languages of the lists. */
  codeOf(text: string): string | undefined
  /** Another country's name in the same language, for the name of one. */
  another(text: string): string | undefined
}

type Known = { region: string; language: string }

let known: Map<string, Known> | undefined

const nameIn = (language: string, region: string) => new Intl.DisplayNames(language, { type: 'region' }).of(region)!

/** The names of countries in all languages of the lists. */
function readCountries(): Map<string, Known> {
  const names = new Map<string, Known>()
  for (const language of languages.toReversed())
    for (const region of regions) names.set(fold(nameIn(language, region)), { region, language })
  for (const [name, region] of Object.entries(others)) names.set(name, { region, language: 'en' })
  return names
}

/** Whether any name of a country is a value of the job. */
function isHeldBy(names: ReadonlyMap<string, Known>, isValue: (text: string) => boolean) {
  const namesOf = Map.groupBy(names.keys(), name => names.get(name)!.region)
  return (region: string) => namesOf.get(region)!.some(isValue)
}

/**
 * What country stands for each: what a permutation makes of it, or another one that the job hasn't where it has both. No two
 * become the same; where the job has too many, none is left for some.
 */
function othersUnder(keyed: Keyed, isHeld: (region: string) => boolean): ReadonlyMap<string, string | undefined> {
  const permuted = regions.map((_, n) => regions[keyed.permute(n, regions.length, 'country')]!)
  const others = new Map<string, string | undefined>(regions.map((region, n) => [region, permuted[n]]))
  const held = regions.filter(isHeld)
  const taken = new Set(held.map(region => others.get(region)))
  const free = permuted.filter(region => !isHeld(region) && !taken.has(region))
  const clashing = held.filter(region => isHeld(others.get(region)!))
  for (const [n, region] of clashing.entries()) others.set(region, free[n])
  return others
}

const listsOf = () =>
  new Map(
    languages.map(language => {
      const names = regions.map(region => nameIn(language, region))
      return [language, new Map(names.map(name => [fold(name), name]))] as const
    }),
  )

/** Makes what knows countries, and other ones under a key: made-up ones where a job leaves no other. */
export function createCountries(keyed: Keyed, { has, isValue }: Avoid): Countries {
  known ??= readCountries()
  const names = known
  const find = (text: string) => names.get(fold(text).replace(/\./g, ''))
  const isHeld = isValue ? isHeldBy(names, isValue) : isNever
  let standing: ReturnType<typeof othersUnder> | undefined
  const isFree = (name: string) => !names.has(fold(name)) && !has(fold(name))
  let makeUp: ReturnType<typeof createMadeUp> | undefined
  return {
    codeOf: text => find(text)?.region,
    another(text) {
      const found = find(text)
      if (!found) return undefined
      const { region, language } = found
      standing ??= othersUnder(keyed, isHeld)
      const other = standing.get(region)
      if (!other) makeUp ??= createMadeUp(makingsOf(listsOf()), keyed, isFree)
      const name = other ? nameIn(language, other) : makeUp!(language, fold(nameIn(language, region)))
      return name === undefined || text.length <= 3 ? name : inCaseOf(text, name)
    },
  }
}
