import type { Keyed } from './keyed.ts'
import { languages } from './lists/decode.ts'
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

/** The names of countries in all languages of the lists. */
function readCountries(): Map<string, Known> {
  const names = new Map<string, Known>()
  for (const language of languages.toReversed()) {
    const display = new Intl.DisplayNames(language, { type: 'region' })
    for (const region of regions) names.set(fold(display.of(region)!), { region, language })
  }
  for (const [name, region] of Object.entries(others)) names.set(name, { region, language: 'en' })
  return names
}

/** Makes what knows countries, and other ones under a key. */
export function createCountries(keyed: Keyed): Countries {
  known ??= readCountries()
  const names = known
  const find = (text: string) => names.get(fold(text).replace(/\./g, ''))
  return {
    codeOf: text => find(text)?.region,
    another(text) {
      const found = find(text)
      if (!found) return undefined
      const region = regions[keyed.permute(regions.indexOf(found.region), regions.length, 'country')]!
      const name = new Intl.DisplayNames(found.language, { type: 'region' }).of(region)!
      return text.length <= 3 ? name : inCaseOf(text, name)
    },
  }
}
