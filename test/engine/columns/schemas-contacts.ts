/** Contacts, accounts, addresses, pupils and a statement of an account: tables written by somebody who knew nothing of the words that are looked for. Labels as in schemas-held-back.ts. */
import type { Schema } from './schemas.ts'

type Make = (row: number) => string
type Column = [heading: string, label: string, make: Make]
const L = {
  person: 'PERSON',
  org: 'ORGANIZATION',
  email: 'EMAIL',
  phone: 'PHONE',
  place: 'LOCATION',
  id: 'ID',
  user: 'USERNAME',
  ip: 'IP_ADDRESS',
  bank: 'BANK_ACCOUNT',
  url: 'URL',
  born: 'DATE_OF_BIRTH',
  any: '*',
  none: '-',
}
const table = (name: string, columns: Column[]) =>
  ({ name, columns: columns.map(([heading, label, make]) => [heading, make, label]) }) as Schema

const hash = (row: number, salt: number) => {
  let h = Math.imul(row + 11, 0x85ebca6b) ^ Math.imul(salt + 3, 0x9e3779b1)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 13), 0x297a2d39)
  return (h ^ (h >>> 16)) >>> 0
}
const pick = (...values: string[]): Make => {
  const salt = [...values.join()].reduce((sum, c) => (sum * 33 + c.charCodeAt(0)) % 999_983, 5)
  return row => values[hash(row, salt) % values.length]!
}
const set =
  (chars: string) =>
  (length: number, seed: number): Make =>
  row =>
    Array.from({ length }, (_, n) => chars[hash(row, seed * 101 + n) % chars.length]).join('')
const digits = set('0123456789')
const mixed = set('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')
const num =
  (low: number, high: number, seed: number): Make =>
  row =>
    String(low + (hash(row, seed) % (high - low + 1)))
const some =
  (make: Make, every = 5): Make =>
  row =>
    hash(row, every * 71) % every === 0 ? '' : make(row)
const two = (n: number) => String(n).padStart(2, '0')
const date =
  (mark: string, year: number, years: number, seed: number, turn = false): Make =>
  row => {
    const parts = [
      String(year + (hash(row, seed) % years)),
      two(1 + (hash(row, seed + 1) % 12)),
      two(1 + (hash(row, seed + 2) % 28)),
    ]
    return (turn ? parts.reverse() : parts).join(mark)
  }
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
const rest97 = (text: string) => [...text].reduce((rest, c) => (rest * 10 + Number(c)) % 97, 0)
const iban: (seed: number) => Make = seed => row => {
  const bank = ['INGB', 'RABO', 'ABNA', 'SNSB', 'TRIO'][hash(row, seed) % 5]!
  const account = digits(10, seed)(row)
  const body = [...`${bank}${account}NL00`].map(c => (/\d/.test(c) ? c : c.charCodeAt(0) - 55)).join('')
  return `NL${two(98 - rest97(body))}${bank}${account}`
}

const enGiven = pick('Harriet', 'Desmond', 'Priya', 'Callum', 'Lorena', 'Wendell', 'Aisha', 'Greta', 'Tobias', 'Mei')
const enFamily = pick('Ashworth', 'Okonkwo', 'Delacroix', 'Pemberton', 'Ramaswamy', 'Lindqvist', 'Castellano', 'Yoon')
const company = pick(
  'Brightwater Logistics Inc.',
  'Orchard & Vale LLP',
  'Nimbus Foundry',
  'Tallgrass Dental',
  'Kestrel Marine Ltd',
)
const enCity = pick('Tacoma', 'Duluth', 'Chattanooga', 'Reading', 'Halifax', 'Boise')
const enStreet: Make = row =>
  `${num(4, 980, 12)(row)} ${pick('Larkspur Ave', 'Canal Street', 'Mill Road', 'Foxglove Ln')(row)}`
const web = pick('https://www.brightwater.example', 'www.nimbusfoundry.example', 'http://kestrelmarine.example')
const deGiven = pick('Annegret', 'Holger', 'Svenja', 'Detlef', 'Mareike', 'Yusuf', 'Frauke')
const deFamily = pick('Wiesner', 'Brandhorst', 'Özdemir', 'Kühnel', 'Stadler', 'Petersen')
const frGiven = pick('Maëlle', 'Thibault', 'Océane', 'Rachid', 'Solène', 'Gaëtan', 'Aminata', 'Élodie')
const frFamily = pick('Lefèvre', 'Benali', 'Charpentier', 'Guérin', 'Diallo', 'Marchand', 'Le Goff')
const nlName = pick(
  'J.M. van der Heijden',
  'Bakkerij Smits',
  'Hr P Dijkstra',
  'Albert Heijn 1187',
  'F. el Amrani',
  'Vattenfall NV',
)

export const tables: readonly Schema[] = [
  table('Salesforce Contact export', [
    ['Id', L.id, row => `0035g0000${mixed(6, 1)(row)}AAC`],
    ['AccountId', L.none, some(row => `0015g0000${mixed(6, 2)(row)}AAK`, 9)],
    ['Salutation', 'DEMOGRAPHIC', some(pick('Mr.', 'Ms.', 'Dr.', 'Mrs.'), 4)],
    ['FirstName', L.person, enGiven],
    ['LastName', L.person, enFamily],
    ['MailingStreet', 'ADDRESS', some(enStreet)],
    ['MailingCity', L.place, some(enCity)],
    ['MobilePhone', L.phone, some(row => `(${num(201, 989, 3)(row)}) 555-01${digits(2, 4)(row)}`, 3)],
    ['Email', L.email, row => `${plain(enGiven(row))}.${plain(enFamily(row))}@example.com`],
    ['Birthdate', L.born, some(date('-', 1951, 50, 40), 3)],
    ['LeadSource', L.none, some(pick('Web', 'Trade Show', 'Partner Referral', 'Phone Inquiry'), 4)],
    ['HasOptedOutOfEmail', L.none, pick('false', 'true')],
  ]),
  table('Dynamics 365 account list', [
    [
      '(Do Not Modify) Account',
      L.none,
      row => `${set('0123456789abcdef')(8, 5)(row)}-7c1e-ed11-9db1-${set('0123456789abcdef')(12, 6)(row)}`,
    ],
    [
      '(Do Not Modify) Modified On',
      'DATE',
      row => `${date('-', 2021, 4, 50)(row)} ${two(hash(row, 51) % 24)}:${two(hash(row, 52) % 60)}`,
    ],
    ['Account Name', L.org, company],
    ['Account Number', L.none, some(row => `ACC-${digits(5, 7)(row)}`)],
    ['Primary Contact', L.person, some(row => `${enGiven(row + 90)} ${enFamily(row + 90)}`, 6)],
    ['Main Phone', L.phone, some(row => `+1 425 555 01${digits(2, 8)(row)}`)],
    ['Website', L.url, some(web, 3)],
    ['Address 1: City', L.place, some(enCity, 7)],
    ['Address 1: ZIP/Postal Code', L.place, some(digits(5, 9), 7)],
    ['Annual Revenue', L.none, some(row => `${num(120, 98000, 10)(row)}000.00`, 4)],
    ['Owner', L.person, row => `${enGiven(row % 3)} ${enFamily(row % 3)}`],
    ['Status', L.none, pick('Active', 'Inactive')],
  ]),
  table('SAP PA0006', [
    ['PERNR', L.id, row => `0000${num(1000, 8999, 13)(row)}`],
    ['SUBTY', L.none, pick('1', '2', '4')],
    ['ENDDA', L.none, pick('99991231', '20221231', '20200630')],
    ['BEGDA', 'DATE', date('', 2009, 11, 60)],
    ['NAME2', L.person, some(row => `c/o ${deGiven(row)} ${deFamily(row + 4)}`, 2)],
    [
      'STRAS',
      'ADDRESS',
      row => `${pick('Lindenallee', 'Am Mühlbach', 'Rathausgasse', 'Goethestr.')(row)} ${num(1, 140, 14)(row)}`,
    ],
    ['PSTLZ', L.place, row => `${num(10, 99, 15)(row)}${digits(3, 16)(row)}`],
    ['ORT01', L.place, pick('Kassel', 'Bad Oeynhausen', 'Görlitz', 'Tübingen', 'Emden')],
    ['LAND1', L.place, some(() => 'DE', 6)],
    ['TELNR', L.phone, some(row => `0${num(2011, 9871, 17)(row)}/${digits(6, 18)(row)}`, 3)],
    ['ENTKM', L.none, some(num(1, 85, 19), 4)],
    [
      'UNAME',
      L.user,
      row =>
        plain(deFamily(row + 20))
          .slice(0, 8)
          .toUpperCase() + deGiven(row + 20)[0],
    ],
  ]),
  table('Moodle users (fr)', [
    ["Nom d'utilisateur", L.user, row => `${plain(frGiven(row))[0]}${plain(frFamily(row))}${row % 10}`],
    ['Prénom', L.person, frGiven],
    ['Nom de famille', L.person, frFamily],
    ['Adresse de courriel', L.email, row => `${plain(frGiven(row))}.${plain(frFamily(row))}@etu.example.fr`],
    ["Numéro d'identification", L.id, some(row => `2${digits(7, 20)(row)}`)],
    ['Institution', L.org, some(pick('Université du Val', 'IUT de la Côte', 'Lycée Jean-Aubrac'), 4)],
    ['Département', L.none, some(pick('Informatique', 'Lettres', 'Génie civil', 'Droit'), 3)],
    [
      'Téléphone mobile',
      L.phone,
      some(row => `06 ${digits(2, 21)(row)} ${digits(2, 22)(row)} ${digits(2, 23)(row)} ${digits(2, 24)(row)}`, 2),
    ],
    ['Ville', L.place, some(pick('Angers', 'Lorient', 'Valence', 'Montluçon'))],
    [
      'Dernière adresse IP',
      L.ip,
      some(
        row => `${num(62, 193, 25)(row)}.${num(0, 255, 26)(row)}.${num(0, 255, 27)(row)}.${num(1, 254, 28)(row)}`,
        6,
      ),
    ],
    [
      'Dernier accès',
      'DATE',
      some(
        row =>
          `${num(1, 28, 29)(row)} ${pick('mars', 'octobre', 'janvier')(row)} 2024, ${two(hash(row, 30) % 24)}:${two(hash(row, 31) % 60)}`,
        6,
      ),
    ],
  ]),
  table('Dutch bank statement', [
    ['Datum', 'DATE', date('', 2023, 2, 70)],
    ['Naam / Omschrijving', L.person, nlName],
    ['Rekening', 'IBAN', () => iban(80)(0)],
    ['Tegenrekening', 'IBAN', some(iban(81), 4)],
    ['Code', L.none, pick('BA', 'GT', 'IC', 'OV', 'DV')],
    ['Af Bij', L.none, pick('Af', 'Bij')],
    ['Bedrag (EUR)', L.none, row => `${num(1, 2400, 82)(row)},${digits(2, 83)(row)}`],
    ['Mutatiesoort', L.none, pick('Betaalautomaat', 'Online bankieren', 'Incasso', 'Overschrijving')],
    [
      'Mededelingen',
      'text',
      some(row => `Naam: ${nlName(row)} Omschrijving: factuur ${digits(6, 84)(row)} IBAN: ${iban(81)(row)}`),
    ],
    ['Saldo na mutatie', 'QUANTITY', row => `${num(10, 9000, 85)(row)},${digits(2, 86)(row)}`],
    ['Tag', L.none, some(pick('huur', 'boodschappen', 'energie'), 2)],
  ]),
]
