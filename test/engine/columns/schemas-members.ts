/** Patients, members, a payroll, guests and a stock of goods: tables written by somebody who knew nothing of the words that are looked for. Labels as in schemas-held-back.ts. */
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
  national: 'NATIONAL_ID',
  tax: 'TAX_ID',
  bank: 'BANK_ACCOUNT',
  passport: 'PASSPORT',
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
const weigh = (body: string, weights: number[]) => [...body].reduce((sum, d, n) => sum + Number(d) * weights[n]!, 0)
const letter = (row: number, seed: number) => 'ABCDEFGHJKLMNPRSTUVWXYZ'[hash(row, seed) % 23]!

const plGiven = pick('Agnieszka', 'Wojciech', 'Łucja', 'Przemysław', 'Grażyna', 'Bartosz', 'Żaneta', 'Zbigniew')
const plFamily = pick('Wróbel', 'Mazurek', 'Sikora', 'Pietrzak', 'Gołąb', 'Krawczyk', 'Baran')
const plBorn = date('-', 1938, 60, 40)
const pesel: Make = row => {
  const female = plGiven(row).endsWith('a')
  const body =
    plBorn(row).replaceAll('-', '').slice(2) + digits(3, 41)(row) + String(2 * (hash(row, 42) % 5) + (female ? 0 : 1))
  return body + String((10 - (weigh(body, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10)
}
const svGiven = pick('Ingegerd', 'Håkan', 'Linnéa', 'Torbjörn', 'Saga', 'Mohammed', 'Ebba', 'Rolf')
const svFamily = pick('Öberg', 'Sandström', 'Hellman', 'Nyqvist', 'Åkesson', 'Haddad', 'Forslund')
const personnummer: Make = row => {
  const born = date('', 1944, 56, 50)(row)
  const body = born.slice(2) + digits(3, 51)(row)
  const sum = [...body].reduce((all, d, n) => {
    const x = Number(d) * (n % 2 ? 1 : 2)
    return all + (x > 9 ? x - 9 : x)
  }, 0)
  return `${born}-${body.slice(6)}${(10 - (sum % 10)) % 10}`
}
const huName = (row: number) =>
  `${pick('Szűcs', 'Bíró', 'Fekete', 'Lakatos', 'Oláh', 'Gulyás')(row)} ${pick('Zsófia', 'Gergő', 'Boglárka', 'Tamás', 'Ildikó')(row)}`
const huBorn = date('.', 1958, 42, 60)
const adoazonosito: Make = row => {
  const [y, m, d] = huBorn(row).split('.').map(Number) as [number, number, number]
  const days = String(Math.round((Date.UTC(y, m - 1, d) - Date.UTC(1867, 0, 1)) / 86_400_000))
  for (let n = hash(row, 61) % 1000; ; n = (n + 1) % 1000) {
    const body = `8${days}${String(n).padStart(3, '0')}`
    const check = weigh(body, [1, 2, 3, 4, 5, 6, 7, 8, 9]) % 11
    if (check < 10) return body + String(check)
  }
}
const taj: Make = row => {
  const body = digits(8, 62)(row)
  const all = body + String(weigh(body, [3, 7, 3, 7, 3, 7, 3, 7]) % 10)
  return `${all.slice(0, 3)} ${all.slice(3, 6)} ${all.slice(6)}`
}
const esGiven = pick('Iker', 'Macarena', 'Rocío', 'Álvaro', 'Begoña', 'Nuria', 'Fermín')
const esFamily = pick('Ibáñez', 'Zabaleta', 'Cordero', 'Quiroga', 'Peñalver', 'Soler')
const passport = (row: number) => hash(row, 70) % 3 === 0
const documento: Make = row => {
  if (passport(row)) return `P${letter(row, 71)}${letter(row, 72)}${digits(6, 73)(row)}`
  const body = num(10_000_000, 79_999_999, 74)(row)
  return body + 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(body) % 23]
}
const ean: Make = row => {
  const body = `590${digits(9, 90)(row)}`
  return body + String((10 - (weigh(body, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10)
}

export const tables: readonly Schema[] = [
  table('Polish clinic patient list', [
    ['Nr kartoteki', L.id, row => `${1200 + row}/${num(2012, 2024, 39)(row)}`],
    ['Nazwisko', L.person, row => plFamily(row)],
    ['Imię', L.person, plGiven],
    ['PESEL', L.national, some(pesel, 11)],
    ['Data ur.', L.born, plBorn],
    ['Płeć', 'DEMOGRAPHIC', row => (plGiven(row).endsWith('a') ? 'K' : 'M')],
    [
      'Adres zamieszkania',
      'ADDRESS',
      row =>
        `ul. ${pick('Kwiatowa', 'Leśna', 'Mickiewicza', 'Polna')(row)} ${num(1, 90, 43)(row)}/${num(1, 24, 44)(row)}, ${num(10, 99, 45)(row)}-${digits(3, 46)(row)} ${pick('Zamość', 'Ełk', 'Kalisz', 'Słupsk')(row)}`,
    ],
    ['Tel. kontaktowy', L.phone, some(row => `${num(501, 889, 47)(row)} ${digits(3, 48)(row)} ${digits(3, 49)(row)}`)],
    ['Oddział NFZ', L.none, pick('03', '07', '12', '14')],
    ['Rozpoznanie (ICD-10)', L.any, some(pick('J06.9', 'I10', 'E11.9', 'M54.5', 'K21.0'), 6)],
    ['Lekarz prowadzący', L.person, row => `lek. ${plGiven(500 + (row % 4))[0]}. ${plFamily(500 + (row % 4))}`],
    ['Ostatnia wizyta', 'DATE', some(date('-', 2022, 3, 52))],
  ]),
  table('Swedish member register', [
    ['Medlemsnr', L.id, row => String(40_100 + row * 3)],
    ['Personnummer', L.national, some(personnummer, 6)],
    ['Förnamn', L.person, svGiven],
    ['Efternamn', L.person, svFamily],
    ['c/o', L.person, some(row => `${svGiven(row + 70)} ${svFamily(row + 70)}`, 2)],
    [
      'Gatuadress',
      'ADDRESS',
      row =>
        `${pick('Björkvägen', 'Kungsgatan', 'Skolgränd', 'Ängsstigen')(row)} ${num(1, 80, 53)(row)}${pick('', 'A', ' lgh 1102')(row)}`,
    ],
    ['Postnr', L.place, row => `${num(211, 981, 54)(row)} ${digits(2, 55)(row)}`],
    ['Ort', L.place, pick('Växjö', 'Härnösand', 'Ystad', 'Örebro')],
    [
      'Mobil',
      L.phone,
      some(row => `07${num(0, 9, 56)(row)}-${digits(3, 57)(row)} ${digits(2, 58)(row)} ${digits(2, 59)(row)}`),
    ],
    ['E-post', L.email, some(row => `${plain(svGiven(row))}${plain(svFamily(row)).slice(0, 3)}@example.se`, 4)],
    ['Medlemstyp', L.none, pick('Vuxen', 'Junior', 'Familj', 'Hedersmedlem')],
    ['Avgift betald', 'DATE', some(date('-', 2024, 1, 63), 3)],
  ]),
  table('Hungarian payroll', [
    ['Törzsszám', L.id, row => String(3_050 + row * 7)],
    ['Dolgozó neve', L.person, huName],
    [
      'Anyja neve',
      L.person,
      some(row => `${pick('Kelemen', 'Vörös', 'Pásztor')(row)} ${pick('Erzsébet', 'Márta', 'Jolán')(row)}`, 7),
    ],
    ['Szül. dátum', L.born, row => `${huBorn(row)}.`],
    ['Adóazonosító jel', L.tax, adoazonosito],
    ['TAJ szám', 'HEALTH_ID', some(taj, 9)],
    ['FEOR', L.none, pick('4112', '2513', '8425', '5113')],
    ['Bruttó bér', 'QUANTITY', row => `${num(296, 980, 64)(row)} ${digits(1, 65)(row)}00`],
    ['SZJA', 'QUANTITY', row => `${num(44, 147, 66)(row)} ${digits(3, 67)(row)}`],
    ['Bankszámlaszám', L.bank, some(row => `117${digits(5, 68)(row)}-${digits(8, 69)(row)}-00000000`, 8)],
    ['Belépés napja', 'DATE', row => `${date('.', 2004, 20, 75)(row)}.`],
  ]),
  table('Spanish hotel guest list', [
    ['N.º Reserva', L.none, row => `R${240_000 + row * 13}`],
    ['Hab.', L.none, row => `${num(1, 5, 76)(row)}${two(1 + (hash(row, 77) % 22))}`],
    ['Nombre', L.person, esGiven],
    ['Primer apellido', L.person, esFamily],
    ['Segundo apellido', L.person, row => (passport(row) ? '' : esFamily(row + 300))],
    ['Tipo doc.', L.none, row => (passport(row) ? 'PAS' : 'DNI')],
    ['N.º documento', L.national, documento],
    ['Nacionalidad', 'DEMOGRAPHIC', row => (passport(row) ? pick('MEX', 'ARG', 'COL')(row) : 'ESP')],
    ['F. nacimiento', L.born, date('/', 1946, 58, 78, true)],
    ['F. entrada', 'DATE', date('/', 2024, 1, 79, true)],
    ['Matrícula', 'VEHICLE_ID', some(row => `${digits(4, 81)(row)} ${set('BCDFGHJKLMNPRSTVWXYZ')(3, 82)(row)}`, 2)],
    ['Teléfono', L.phone, some(row => `+34 6${digits(2, 83)(row)} ${digits(3, 84)(row)} ${digits(3, 85)(row)}`, 4)],
  ]),
  table('Warehouse stock', [
    ['Item No.', L.none, row => `${letter(row, 91)}${letter(row, 92)}-${digits(5, 93)(row)}`],
    [
      'Description',
      L.none,
      pick(
        'Hex bolt M8x40 zinc',
        'Cable tie 200 mm black',
        'Bearing 6204-2RS',
        'Gasket DN50 EPDM',
        'Pallet wrap 23 my',
      ),
    ],
    ['EAN', L.none, some(ean, 6)],
    ['Bin Code', L.none, row => `W-${two(1 + (hash(row, 94) % 14))}-${digits(4, 95)(row)}`],
    ['Qty. on Hand', L.none, num(0, 4200, 96)],
    ['Base Unit of Measure', L.none, pick('PCS', 'BOX', 'ROLL', 'KG')],
    ['Reorder Point', L.none, some(num(10, 400, 97), 3)],
    ['Unit Cost', L.none, row => `${num(0, 89, 98)(row)}.${digits(2, 99)(row)}`],
    ['Lot No.', L.none, some(row => `LOT${digits(7, 100)(row)}`, 4)],
    ['Expiration Date', 'DATE', some(date('-', 2025, 4, 102), 3)],
    ['Last Counted', 'DATE', date('-', 2024, 1, 103)],
  ]),
]
