import { laws } from './laws.ts'
import type { Recogniser } from './recogniser.ts'

/** How languages write "number", before one. */
const sign = '(?:no|nr|num|núm|nummer|number|numer|numero|número|numéro|n[º°]|n\\.|n\\.[º°]|#|id|code|kod)'
/** What may be a number of something: digits, capitals and what stands between them, with two digits at least. */
const value = '(?<value>[A-Z0-9](?:[A-Z0-9]|[-/.·](?=[A-Z0-9])|[ ](?=\\d{2,})){2,30})'

/** The same with single letters and groups of letters that digits follow, as files of courts and insured persons have. */
const currency = '(?:EUR|USD|GBP|CHF|PLN|KM|VAT|IVA|TVA|BTW|BIC|IBAN)'
const grouped = `(?<value>(?:[IVX]{1,5}[ ])?[A-Z0-9](?:[A-Z0-9]|[-/.·:](?=[A-Za-z0-9])|[ ](?=\\d{2,})|[ ]-[ ](?=\\d)|[ ]/[ ](?=[A-Z])|[ ](?!${currency})(?=[A-Z][A-Za-z]{0,3}[ ]?\\d)|(?<=[ ][A-Z])[A-Za-z]{1,3}(?=[ ]\\d)|(?<=[/-][A-Z])[a-z]{1,3}(?=[/-]\\d)|(?<=[A-Z]/)[a-z]{2,4}(?=[ /-]\\d)|(?<=-)[a-z]{2,3}(?=-)){2,40}(?:[ ][A-Z](?![\\p{L}.]))?)`

/** What stands between a label and its number, in forms also the blanks up to the next column. */
const gap = '(?: ?: ?| {1,16}|\\t)'

const twoDigits = (text: string) => /\d[^\d]*\d/.test(text) && !/^(?:19|20)\d\d$/.test(text)

const fourDigits = (text: string) => (text.match(/\d/g)?.length ?? 0) >= 4

const row = (
  name: string,
  label: string,
  lead: string,
  { shape = value, ...more }: Partial<Recogniser> & { shape?: string } = {},
): Recogniser => ({
  name,
  label,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])${lead}${shape}(?![\\p{L}\\p{N}])`, 'gu'),
  valid: twoDigits,
  score: 0.7,
  source: 'a value with digits that is called a number of something, in eight languages',
  needs: /\d/,
  ...more,
})

/** Words that may begin with a capital. */
const words = (list: string) =>
  `(?:${list
    .split('|')
    .map(word => `[${word[0]!.toUpperCase()}${word[0]}]${word.slice(1)}|${word.toUpperCase()}`)
    .join('|')})`

const things = words(
  'rechnung|rechnungs|auftrag|auftrags|bestell|kunden|mieter|mitglieds|personal|vertrags|versicherungs|versicherten|patienten|fall|akten|vorgangs|invoices|factures|facturas|fatture|faturas|invoice|order|customer|hospital|patient|member|employee|contract|policy|claim|facture|client|contrat|dossier|police|commande|adhérent|factura|cliente|contrato|póliza|pedido|expediente|socio|historia|fattura|pratica|contratto|polizza|ordine|tessera|cartella|fatura|apólice|processo|encomenda|utente|sócio|factuur|klant|contract|polis|bestelling|patiënt|dossier|lid|faktura|faktury|klienta|umowy|polisy|zamówienia|sprawy|pacjenta|księgi|sinistre|siniestro|sinistro|sociétaire|séjour|atestado|colegiado|colegiada|col\\.|matrícula|zgłoszenia|szkody|smlouvy|faktury|objednávky|zákazníka|účtu|pojistky|ärende|kund|avtal|minute|repertorio|raccolta|rep\\.',
)
const registers =
  '(?:I\\.E\\.|I\\.M\\.|NIB|[Mm]at\\.|NAM|[Ff]olio(?= [\\d-]{5})|[Cc]have(?: de acesso)?|IPP|NDA|CIPA|INE|RPPS|ADELI|FINESS|CRM|KvK|KVK|Portalis|HRB|HRA|FN|RCS|REA|CRC|KRS|BDO|NIPC|NHC|Nº SS|ZVR|CVR|Kassenzeichen|[Ss]ygn(?:atura|\\.)(?: akt)?|PWZ|BSNR|LANR|BIG|AGB|TIP|SDI|UPN|PNC|OCR|[Dd](?:iarie)?nr|[Bb]ankgiro|[Pp]lusgiro|[Mm]ål|IČO?|DIČ|Kassenz\\.|[Mm]atr(?:icola|\\.)|[Pp]rot(?:ocollo|\\.)|[Vv]estiaire|[Tt]oque|[Ss]inistr[eo]|[Ss]iniestro|PV|[Čč]\\. ?[jú]\\.|[Čč]\\. ?(?:OP|TP|účtu)|[Čč]íslo (?:účtu|smlouvy|pojištěnce)|[Ss]p\\. ?zn\\.|[Vv]ariabilní symbol|[Ss]eria(?: i n(?:r|umer))?|KW)'
const courts =
  'INS|Nd|Nc|Co|Cdo|Cz|RC|RNs|Nsm|Kp|EX|Js|UJs|AR|Gs|Ds|Cs|Ls|KLs|Ks|Ns|Qs|Ws|Ss|OWi|OJs|StR|BvR|BvL|ZR|ZB|AZR|ABR|BGs|Ca|BV|Sa|Ta|[COSTUWFMKNLBE]|UF|WF|UH|IN|IK|XVII|VI|Wx|SA|KR|AL|AS|RA|RJ'
const references = `(?:G[Zz]\\.?:?|R\\.?G\\.?|St\\.-Nr|${words(
  'kenmerk|az\\.|aktz\\.|zeichen|sygn\\. akt|sygnatura akt|zaaknummer|rolnummer|autos|procedimiento ordinario|case|mandatsreferenz|versicherungsschein|apólice|police|aktenzeichen|geschäftszeichen|sygnatura|référence|referencia|referência|riferimento|reference|matricule|ref\\.ª|ref.|réf.|rif.',
)})`
/** Germanic words for numbers of something, but of what has a number that everybody shares. */
const compound =
  '(?!(?:Artikel|Seiten|Kapitel|Zimmer|Haus|Los|Modell|Typ|Teile|Versions|Raum|Gleis|Positions|Material|Chargen)-?(?:nummer|nr))\\p{L}[\\p{L}-]{1,30}(?:[Nn]ummer|NUMMER|[Nn]r|NR|-ID|kennung)'
const signs = '(?:[nN]\\.?[º°]|[Nn]r\\.?|[Nn]umer|[Nn]úmero|[Nn]uméro|[Nn]umero)'
const parcels = words(
  'plot|parcel|block|sheet/plan|flurstück|gemarkung|parcela|parcelle|particella|mappale|perceel|działka|działki|parcelní',
)
const identity = words(
  "documento d'identità|carta d'identità|identity card|id card|carte d'identité|personalausweis|ausweis|dowodem osobistym|dowód osobisty|dowodu osobistego|identiteitskaart|identiteitsbewijs|bilhete de identidade|cartão de cidadão|documento de identidad|título de residencia|aufenthaltstitel|titre de séjour|permesso di soggiorno",
)
const plates = words(
  'kennzeichen|license plate|licence plate|number plate|plate|matrícula|targa|targato|targata|reg|registration|vrm|registreringsnummer|registreringsskylt|rego|index|placa|spz|immatriculation|immatriculé|immatriculée|kenteken|nr rejestracyjny|nr rej\\.|nr rej|rz|reg\\.nr|regnr|reg\\. nr|rejestracyjnym|rejestracyjny|numer rejestracyjny',
)

const vehicles = [
  'auto',
  'wagen',
  'firmenwagen',
  'dienstwagen',
  'pkw',
  'lkw',
  'fahrzeug',
  'kfz',
  'kennzeichen',
  'motorrad',
  'anhänger',
  'lenker',
  'gelenkt',
  'fahrer',
  'fahrerin',
  'halter',
  'halterin',
  'geparkt',
]

const plate = (country: string, { source }: RegExp, context: string, by: string): Recogniser => ({
  name: `plate.${country}`,
  label: 'VEHICLE_ID',
  pattern: new RegExp(`(?<![\\p{L}\\p{N}-])${source}(?![\\p{L}\\p{N}-])`, 'gu'),
  score: 0.2,
  near: 0.8,
  context: context.split(' '),
  source: by,
  needs: /\d/,
})

/** Numbers of invoices, contracts, files, registers, identity cards and vehicles, by the words before them. */
export const numbers: Recogniser[] = [
  row(
    'number.thing',
    'ID',
    `${things}(?:-| )?(?:VAT |FT |FR |FS )?(?:${sign}|${sign.toUpperCase()}|[Nn]r|[Nn]ummer|NUMMER|No|Nº|N°|N)\\.?:? ?`,
  ),
  row(
    'number.bare',
    'ID',
    '(?:INVOICE|RECHNUNG|FACTURA|FACTURE|FATTURA|FATURA|FACTUUR|FAKTURA|Factuur|Fattura|Fatura)(?: VAT| FT| FS| FR| proforma)?:? ',
  ),
  row(
    'number.invoice',
    'ID',
    '(?:Rechnung|Invoice|Facture|Factura|Fattura|Fatura|Factuur|Faktura):? (?=[A-Z]{1,4}[-/]?\\d)',
  ),
  row('number.court', 'ID', '', {
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])(?:[IVX]{1,5}|\\d{1,4})(?: [a-z])? (?:${courts}) \\d{1,6}/\\d{2}(?:\\d{2})?(?![\\p{L}\\p{N}])`,
      'gu',
    ),
    score: 0.65,
    source: 'Germany, registers of courts and prosecutors (Aktenordnung): senate, register, number, year',
  }),
  row('number.court-es', 'ID', '', {
    pattern:
      /(?<![\p{L}\p{N}])(?:[Aa]utos|P\.? ?O\.?|J\.? ?V\.?|[Pp]rocedimiento (?:[Oo]rdinario|[Aa]breviado)|[Jj]uicio (?:[Oo]rdinario|[Vv]erbal|[Mm]onitorio)|[Dd]iligencias [Pp]revias|[Ee]jecución de [Tt]ítulos [Jj]udiciales|[Dd]ivorcio (?:[Cc]ontencioso|de mutuo acuerdo)) (?:(?:n\.?º|núm\.|número) ?)?(?<value>\d{1,5}\/(?:19|20)?\d{2})(?![\p{L}\p{N}/]|[.-]\d)/gu,
    valid: undefined,
    score: 0.65,
    source: 'Spain, proceedings of courts: kind, number, year',
  }),
  row('number.file', 'ID', '', {
    pattern: /(?<![\p{L}\p{N}/.,-])(?!(?:19|20)\d\d\/)[1-9]\d{3,5}\/(?:\d{2}|(?:19|20)\d{2})(?![\p{L}\p{N}/]|[.-]\d)/gu,
    valid: undefined,
    score: 0.6,
    source: 'files of courts and authorities: a number of four to six digits, and the year it was opened in',
  }),
  row('number.no', 'ID', '', {
    pattern: new RegExp(
      `(?<!${laws}[ ,]{1,2})(?<![\\p{L}\\p{N}])(?:${signs}|[Nn]os?\\.) ?(?<value>(?:[A-Z]{1,3}[ -]?)?(?!(?:19|20)\\d\\d(?![\\d/]))(?:\\d{3,7}|\\d{1,3}(?:\\.\\d{3}){1,3})(?:[/.-]\\d{1,7}){0,3})(?![\\p{L}\\p{N}]|[/.-]\\d)`,
      'gu',
    ),
    valid: undefined,
    score: 0.55,
    source: 'what is called a number of three digits or more, but of laws and their parts',
  }),
  {
    name: 'number.code',
    label: 'ID',
    pattern:
      /(?<![\p{L}\p{N}./\\#=_-])(?=[A-Z0-9-]{0,40}[A-Z])(?=(?:[A-Z-]{0,12}\d){6})[A-Z0-9]{2,24}(?:-[A-Z0-9]{2,12}){0,3}(?![\p{L}\p{N}_/\\]|[.:-][\p{L}\p{N}])/gu,
    valid: value =>
      value.replace(/-/g, '').length >= 9 && !/^(?:ISO|EN|DIN|IEC|RFC|CVE|UTF|SHA|MD5|ICD|PMID|ISBN|ISSN)/.test(value),
    score: 0.55,
    source: 'codes of nine characters or more in capitals and digits, six digits at least, but of norms',
    needs: /\d[A-Z0-9-]{0,20}\d/,
  },
  {
    name: 'number.long',
    label: 'ID',
    pattern: /(?<![\p{L}\p{N}.,/\\#=_+-])\d{10,30}(?![\p{L}\p{N}_/\\]|[.,:-]\d)/gu,
    valid: value =>
      !/^(?:1[4-9]\d{8}(?:\d{3})?|97[89]\d{10})$/.test(value) &&
      !/^(\d)\1+$/.test(value) &&
      !/0{6}$/.test(value) &&
      !/^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?$/.test(value),
    score: 0.5,
    source: 'ten digits or more in a row, but times of programs, numbers of books and round sums',
    needs: /\d{10}/,
  },
  {
    name: 'number.year-first',
    label: 'ID',
    pattern: /(?<![\p{L}\p{N}/.,-])(?:19[89]\d|20[0-4]\d)\/\d{5,9}(?![\p{L}\p{N}/]|[.,-]\d)/gu,
    score: 0.6,
    source: 'invoices and files: the year, and a number of five digits or more',
    needs: /\d\/\d{5}/,
  },
  {
    name: 'number.masked',
    label: 'ID',
    pattern:
      /(?<![\p{L}\p{N}*•])(?=[\d*•xX -]{0,24}(?:[*•]{2}|[xX]{2}))(?:[\d*•]|[xX](?=[xX\d -]|$)){1,16}(?:[ -]{0,2}(?:[\d*•]{1,6}|[xX]{2,6})){0,8}(?<=\d)(?![\p{L}\p{N}*•]|[.,:]\d)/gu,
    valid: value =>
      value.replace(/[ -]/g, '').length >= 6 && (value.match(/[*•xX]/g)?.length ?? 0) >= 3 && /\d{2}/.test(value),
    score: 0.6,
    source: 'numbers of accounts and cards all but some digits of which are masked',
    needs: /[*•xX]{2}[ -]{0,2}\d/,
  },
  {
    name: 'number.last-digits',
    label: 'ID',
    pattern:
      /(?<![\p{L}\p{N}])(?:(?:[Cc]ard|[Vv]isa|[Mm]aster[Cc]ard|[Aa]mex|[Aa]ccount|a\/c|[Mm]aestro) (?:no\. |number )?(?:ending|ends)(?: in| with)?|(?:last|final) (?:4|four)(?: digits)?(?: of (?:the |my |his |her |your )?(?:card|account))?(?: are| is|:)?|[Tt]arjeta (?:terminada|acabada|que termina) en|[Cc]artão(?: \p{Lu}\p{L}+){0,2} (?:com )?final|[Ff]inal do cartão|[Cc]arte (?:se terminant|finissant) par|[Cc]arta (?:che termina|terminante) (?:con|in|per)|[Kk]art(?:a|y|ą) (?:o końcówce|kończąc\p{L}{1,4} się na)|(?:[Kk]arte|[Kk]onto) (?:mit )?[Ee]nd(?:ziffern?|nummer|end auf)|[Kk]aart eindigend op|TARJ\.? ?\*?|tarj\.? ?\*?) ?:? ?\*{0,4}(?<value>\d{3,4})(?![\p{L}\p{N}]|[.,/-]\d)/gu,
    score: 0.65,
    source: 'the last digits of cards and accounts, by the words before them in eight languages',
    needs: /\d{3}/,
  },
  {
    name: 'number.land',
    label: 'ID',
    pattern:
      /(?<![\p{L}\p{N}])(?:(?:[Tt]omo|TOMO|[Ll]ibro|LIBRO) (?:n[.º°]{1,2} ?)?(?<!\p{L})(?=[\d.]{1,6}(?: del? [\p{L} ]{2,24})?,? (?:al )?(?:[Ll]ibro|LIBRO|[Ff]olio|FOLIO))|(?<=(?:[Ll]ibro|LIBRO|[Tt]omo|TOMO) [\d.]{1,6}(?: del? [\p{L} ]{2,24})?,? (?:al )?)(?:[Ff]olio|FOLIO) |[Ff]inca (?:registral )?(?:n[.º°]{1,2} ?|[Nn]úm(?:\.|ero) )?|[Ff]euillet (?:n[°º] ?)?|[Ff]oglio (?:n\. ?)?(?=\d{1,4},? (?:p(?:art|\.lla)|mapp))|(?:[Ss]ub(?:alterno|\.)?) |[Ll]ot (?=\d \d{3} \d{3})|(?:artigo matricial|sob o artigo|matriz(?: predial)?(?: \p{L}+)? sob o (?:n\.º|artigo)) |[Oo]bręb (?:nr )?|[Gg]rundstück (?:Nr\. )?|GST-NR\.? |EZ |[Gg]rundbuchblatt (?:Nr\. )?|[Gg]rundbuch[^\n\r.;]{1,70}? (?:Blatt|Bl\.) |LV č\. ?|[Pp]arc\. ?č\. (?:[Ss]t\. )?)(?<value>\d{1,3}(?:[. ]\d{3}){1,2}(?:-[A-Z])?|\d{1,6}(?:[./-][A-Z0-9]{1,6}){0,2})(?: vto\.)?(?![\p{L}\p{N}]|[/-]\d)/gu,
    score: 0.6,
    source: 'land registers and cadastres, by what they call volumes, leaves and plots',
    needs: /\d/,
  },
  {
    name: 'number.parcel-fr',
    label: 'ID',
    pattern:
      /(?<![\p{L}\p{N}])(?:parcelles?|section|cadastrée?s?)(?: cadastrale?s?| section)?(?: n[°º])? (?<value>[A-Z]{1,2} (?:n[°º] ?)?\d{1,4}(?:(?:, | et )(?:[A-Z]{1,2} (?:n[°º] ?)?)?\d{1,4}){0,5})(?![\p{L}\p{N}]|[.,]\d)/gu,
    score: 0.65,
    source: 'France, cadastre: section and number',
    needs: /parcelle|section|cadastr/,
  },
  row('number.mixed', 'ID', '(?:Geschäftszeichen|Aktenzeichen|G[Zz]\\.?|Az\\.|Zahl|Zl\\.|Zeichen):? ', {
    shape: '(?<value>(?=\\S{0,24}\\d)[\\p{L}\\d]{1,16}(?:[/.-][\\p{L}\\d]{1,12}){1,6})',
    valid: value => fourDigits(value) && /\p{Ll}/u.test(value),
  }),
  row('number.parcel', 'ID', `${parcels}(?: (?:[Nn]os?\\.|[Nn]umber|${signs})(?: ew(?:id)?\\.)?)?:? `, {
    valid: undefined,
    shape: '(?<value>\\d{1,6}(?:[/.-][A-Z0-9]{1,6}){0,4})',
  }),
  row('number.register', 'ID', `${registers}(?:[ -]?(?:${sign}|[Nn]ummer|[Nn]r))?\\.?${gap}`, { shape: grouped }),
  row('number.reference', 'ID', `${references}(?:[ -]?(?:${sign}|No))?\\.?${gap}`, { shape: grouped }),
  row('number.compound', 'ID', `${compound}\\.?${gap}`, {
    shape: grouped,
    needs: /nummer|NUMMER|nr|Nr|NR|-ID|kennung/,
  }),
  row('number.of', 'ID', `${signs} (?:(?:de |di |do |d[’'])?(?!de |di |do )\\p{L}{3,20}) ?:? `, {
    shape: grouped,
    valid: fourDigits,
    needs: /[nN][º°r]|[Nn][uú]m/,
  }),
  row(
    'number.account',
    'BANK_ACCOUNT',
    '(?:Kto|KTO|(?:Spar|Giro|Lohn|Miet|Depot|Bank|Privat|Post|Kredit)?[Kk]onto|BLZ|Bankleitzahl|a/c|sort code|Sort code)(?:[ -]?(?:[Nn]r|no|nummer))?\\.?:? ',
  ),
  row('number.identity-card', 'NATIONAL_ID', `${identity}(?:[ -]?(?:${sign}|[Nn]r))?\\.?:? `),
  row('number.plate', 'VEHICLE_ID', `${plates}(?:[ -]?(?:${sign}))?\\.?:? `, {
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])${plates}(?:[ -]?(?:${sign}))?\\.?:? ?(?<value>(?=[A-ZÄÖÜ -]{0,7}\\d)(?:[A-ZÄÖÜ0-9]{1,4}(?:[ -][A-ZÄÖÜ0-9]{1,5}){0,3}|[A-Z]{1,3}\\d[A-Z0-9]{2,5}|\\d[A-Z0-9]{4,7}))(?![\\p{L}\\p{N}])`,
      'gu',
    ),
    valid: text => /\d/.test(text) && /\p{L}/u.test(text),
  }),
  {
    name: 'plate.gb',
    label: 'VEHICLE_ID',
    pattern: /(?<![\p{L}\p{N}-])[A-Z]{2}\d{2} ?[A-Z]{3}(?![\p{L}\p{N}])/gu,
    score: 0.3,
    near: 0.8,
    context: ['car', 'van', 'vehicle', 'lorry', 'parked', 'driver', 'reg', 'registration', 'plate', 'motorbike', 'mot'],
    source: 'United Kingdom, DVLA, marks since 2001',
    needs: /[A-Z]{2}\d{2}/,
  },
  {
    name: 'plate.fr-it',
    label: 'VEHICLE_ID',
    pattern: /(?<![\p{L}\p{N}-])[A-HJ-NP-TV-Z]{2}([ -])\d{3}\1[A-HJ-NP-TV-Z]{2}(?![\p{L}\p{N}-])/gu,
    score: 0.4,
    near: 0.8,
    context: [
      'voiture',
      'véhicule',
      'plaque',
      'auto',
      'macchina',
      'veicolo',
      'vettura',
      'camion',
      'targa',
      'moto',
      'car',
    ],
    source: 'France, SIV since 2009; Italy since 1994',
    needs: /\d{3}[ -][A-Z]{2}/,
  },
  {
    name: 'plate.de',
    label: 'VEHICLE_ID',
    pattern: /(?<![\p{L}\p{N}-])[A-ZÄÖÜ]{1,3}[-–][A-Z]{1,2} ?\d{1,4}[EH]?(?![\p{L}\p{N}-])/gu,
    score: 0.3,
    near: 0.8,
    context: vehicles,
    source: 'Germany, FZV section 9',
    needs: /[A-Z][-–][A-Z]{1,2} ?\d/,
  },
  plate(
    'at',
    /[A-Z]{1,2}-(?:\d{1,5} ?[A-Z]{1,3}|[A-Z]{1,5} ?\d{1,5})/u,
    vehicles.join(' '),
    'Austria, KDV section 25a',
  ),
  plate(
    'es-province',
    /[A-Z]{1,2}-\d{4}-[A-Z]{1,2}/u,
    'matrícula placa vehículo coche turismo furgoneta moto motocicleta camión',
    'Spain, plates of provinces until 2000',
  ),
  plate(
    'au',
    /(?:[A-Z]{2} ?\d{2} ?[A-Z]{2}|\d[A-Z]{2} ?\d[A-Z]{2}|[A-Z]{3} ?\d{3})/u,
    'rego ute',
    'Australia, by state',
  ),
  plate('cz', /\d[A-Z][A-Z0-9][ ]?\d{4}/u, 'rz spz vozidlo vozidla vozem vůz automobil auto', 'Czechia, act 56/2001'),
  plate(
    'pl',
    /[A-Z]{2,3}[ ]?(?=[A-Z]{0,3}\d)[A-Z0-9]{4,5}/u,
    'pojazd pojazdu pojazdem samochód samochodu samochodem auto autem parkingowe rejestracyjny rejestracyjnym',
    'Poland, ordinance on the registration of vehicles',
  ),
  plate(
    'se',
    /[A-HJ-UW-Z]{3}[ ]?\d{2}[\dA-HJ-UW-Z]/u,
    'bil bilen fordon fordonet reg regnr registreringsnummer',
    'Sweden, Transportstyrelsen',
  ),
  plate(
    'pt',
    /(?:\d{2}([ -])[A-Z]{2}\1\d{2}|[A-Z]{2}([ -])\d{2}\2(?:[A-Z]{2}|\d{2})|\d{2}([ -])\d{2}\3[A-Z]{2})/u,
    'viatura veículo carro automóvel matrícula',
    'Portugal, IMT',
  ),
  plate(
    'nl',
    /(?:[A-Z]{1,3}-\d{2,3}-[A-Z]{1,3}|\d{1,2}-[A-Z]{2,3}-(?:\d{1,2}|[A-Z]{2})|[A-Z]{2}-\d{2}-\d{2}|\d{2}-\d{2}-[A-Z]{2})/u,
    'auto wagen bestelbus busje bestuurder kenteken voertuig geparkeerd',
    'Netherlands, RDW, series 1 to 14',
  ),
  {
    name: 'plate.br',
    label: 'VEHICLE_ID',
    pattern: /(?<![\p{L}\p{N}-])[A-Z]{3}[- ]?\d[A-Z\d]\d{2}(?![\p{L}\p{N}-])/gu,
    score: 0.2,
    near: 0.85,
    context: ['placa', 'veículo', 'moto', 'carro', 'automóvel', 'caminhão'],
    source: 'Brazil, CONTRAN resolution 969/2022, and plates of before',
    needs: /[A-Z]{3}[- ]?\d/,
  },
  {
    name: 'plate.es',
    label: 'VEHICLE_ID',
    pattern: /(?<![\p{L}\p{N}-])\d{4}[ -]?[B-DF-HJ-NP-TV-Z]{3}(?![\p{L}\p{N}-])/gu,
    score: 0.3,
    near: 0.85,
    context: ['matrícula', 'vehículo', 'coche', 'turismo', 'furgoneta', 'moto', 'motocicleta', 'plaza de garaje'],
    source: 'Spain, Orden INT/3303/2000: four digits, three letters without vowels, Ñ and Q',
    needs: /\d{4}[ -]?[A-Z]{3}/,
  },
]

/** Those of {@link numbers} that a cell has for other reasons. */
export const fileNumbers: readonly Recogniser[] = numbers.filter(({ name }) =>
  /^number\.(?:no|file|code|long)$/.test(name),
)
