import type { Recogniser } from './recogniser.ts'

/** How languages write "number", before one. */
const sign = '(?:no|nr|num|núm|nummer|number|numer|numero|número|numéro|n[º°]|n\\.|n\\.[º°]|#|id|code|kod)'
/** What may be a number of something: digits, capitals and what stands between them, with two digits at least. */
const value = '(?<value>[A-Z0-9](?:[A-Z0-9]|[-/.·](?=[A-Z0-9])|[ ](?=\\d{2,})){2,30})'

const twoDigits = (text: string) => /\d[^\d]*\d/.test(text) && !/^(?:19|20)\d\d$/.test(text)

const row = (name: string, label: string, lead: string, more: Partial<Recogniser> = {}): Recogniser => ({
  name,
  label,
  pattern: new RegExp(`(?<![\\p{L}\\p{N}])${lead}${value}(?![\\p{L}\\p{N}])`, 'gu'),
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
  'rechnung|rechnungs|auftrag|auftrags|bestell|kunden|mieter|mitglieds|personal|vertrags|versicherungs|versicherten|patienten|fall|akten|vorgangs|invoice|order|customer|hospital|patient|member|employee|contract|policy|claim|facture|client|contrat|dossier|police|commande|adhérent|factura|cliente|contrato|póliza|pedido|expediente|socio|historia|fattura|pratica|contratto|polizza|ordine|tessera|cartella|fatura|apólice|processo|encomenda|utente|sócio|factuur|klant|contract|polis|bestelling|patiënt|dossier|lid|faktura|faktury|klienta|umowy|polisy|zamówienia|sprawy|pacjenta|księgi',
)
const registers =
  '(?:KvK|KVK|HRB|HRA|FN|RCS|REA|CRC|KRS|BDO|NIPC|NHC|Nº SS|ZVR|CVR|Kassenzeichen|[Ss]ygn(?:atura|\\.)(?: akt)?)'
const references = words(
  'kenmerk|aktenzeichen|geschäftszeichen|sygnatura|référence|referencia|referência|riferimento|reference|matricule|ref.|réf.|rif.',
)
const identity = words(
  "documento d'identità|carta d'identità|identity card|id card|carte d'identité|personalausweis|ausweis|dowodem osobistym|dowód osobisty|dowodu osobistego|identiteitskaart|identiteitsbewijs|bilhete de identidade|cartão de cidadão|documento de identidad|título de residencia|aufenthaltstitel|titre de séjour|permesso di soggiorno",
)
const plates = words(
  'kennzeichen|license plate|licence plate|number plate|plate|matrícula|targa|immatriculation|immatriculé|immatriculée|kenteken|nr rejestracyjny|rejestracyjnym|rejestracyjny|numer rejestracyjny',
)

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
  row('number.register', 'ID', `${registers}(?:[ -]?(?:${sign}|[Nn]ummer|[Nn]r))?\\.?:? `),
  row('number.reference', 'ID', `${references}(?:[ -]?(?:${sign}))?\\.?:? `),
  row('number.identity-card', 'NATIONAL_ID', `${identity}(?:[ -]?(?:${sign}))?\\.?:? `),
  row('number.plate', 'VEHICLE_ID', `${plates}(?:[ -]?(?:${sign}))?\\.?:? `, {
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}])${plates}(?:[ -]?(?:${sign}))?\\.?:? ?(?<value>(?=[A-ZÄÖÜ -]{0,7}\\d)[A-ZÄÖÜ0-9]{1,4}(?:[ -][A-ZÄÖÜ0-9]{1,5}){0,3})(?![\\p{L}\\p{N}])`,
      'gu',
    ),
    valid: text => /\d/.test(text) && /\p{L}/u.test(text),
  }),
]
