import type { Recogniser } from './recogniser.ts'

/** A word with a capital, and small words inside of names of streets and towns. */
const word = "(?!(?:Tel|Fax|Tlf|Tfno|Teléfono|Telefon|E-?mail|Mail|Correo)(?![\\p{L}]))\\p{Lu}[\\p{L}\\p{M}'’-]{0,30}"
const small =
  "(?:(?:de|del|della|dei|degli|di|da|do|das|dos|des|du|la|le|les|los|las|el|am|an|der|den|im|in|bei|sur|sous|op|aan|het|św\\.|im\\.|gen\\.|ks\\.) |[dl]['’]|dell['’]|all['’])"
const named = `(?:${small}){0,3}${word}(?: (?:${small}){0,3}${word}){0,4}`
const townAlone = `${word}(?:(?: | ?/ ?|-)(?:${small}){0,3}${word}){0,3}`
const district = '\\p{Lu}{2}(?![\\p{L}\\p{N}])'
const province = '(?:\\p{Lu}{2}|\\p{L}{3,20})'
const town = `${townAlone}(?: \\(${province}\\)| ${district})?`
/** Numbers of houses: `14`, `7b`, `8 bis`, `2/A`, `7/15`, `12-14`. */
const house =
  '\\d{1,4}(?!\\.\\d{1,3}\\.\\d)(?: ?(?:bis|ter|quater)(?!\\p{L})|[a-zA-Z](?![\\p{L}\\p{N}])| [a-zA-Z](?![\\p{L}\\p{N}.]|[ -]\\d)|[/-](?:\\d{1,4}[a-zA-Z]?|[A-Za-z])(?![\\p{L}\\p{N}]))?'
/** Parts of houses: `4º B`, `3.º Esq.`, `m. 4`, `Top 7`, `Suite 12`. */
const unit =
  '(?:,? [rR]/[cC](?:[ ]?(?:[A-H](?!\\p{L})|[Ee]sq|[Dd]to|[Ff]te)\\.?)?|,? ?\\d{1,2}\\.?[ºª°](?:[ ]?(?:[A-H](?!\\p{L})|(?:[Dd]t\\.?º(?: [Ff]te)?|[Ee]sq\\.?º|[Ee]sq|[Dd]to|[Ff]te|izq|dcha|izda|derecha|izquierda)\\.?))?|,? (?:m\\.|lok\\.|[Tt]op|[Aa]pt\\.?|[Aa]partment|[Ff]lat|[Ss]uite|[Uu]nit|[Ii]nterno|int\\.|scala|[Ss]tiege|[Pp]iso|[Ee]scalera|[Pp]uerta|bus|app\\.|[Bb]ât\\.?|[Aa]ppt\\.?|esc\\.|porte|lgh|[Ww]hg\\.?|Tür) ?[\\dA-Z]{1,4}(?![\\p{L}\\p{N}])){0,4}'
const postcode =
  '(?:\\p{Lu}{1,2}-)?(?:\\d{5}(?:-\\d{3})?|\\d{4}-\\d{3}|\\d{2}-\\d{3}|\\d{4} [A-Z]{2}|(?<=[,\\n\\r][ \\t]{0,20})(?:\\p{Lu}{1,2}-)?[1-9]\\d{3}(?<!(?:19|20)\\d\\d))(?![\\p{L}\\p{N}])'
/** Where a postcode may begin. */
const line = '(?<=^|[\\n\\r,;–*|·•-][ \\t]{0,20}|[ ]{2}|\\t|\\d[ºª°]?[A-Za-z]? )'
const end = '(?=[ \\t]*(?:[,.;)|*·•\\n\\r]|$|[–-] )|[ ]{2}|\\t)'
const before = '(?<![\\p{L}\\p{N}])'
const after = '(?![\\p{L}\\p{N}])'
const pattern = (text: string) => new RegExp(`${before}${text}${after}`, 'gu')

const row = (name: string, text: string, source: string, score = 0.7, needs = /\d/): Recogniser => ({
  name,
  label: 'ADDRESS',
  pattern: pattern(text),
  score,
  source,
  needs,
})

/** A word of the name of a street, as those who write without capitals write it too. */
const anyWord = '(?!(?:the|a|an|his|her|its|their) )[^\\s,;:!?()]{1,30}'
const ordinal = '\\d{1,3}(?:st|nd|rd|th)'

/** What stands for the number of a house that has none, and numbers in words, as deeds in Spain and Portugal write them. */
const noDigits =
  '(?:s/nº?|S/N|snc|s\\.n\\.c?\\.|(?:n[úu]mero |n\\.?º )(?:un[oa]?|dos|dois|tres|três|cuatro|quatro|cinco|seis|siete|sete|ocho|oito|nueve|nove|diez|dez|once|onze|doce|doze|trece|treze|catorce|catorze|quince|quinze|(?:dieci|veinti|deza?)\\p{L}{3,7}|veinte|vinte|(?:treinta|trinta|cuarenta|quarenta|cincuenta|cinquenta|sesenta|sessenta|setenta|ochenta|oitenta|noventa|ciento|cento)(?: [ye] \\p{L}{2,7})?)(?:, (?:puerta|porta|piso|planta|bajo|escalera) ?[\\dA-Z]{0,3})?)'
const romance =
  '(?:[Ll]ugar de|[Pp]\\.(?:le|za|zza)|[Vv]\\.le|[Cc]\\.so|[Ll]\\.go|[Vv]\\.|[Cc]\\.da|[Ff]raz\\.|[Ll]oc\\.|[Tt]rav\\.|[Cc]tra\\.|[Uu]rb\\.|R\\.|[Tt]v\\.|[Cc]alle|[Cc]/|[Aa]v(?:da|enida)?\\.?|[Pp]laza|[Pp]za\\.?|[Pp]laça|[Cc]arrer|[Pp]aseo|[Rr]onda|[Cc]amino|[Tt]ravesía|[Rr]ua|[Tt]ravessa|[Ll]argo|[Pp]raça|[Aa]lameda|[Ee]strada|[Ss]trada|[Vv]ia|[Vv]iale|[Pp]iazza|[Pp]iazzale|[Cc]orso|[Vv]icolo|[Cc]ontrada|[Uu]l\\.|[Aa]l\\.|[Pp]l\\.|[Oo]s\\.|[Uu]lic[ay]|[Aa]lej[ai])'
const french =
  "(?:[Rr]ue|[Rr]\\.(?= d[eu'])|[Aa]venue|[Aa]v\\.|[Bb]oulevard|[Bb]d\\.?|[Pp]lace|[Ii]mpasse|[Aa]llées?|[Cc]hemin|[Rr]oute|[Qq]uai|[Cc]ours|[Ss]quare|[Ss]q\\.|[Pp]assage|[Ff]aubourg|[Rr]uelle|[Ss]entier|[Ii]mp\\.|[Aa]ll\\.|[Cc]h\\.|[Bb]oul\\.|[Rr]ang|[Mm]ontée|[Cc]ôte|[Rr]te|[Pp]l\\.|[Ll]ieu-dit|[Rr]és\\.|[Bb]lvd|[Ll]otissement|[Rr]ésidence|[Hh]ameau|[Vv]illa|[Vv]enelle|[Cc]haussée|[Cc]orniche|[Tt]raverse|[Ee]splanade|[Rr]ond-point)"
const germanic =
  '(?:stra(?:ß|ss)e|str\\.|weg|gasse|platz|allee|ring|ufer|damm|steig|chaussee|graben|zeile|promenade|straat|laan|plein|kade|dijk|gracht|singel|steeg|dreef|gatan|vägen|gränd|torget|stigen|backen|gata)'
const german = '(?:Straße|Strasse|Str\\.|Weg|Gasse|Platz|Allee|Ring|Ufer|Damm|Steig|Chaussee|Graben|Promenade)'
/** Adjectives before such a word that name no street. */
const noStreet =
  '(?!(?:Unser|Dieser|Jeder|Erster|Zweiter|Dritter|Letzter|Nächster|Freier|Welcher|Weiterer|Mancher|Anderer|Halber|Ganzer|Guter|Bester)(?!\\p{L}))'
const english =
  '(?:Street|St\\.?|Road|Rd\\.?|Avenue|Ave\\.?|Lane|Ln\\.?|Drive|Dr\\.?|Close|Court|Ct\\.?|Crescent|Gardens|Way|Place|Pl\\.?|Square|Terrace|Rise|Grove|Hill|Mews|Yard|Row|Walk|View|Park|Boulevard|Blvd\\.?|Parkway|Pkwy\\.?|Highway|Hwy\\.?|Circle|Cir\\.?|Trail|Wynd|Vennel|Brae|Quay|Drove|Parade|Villas|Causeway|Embankment)'
const streetInWords =
  '(?:[Ss]treet|St\\.?|[Rr]oad|Rd\\.?|[Aa]venue|Ave\\.?|[Ll]ane|[Dd]rive|[Bb]oulevard|Blvd\\.?|[Hh]ighway|Hwy\\.?|[Pp]arkway|[Cc]rescent|[Tt]errace)'
const ukPostcode = '[A-Z]{1,2}\\d[A-Z\\d]? ?\\d[A-Z]{2}'
const usPlace = '[A-Z]{2} \\d{5}(?:-\\d{4})?'

const states =
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico|York)|(?:North|South) (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming'

/** Streets with their numbers, postcodes and towns, as eight languages write them in one line or in two. */
export const addresses: Recogniser[] = [
  row(
    'address.street-first',
    `${romance} ${named},?(?: (?:n[.º°]|nº|núm(?:\\.|ero)|n\\.º|nr\\.?|s/n|bl\\.|blok|[Cc]iv\\.|[Cc]ivico|[Ll]ote))?(?: ?${house}${unit}|,? ${noDigits})`,
    'street, then number: Spain, Portugal, Italy, Poland (UPU addressing by country)',
    0.7,
    /\d|s\/n|S\/N|snc|s\.n\.|[nN][úu]mero|º/,
  ),
  row(
    'address.road-kilometre',
    `(?:Rod(?:ovia|\\.)|Ctra\\.|[Cc]arretera|[Ee]strada(?: [Nn]acional)?|[Rr]oute|[Ss]trada|CM|Cm\\.|[Aa]utov[íi]a|[Aa]utopista|EN|SS|SP|BR|DK|DW|[BLKA](?=[ -]?\\d))[^\\n\\r;:]{0,40}?,? (?:ao |al |au )?(?:km|Km|KM|PK|pk|Str(?:\\.-?)?[Kk]m|P\\.K\\.)\\.? ?\\d{1,4}(?:[.,+]\\d{1,3})?`,
    'roads by their kilometres, as accidents and farms are located',
    0.6,
    /(?:[kK][mM]|PK|pk|P\.K\.)\.? ?\d/,
  ),
  row(
    'address.french-number-behind',
    `(?:${french}) ${named},? (?!(?:19|20)\\d\\d(?!\\d))${house}(?:,? (?:bte|boîte|bus) ?[\\dA-Z]{1,4})?(?=[ ]*(?:[,.;)\\n\\r]|$|[–-] ))`,
    'street, then number: Belgium and Switzerland, in French',
    0.6,
  ),
  row('address.number-first', `${house},? ${french} ${named}`, 'number, then street: France, Belgium (NF Z10-011)'),
  row(
    'address.compound',
    `(?:${word} ){0,2}\\p{Lu}?[\\p{L}\\p{M}-]{0,30}${germanic} ${house}${unit}`,
    'names of streets that end in what they are: Germany (DIN 5008), Austria, Switzerland, Netherlands',
    0.7,
    new RegExp(`${germanic} \\d`),
  ),
  row(
    'address.separate',
    `(?:${noStreet}\\p{Lu}[\\p{L}\\p{M}-]{2,30}er ${german}|(?:\\p{Lu}[\\p{L}\\p{M}]{0,24}\\.?-){2,4}${german}|\\p{Lu}[\\p{L}\\p{M}]{2,24}-(?:Stra(?:ß|ss)e|Str\\.|Allee|Gasse)) ${house}${unit}`,
    'names of streets of several words, the last of which says what they are (DIN 5008)',
    0.7,
    new RegExp(`${german} \\d`),
  ),
  row(
    'address.preposition',
    `(?:Am|An der|An den|Im|In der|In den|Zum|Zur|Zu den|Auf der|Auf dem|Auf den|Unter den|Unter der|Hinter der|Hinter dem|Hinter den|Vor dem|Vor den|Bei der|Bei den|Op de[rn]?|Up de[rn]?|Achter de[rn]?|Achter het|Beim|Alte|Alter|Neue|Neuer|Große|Kleine|Lange|Obere|Untere) ${word}(?: ${word})? ${house}(?:(?:,| ?\\n) ?${postcode} ${town}|${end})`,
    'names of streets that begin with where they are (DIN 5008)',
    0.6,
  ),
  row(
    'address.english',
    `(?<!\\d:)\\d{1,5}(?:[a-zA-Z]|/\\d{1,2})?,? (?:${word} ){1,3}${english}(?!\\p{L})(?:,? (?:Suite|Apt\\.?|Unit|Floor|#) ?[\\dA-Z]{1,5})?(?:,?[ \\n](?:${word}[ ,]{1,2}){1,3}(?:${ukPostcode}|${usPlace}))?`,
    'number, then street: United Kingdom (BS 7666), United States (USPS Publication 28)',
    0.7,
    new RegExp(`\\p{Ll} ${english}`, 'u'),
  ),
  row(
    'address.house-name',
    `(?:The )?${word}(?: ${word}){0,2}(?=, (?:\\d{1,4}[a-z]? )?(?:${word} ){1,3}(?:Street|Road|Avenue|Lane|Drive|Close|Crescent|Gardens|Terrace|Grove|Hill|Mews|Row|Quay|Way),?[ \\n](?:${word}[ ,]{1,2}){1,3}${ukPostcode})`,
    'names of houses before their street: United Kingdom (BS 7666)',
    0.65,
    new RegExp(ukPostcode),
  ),
  row(
    'address.unit',
    `(?<=(?:^|[\\n\\r,])[ \\t>?*•|-]{0,8})(?:[Aa]pt\\.?|[Aa]partment|[Ss]uite|[Ss]te\\.) ?#? ?\\d{1,5}[A-Za-z]?${end}`,
    'parts of a building on a line or between commas: United States (USPS Publication 28)',
    0.6,
  ),
  row(
    'address.house-number',
    '(?:č\\. ?p\\.|čp\\.|Hs\\.-Nr\\.|HNr\\.|Haus-?[Nn]r\\.|(?<=\\()(?:[Cc]ivico|[Cc]asa|[Bb]ajo|[Pp]iso|[Ff]lat|[Aa]pt\\.?|[Aa]ppt\\.?|[Ww]hg\\.|WE|[Ii]nt\\.|nr\\.)(?= ?[\\dA-Z]{1,4}\\))) ?(?:\\d{1,4}(?:/\\d{1,4})?[a-z]?|[A-H])',
    'numbers of houses that are called so, and parts of a house alone in brackets',
    0.6,
    /\d|\(\p{L}+ [A-H]\)/u,
  ),
  row(
    'address.floor',
    `(?:(?:[1-9]\\d?\\.?[ºª]|r/c|R/C) ?(?:(?:[Dd]to|[Ee]sq|[Ff]rt|[Ff]te|[Ii]zq|[Ii]zda|[Dd]cha)\\.?|[ABDEGH](?=[),;.]))|[1-9]\\d?\\. ?(?:Stock|OG|Etage) (?:links|rechts|Mitte)|(?:EG|Erdgeschoss|přízemí|parter) (?:links|rechts|vlevo|vpravo)|[1-9]\\. (?:patro|NP) (?:vlevo|vpravo))`,
    'floors with the side of the stairs, as those who live in one house name their homes',
    0.6,
    /[ºª]|r\/c|R\/C|links|rechts|Mitte|vlevo|vpravo/,
  ),
  {
    name: 'address.corner',
    label: 'ADDRESS',
    pattern: pattern(
      `(?:[Tt]he )?(?:(?:[Cc]orner|[Ii]ntersection|[Jj]unction) of (?:the )?(?:${anyWord} ){1,6}(?:and|&) (?:the )?(?:${anyWord} ){1,4}${streetInWords}|[Cc]orner of (?:${ordinal}|${word})(?: ${word}){0,3} (?:and|&) (?:${ordinal}|${word})(?: ${word}){0,3})`,
    ),
    valid: value => /[\d\p{Lu}]/u.test(value.slice(1)),
    score: 0.7,
    source: 'two streets that meet, by their names (USPS Publication 28)',
    needs: /(?:[Cc]orner|[Ii]ntersection|[Jj]unction) of/,
  },
  row(
    'address.military',
    '(?:(?:PSC|CMR|Unit|UNIT|unit|psc) \\d{1,5},? (?:Box|BOX|box) \\d{1,5}|(?:USS|USNS|USCGC) \\p{Lu}[\\p{L} -]{1,30}?)(?:,? |,?[ \\t]*\\r?\\n[ \\t]*)(?:APO|FPO|DPO|apo|fpo|dpo),? (?:A[AEP]|a[aep]) \\d{5}(?:-\\d{4})?',
    'boxes of forces and embassies abroad: United States (USPS Publication 28, military addresses)',
    0.8,
    /[APD]PO,? A[AEP]|[apd]po,? a[aep]/,
  ),
  row(
    'address.post-box',
    '(?:(?:P\\.? ?O\\.?|p\\.? ?o\\.?|[Pp]ost [Oo]ffice) ?[Bb][Oo][Xx]|Postfach|Postbus|Apartado(?: de [Cc]orreos| [Pp]ostal)?|Casella [Pp]ostale|Caixa [Pp]ostal|[Ss]krytka [Pp]ocztowa|[Ss]kr\\. ?[Pp]oczt\\.|[Bb]oîte [Pp]ostale) (?:nr\\.? |n[.º°]{1,2} )?(?:\\d{1,3}(?:[ .]\\d{2,3}){1,2}|\\d{1,6})(?!\\d)',
    'boxes at a post office, as eight languages write them (UPU addressing by country)',
  ),
  {
    name: 'address.postcode',
    label: 'LOCATION',
    pattern: new RegExp(`${line}${postcode}(?= ${town}${end})`, 'gu'),
    score: 0.6,
    source: 'postcode before a town, on a line, between commas or behind a street (UPU addressing by country)',
    needs: /\d{3}/,
  },
  {
    name: 'address.town',
    label: 'LOCATION',
    pattern: new RegExp(`(?<=${line}${postcode} )${townAlone}(?: ${district})?(?=(?: \\(${province}\\))?${end})`, 'gu'),
    score: 0.6,
    source: 'town behind a postcode (UPU addressing by country)',
    needs: /\d{3}/,
  },
  {
    name: 'address.province',
    label: 'LOCATION',
    pattern: new RegExp(`(?<=${line}${postcode} ${townAlone} \\()${province}(?=\\)${end})`, 'gu'),
    score: 0.6,
    source: 'province in brackets behind a town (UPU addressing by country)',
    needs: /\d{3}.*\(/,
  },
  {
    name: 'address.town-alone',
    label: 'LOCATION',
    pattern: new RegExp(
      `(?<=(?:${romance} ${named},?(?: (?:n[.º°]|nº))? ?|${germanic} |${french} ${named} )${house}, )(?!\\p{Lu}\\.)${town}${end}`,
      'gu',
    ),
    score: 0.6,
    source: 'town behind a street with its number',
    needs: /\d/,
  },
  {
    name: 'address.postcode-labelled',
    label: 'LOCATION',
    pattern:
      /(?<![\p{L}\p{N}])(?:PSČ|PLZ|Postleitzahl|CEP|CAP|C\.P\.|[Cc]ódigo [Pp]ostal|[Cc]ode [Pp]ostal|[Pp]ostcode|ZIP(?: [Cc]ode)?|[Kk]od pocztowy)[ .:]{1,3}(?<value>\d{5}-\d{3,4}|\d{4}-\d{3}|\d{2}-\d{3}|\d{4} [A-Z]{2}|\d{3} \d{2}|\d{4,5})(?![\p{L}\p{N}]|-\d)/gu,
    score: 0.7,
    source: 'postcodes that are called so (UPU addressing by country)',
    needs: /\d{2}/,
  },
  {
    name: 'address.canada',
    label: 'LOCATION',
    pattern: pattern('[ABCEGHJ-NPRSTVXY]\\d[ABCEGHJ-NPRSTV-Z] \\d[ABCEGHJ-NPRSTV-Z]\\d'),
    score: 0.7,
    source: 'Canada Post: forms of postcodes',
    needs: /\d[A-Z]\d/,
  },
  {
    name: 'address.states',
    label: 'LOCATION',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])(?:(?:NSW|VIC|Vic|QLD|Qld|WA|SA|TAS|Tas|ACT|NT) \\d{4}|(?:${states}),? \\d{5}(?:-\\d{4})?)(?![\\p{L}\\p{N}])`,
      'gu',
    ),
    score: 0.65,
    source: 'state and postcode: Australia (AS 4590), and the United States with names of states in full',
    needs: /[A-Za-z],? \d{4}/,
  },
  {
    name: 'address.pin',
    label: 'LOCATION',
    pattern:
      /(?<![\p{L}\p{N}])(?:(?:PIN|Pin)(?: ?[Cc]ode|CODE)?[ :.-]{1,3}(?<value>[1-8]\d{2} ?\d{3})|(?<=\p{Lu}[\p{L}]{2,24}(?: \([\p{L}.]{1,20}\))? ?)[–-] ?[1-8]\d{2} ?\d{3}(?=[ ]*(?:[.,;)\n\r]|$)))(?![\p{L}\p{N}]|[.,-]\d)/gu,
    score: 0.6,
    source: 'India Post: six digits behind a town and a dash',
    needs: /\d{3} ?\d{3}/,
  },
  {
    name: 'address.postcode-behind',
    label: 'LOCATION',
    pattern: /(?<=\p{Lu}[\p{L}'’-]{2,40} \()(?:0[1-9]|[1-8]\d|9[0-8])\d{3}(?=\))/gu,
    score: 0.55,
    source: 'France: the postcode in brackets behind a town',
    needs: /\(\d{5}\)/,
  },
  {
    name: 'address.uk-postcode',
    label: 'LOCATION',
    pattern: pattern('(?:[A-PR-UWYZ]\\d{1,2}|[A-PR-UWYZ][A-HK-Y]\\d[\\dA-Z]?) \\d[ABD-HJLNP-UW-Z]{2}'),
    score: 0.65,
    source: 'United Kingdom, Royal Mail: forms of postcodes with their blank',
    needs: /\d[A-Z]{2}/,
  },
]
