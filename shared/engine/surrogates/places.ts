import type { Keyed } from './keyed.ts'
import { decodeList, languages } from './lists/decode.ts'
import { createPool, type Pool } from './pool.ts'
import { otherDigits, sameShape } from './shape.ts'
import { fold, inCaseOf } from './spelling.ts'

/** How places and addresses are replaced. */
export type Places = {
  /** A town or a country. */
  location(value: string): string
  /** A postal address, part by part. */
  address(value: string): string
}

type Known = { text: string; city: number; street: number }

let gazetteer: Map<string, Known> | undefined

async function readGazetteer(): Promise<Map<string, Known>> {
  if (gazetteer) return gazetteer
  const { places } = await import('./lists/places.ts')
  const known = new Map<string, Known>()
  for (const { text, masks } of decodeList(places)) known.set(fold(text), { text, city: masks[0]!, street: masks[1]! })
  gazetteer = known
  return known
}

/** Words that say what kind of way it is, which stay: of their own, and at the end of a word. */
const ways = new Set(
  `street st road rd avenue ave lane ln drive dr close court ct place pl square way boulevard blvd terrace crescent rue
  chemin allee allée impasse quai cours calle avenida avda plaza paseo carrera via viale piazza corso vicolo rua travessa
  praça largo estrada ulica ul aleja al plac os osiedle strada bulevardul utca út tér sokak caddesi mahallesi улица ул
  проспект пр переулок площадь οδός λεωφόρος nr no n apt apartment flat suite unit building bldg floor box po cp`.split(
    /\s+/,
  ),
)
/** Endings of streets, and words for them, that tell the language. */
const wayLanguages: [string, RegExp][] = [
  ['de', /(?:straße|strasse|str\.?|weg|gasse|platz|allee|damm|ufer)$/iu],
  ['nl', /(?:straat|laan|gracht|kade|dreef)$/iu],
  ['sv', /(?:vägen|gatan|gränd|stigen)$/iu],
  ['no', /(?:veien|vegen|gata|bakken)$/iu],
  ['da', /(?:vej|gade|stræde)$/iu],
  ['fi', /(?:katu|tie|kuja|polku)$/iu],
  ['fr', /^(?:rue|chemin|impasse|quai|boulevard)$/iu],
  ['es', /^(?:calle|avenida|avda|plaza|paseo)$/iu],
  ['it', /^(?:via|viale|piazza|corso|vicolo)$/iu],
  ['pt', /^(?:rua|travessa|praça|largo|estrada)$/iu],
  ['pl', /^(?:ulica|ul\.?|aleja|al\.?|plac|os\.?)$/iu],
  ['tr', /^(?:sokak|caddesi|mahallesi)$/iu],
  ['hu', /^(?:utca|út|tér)$/iu],
]
const wayEnd =
  /^(.{3,})(straße|strasse|str|weg|gasse|platz|allee|ring|damm|ufer|straat|laan|plein|gracht|kade|dreef|vägen|gatan|gränd|stigen|vej|gade|stræde|allé|veien|vegen|gata|gate|bakken|katu|tie|kuja|polku)$/iu

const regions =
  'AF AL DZ AD AO AR AM AU AT AZ BS BD BB BY BE BZ BO BA BW BR BG KH CM CA CL CN CO CR HR CU CY CZ DK DO EC EG SV EE ET FI FR GE DE GH GR GT HN HU IS IN ID IR IQ IE IL IT JM JP JO KZ KE KW LV LB LT LU MY MT MX MD MC MN ME MA MZ NA NP NL NZ NI NG MK NO PK PA PY PE PH PL PT QA RO RU RW SA SN RS SG SK SI ZA KR ES LK SE CH TH TN TR UG UA AE GB US UY UZ VE VN ZM ZW'.split(
    ' ',
  )

/** A postcode of three digits or more, a town, a state and a postcode; all but the town as far as they are there. */
const townForm =
  /^((?:[A-Z]{1,2}-)?\d(?=(?:\D?\d){2})[\d -]*\s+)?(\p{L}[\p{L}\p{M} .'’-]+?)(\s+[A-Z]{2})?(\s+\d(?=(?:\D?\d){3})[\d -]*)?$/u

/** The name of a street without what says that it is one. */
const plainStreet = (name: string) => {
  const words = name.split(' ').filter(word => !ways.has(fold(word).replace(/\.$/, '')))
  return (words.join(' ') || name).replace(wayEnd, '$1')
}

/** The names of countries in all languages of the lists, and other ones for them. */
function createCountries(keyed: Keyed) {
  let known: Map<string, { region: string; language: string }> | undefined
  const find = (text: string) => {
    if (!known) {
      known = new Map()
      for (const language of languages.toReversed()) {
        const display = new Intl.DisplayNames(language, { type: 'region' })
        for (const region of regions) known.set(fold(display.of(region)!), { region, language })
      }
    }
    return known.get(fold(text))
  }
  return {
    has: (text: string) => find(text) !== undefined,
    another(text: string): string | undefined {
      const found = find(text)
      if (!found) return undefined
      const region = regions[keyed.permute(regions.indexOf(found.region), regions.length, 'country')]!
      return inCaseOf(text, new Intl.DisplayNames(found.language, { type: 'region' }).of(region)!)
    },
  }
}

/** A town or a street of the lists for another. */
type Other = (kind: 'city' | 'street', text: string, prefers?: number) => string

/** Makes what draws other towns and streets, of the language of each where it is known. */
async function createOther(keyed: Keyed, locale: string | undefined, avoid: ReadonlySet<string>): Promise<Other> {
  const known = await readGazetteer()
  const wanted = locale === undefined ? undefined : languages.indexOf(locale)
  const pools = new Map<string, Pool>()
  const poolOf = (kind: 'city' | 'street', language: number) => {
    const name = `${kind}|${language}`
    const made = pools.get(name)
    if (made) return made
    const words = [...known].filter(([, one]) => one[kind] && languageOf(one[kind]) === language).map(([word]) => word)
    const pool = createPool(words, keyed, name, avoid)
    pools.set(name, pool)
    return pool
  }
  const languageOf = (mask: number) => {
    if (wanted !== undefined && mask & (1 << wanted)) return wanted
    const rest = mask & ~1 || mask
    return Math.log2(rest & -rest)
  }
  const inScript = (folded: string) =>
    /[\u0400-\u04ff]/.test(folded) ? 16 : /[\u0370-\u03ff]/.test(folded) ? 17 : (wanted ?? 0)

  return (kind, text, prefers) => {
    const folded = fold(text)
    const mask = known.get(folded)?.[kind] ?? 0
    const pool = poolOf(kind, mask ? languageOf(mask) : (prefers ?? inScript(folded)))
    const enough = pool.size >= 50 ? pool : poolOf(kind, wanted ?? 0)
    const word = (mask && enough.another(folded)) || enough.any(keyed.hash(`${kind}|${folded}`), folded)
    return inCaseOf(text, known.get(word)!.text)
  }
}

/** Another street: words but those for kinds of ways become one name, and numbers others. */
function otherStreet(part: string, other: Other, keyed: Keyed): string {
  let named = false
  const told = part
    .match(/[\p{L}\p{M}]+\.?/gu)
    ?.map(word => wayLanguages.find(([, way]) => way.test(word))?.[0])
    .find(Boolean)
  const language = told === undefined ? undefined : languages.indexOf(told)
  return part.replace(/[\p{L}\p{M}][\p{L}\p{M}'’.-]*(?:\s+(?:[\p{L}\p{M}][\p{L}\p{M}'’.-]*))*|\d+/gu, run => {
    if (/\d/.test(run)) return otherDigits(run, keyed, 'house').replace(/^0/, '1')
    const words = run.split(/\s+/)
    const own = words.filter(word => !ways.has(fold(word).replace(/\.$/, '')))
    if (own.length === 0 || (named && run.length < 3)) return run
    named = true
    const end = wayEnd.exec(own.at(-1)!)
    const name = plainStreet(other('street', own.join(' '), language))
    const begin = end ? `${name.split(' ')[0]!}${end[2]}` : name
    const before = words.slice(0, words.indexOf(own[0]!)).filter(word => !own.includes(word))
    const after = words.slice(words.indexOf(own.at(-1)!) + 1)
    return [...before, begin, ...after].join(' ')
  })
}

/** Makes the replacing of places. */
export async function createPlaces(
  keyed: Keyed,
  locale: string | undefined,
  avoid: ReadonlySet<string>,
): Promise<Places> {
  const other = await createOther(keyed, locale, avoid)
  const countries = createCountries(keyed)
  const location = (value: string) => {
    const text = value.trim()
    return value.replace(text, countries.another(text) ?? other('city', text))
  }

  const code = (digits: string | undefined) => (digits ? sameShape(digits, keyed, `postcode|${digits.length}`) : '')

  return {
    location,
    address: value =>
      value
        .split(/([,;\n]+\s*)/)
        .map((part, index) => {
          if (index % 2 === 1 || part.trim() === '') return part
          const text = part.trim()
          if (countries.has(text)) return part
          // A part with a postcode and a town, or a town alone behind the street.
          if (/^[A-Z]{2} \d{5}(-\d{4})?$/.test(text))
            return part.replace(/\d/g, '') === part ? part : `${text.slice(0, 3)}${code(text.slice(3))}`
          const british = /^(.*?)\s*\b([A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/.exec(text)
          if (british)
            return [british[1] && other('city', british[1]), sameShape(british[2]!, keyed, 'postcode')]
              .filter(Boolean)
              .join(' ')
          const town = townForm.exec(text)
          if (town && (town[1] || town[4] || index > 0))
            return code(town[1]) + other('city', town[2]!) + (town[3] ?? '') + code(town[4])
          return otherStreet(part, other, keyed)
        })
        .join(''),
  }
}
