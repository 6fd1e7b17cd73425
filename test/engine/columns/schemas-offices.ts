/** Members of a club, pupils, customers, employees and appointments: tables written by somebody who knew nothing of the words that are looked for. Labels as in schemas-held-back.ts. */
import type { Schema } from './schemas.ts'

type Make = (row: number) => string
const hash = (row: number, salt: number) => {
  let h = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(salt + 7, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return (h ^ (h >>> 16)) >>> 0
}
const pick = (...values: string[]): Make => {
  const salt = [...values.join('|')].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1_000_003, 7)
  return row => values[hash(row, salt) % values.length]!
}
const two = (n: number) => String(n).padStart(2, '0')
const whole =
  (low: number, high: number, seed = 1): Make =>
  row =>
    String(low + (hash(row, seed * 17 + high) % (high - low + 1)))
const money =
  (low: number, high: number, seed = 1): Make =>
  row =>
    (low + (hash(row, seed * 19) % ((high - low) * 100)) / 100).toFixed(2)
const iso =
  (year: number, years: number, seed = 1): Make =>
  row =>
    `${year + (hash(row, seed * 23) % years)}-${two(1 + (hash(row, seed * 23 + 1) % 12))}-${two(1 + (hash(row, seed * 23 + 2) % 28))}`
/** Empty in one row of `every` */
const some =
  (make: Make, every = 5): Make =>
  row =>
    hash(row, every * 41) % every === 0 ? '' : make(row)
const col = (heading: string, label: string, make: Make): [string, Make, string] => [heading, make, label]
const EMAIL = 'EMAIL'
const PHONE = 'PHONE'
const IBAN = 'IBAN'
const digits =
  (length: number, seed: number): Make =>
  row =>
    Array.from({ length }, (_, n) => hash(row, seed * 131 + n) % 10).join('')
const dated =
  (mark: string, year: number, years: number, seed = 1): Make =>
  row =>
    iso(year, years, seed)(row).split('-').reverse().join(mark)
const plain = (text: string) =>
  text
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .normalize('NFD')
    .replace(/[\u0300-\u036f' ]/g, '')
    .toLowerCase()
const mod97 = (text: string) => [...text].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0)
const weighed = (body: string, weights: number[]) =>
  [...body].reduce((sum, digit, n) => sum + Number(digit) * weights[n]!, 0)
/** `land` as digits: DE is 1314 */
const iban =
  (country: string, land: string, length: number): Make =>
  row => {
    const body = digits(length, 3)(row)
    return `${country}${two(98 - mod97(`${body}${land}00`))}${body}`
  }
const hetu: Make = row => {
  const [y, m, d] = iso(1950, 50, 6)(row).split('-')
  const body = `${d}${m}${y!.slice(2)}`
  const number = String(900 + (hash(row, 61) % 99))
  return `${body}-${number}${'0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(body + number) % 31]}`
}
const cnp: Make = row => {
  const body = `${1 + (hash(row, 62) % 2)}${iso(1962, 37, 7)(row).replaceAll('-', '').slice(2)}${two(1 + (hash(row, 63) % 40))}${digits(3, 8)(row)}`
  const rest = weighed(body, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11
  return body + (rest === 10 ? 1 : rest)
}
const kimlik: Make = row => {
  const body = `${1 + (hash(row, 64) % 9)}${digits(8, 9)(row)}`
  const tens = ((weighed(body, [7, -1, 7, -1, 7, -1, 7, -1, 7]) % 10) + 10) % 10
  const ten = body + tens
  return ten + (weighed(ten, Array(10).fill(1)) % 10)
}
const EVEN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
const fiscale =
  (given: Make, family: Make, born: Make): Make =>
  row => {
    const part = (name: string, first: boolean) => {
      const flat = plain(name).toUpperCase()
      let cons = flat.replace(/[AEIOU]/g, '')
      if (first && cons.length > 3) cons = cons[0]! + cons.slice(2)
      return `${cons + flat.replace(/[^AEIOU]/g, '')}XXX`.slice(0, 3)
    }
    const [d, m, y] = born(row).split('/')
    const girl = plain(given(row)).endsWith('a') ? 40 : 0
    const body = `${part(family(row), false)}${part(given(row), true)}${y!.slice(2)}${'ABCDEHLMPRST'[Number(m) - 1]}${two(Number(d) + girl)}${pick('F205', 'H501', 'L219', 'A944')(row)}`
    const sum = [...body].reduce((all, c, n) => {
      const value = /\d/.test(c) ? Number(c) : EVEN.indexOf(c)
      return all + (n % 2 === 0 ? ODD[value]! : value)
    }, 0)
    return body + EVEN[sum % 26]
  }
const vorname = pick('Jürgen', 'Heike', 'Torsten', 'Ulrike', 'Malte', 'Sabine', 'Birgit', 'Holger')
const nachname = pick('Brinkmann', 'Großkopf', 'Ziegler', 'Petersen', 'Kühnel', 'Overbeck', 'Rademacher')
const nome = pick('Chiara', 'Lorenzo', 'Ginevra', 'Matteo', 'Beatrice', 'Niccolò', 'Aurora', 'Davide')
const cognome = pick('Bellucci', 'Ferraro', 'Mancini', 'De Santis', 'Pellegrini', 'Galli', 'Orlando')
const etunimi = pick('Aino', 'Väinö', 'Helmi', 'Juhani', 'Päivi', 'Ilkka', 'Sanna', 'Eero')
const sukunimi = pick('Korhonen', 'Hämäläinen', 'Laitinen', 'Niskanen', 'Mäkelä', 'Rautio')
const prenume = pick('Ionuț', 'Mihaela', 'Răzvan', 'Gabriela', 'Ștefan', 'Alina', 'Cosmin', 'Doina')
const nume = pick('Popa', 'Dumitrescu', 'Țăranu', 'Munteanu', 'Stănescu', 'Lupu', 'Gheorghiu')
const ad = pick('Ayşe', 'Mehmet', 'Elif', 'Çağlar', 'Gülşen', 'Burak', 'Şule', 'İsmail')
const soyad = pick('Yıldırım', 'Öztürk', 'Karaca', 'Şimşek', 'Aydoğan', 'Koç', 'Bozkurt')
const nato = dated('/', 2008, 6, 5)

export const tables: readonly Schema[] = [
  {
    name: 'vereinsmitglieder',
    columns: [
      col('Mitgl.-Nr.', 'ID', row => String(1042 + row * 3)),
      col('Anrede', 'DEMOGRAPHIC', pick('Herr', 'Frau')),
      col('Vorname', 'PERSON', vorname),
      col('Nachname', 'PERSON', nachname),
      col(
        'Straße',
        'ADDRESS',
        row => `${pick('Lindenweg', 'Am Mühlbach', 'Schulstr.', 'Deichstraße')(row)} ${whole(1, 96)(row)}`,
      ),
      col('PLZ', 'LOCATION', pick('26721', '49074', '33602', '21335', '01099')),
      col('Ort', 'LOCATION', pick('Emden', 'Osnabrück', 'Bielefeld', 'Lüneburg', 'Dresden')),
      col('Geb.-Datum', 'DATE_OF_BIRTH', dated('.', 1943, 65, 2)),
      col('Eintrittsdatum', 'DATE', dated('.', 1988, 36, 3)),
      col(
        'Telefon privat',
        PHONE,
        some(row => `0${whole(4921, 5971)(row)} / ${digits(5, 5)(row)}`, 4),
      ),
      col('IBAN', IBAN, some(iban('DE', '1314', 18), 6)),
      col('Beitrag', '-', pick('48,00', '96,00', '120,00', '24,00')),
    ],
  },
  {
    name: 'registro-alunni',
    columns: [
      col('N.', '-', row => String(row + 1)),
      col('Cognome', 'PERSON', cognome),
      col('Nome', 'PERSON', nome),
      col('Classe', '-', pick('1A', '2B', '3A', '3C', '5B')),
      col('Data di nascita', 'DATE_OF_BIRTH', nato),
      col('Comune di nascita', 'LOCATION', pick('Milano', 'Roma', 'Torino', 'Bologna')),
      col('Codice fiscale', 'TAX_ID', fiscale(nome, cognome, nato)),
      col(
        'Genitore 1',
        'PERSON',
        some(row => `${cognome(row)} ${nome(row + 90)}`, 8),
      ),
      col(
        'E-mail genitore',
        EMAIL,
        some(row => `${plain(cognome(row))}${whole(60, 99)(row)}@posta.example`, 5),
      ),
      col('Ore di assenza', '-', whole(0, 140)),
      col('Media voti', '-', row => money(4, 10)(row).replace('.', ',')),
      col('Esito', '-', some(pick('Ammesso', 'Non ammesso', 'Sospeso'), 6)),
    ],
  },
  {
    name: 'asiakasrekisteri',
    columns: [
      col('Asiakasnro', 'ID', row => String(300_210 + row * 7)),
      col('Etunimi', 'PERSON', etunimi),
      col('Sukunimi', 'PERSON', sukunimi),
      col('Henkilötunnus', 'NATIONAL_ID', some(hetu, 7)),
      col(
        'Katuosoite',
        'ADDRESS',
        row =>
          `${pick('Koivutie', 'Satamakatu', 'Myllypolku', 'Asemakatu')(row)} ${whole(1, 48)(row)} ${pick('A 3', 'B 12', 'as. 7')(row)}`,
      ),
      col('Postinumero', 'LOCATION', pick('00530', '33100', '90120', '20500', '70110')),
      col('Postitoimipaikka', 'LOCATION', pick('HELSINKI', 'TAMPERE', 'OULU', 'TURKU', 'KUOPIO')),
      col('Matkapuhelin', PHONE, row => `0${pick('40', '44', '45', '50')(row)} ${digits(7, 15)(row)}`),
      col(
        'Sähköposti',
        EMAIL,
        some(row => `${plain(etunimi(row))}.${plain(sukunimi(row))}@posti.example`, 4),
      ),
      col('Asiakasryhmä', '-', pick('Kanta-asiakas', 'Uusi', 'Yritys')),
      col('Luotu', 'DATE', dated('.', 2015, 9, 4)),
      col('Markkinointilupa', '-', some(pick('Kyllä', 'Ei'), 6)),
    ],
  },
  {
    name: 'salariati',
    columns: [
      col('Marca', 'ID', row => String(118 + row * 2)),
      col('Nume', 'PERSON', nume),
      col('Prenume', 'PERSON', prenume),
      col('CNP', 'NATIONAL_ID', cnp),
      col(
        'Serie și nr. CI',
        'NATIONAL_ID',
        some(row => `${pick('RX', 'KT', 'CJ', 'XB')(row)} ${digits(6, 16)(row)}`, 6),
      ),
      col(
        'Domiciliu',
        'ADDRESS',
        row =>
          `Str. ${pick('Salcâmilor', 'Morii', 'Horea', 'Unirii')(row)} nr. ${whole(1, 130)(row)}, ${pick('Cluj-Napoca', 'Iași', 'Brașov', 'Pitești')(row)}`,
      ),
      col('Funcția', 'DEMOGRAPHIC', pick('Contabil', 'Operator CNC', 'Șofer', 'Inginer', 'Magaziner')),
      col('Cod COR', '-', pick('241104', '722323', '833201', '214401', '432102')),
      col('Data angajării', 'DATE', dated('.', 2006, 18, 5)),
      col('Salariu de bază', 'QUANTITY', money(3700, 11_000)),
      col('Persoane în întreținere', '-', some(whole(0, 4), 3)),
    ],
  },
  {
    name: 'hastane-randevu',
    columns: [
      col('Randevu No', '-', row => String(7_702_115 + row * 11)),
      col('T.C. Kimlik No', 'NATIONAL_ID', kimlik),
      col('Hasta Adı', 'PERSON', ad),
      col('Hasta Soyadı', 'PERSON', soyad),
      col('Doğum Tarihi', 'DATE_OF_BIRTH', dated('.', 1938, 82, 6)),
      col(
        'Cep Telefonu',
        PHONE,
        some(row => `05${whole(30, 55)(row)} ${digits(3, 17)(row)} ${digits(2, 18)(row)} ${digits(2, 19)(row)}`, 5),
      ),
      col('Poliklinik', '-', pick('Kardiyoloji', 'Göz Hastalıkları', 'Dahiliye', 'Ortopedi', 'KBB')),
      col(
        'Hekim',
        'PERSON',
        row => `${pick('Dr.', 'Uzm. Dr.', 'Prof. Dr.')(row)} ${ad(row + 700)} ${soyad(row + 700)}`,
      ),
      col('Randevu Tarihi', 'DATE', dated('.', 2024, 2, 7)),
      col('Randevu Saati', '-', row => `${two(8 + (hash(row, 91) % 9))}:${pick('00', '15', '30', '45')(row)}`),
      col('Sosyal Güvence', '-', some(pick('SGK', 'Özel Sigorta', 'Ücretli'), 6)),
      col('Durum', '-', pick('Onaylandı', 'İptal', 'Gelmedi', 'Muayene Edildi')),
    ],
  },
]
