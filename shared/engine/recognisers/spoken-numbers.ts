import type { Found } from '../models/model.ts'

/** The numbers below a hundred as a language says them: words of one digit and of two, with values of the former in order from nought;
 * and what strokes and dashes between them are called. */
type Spoken = { digits: string[]; pairs: string; twice?: string; strokes: string }

const words = (text: string) => text.split(' ')

/** From nought to nine; several words for one digit stand between strokes. */
const languages: Record<string, Spoken> = {
  en: {
    digits: words('zero|oh|nought one two three four five six seven eight nine'),
    pairs:
      'ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?',
    twice: 'double',
    strokes: 'slash|stroke|dash|hyphen',
  },
  de: {
    digits: words('null eins zwei|zwo drei vier fünf sechs|sex sieben acht neun'),
    pairs:
      'zehn|elf|zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn|(?:(?:ein|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun)und)?(?:zwanzig|dreißig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)',
    twice: 'doppel|zweimal(?: die)?',
    strokes: 'schrägstrich|slash|strich|bindestrich',
  },
  fr: {
    digits: words('zéro|zero un deux trois quatre cinq six sept huit neuf'),
    pairs:
      'dix(?:[ -](?:sept|huit|neuf))?|onze|douze|treize|quatorze|quinze|seize|(?:soixante|quatre[ -]vingt)(?: et |[ -])(?:onze|douze|treize|quatorze|quinze|seize|dix(?:[ -](?:sept|huit|neuf))?)|(?:vingt|trente|quarante|cinquante|soixante|septante|huitante|nonante|quatre[ -]vingts?)(?: et un|[ -](?:un|deux|trois|quatre|cinq|six|sept|huit|neuf)(?!\\p{L}))?',
    twice: 'deux fois',
    strokes: 'slash|barre(?: oblique)?|tiret',
  },
  es: {
    digits: words('cero uno dos tres cuatro cinco seis siete ocho nueve'),
    pairs:
      'diez|once|doce|trece|catorce|quince|dieci(?:s[ée]is|siete|ocho|nueve)|veinte|veinti(?:uno|d[oó]s|tr[eé]s|cuatro|cinco|s[eé]is|siete|ocho|nueve)|(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)(?: y (?:uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve))?',
    twice: 'doble',
    strokes: 'barra|gui[oó]n',
  },
  pt: {
    digits: words('zero um|uma dois|duas três|tres quatro cinco seis|meia sete oito nove'),
    pairs:
      'dez|onze|doze|treze|catorze|quatorze|quinze|dez[ae]ss?eis|dez[ae]ss?ete|dezoito|dez[ae]nove|(?:vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa)(?: e (?:um|uma|dois|duas|três|quatro|cinco|seis|sete|oito|nove))?',
    twice: 'duplo',
    strokes: 'barra|traço|hífen',
  },
  it: {
    digits: words('zero uno due tre quattro cinque sei sette otto nove'),
    pairs:
      'dieci|undici|dodici|tredici|quattordici|quindici|sedici|diciassette|diciotto|diciannove|(?:vent|trent|quarant|cinquant|sessant|settant|ottant|novant)(?:i|a)?(?:uno|due|tré|tre|quattro|cinque|sei|sette|otto|nove)?',
    twice: 'doppio',
    strokes: 'barra|trattino',
  },
  nl: {
    digits: words('nul een|één twee drie vier vijf zes zeven acht negen'),
    pairs:
      'tien|elf|twaalf|(?:der|veer|vijf|zes|zeven|acht|negen)tien|(?:(?:een|twee|drie|vier|vijf|zes|zeven|acht|negen)[eë]n)?(?:twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig|negentig)',
    twice: 'dubbel',
    strokes: 'schuine streep|slash|streepje',
  },
  pl: {
    digits: words('zero jeden dwa trzy cztery pięć sześć siedem osiem dziewięć'),
    pairs:
      'dziesięć|(?:jede|dwa|trzy|czter|pięt|szes|siedem|osiem|dziewięt)naście|(?:dwadzieścia|trzydzieści|czterdzieści|pięćdziesiąt|sześćdziesiąt|siedemdziesiąt|osiemdziesiąt|dziewięćdziesiąt)(?: (?:jeden|dwa|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć))?',
    strokes: 'łamane(?: na| przez)?|ukośnik|myślnik|kreska',
  },
  cs: {
    digits: words('nula jedna|jedno|jeden dva|dvě tři čtyři pět šest sedm osm devět'),
    pairs:
      'deset|(?:jede|dva|tři|čtr|pat|šest|sedm|osm|devate)náct|(?:dvacet|třicet|čtyřicet|padesát|šedesát|sedmdesát|osmdesát|devadesát)(?: (?:jedna|jedno|dva|dvě|tři|čtyři|pět|šest|sedm|osm|devět))?',
    strokes: 'lomeno|lomítko|pomlčka',
  },
  sv: {
    digits: words('noll|nolla ett|etta två|tvåa tre|trea fyra fem|femma sex|sexa sju|sjua åtta nio|nia'),
    pairs:
      'tio|elva|tolv|tretton|fjorton|femton|sexton|sjutton|arton|nitton|(?:tjugo|trettio|fyrtio|femtio|sextio|sjuttio|åttio|nittio)(?:ett|två|tre|fyra|fem|sex|sju|åtta|nio)?',
    twice: 'dubbel',
    strokes: 'snedstreck|bindestreck|streck',
  },
}

/** What stands between the words of a number: blanks and marks, or the word for one. */
const between = (strokes: string) => `[ ,.–-]{1,3}(?:(?:${strokes})[ ,]{1,2})?`

/** A language's way to say numbers: what finds one at a place, and the digits that its words stand for. */
type Reader = { at: RegExp; digitsOf: (value: string) => number[] }

const readers: Reader[] = Object.values(languages).map(({ digits, pairs, twice = '(?!)', strokes }) => {
  const [one, isTwice] = [digits.join('|'), `(?:${twice})[ -]`]
  const word = `(?:${isTwice})?(?:${pairs}|${one})(?!\\p{L})`
  const each = new RegExp(`(?<twice>${isTwice})?(?:(?<pair>${pairs})|(?<one>${one}))(?!\\p{L})`, 'giu')
  const known = new Map(digits.flatMap((names, digit) => names.split('|').map(name => [name, digit] as const)))
  return {
    at: new RegExp(`(?<![\\p{L}\\p{N}])${word}(?:${between(strokes)}${word}){3,19}`, 'iuy'),
    digitsOf: value =>
      Array.from(value.matchAll(each)).flatMap(({ groups }) => {
        const digit = known.get(groups!.one?.toLowerCase() ?? '')
        return digit !== undefined && groups!.twice === undefined ? [digit] : [digit ?? Number.NaN, digit ?? Number.NaN]
      }),
  }
})

/** Where four numbers below a hundred may stand in a row, in any of the languages. */
const likely = (() => {
  const all = Object.values(languages)
  const twice = all.flatMap(language => language.twice ?? [])
  const any = `(?:(?:${twice.join('|')})[ -])?(?:${all.flatMap(({ pairs, digits }) => [pairs, ...digits]).join('|')})`
  const marks = between(all.map(({ strokes }) => strokes).join('|'))
  return new RegExp(`(?<![a-zà-ž])${any}(?:${marks}${any}){3}`, 'gi')
})()

/** Fewest digits of a telephone, of a number that identifies somebody, and of one that is named as such. */
const [ofPhones, fewest, fewestNamed] = [9, 6, 4]

/** Whether digits are counted up or down, as on fingers or by twos; or only rise, between commas, as chapters and pages do. */
function counts(all: number[], value: string): boolean {
  const digits = all.filter(Number.isFinite)
  if (digits.length < fewestNamed) return false
  const steps = digits.slice(1).map((digit, at) => digit - digits[at]!)
  return steps.every(step => step !== 0 && step === steps[0]) || (value.includes(',') && steps.every(step => step > 0))
}

const behind = 48
const named =
  /(?<!\p{L})(?:number|n[uú]m(?:ero|er|éro)|nummer|číslo|reference|account|compte|cuenta|conta|conto|konto|rekening|code|código|codice|kod|kód|pin|postcode|extension|extensión|durchwahl|poste|member|policy|dossier|aktenzeichen)(?!\p{L})/iu

function kindOf(digits: number[], value: string, before: string): Pick<Found, 'label' | 'score'> | undefined {
  if (digits.length < fewestNamed) return undefined
  const isNamed = named.test(before)
  // Pairs alone may be amounts, ages or steps: `ten, twenty, thirty, forty`.
  if (!isNamed && (counts(digits, value) || !digits.some(Number.isFinite))) return undefined
  if (digits.length >= ofPhones) return { label: 'PHONE', score: 0.7 }
  if (digits.length >= fewest) return { label: 'ID', score: 0.7 }
  return isNamed ? { label: 'ID', score: 0.65 } : undefined
}

/** Numbers that are said digit by digit or in pairs of digits, as in transcripts of calls: `oh two oh seven double nine`. */
export function spokenNumbers(text: string): Found[] {
  const all: Found[] = []
  likely.lastIndex = 0
  for (let hit = likely.exec(text); hit; hit = likely.exec(text)) {
    const start = hit.index
    const [first] = hit[0].split(/[^\p{L}]/u)
    likely.lastIndex = start + Math.max(1, first!.length)
    for (const { at, digitsOf } of readers) {
      at.lastIndex = start
      const value = at.exec(text)?.[0]
      if (!value) continue
      const end = start + value.length
      const digits = digitsOf(value)
      const kind = kindOf(digits, value, text.slice(Math.max(0, start - behind), start))
      if (kind) all.push({ start, end, ...kind, evidence: { by: 'pattern', pattern: 'spoken-number' } })
      else if (!counts(digits, value)) continue
      likely.lastIndex = end
      break
    }
  }
  return all
}
