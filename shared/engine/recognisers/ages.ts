import type { Recogniser } from './recogniser.ts'

const years = '(?:1[01]\\d|[1-9]\\d?)'

/** How languages write years of age, and months. */
const units = '(?:Jahren?|J\\.|años|ans|anni|anos|jaar|jr\\.|years|yrs?|let|lat|år|r\\.|[ay])'
const monthUnits =
  '(?:Monate?n?|Mon\\.|months?|mths?|mois|mes(?:es|i)|maanden|mnd|mån(?:ader|\\.)?|měs(?:íců|\\.)|miesięcy)'

/** Of whom ages are told: otherwise the same words are a duration. */
const whose =
  '[Vv]ar[óo]n|[Mm]ujer|[Hh]ombre|[Pp]acientes?|[Nn]iñ[oa]|[Ss]eñora?|[Mm]asculino|[Ff]emenino|[Pp]atiente?|[Hh]omme|[Ff]emme|[Mm]onsieur|[Mm]adame|[Ff]ille|[Gg]arçon|[Ee]nfant|[Dd]oente|[Uu]tente|[Hh]omem|[Mm]ulher|[Mm]enin[oa]|[Pp]aziente|[Uu]omo|[Dd]onna|[Bb]ambin[oa]|[Mm]adre|[Pp]adre|[Hh]ij[oa]'

/** Who has so many years, in languages that have them, and of whom a number in brackets tells the age. */
const has =
  "(?:[Ii]l|[Ee]lle|qui) a|[Jj]’ai|[Jj]'ai|[Tt]iene|[Tt]engo|[Tt]em|[Tt]enho|[Hh]a|[Hh]o|[Mm]am?|[Mm]iała?|[Mm]ając[ay]?"
const kin =
  '[Tt]ochter|[Ss]ohn|[Dd]aughter|[Ss]on|[Ff]ils|[Ff]ille|[Hh]ij[oa]|[Ff]igli[oa]|[Dd]ochter|[Zz]oon|[Ff]ilh[oa]|[Ss]yn|[Cc]órk[aię]'
const children =
  '[Kk]inder[n]?|[Ss]öhnen?|[Tt]öchtern?|[Cc]hildren|[Kk]ids|[Ss]ons|[Dd]aughters|[Hh]ij[oa]s|[Ee]nfants|[Ff]illes|[Ff]igli|[Ff]iglie|[Ff]ilh[oa]s|[Kk]inderen|[Zz]oons|[Dd]ochters|[Dd]zieci|[Bb]arn|[Dd]ěti'
const tens = 'zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig'
const decades = 'twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties'

/** Ages in words, from twenty on: what is shorter is as often a time. */
const spelt =
  '(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-\\p{Ll}{3,5})?|(?:\\p{Ll}{3,7}und)?(?:zwanzig|dreißig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)|(?:veinti\\p{Ll}{3,6}|veinte|(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)(?: y \\p{Ll}{3,6})?)|(?:(?:vingt|trente|quarante|cinquante|soixante|quatre-vingts?)(?:(?:-| et )\\p{Ll}{2,8}){0,2})|(?:vent|trent|quarant|cinquant|sessant|settant|ottant|novant)(?:[aiou]\\p{Ll}{0,8})|(?:vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa)(?: e \\p{Ll}{2,6})?|(?:\\p{Ll}{3,6}[eë]n)?(?:twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig|negentig)|(?:dwadzieścia|trzydzieści|czterdzieści|(?:pięć|sześć|siedem|osiem|dziewięć)dziesiąt)(?: \\p{Ll}{3,8})?'
/** The same below twenty, for where a word says that it is an age. */
const few =
  'three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|(?:four|fif|six|seven|eigh|nine)teen|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|sete|oito|dez|onze|doze|treze|quinze|trois|quatre|cinq|six|sept|huit|neuf|dix|douze|treize|vijf|zes|zeven|negen|tien|twaalf|trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|dziesięć|fyra|fem|sex|sju|åtta|nio|tio|elva|tolv|tretton|fjorton|femton|tři|čtyři|pět|šest|sedm|osm|devět|deset|jedenáct|dvanáct'
const speltNeeds = /ty|zig|ßig|nt|eint|rent|uarent|tig|dzie/

const row = (name: string, pattern: string, score: number): Recogniser => ({
  name,
  label: 'AGE',
  pattern: new RegExp(`(?<![\\p{L}\\p{N}.,/-])${pattern}(?![\\p{L}\\p{N}])`, 'gu'),
  score,
  source: 'how ages are written in English, German, Spanish, French, Italian, Dutch, Portuguese and Polish',
  needs: /\d/,
})

/** Ages of persons; durations (`für 5 Jahre`, `desde hace 10 años`) are none. */
export const ages: Recogniser[] = [
  row('age.adjective', `${years}[- ](?:year|yr|y)s?[- ](?:old|o)s?`, 0.8),
  row('age.jährig', `${years}[- ]?jährige[rnms]?`, 0.8),
  row('age.abbreviated', `(?:${years}[- ]?jähr\\.|(?<=[,(] ?)${years} jr|${years}\\. ?r\\. ?ż\\.)`, 0.65),
  row('age.letni', `${years}[- ]?letni(?:ej|ego|emu|m|ą|a|e)?`, 0.8),
  row('age.jarig', `${years}[- ]jarige?`, 0.8),
  row('age.letý', `${years}[- ]?let(?:á|ý|é|ého|ému|ou|ým|ém)`, 0.8),
  row('age.årig', `${years}[- ]?åri(?:g|ga|ge|gt|ng|ngen)`, 0.8),
  row(
    'age.about',
    `(?:[Mm]ale|[Ff]emale|[Mm]an|[Ww]oman|[Bb]oy|[Gg]irl), (?:approx(?:imately|\\.)?|about|around|circa|ca\\.?|c\\.|aged) (?<value>${years})(?=[,. ])`,
    0.6,
  ),
  row(
    'age.some',
    `(?:de unos|de unas|sui|sulla|d['’]une|d['’]environ|di circa|de cerca de|von etwa|von ca\\.|van ongeveer|ok\\.|około|asi|omkring) (?<value>${years} (?:años|anos|anni|ans|Jahren?|jaar|lat|let|år))`,
    0.55,
  ),
  row(
    'age.roku',
    `(?:[Jj]e|[Jj]í je|[Mm]u je|[Mm]á|[Vv]e věku|[Bb]ylo|[Vv]\\p{L}{3,20}i je|är|[Ää]r|[Ff]yller|[Bb]lev|[Bb]lir|[Ss]nart) (?<value>${years} (?:let|roků|roky|år))`,
    0.55,
  ),
  row('age.enne', `${years}enne`, 0.8),
  row(
    'age.words',
    `(?:[Aa]ged|[Aa]ge|[Aa]lter:?|[Ee]dad:?|[Ll]at|[Ww]iek:?|[Ll]eeftijd:?|[Ii]dade:?|[Ee]tà:?|di anni|(?<=[,(] ?)anni|aa\\.|[ÂA]ge|[âa]gée? de|im Alter von)(?: ?:)? {1,8}(?<value>${years}(?: ?${units}(?!\\p{L}))?(?: (?:(?:et|und|and|y|e|en) )?\\d{1,2} ${monthUnits})?)`,
    0.7,
  ),
  row('age.of', `(?:${whose})[^.\\n\\d]{0,24} (?:de|of|di|von|d’|a) (?<value>${years} (?:años|ans|anos|anni))`, 0.6),
  row('age.old', `${years} (?:Jahre alt|jaar oud)`, 0.8),
  row('age.has', `(?:${has}) (?<value>${years} (?:ans|años|anos|anni|lata?))`, 0.6),
  {
    ...row('age.brackets', '(?<=\\p{Lu}\\p{Ll}{1,20} \\()\\d{1,2}(?=\\))', 0.1),
    near: 0.6,
    context:
      'children kids sons daughters son daughter kinder söhne töchter sohn tochter hijos hijas enfants fils filles figli figlie kinderen zonen dochters filhos filhas dzieci barn'.split(
        ' ',
      ),
  },
  {
    ...row(
      'age.be',
      `(?:[Hh]e|[Ss]he)(?:['’]s| is| was) (?:about |around |approximately |roughly |maybe |probably )?(?<value>${years}|${spelt})(?=[,.;] | years old)`,
      0.6,
    ),
    needs: /[Hh]e(?:['’]s| is| was) /,
  },
  row(
    'age.kin',
    `(?:${kin})[^()\\n\\d]{0,30}\\((?<value>${years}(?: (?:Jahre|years|ans|años|anni|jaar|anos|lat))?)(?=\\))`,
    0.7,
  ),
  row(
    'age.children',
    `(?:${children})(?:,|:)? ?\\(?(?<value>(?:${years}(?: J\\.)?(?:, ?| ?[+&] ?| (?:und|u\\.|and|y|et|e|en|i|och|a) )){1,5}${years} ?(?:J\\.|Jahren?|years?|yrs|años|ans|anni|anos|jaar|jr\\.|lat|let|år)|(?<=\\()(?:${years}, ?){0,5}${years}(?: ?[+&] ?| (?:und|u\\.|and|y|et|e|en|i|och|a) )${years}(?=\\)))`,
    0.6,
  ),
  row('age.behind-date', `(?<=\\d[./-]\\d{1,2}[./-](?:\\d{2})?\\d{2} \\()${years}[aAyYJMFmfw](?=\\))`, 0.6),
  // Not in whole words in German, which writes all nouns with a capital: `Garantie (2 Jahre)`.
  {
    ...row('age.bracket', '', 0.6),
    pattern: new RegExp(
      `(?<=\\p{Lu}[\\p{L}\\p{M}]{1,30}[,]? \\()(?:${years} ?(?:J\\.|ans|años|anni|anos|jaar|jr\\.|yrs|let|lat|år|r\\.)|\\d{1,2} ?(?:mois|meses|mesi|maanden|mnd|mths|mån\\.?|měs\\.))(?=[,;)])`,
      'gu',
    ),
  },
  row(
    'age.who',
    `who(?:['’]s| is)(?: now| only| just)? (?<value>${years})(?=[,.;)]| (?:and|does|but|or|with|who|has|lives|goes) )`,
    0.6,
  ),
  row('age.name-has', `\\p{Lu}[\\p{L}\\p{M}]{2,20} a (?<value>${years} (?:ans|mois))(?! d[e’'])`, 0.55),
  {
    ...row(
      'age.decade',
      `(?:(?:Anfang|Mitte|Ende|[Uu]m die) (?:${tens})|(?<![Tt]he )(?:[Ee]arly|[Mm]id|[Ll]ate)[ -](?:${decades})|(?:[Bb]egin|[Mm]idden|[Hh]alverwege|[Ee]ind) (?:twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig)|(?:treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa) y (?:tantos|pico)|la (?:trent|quarant|cinquant|soixant)aine(?! d[e’'])|sulla (?:trent|quarant|cinquant|sessant|settant)ina|(?<=[Ii]n (?:his|her|their|my) )(?:(?:early|mid-?|late) ?)?(?:${decades}))`,
      0.7,
    ),
    needs: /zig|ties|tig|enta y|aine|ina/,
  },
  {
    ...row(
      'age.spelt',
      `(?:(?:${has}|[Mm]it|[Àà]|[Aa]|[Vv]an|di|de|of) )(?<value>(?:${spelt}) (?:ans|años|anni|anos|lat|lata|jaar|Jahren?)(?! (?:de |di |d[’']|von )?(?:prison|cárcel|prisión|carcere|prisão|reclusione|Haft|Freiheit|gevangenis|więzienia)))`,
      0.55,
    ),
    needs: speltNeeds,
  },
  {
    ...row('age.spelt-old', `(?:${spelt})[- ](?:years?[- ]old|Jahre alt|jaar oud|jährige[rnms]?|jarige)`, 0.75),
    needs: speltNeeds,
  },
  {
    ...row(
      'age.spelt-aged',
      `(?:[Aa]ged|age of|im Alter von|[âa]gée? de|de edad de|leeftijd van) (?<value>(?:${spelt})(?: (?:ans|años|anni|anos|jaar|Jahren))?)`,
      0.7,
    ),
    needs: speltNeeds,
  },
  {
    ...row(
      'age.turns',
      `(?:[Tt]urn(?:s|ed|ing)|[Cc]umpl(?:e|ió|irá)|[Ff]yll(?:er|de)|[Ff]yllt|[Bb]lir|[Ss]nart|[Cc]ompie|[Cc]ompirà|[Ff]a[zr]á?|[Ff]ez|[Ww]ordt|[Kk]ończy|[Ss]kończył[ay]?|(?:[Ww]ird|[Ww]urde) (?:[\\p{L}\\d.]{1,9} ){0,3}?|[Mm]á|[Ff]ête(?:ra)? ses)(?: os| gli)? (?<value>(?:${years}|${few})(?: (?:years|años|ans|anni|anos|Jahre|jaar|lat|let|år))?)(?=[ ]*(?:[,.;!?)\\n\\r]|$|(?:am|on|in|el|le|il|op|den|i|y|e|et|und|and|next|this|tomorrow|today|nächste[nrs]?|diese[nrs]?) ))`,
      0.55,
    ),
    needs: undefined,
  },
  row('age.sex', `${years}(?:/[MFmfWw]|(?<=[|\\t] {0,3}\\d{1,3}) ?[MFmf](?= {0,3}[|\\t]))`, 0.6),
  row('age.apposition', `(?<=, )${years} (?:ans|anni|jaar|años|anos|lat|Jahre(?: alt)?|J\\.)(?=[,;.)\\n]|$)`, 0.7),
]
