import type { Keyed } from './keyed.ts'
import { decodeList, languages } from './lists/decode.ts'
import { createMadeUp, makingsOf } from './made-up.ts'
import { type Avoid, createPool, type Pool } from './pool.ts'
import { otherDigits } from './shape.ts'
import { fold, inCaseOf } from './spelling.ts'

/** Streets and house numbers for others. */
export type Streets = {
  /** The language of the words for a street and endings of its name, where they tell one. */
  languageOf(part: string): string | undefined
  /** The part of an address that has a street, with another one of a language: words for kinds of ways stay. */
  another(part: string, language: string | undefined): string
  /** The same with a street that no list and no value has. */
  madeUp(part: string, language: string | undefined): string
}

let listed: ReadonlyMap<string, { text: string; mask: number }> | undefined

/** The streets of the lists, by how they are compared. */
async function readStreets(): Promise<ReadonlyMap<string, { text: string; mask: number }>> {
  if (listed) return listed
  const { streets } = await import('./lists/streets.ts')
  listed = new Map(decodeList(streets).map(({ text, masks }) => [fold(text), { text, mask: masks[0]! }]))
  return listed
}

/** Words that say what kind of way it is, which stay: of their own, and at the end of a word. */
const ways = new Set(
  `street st road rd avenue ave parkway pkwy highway hwy loop lane ln drive dr close court ct place pl square way boulevard blvd terrace crescent rue
  chemin allee allée impasse quai cours calle avenida avda plaza paseo carrera via viale piazza corso vicolo rua travessa
  praça largo estrada ulica ul aleja al plac os osiedle strada str bulevardul calea aleea utca út tér sokak caddesi mahallesi улица ул
  проспект пр переулок площадь д дом кв οδός λεωφόρος nr no n apt apartment flat suite unit building bldg floor box po cp`.split(
    /\s+/,
  ),
)
const isWay = (word: string) => ways.has(fold(word).replace(/\.$/, ''))
/** Endings of streets, and words for them, that tell the language. */
const wayLanguages: [string, RegExp][] = [
  ['de', /(?:straße|strasse|.str\.?|weg|gasse|platz|allee|damm|ufer)$/iu],
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
  ['ro', /^(?:strada|str\.|bulevardul|calea|aleea)$/iu],
  ['el', /^(?:οδός|λεωφόρος)$/iu],
  ['ru', /^(?:улица|ул\.?|проспект|пр\.?|переулок|площадь)$/iu],
  ['en', /^(?:street|st\.?|road|rd\.?|avenue|ave\.?|lane|drive|close|court|crescent|terrace|square)$/iu],
]
const wayEnd =
  /^(.{3,})(straße|strasse|str\.?|weg|gasse|platz|allee|ring|damm|ufer|straat|laan|plein|gracht|kade|dreef|vägen|gatan|gränd|stigen|vej|gade|stræde|allé|veien|vegen|gata|gate|bakken|katu|tie|kuja|polku)$/iu

/** The name of a street without what says that it is one. */
const plainStreet = (name: string) => {
  const words = name.split(' ').filter(word => !isWay(word))
  return (words.join(' ') || name).replace(wayEnd, '$1')
}

/** A pool of fewer would tell what its streets stand for. */
const smallest = 50

/** Makes what draws other streets under a key, of the language of each where nothing else tells it. */
export async function createStreets(keyed: Keyed, avoid: Avoid): Promise<Streets> {
  const known = await readStreets()
  const pools = new Map<number, Pool>()
  const poolOf = (language: number) => {
    const made = pools.get(language)
    if (made) return made
    const words = [...known].filter(([, { mask }]) => languageOf(mask) === language).map(([word]) => word)
    const pool = createPool(words, keyed, `street|${language}`, { has: avoid.has })
    pools.set(language, pool)
    return pool
  }
  const languageOf = (mask: number) => {
    const rest = mask & ~1 || mask
    return Math.log2(rest & -rest)
  }
  const listOf = (folded: string, language: string | undefined) => {
    const mask = known.get(folded)?.mask ?? 0
    const wanted = language === undefined ? (mask ? languageOf(mask) : 0) : languages.indexOf(language)
    return poolOf(wanted).size >= smallest ? wanted : 0
  }
  // Of `de Rivoli` the first letter that may be a capital is the second word's.
  const inCase = (text: string, street: string) =>
    inCaseOf(/\p{Lu}/u.test(text) ? text.replace(/^\P{Lu}+/u, '') : text, street)
  const drawn = (text: string, language: string | undefined) => {
    const folded = fold(text)
    const pool = poolOf(listOf(folded, language))
    const word = pool.another(folded) ?? pool.any(keyed.hash(`street|${folded}`), folded)!
    return inCase(text, plainStreet(known.get(word)!.text))
  }
  let makeUp: ReturnType<typeof createMadeUp> | undefined
  const madeUp = (text: string, language: string | undefined) => {
    makeUp ??= createMadeUp(makingsOf(plainStreets(known, languageOf)), keyed, name => !avoid.has(fold(name)))
    const made = makeUp(String(listOf(fold(text), language)), fold(plainStreet(text)))
    return made === undefined ? drawn(text, language) : inCase(text, made)
  }

  return {
    languageOf: part =>
      part
        .match(/[\p{L}\p{M}]+\.?/gu)
        ?.map(word => wayLanguages.find(([, way]) => way.test(word))?.[0])
        .find(Boolean),
    another: (part, language) => renamed(part, text => drawn(text, language), keyed),
    madeUp: (part, language) => renamed(part, text => madeUp(text, language), keyed),
  }
}

/** Names of streets without what says that they are, by their lists and by how they are compared. */
function plainStreets(
  known: ReadonlyMap<string, { text: string; mask: number }>,
  languageOf: (mask: number) => number,
) {
  const lists = new Map<string, Map<string, string>>()
  for (const { text, mask } of known.values()) {
    const language = String(languageOf(mask))
    const plain = plainStreet(text)
    lists.set(language, (lists.get(language) ?? new Map()).set(fold(plain), plain))
  }
  return lists
}

/** A part of an address with other house numbers, and the name of its street replaced: words for kinds of ways stay. */
function renamed(part: string, nameFor: (text: string) => string, keyed: Keyed): string {
  let named = false
  return part.replace(
    /[\p{L}\p{M}][\p{L}\p{M}'’.-]*(?:\s+(?:[\p{L}\p{M}][\p{L}\p{M}'’.-]*))*|\d+(?:\p{L}(?![\p{L}\p{M}]))?/gu,
    run => {
      if (/\d/.test(run)) return run.replace(/\d+/, number => otherDigits(number, keyed, 'house').replace(/^0/, '1'))
      const words = run.split(/\s+/)
      const own = words.filter(word => !isWay(word))
      if (own.length === 0 || (named && run.length < 3)) return run
      named = true
      const end = wayEnd.exec(own.at(-1)!)
      const name = nameFor(own.join(' '))
      const begin = end ? `${name.split(' ')[0]!}${end[2]}` : name
      const before = words.slice(0, words.indexOf(own[0]!)).filter(word => !own.includes(word))
      const after = words.slice(words.indexOf(own.at(-1)!) + 1)
      return [...before, begin, ...after].join(' ')
    },
  )
}
