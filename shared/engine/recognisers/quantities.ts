import type { Recogniser } from './recogniser.ts'

/** Numbers in words, in ten languages; `one` is left out where it is an article too. */
const numberWords =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|hundred|' +
  'zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn|(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?(?:zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)|' +
  'dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|veinte|treinta|cuarenta|cincuenta|sesenta|' +
  'deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt|trente|quarante|cinquante|soixante|' +
  'due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|quindici|venti|trenta|quaranta|cinquanta|' +
  'dois|duas|três|quatro|sete|oito|dez|doze|vinte|trinta|quarenta|cinquenta|' +
  'twee|drie|vijf|zes|zeven|negen|tien|twaalf|vijftien|twintig|dertig|veertig|vijftig|' +
  'dwa|dwie|dwóch|trzy|trzech|cztery|czterech|pięć|pięciu|sześć|sześciu|siedem|osiem|dziewięć|dziesięć|dwanaście|piętnaście|dwadzieścia|' +
  'två|fyra|fem|sju|åtta|nio|tio|tolv|tjugo|trettio|dva|dvě|tři|čtyři|pět|šest|sedm|osm|devět|deset|dvacet|třicet'

const units =
  '(?:minute|hour|day|week|month|year|decade)s?|' +
  'Minuten?|Stunden?|Tage?n?|Wochen?|Monate?n?|Jahre?n?|' +
  'minutos?|horas?|días?|semanas?|mes(?:es)?|años?|heures?|jours?|semaines?|mois|ans?|années?|' +
  'minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]|dias?|mês|anos?|' +
  'minuten|uur|uren|dag(?:en)?|weken|maand(?:en)?|jaar|jaren|' +
  'minut[aęy]?|godzin[aęy]?|dni|dnia|tygodni[ea]?|miesi[ąę]c[yaei]{0,3}|lata?|roku|' +
  'minuter|timmar|dagar|veckor|månader|år|hodin[ay]?|dn[yíů]|týdn[yů]|měsíc[eůi]{0,2}|rok[yů]|let'

const number = '\\d{1,3}(?:[.,  ]\\d{3}){0,5}(?:[.,]\\d{1,2})?'
const currencies = 'EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|RON|TRY|TRL|JPY|CAD|AUD|BRL|DEM|FRF|ATS|ITL|ESP|NLG'
const money =
  'euros?|dollars?|pounds?(?: sterling)?|francs?|Euro|Franken|Dollar|Pfund|euro|libras?|dólares|dollari|sterline|zł|złotych|złote|kronor|kroner|korun|Kč|kr'

const row = (name: string, pattern: string, score: number, needs?: RegExp): Recogniser => ({
  name,
  label: 'QUANTITY',
  pattern: new RegExp(`(?<![\\p{L}\\p{N}.,/§%-])${pattern}`, 'gu'),
  score,
  source: 'how lengths of time, sums and counts are written in ten languages',
  ...(needs && { needs }),
})

/** Either case of the first letter. */
const eitherCase = (words: string) => `(?:${words}|${words.replace(/(?<=^|\|)\p{Ll}/gu, first => first.toUpperCase())})`

/** What is counted from three on: of one or two things more is told than how many they are. */
const counted =
  '(?:[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|[Nn]ine|[Tt]en|[Ee]leven|[Tt]welve|(?:[Tt]hir|[Ff]our|[Ff]if|[Ss]ix|[Ss]even|[Ee]igh|[Nn]ine)teen|(?:[Tt]wen|[Tt]hir|[Ff]or|[Ff]if|[Ss]ix|[Ss]even|[Ee]igh|[Nn]ine)ty(?:-(?:one|two|three|four|five|six|seven|eight|nine))?)'

/** Lengths of time, shares, sums and counts: by themselves nobody's, with others somebody's. */
export const quantities: Recogniser[] = [
  row(
    'quantity.time',
    `(?:${number}|${eitherCase(numberWords)})(?:[ -]| (?:full|more|further|calendar|working|consecutive|whole|volle[rn]?|weitere[rn]?) )(?:${units})(?![\\p{L}\\p{N}])`,
    0.55,
  ),
  row(
    'quantity.share',
    `${number} ?(?:%|‰|per ?cent(?![\\p{L}])|Prozent|por cient?o|pour cent|per cento|procent)`,
    0.55,
    /\d/,
  ),
  row(
    'quantity.sum',
    `(?:(?:${currencies}) ?|[€£$] ?)${number}(?: (?:million|billion|Mio\\.?|Mrd\\.?))?(?![\\p{L}\\p{N}])`,
    0.55,
    /\d/,
  ),
  row(
    'quantity.sum-behind',
    `${number}(?: (?:million|billion|Mio\\.|Mrd\\.))? ?(?:(?:${currencies}|${money})(?![\\p{L}\\p{N}])|[€£$])`,
    0.55,
    /\d/,
  ),
  row(
    'quantity.count',
    `(?<!(?:[Aa]rticles?|[Rr]ules?|[Pp]aragraphs?|[Ss]ections?|[Cc]hapters?|[Nn]os?\\.|Artikel|Abs\\.|artículos?|articles?|articol[oi]|artigos?) )(?:\\d{1,3}(?:,\\d{3}){0,5}|${counted}) (?:\\p{Ll}{3,20} )?\\p{Ll}{3,20}s(?![\\p{L}\\p{N}])`,
    0.5,
  ),
]
