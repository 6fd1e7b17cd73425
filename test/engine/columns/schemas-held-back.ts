/**
 * A second test set: tables that are in neither schemas.ts nor the first set, with the headings that the program, register or
 * export has, values made up for each, and by hand what each column is. Labels as in those two; where it could be argued: a key of
 * a person (a reader, voter, subscriber, physician, an account in a directory) is ID, a key of a ticket, policy, call or sample is
 * `-`; a distinguished name and a guardian are PERSON; a year of birth and a birthday without its year are DATE_OF_BIRTH; an IMSI
 * is DEVICE_ID; the cell that a call went through is LOCATION, the number of the switch `-`; the German and the Czech number of
 * social insurance or birth are NATIONAL_ID; a VAT number is TAX_ID; party, religion, the test that was made and its result are `*`;
 * a flag that a licence was shown is `-`; the tax class is `-`.
 */
import type { Schema } from './schemas.ts'

const hash = (row: number, salt: number) => {
  let h = Math.imul(row + 1, 0x9e3779b1) ^ Math.imul(salt + 7, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d)
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b)
  return (h ^ (h >>> 16)) >>> 0
}
const pick = (...values: string[]) => {
  const salt = [...values.join('|')].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 1_000_003, 7)
  return (row: number) => values[hash(row, salt) % values.length]!
}
const from =
  (set: string) =>
  (length: number, seed = 1) =>
  (row: number) =>
    Array.from({ length }, (_, n) => set[hash(row, seed * 131 + n) % set.length]).join('')
const digits = from('0123456789')
const letters = from('ABCDEFGHJKLMNPRSTUVWXYZ')
const mixed = from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789')
const hex = from('0123456789abcdef')
const serial =
  (start = 1) =>
  (row: number) =>
    String(start + row)
const whole =
  (low: number, high: number, seed = 1) =>
  (row: number) =>
    String(low + (hash(row, seed * 17 + high) % (high - low + 1)))
const small =
  (low: number, high: number, places = 2, seed = 1) =>
  (row: number) =>
    (low + ((hash(row, seed * 19 + places) % 100_000) / 100_000) * (high - low)).toFixed(places)
const two = (n: number) => String(n).padStart(2, '0')
const comma = (make: (row: number) => string) => (row: number) => make(row).replace('.', ',')
/** Year, month and day */
const day =
  (year: number, years: number, seed = 1) =>
  (row: number): [string, string, string] => [
    String(year + (hash(row, seed * 23) % years)),
    two(1 + (hash(row, seed * 23 + 1) % 12)),
    two(1 + (hash(row, seed * 23 + 2) % 28)),
  ]
const dated =
  (mark: string) =>
  (year: number, years: number, seed = 1) =>
  (row: number) =>
    day(year, years, seed)(row).join(mark)
const iso = dated('-')
const packed = dated('')
const turned =
  (mark: string) =>
  (year: number, years: number, seed = 1) =>
  (row: number) =>
    day(year, years, seed)(row).reverse().join(mark)
const dotted = turned('.')
const slashed = turned('/')
const american =
  (year: number, years: number, seed = 1) =>
  (row: number) => {
    const [y, m, d] = day(year, years, seed)(row)
    return `${m}/${d}/${y}`
  }
const clock = (row: number) => `${two(hash(row, 3) % 24)}:${two(hash(row, 5) % 60)}:${two(hash(row, 9) % 60)}`
const stamp =
  (year: number, years: number, seed = 1) =>
  (row: number) =>
    `${iso(year, years, seed)(row)} ${clock(row + seed)}`
const uuid =
  (seed = 5) =>
  (row: number) => {
    const all = hex(32, seed)(row)
    return `${all.slice(0, 8)}-${all.slice(8, 12)}-4${all.slice(13, 16)}-a${all.slice(17, 20)}-${all.slice(20)}`
  }
const luhn = (body: string) => {
  let sum = 0
  for (const [n, digit] of [...body].reverse().entries()) {
    const twice = n % 2 === 0 ? Number(digit) * 2 : Number(digit)
    sum += twice > 9 ? twice - 9 : twice
  }
  return (10 - (sum % 10)) % 10
}
/** The check digit of ISO 7064 MOD 11,10, as German numbers of tax have it */
const iso7064 = (body: string) => {
  let product = 10
  for (const digit of body) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
  return (11 - product) % 10
}
const rest97 = (number: string) => {
  let rest = 0
  for (const digit of number) rest = (rest * 10 + Number(digit)) % 97
  return rest
}
const weighed = (body: string, weights: number[]) =>
  [...body].reduce((sum, digit, n) => sum + Number(digit) * weights[n]!, 0)
const host = (row: number) =>
  `${24 + (hash(row, 31) % 180)}.${hash(row, 32) % 255}.${hash(row, 33) % 255}.${1 + (hash(row, 34) % 250)}`
const plain = (name: string) =>
  name
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replace(/[\u0300-\u036f'’ .-]/g, '')
    .toLowerCase()

const given = pick(
  'Marcus',
  'Tamara',
  'Elijah',
  'Siobhan',
  'Deepak',
  'Janelle',
  'Rory',
  'Beatrice',
  'Curtis',
  'Yolanda',
  'Noah',
  'Gwendolyn',
  'Vikram',
  'Heather',
  'Leroy',
  'Abigail',
  'Kwame',
  'Stephanie',
)
const family = pick(
  'Hollis',
  'Fairbanks',
  'Delgado',
  'Ramaswamy',
  'Thornton',
  'Mbeki',
  'Kessler',
  "O'Rourke",
  'Pruitt',
  'Vance',
  'Zhang',
  'Lockhart',
  'Barnes',
  'Abernathy',
  'Quintana',
  'Stroud',
)
const full = (row: number) => `${given(row)} ${family(row)}`
const mail = (row: number) =>
  `${plain(given(row))}${pick('.', '_', '')(row)}${plain(family(row))}${row % 3 ? '' : row % 90}@${pick('example.com', 'example.org', 'post.example.net', 'corp.example')(row)}`
const account = (row: number) => `${plain(given(row))[0]}${plain(family(row))}${row > 40 ? row : ''}`
const agent = (row: number) => full(1000 + (row % 6))
const us = (row: number) => `${pick('919', '704', '336', '828', '252')(row)}-555-${digits(4, 3)(row)}`
const company = pick(
  'Halvorsen Marine AS',
  'Pinecrest Veterinary Clinic',
  'Delta Tooling Co.',
  'Greenline Transit',
  'Northgate Solicitors LLP',
  'Quill & Ink Publishing',
  'Bluefin Analytics',
)

const vorname = pick(
  'Sabine',
  'Holger',
  'Mehmet',
  'Annegret',
  'Dirk',
  'Svenja',
  'Reinhard',
  'Elif',
  'Kai-Uwe',
  'Monika',
)
const nachname = pick('Brinkmann', 'Sauer', 'Kılıç', 'Hoffmeister', 'Groß', 'Lüdtke', 'Pohlmann', 'Zieglmeier', 'Arndt')
/** The German number of tax: of its first ten digits one comes twice */
const steuer = (row: number) => {
  const pool = [...'123456789']
  let body = ''
  for (let n = 0; pool.length; n++) body += pool.splice(hash(row, 400 + n) % pool.length, 1)[0]!
  body += body[row % 8]!
  return body + iso7064(body)
}
const umsatzsteuer = (row: number) => {
  const body = `${1 + (hash(row, 51) % 3)}${digits(7, 6)(row)}`
  return `DE${body}${iso7064(body)}`
}
/** Area, date of birth, first letter of the name at birth, serial, check digit */
const versicherung = (row: number) => {
  const [y, m, d] = day(1958, 46, 3)(row)
  const letter = plain(nachname(row))[0]!.toUpperCase()
  const front = `${pick('53', '12', '65', '24', '38')(row)}${d}${m}${y.slice(2)}`
  const tail = two(hash(row, 61) % 100)
  const body = `${front}${two(letter.charCodeAt(0) - 64)}${tail}`
  const weights = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1]
  const sum = [...body].reduce((total, digit, n) => {
    const times = Number(digit) * weights[n]!
    return total + Math.floor(times / 10) + (times % 10)
  }, 0)
  return `${front}${letter}${tail}${sum % 10}`
}
const konto = (row: number) => {
  const body = `${pick('37040044', '50010517', '20050550', '70150000')(row)}${digits(10, 8)(row)}`
  return `DE${two(98 - rest97(`${body}131400`))}${body}`
}

const belge = pick('Thibault', 'Annelies', 'Pieter-Jan', 'Nathalie', 'Wout', 'Fabienne', 'Youssef', 'Liesbeth')
const nomBelge = pick('Vandenberghe', 'Lambert', 'De Smedt', 'Claessens', 'Dupont', 'El Idrissi', 'Wouters', 'Peeters')
const maison = pick('Brasserie du Midi SPRL', 'Verhaegen Bouw BVBA', 'Azur Interior', 'Deco Addict', 'Gemini Furniture')
const tva = (row: number) => {
  const body = `0${4 + (hash(row, 71) % 4)}${digits(6, 9)(row)}`
  return `BE${body}${two(97 - (Number(body) % 97))}`
}

const fornamn = pick('Elsa', 'Nils', 'Åsa', 'Göran', 'Linnéa', 'Viktor', 'Birgitta', 'Emil', 'Saga', 'Mohammed')
const efternamn = pick('Lindström', 'Åkesson', 'Bergqvist', 'Sjögren', 'Nyström', 'Hedlund', 'Wikström', 'Ali')
const personnummer = (row: number) => {
  const date = packed(1948, 66, 4)(row)
  const body = `${date.slice(2)}${digits(3, 12)(row)}`
  return `${date}-${body.slice(6)}${luhn(body)}`
}

const ad = pick('Zeynep', 'Mustafa', 'Elçin', 'Hüseyin', 'Gülşen', 'Emre', 'Büşra', 'Oğuzhan', 'Şule', 'Çağlar')
const soyad = pick('YILMAZ', 'ÇELİK', 'ŞAHİN', 'AYDIN', 'ÖZDEMİR', 'ARSLAN', 'DOĞAN', 'KOÇ', 'GÜNEŞ')
const kimlik = (row: number) => {
  const body = `${1 + (hash(row, 81) % 7)}${digits(8, 14)(row)}`
  const odd = [0, 2, 4, 6, 8].reduce((sum, n) => sum + Number(body[n]), 0)
  const even = [1, 3, 5, 7].reduce((sum, n) => sum + Number(body[n]), 0)
  const tenth = (((odd * 7 - even) % 10) + 10) % 10
  return `${body}${tenth}${(odd + even + tenth) % 10}`
}
const foreigner = (row: number) => row % 5 === 2

const jmeno = pick('Tereza', 'Ondřej', 'Adéla', 'Vojtěch', 'Kateřina', 'Jiří', 'Eliška', 'Štěpán', 'Nguyen Thi')
const prijmeni = pick('Dvořák', 'Procházka', 'Kučera', 'Růžička', 'Beneš', 'Šimek', 'Havlíček', 'Tran')
const matka = (row: number) =>
  `${pick('Lenka', 'Jana', 'Petra', 'Zdeňka', 'Markéta', 'Ivana')(row)} ${prijmeni(row).replace(/ek$/, 'k').replace(/a$/, '')}ová`
const rodne = (row: number) => {
  const [y, m, d] = day(2006, 9, 5)(row)
  const date = `${y.slice(2)}${two(Number(m) + (row % 2 ? 50 : 0))}${d}`
  for (let seed = 20; ; seed++) {
    const serial = digits(3, seed)(row)
    const check = (11 - ((Number(date + serial) * 10) % 11)) % 11
    if (check < 10) return `${date}/${serial}${check}`
  }
}

const nome = pick('Maria da Conceição', 'João Miguel', 'Inês', 'Rui Manuel', 'Beatriz', 'Tiago', 'Ana Sofia', 'Nuno')
const apelido = pick('Ferreira Gomes', 'Carvalho', 'Teixeira Pinto', 'Lopes', 'Marques da Cunha', 'Fonseca', 'Antunes')
const nif = (row: number) => {
  const body = `${1 + (hash(row, 91) % 2)}${digits(7, 30)(row)}`
  const rest = weighed(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return `${body}${rest < 2 ? 0 : 11 - rest}`
}
const cidadao = (row: number) => {
  const body = `1${digits(7, 33)(row)}`
  const rest = weighed(body, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  const front = `${body}${rest < 2 ? 0 : 11 - rest}Z${letters(1, 35)(row)}`
  let sum = 0
  for (const [n, char] of [...front].entries()) {
    const value = Number.parseInt(char, 36)
    const twice = n % 2 === 0 ? value * 2 : value
    sum += n % 2 === 0 && twice > 9 ? twice - 9 : twice
  }
  return `${body} ${front[8]} ${front.slice(9)}${(10 - (sum % 10)) % 10}`
}
const ean = (row: number) => {
  const body = `${pick('400638', '301762', '871050')(row)}${digits(6, 37)(row)}`
  const sum = [...body].reduce((total, digit, n) => total + Number(digit) * (n % 2 ? 3 : 1), 0)
  return `${body}${(10 - (sum % 10)) % 10}`
}
const assay = (row: number) =>
  [
    ['4548-4', 'Hemoglobin A1c', small(4.6, 11.2, 1)(row), '%', '4.0-5.6'],
    ['2345-7', 'Glucose', whole(61, 240)(row), 'mg/dL', '70-99'],
    ['2160-0', 'Creatinine', small(0.5, 3.4)(row), 'mg/dL', '0.6-1.2'],
    ['56888-1', 'HIV 1/2 Ag/Ab', pick('NON-REACTIVE', 'NON-REACTIVE', 'REACTIVE')(row), '', 'NON-REACTIVE'],
    ['3016-3', 'TSH', small(0.1, 9.8)(row), 'mIU/L', '0.4-4.5'],
    ['718-7', 'Hemoglobin', small(8.1, 17.9, 1)(row), 'g/dL', '13.5-17.5'],
  ][hash(row, 44) % 6]!
const place = (row: number) =>
  [
    [33.749, -84.388, '-5', 'US'],
    [41.8781, -87.6298, '-6', 'US'],
    [34.0522, -118.2437, '-8', 'US'],
    [51.5074, -0.1278, '0', 'GB'],
    [53.3498, -6.2603, '0', 'IE'],
    [50.1109, 8.6821, '1', 'DE'],
  ][hash(row, 46) % 6] as [number, number, string, string]
const npi = (row: number) => {
  const body = `1${digits(8, 41)(row)}`
  return `${body}${luhn(`80840${body}`)}`
}
const carolina = (row: number) =>
  `${whole(100, 9400, 3)(row)} ${pick('OLD MILL RD', 'S ELM ST', 'TRYON RD  #204', 'LAKE NORMAN CT', 'US 70 HWY E')(row)}`
const msisdn = (seed: number) => (row: number) =>
  `49${pick('151', '160', '171', '176', '179')(row + seed)}${digits(8, seed)(row)}`

export const heldBack: readonly Schema[] = [
  {
    name: 'KNA1 (SAP ERP)',
    columns: [
      ['MANDT', pick('100', '100', '800'), '-'],
      ['KUNNR', row => String(100_000 + row * 17).padStart(10, '0'), 'ID'],
      ['LAND1', pick('DE', 'DE', 'AT', 'CH', 'DE'), 'LOCATION'],
      [
        'NAME1',
        pick(
          'Eisenwaren Schuster GmbH',
          'Autohaus Pfeiffer KG',
          'Becker Berlin',
          'Stadtwerke Ulm',
          'Lebensmittel Haas e.K.',
          'Hitech AG',
          'Motomarkt Stuttgart GmbH',
        ),
        'ORGANIZATION',
      ],
      ['ORT01', pick('Ulm', 'Stuttgart', 'Salzburg', 'Winterthur', 'Kassel', 'Neu-Isenburg'), 'LOCATION'],
      ['PSTLZ', row => whole(10_115, 99_817)(row), 'LOCATION'],
      [
        'STRAS',
        row => `${pick('Industriestr.', 'Am Hafen', 'Calwer Straße', 'Ringweg')(row)} ${whole(1, 140)(row)}`,
        'ADDRESS',
      ],
      ['TELF1', row => `0${whole(201, 899)(row)}/${digits(6, 3)(row)}`, 'PHONE'],
      ['TELFX', row => (row % 3 ? `0${whole(201, 899)(row)}/${digits(6, 3)(row)}-99` : ''), 'PHONE'],
      ['STCEG', umsatzsteuer, 'TAX_ID'],
      ['KTOKD', pick('0001', '0002', 'KUNA', 'ZCPD'), '-'],
      ['ERDAT', packed(1999, 25), 'DATE'],
      ['ERNAM', pick('MUELLERS', 'I023412', 'BATCHUSER', 'HARTMANN', 'D000118'), 'USERNAME'],
      ['LOEVM', pick('', '', '', 'X'), '-'],
    ],
  },
  {
    name: 'PA0002 (SAP HCM)',
    columns: [
      ['PERNR', row => String(1000 + row * 3).padStart(8, '0'), 'ID'],
      ['BEGDA', packed(1994, 29), 'DATE'],
      ['ENDDA', row => (row % 6 ? '99991231' : packed(2023, 2, 5)(row)), 'DATE'],
      ['UNAME', pick('HR_ADMIN', 'KRAUSEB', 'LEITNER', 'PAYROLL01', 'WEGENERM'), 'USERNAME'],
      ['NACHN', nachname, 'PERSON'],
      ['VORNA', vorname, 'PERSON'],
      ['ANRED', pick('1', '2'), 'DEMOGRAPHIC'],
      ['GBDAT', packed(1957, 47, 3), 'DATE_OF_BIRTH'],
      ['GBORT', pick('Gelsenkirchen', 'Trabzon', 'Halle (Saale)', 'Linz', 'Flensburg', 'Timișoara'), 'LOCATION'],
      ['GESCH', pick('1', '2'), 'DEMOGRAPHIC'],
      ['NATIO', pick('DE', 'DE', 'TR', 'AT', 'RO'), 'DEMOGRAPHIC'],
      ['SPRSL', pick('D', 'D', 'E'), 'DEMOGRAPHIC'],
      ['FAMST', pick('0', '1', '2', '3'), 'DEMOGRAPHIC'],
      ['KONFE', pick('11', '21', '', '12'), '*'],
    ],
  },
  {
    name: 'contacts export (HubSpot)',
    columns: [
      ['Record ID', row => String(51_203_451 + row * 1351), 'ID'],
      ['First Name', given, 'PERSON'],
      ['Last Name', family, 'PERSON'],
      ['Email', mail, 'EMAIL'],
      ['Phone Number', row => (row % 4 ? `+1 ${us(row)}` : ''), 'PHONE'],
      ['Contact owner', agent, 'PERSON'],
      ['Lead Status', pick('New', 'Open', 'Attempted to contact', 'Unqualified', ''), '-'],
      [
        'Job Title',
        pick('Head of Procurement', 'Marketing Director', 'Founder', 'IT Manager', 'Office Administrator'),
        'DEMOGRAPHIC',
      ],
      ['Associated Company', company, 'ORGANIZATION'],
      ['Original Source', pick('Organic Search', 'Direct Traffic', 'Offline Sources', 'Paid Social'), '-'],
      ['IP City', pick('charlotte', 'minneapolis', 'dublin', 'austin', 'manchester'), 'LOCATION'],
      ['Number of Pageviews', whole(0, 88), '-'],
      ['Create Date', row => stamp(2018, 7)(row).slice(0, 16), 'DATE'],
      ['Last Activity Date', row => (row % 3 ? stamp(2023, 2, 4)(row).slice(0, 16) : ''), 'DATE'],
    ],
  },
  {
    name: 'tickets export (Zendesk)',
    columns: [
      ['Id', row => String(20_417 + row * 3), '-'],
      ['Requester', full, 'PERSON'],
      ['Requester id', row => `36${digits(10, 5)(row)}`, 'ID'],
      ['Requester email', mail, 'EMAIL'],
      ['Submitter', row => (row % 4 ? full(row) : agent(row)), 'PERSON'],
      ['Assignee', row => (row % 7 ? agent(row) : '-'), 'PERSON'],
      ['Group', pick('Support', 'Billing', 'Tier 2', 'Logistics'), '-'],
      [
        'Subject',
        pick(
          'Cannot log in after changing my phone',
          'Re: Invoice for March is wrong, please correct',
          'Wrong size delivered, want to exchange for my daughter',
          'Cancel my subscription',
          'Question about the warranty of the dishwasher',
          'Card was charged twice!!',
        ),
        'text',
      ],
      ['Tags', pick('login mobile', 'billing refund', 'returns size_exchange', '-', 'cancel churn'), '-'],
      ['Status', pick('Open', 'Solved', 'Pending', 'Closed'), '-'],
      ['Via', pick('Mail', 'Web form', 'Chat', 'Phone call (incoming)'), '-'],
      ['Created at', row => stamp(2021, 4)(row).slice(0, 16), 'DATE'],
      ['Organization', row => (row % 3 ? company(row) : '-'), 'ORGANIZATION'],
      ['Satisfaction Score', pick('Not Offered', 'Offered', 'Good', 'Bad'), '-'],
    ],
  },
  {
    name: 'customer_entity (Magento 2)',
    columns: [
      ['entity_id', serial(38), 'ID'],
      ['website_id', pick('1', '1', '2'), '-'],
      ['email', mail, 'EMAIL'],
      ['group_id', pick('1', '1', '2', '3'), '-'],
      ['created_at', stamp(2017, 8), 'DATE'],
      ['is_active', pick('1', '1', '1', '0'), '-'],
      ['firstname', given, 'PERSON'],
      ['lastname', family, 'PERSON'],
      ['dob', row => (row % 3 ? iso(1951, 54, 3)(row) : ''), 'DATE_OF_BIRTH'],
      ['password_hash', row => `${hex(64, 7)(row)}:${mixed(32, 8)(row)}:2`, 'SECRET'],
      ['rp_token', row => `0:3:${mixed(56, 9)(row)}`, 'SECRET'],
      ['default_billing', row => (row % 4 ? whole(20, 4100)(row) : ''), '-'],
      ['taxvat', row => (row % 2 ? umsatzsteuer(row) : ''), 'TAX_ID'],
      ['gender', pick('1', '2', '3', ''), 'DEMOGRAPHIC'],
    ],
  },
  {
    name: 'res_partner (Odoo)',
    columns: [
      ['id', serial(9), 'ID'],
      ['name', row => (row % 6 === 4 ? maison(row) : `${belge(row)} ${nomBelge(row)}`), 'PERSON'],
      ['is_company', row => (row % 6 === 4 ? 't' : 'f'), '-'],
      [
        'function',
        row => (row % 6 === 4 ? '' : pick('Gérant', 'Store Manager', 'Functional Consultant', 'Boekhouder')(row)),
        'DEMOGRAPHIC',
      ],
      [
        'street',
        row =>
          `${pick('Chaussée de Namur', 'Kerkstraat', 'Avenue Louise', 'Stationsplein')(row)} ${whole(1, 320)(row)}`,
        'ADDRESS',
      ],
      ['street2', pick('', '', 'Bte 4', 'Bus 12', ''), 'ADDRESS'],
      ['zip', pick('1000', '9000', '5030', '2018', '1367', '4000'), 'LOCATION'],
      ['city', pick('Bruxelles', 'Gent', 'Gembloux', 'Antwerpen', 'Ramillies', 'Liège'), 'LOCATION'],
      ['country_id', pick('20', '20', '20', '75', '165'), '-'],
      ['email', row => `${plain(belge(row))}.${plain(nomBelge(row))}@example.be`, 'EMAIL'],
      [
        'mobile',
        row => `+32 4${pick('70', '86', '95')(row)} ${digits(2, 3)(row)} ${digits(2, 4)(row)} ${digits(2, 5)(row)}`,
        'PHONE',
      ],
      ['vat', row => (row % 2 ? '' : tva(row)), 'TAX_ID'],
      ['lang', pick('fr_BE', 'nl_BE', 'en_US'), 'DEMOGRAPHIC'],
      ['write_date', row => `${stamp(2020, 5)(row)}.${digits(6, 6)(row)}`, 'DATE'],
    ],
  },
  {
    name: 'Get-ADUser export (Active Directory)',
    columns: [
      [
        'DistinguishedName',
        row => `CN=${full(row)},OU=${pick('Users', 'Leavers', 'Finance')(row)},OU=Leeds,DC=corp,DC=example`,
        'PERSON',
      ],
      ['Enabled', pick('True', 'True', 'False'), '-'],
      ['GivenName', given, 'PERSON'],
      ['Name', full, 'PERSON'],
      ['ObjectClass', pick('user'), '-'],
      ['ObjectGUID', uuid(11), 'ID'],
      ['SamAccountName', account, 'USERNAME'],
      ['SID', row => `S-1-5-21-3623811015-3361044348-30300820-${1104 + row}`, 'ID'],
      ['Surname', family, 'PERSON'],
      ['UserPrincipalName', row => `${account(row)}@corp.example`, 'USERNAME'],
      ['Department', pick('Finance', 'Facilities', 'Claims', 'IT Operations', 'Legal'), '-'],
      ['Title', pick('Service Desk Analyst', 'Claims Handler', 'Solicitor', 'Financial Controller'), 'DEMOGRAPHIC'],
      ['OfficePhone', row => (row % 3 ? `0113 496 0${digits(3, 5)(row)}` : ''), 'PHONE'],
      ['LastLogonDate', row => (row % 8 ? `${slashed(2023, 2)(row)} ${clock(row)}` : ''), 'DATE'],
    ],
  },
  {
    name: 'audience export (Mailchimp)',
    columns: [
      ['Email Address', mail, 'EMAIL'],
      ['First Name', given, 'PERSON'],
      ['Last Name', family, 'PERSON'],
      ['Birthday', row => (row % 3 ? american(2000, 1, 7)(row).slice(0, 5) : ''), 'DATE_OF_BIRTH'],
      ['MEMBER_RATING', whole(1, 5), '-'],
      ['OPTIN_TIME', stamp(2016, 8), 'DATE'],
      ['CONFIRM_IP', host, 'IP_ADDRESS'],
      ['LATITUDE', row => (place(row)[0] + Number(small(-0.4, 0.4, 7)(row))).toFixed(7), 'COORDINATES'],
      ['LONGITUDE', row => (place(row)[1] + Number(small(-0.4, 0.4, 7, 5)(row))).toFixed(7), 'COORDINATES'],
      ['GMTOFF', row => place(row)[2], '-'],
      ['CC', row => place(row)[3], 'LOCATION'],
      ['LEID', row => String(388_102_911 + row * 77), 'ID'],
      ['EUID', row => hex(10, 13)(row), 'ID'],
      ['TAGS', pick('"Influencer"', '', '"2022 raffle","Donor"', '"Customer"'), '-'],
    ],
  },
  {
    name: 'insurance_claims (US car insurer)',
    columns: [
      ['months_as_customer', whole(0, 479), '-'],
      ['age', whole(19, 64), 'AGE'],
      ['policy_number', row => whole(100_804, 999_435)(row), '-'],
      ['policy_bind_date', iso(1990, 25), 'DATE'],
      ['policy_state', pick('OH', 'IN', 'IL'), 'LOCATION'],
      ['policy_annual_premium', small(433, 2047), '-'],
      ['insured_zip', row => whole(430_104, 620_962)(row), 'LOCATION'],
      ['insured_sex', pick('MALE', 'FEMALE'), 'DEMOGRAPHIC'],
      [
        'insured_occupation',
        pick('craft-repair', 'machine-op-inspct', 'sales', 'armed-forces', 'tech-support'),
        'DEMOGRAPHIC',
      ],
      ['insured_relationship', pick('husband', 'other-relative', 'own-child', 'unmarried'), 'DEMOGRAPHIC'],
      ['capital-gains', row => (row % 2 ? '0' : `${whole(8, 77)(row)}00`), 'QUANTITY'],
      [
        'incident_location',
        row => `${whole(1012, 9988)(row)} ${pick('4th Drive', 'MLK Hwy', 'Embaracadero Ave', 'Best Lane')(row)}`,
        'ADDRESS',
      ],
      ['auto_make', pick('Saab', 'Mercedes', 'Dodge', 'Chevrolet', 'Accura'), '-'],
      ['fraud_reported', pick('N', 'N', 'N', 'Y'), '-'],
    ],
  },
  {
    name: 'borrowers (Koha library)',
    columns: [
      ['borrowernumber', serial(51), 'ID'],
      ['cardnumber', row => `2352900${digits(7, 4)(row)}`, 'ID'],
      ['surname', family, 'PERSON'],
      ['firstname', given, 'PERSON'],
      [
        'address',
        row => `${whole(1, 240)(row)} ${pick('Springfield Road', 'Harbour View', 'The Crescent', 'Mount Street')(row)}`,
        'ADDRESS',
      ],
      [
        'zipcode',
        row => `${pick('BT', 'CF', 'EH', 'PL')(row)}${whole(1, 19)(row)} ${whole(1, 9, 4)(row)}${letters(2, 6)(row)}`,
        'LOCATION',
      ],
      ['phone', row => (row % 3 ? `07700 900${digits(3, 7)(row)}` : `028 9018 0${digits(3, 7)(row)}`), 'PHONE'],
      ['dateofbirth', iso(1934, 82, 3), 'DATE_OF_BIRTH'],
      ['branchcode', pick('CPL', 'FPL', 'MPL', 'LPL'), '-'],
      ['categorycode', pick('PT', 'J', 'S', 'T', 'HB'), '-'],
      ['dateexpiry', iso(2024, 6, 4), 'DATE'],
      [
        'borrowernotes',
        pick(
          '',
          '',
          'Large print only, her son collects the books on Saturdays',
          'Returned two items water damaged, promised to pay next month',
          '',
          'Moved house, letter came back, ask for the new address',
        ),
        'text',
      ],
      ['userid', row => `${plain(given(row))}.${plain(family(row))}${row % 4 ? '' : row}`, 'USERNAME'],
      ['password', row => `$2a$08$${mixed(53, 15)(row)}`, 'SECRET'],
    ],
  },
  {
    name: 'laboratory results (hospital)',
    columns: [
      ['Accession No', row => `${two(21 + (row % 4))}-${whole(100, 365)(row)}-${digits(5, 3)(row)}`, '-'],
      ['MRN', row => `00${digits(6, 5)(row)}`, 'ID'],
      ['Patient Name', row => `${family(row)},${given(row)} ${letters(1, 4)(row)}`.toUpperCase(), 'PERSON'],
      ['DOB', american(1932, 88, 3), 'DATE_OF_BIRTH'],
      ['Sex', pick('F', 'M', 'U', 'F', 'M'), 'DEMOGRAPHIC'],
      ['Collected', row => `${american(2021, 4)(row)} ${clock(row).slice(0, 5)}`, 'DATE'],
      ['Specimen', pick('Serum', 'Whole blood EDTA', 'Urine', 'Plasma'), '-'],
      ['LOINC', row => assay(row)[0]!, '-'],
      ['Test Name', row => assay(row)[1]!, '*'],
      ['Result', row => assay(row)[2]!, '*'],
      ['Units', row => assay(row)[3]!, '-'],
      ['Ref Range', row => assay(row)[4]!, '-'],
      [
        'Ordering Provider',
        row => `${family(1400 + (row % 9))}, ${given(1400 + (row % 9))} ${pick('MD', 'DO', 'NP')(row % 9)}`,
        'PERSON',
      ],
      ['Provider NPI', row => npi(row % 9), 'ID'],
    ],
  },
  {
    name: 'ncvoter (North Carolina voter file)',
    columns: [
      ['county_desc', pick('WAKE', 'MECKLENBURG', 'ALAMANCE', 'BUNCOMBE', 'NEW HANOVER'), 'LOCATION'],
      ['voter_reg_num', row => digits(9, 3)(row).padStart(12, '0'), 'ID'],
      ['last_name', row => family(row).toUpperCase(), 'PERSON'],
      ['first_name', row => given(row).toUpperCase(), 'PERSON'],
      ['status_cd', pick('A', 'A', 'I', 'R', 'D'), '-'],
      ['res_street_address', carolina, 'ADDRESS'],
      ['res_city_desc', pick('RALEIGH', 'CHARLOTTE', 'BURLINGTON', 'ASHEVILLE', 'WILMINGTON'), 'LOCATION'],
      ['zip_code', row => whole(27_006, 28_909)(row), 'LOCATION'],
      ['full_phone_number', row => (row % 3 ? us(row).replaceAll('-', '') : ''), 'PHONE'],
      ['race_code', pick('W', 'B', 'A', 'U', 'M', 'O'), '*'],
      ['party_cd', pick('DEM', 'REP', 'UNA', 'LIB'), '*'],
      ['birth_year', whole(1931, 2006), 'DATE_OF_BIRTH'],
      ['drivers_lic', pick('Y', 'N'), '-'],
      ['registr_dt', american(1984, 40), 'DATE'],
    ],
  },
  {
    name: 'vaccination events (CDC CVRS)',
    columns: [
      ['vax_event_id', row => `VE${digits(9, 3)(row)}`, '-'],
      ['recip_id', row => uuid(17)(row), 'ID'],
      ['recip_first_name', given, 'PERSON'],
      ['recip_last_name', family, 'PERSON'],
      ['recip_dob', iso(1930, 80, 3), 'DATE_OF_BIRTH'],
      ['recip_sex', pick('M', 'F', 'U', 'F', 'M'), 'DEMOGRAPHIC'],
      [
        'recip_address_street',
        row =>
          `${whole(12, 9800)(row)} ${pick('Peachtree St NE', 'County Road 9', 'N Lamar Blvd', 'Poplar Ave Unit 7')(row)}`,
        'ADDRESS',
      ],
      ['recip_address_county', pick('13121', '48453', '47157', '13089'), 'LOCATION'],
      ['recip_race_1', pick('2106-3', '2054-5', '2028-9', 'UNK', '2131-1'), '*'],
      ['admin_date', iso(2020, 4), 'DATE'],
      ['mvx', pick('PFR', 'MOD', 'JSN', 'NVX'), '-'],
      ['lot_number', row => `${pick('EN', 'EW', 'FF')(row)}${digits(4, 6)(row)}`, '-'],
      [
        'admin_name',
        pick('Walgreens #04127', 'Fulton County Board of Health', 'Mercy Hospital', 'CVS Pharmacy 7731'),
        'ORGANIZATION',
      ],
      ['cmorbid_status', pick('Y', 'N', 'UNK'), '*'],
    ],
  },
  {
    name: 'call detail records (mobile operator)',
    columns: [
      ['recordType', pick('MOC', 'MTC', 'SMS-MO', 'SMS-MT'), '-'],
      ['callReference', row => hex(10, 3)(row).toUpperCase(), '-'],
      ['servedIMSI', row => `26201${digits(10, 5)(row)}`, 'DEVICE_ID'],
      [
        'servedIMEI',
        row => {
          const body = `35${digits(12, 7)(row)}`
          return `${body}${luhn(body)}`
        },
        'DEVICE_ID',
      ],
      ['servedMSISDN', msisdn(9), 'PHONE'],
      ['calledNumber', msisdn(12), 'PHONE'],
      ['mscAddress', pick('491710760000', '491710764000', '491710768000'), '-'],
      [
        'cellId',
        row => `262-01-${hex(4, 14)(row % 40).toUpperCase()}-${hex(4, 15)(row % 40).toUpperCase()}`,
        'LOCATION',
      ],
      ['answerTime', row => `${packed(2024, 1)(row)}${clock(row).replaceAll(':', '')}+0100`, 'DATE'],
      ['callDuration', whole(0, 3400), '-'],
      ['causeForTerm', pick('0', '0', '4', '3'), '-'],
      ['chargedUnits', small(0, 4, 3), '-'],
    ],
  },
  {
    name: 'Personalstamm (DATEV)',
    columns: [
      ['Pers.-Nr.', row => String(row + 12).padStart(5, '0'), 'ID'],
      ['Familienname', nachname, 'PERSON'],
      ['Vorname', vorname, 'PERSON'],
      ['Geb.-Datum', dotted(1958, 46, 3), 'DATE_OF_BIRTH'],
      [
        'Straße/Hausnr.',
        row => `${pick('Ahornweg', 'Friedrich-Ebert-Str.', 'Marktplatz', 'Zum Sportplatz')(row)} ${whole(1, 95)(row)}`,
        'ADDRESS',
      ],
      ['SV-Nummer', versicherung, 'NATIONAL_ID'],
      ['Steuer-IdNr.', steuer, 'TAX_ID'],
      ['Steuerklasse', pick('1', '3', '4', '5', '2'), '-'],
      ['Konfession', pick('--', 'rk', 'ev', '--'), '*'],
      ['Eintritt', dotted(1998, 26), 'DATE'],
      ['Kostenstelle', pick('1000', '2100', '4410', '9000'), '-'],
      ['Monatslohn', comma(small(1850, 6900)), 'QUANTITY'],
      ['IBAN', konto, 'IBAN'],
      ['BIC', pick('COBADEFFXXX', 'INGDDEFFXXX', 'HASPDEHHXXX', 'SSKMDEMMXXX'), '-'],
    ],
  },
  {
    name: 'medlemsregister (Swedish sports club)',
    columns: [
      ['Medlemsnr', row => String(2014 + row), 'ID'],
      ['Personnummer', personnummer, 'NATIONAL_ID'],
      ['Förnamn', fornamn, 'PERSON'],
      ['Efternamn', efternamn, 'PERSON'],
      ['Kön', pick('Man', 'Kvinna'), 'DEMOGRAPHIC'],
      [
        'Gatuadress',
        row =>
          `${pick('Storgatan', 'Björkvägen', 'Kungsgatan', 'Skolgränd')(row)} ${whole(1, 88)(row)}${pick('', 'A', ' lgh 1102', '')(row)}`,
        'ADDRESS',
      ],
      ['Postnr', row => `${whole(211, 984)(row)} ${digits(2, 4)(row)}`, 'LOCATION'],
      ['Postort', pick('Malmö', 'Umeå', 'Örebro', 'Kiruna', 'Västerås', 'Sundbyberg'), 'LOCATION'],
      [
        'Mobiltelefon',
        row => `07${pick('0', '3', '6')(row)}-${digits(3, 6)(row)} ${digits(2, 7)(row)} ${digits(2, 8)(row)}`,
        'PHONE',
      ],
      ['E-post', row => `${plain(fornamn(row))}.${plain(efternamn(row))}@example.se`, 'EMAIL'],
      ['Målsman', row => (row % 3 ? '' : `${fornamn(row + 500)} ${efternamn(row)}`), 'PERSON'],
      ['Medlemskap', pick('Vuxen helår', 'Ungdom', 'Familj', 'Stödmedlem'), '-'],
      ['Medlem sedan', iso(1996, 28), 'DATE'],
      ['Avgift', pick('1450 kr', '850 kr', '2200 kr', '300 kr'), '-'],
    ],
  },
  {
    name: 'konaklayan misafirler (Turkish hotel)',
    columns: [
      ['Oda No', whole(101, 640), '-'],
      ['Adı', ad, 'PERSON'],
      ['Soyadı', soyad, 'PERSON'],
      ['T.C. Kimlik No', row => (foreigner(row) ? '' : kimlik(row)), 'NATIONAL_ID'],
      ['Pasaport No', row => (foreigner(row) ? `U${digits(8, 5)(row)}` : ''), 'PASSPORT'],
      ['Uyruğu', row => (foreigner(row) ? pick('Almanya', 'Rusya', 'Azerbaycan')(row) : 'T.C.'), 'DEMOGRAPHIC'],
      ['Baba Adı', pick('Ahmet', 'Kemal', 'İbrahim', 'Süleyman', 'Rıza'), 'PERSON'],
      ['Doğum Yeri', pick('ESKİŞEHİR', 'İzmir', 'Diyarbakır', 'Üsküdar', 'Köln'), 'LOCATION'],
      ['Doğum Tarihi', dotted(1945, 60, 3), 'DATE_OF_BIRTH'],
      [
        'Cep Telefonu',
        row =>
          `0(5${pick('32', '42', '55', '05')(row)}) ${digits(3, 6)(row)} ${digits(2, 7)(row)} ${digits(2, 8)(row)}`,
        'PHONE',
      ],
      [
        'Plaka',
        row => (row % 3 ? '' : `${pick('34', '06', '35', '16')(row)} ${letters(2, 9)(row)} ${digits(3, 9)(row)}`),
        'VEHICLE_ID',
      ],
      ['Giriş Tarihi', row => `${dotted(2022, 3)(row)} ${clock(row).slice(0, 5)}`, 'DATE'],
      ['Gece Sayısı', whole(1, 12), '-'],
      ['Toplam Tutar', comma(small(900, 28_000)), '-'],
    ],
  },
  {
    name: 'žáci (Czech school, Bakaláři)',
    columns: [
      ['Ev. číslo', row => `${whole(14, 23)(row)}/${String(1 + row).padStart(3, '0')}`, 'ID'],
      ['Příjmení', prijmeni, 'PERSON'],
      ['Jméno', jmeno, 'PERSON'],
      ['Třída', pick('6.A', '7.B', '9.A', '8.C'), '-'],
      ['Rodné číslo', rodne, 'NATIONAL_ID'],
      ['Místo narození', pick('Ústí nad Labem', 'Plzeň', 'Brno', 'Hradec Králové', 'Hanoj'), 'LOCATION'],
      ['Státní občanství', pick('Česká republika', 'Česká republika', 'Vietnam', 'Ukrajina'), 'DEMOGRAPHIC'],
      [
        'Bydliště',
        row =>
          `${pick('Husova', 'Nádražní', 'U Školy', 'Palackého')(row)} ${whole(1, 1400)(row)}/${whole(1, 60)(row)}, ${pick('400 01 Ústí nad Labem', '301 00 Plzeň', '602 00 Brno')(row)}`,
        'ADDRESS',
      ],
      ['Zákonný zástupce', matka, 'PERSON'],
      [
        'Telefon zástupce',
        row => `${pick('602', '777', '731', '608')(row)} ${digits(3, 6)(row)} ${digits(3, 7)(row)}`,
        'PHONE',
      ],
      ['Zdravotní postižení', pick('', '', 'astma', 'dyslexie', '', 'alergie na včelí bodnutí'), '*'],
      ['Průměr', comma(small(1, 4)), '-'],
      ['Zameškané hodiny', whole(0, 160), '-'],
      ['Obvod', pick('ano', 'ne'), '-'],
    ],
  },
  {
    name: 'utentes (Portuguese health centre)',
    columns: [
      ['Nº Utente', row => `${whole(1, 7)(row)}${digits(8, 5)(row)}`, 'HEALTH_ID'],
      ['Nome completo', row => `${nome(row)} ${apelido(row)}`, 'PERSON'],
      ['Data Nasc.', slashed(1931, 88, 3), 'DATE_OF_BIRTH'],
      ['Sexo', pick('M', 'F'), 'DEMOGRAPHIC'],
      ['NIF', nif, 'TAX_ID'],
      ['Cartão de Cidadão', cidadao, 'NATIONAL_ID'],
      [
        'Morada',
        row =>
          `${pick('Rua de Santa Catarina', 'Travessa do Forno', 'Av. da República', 'Largo da Igreja')(row)}, ${whole(1, 410)(row)}${pick('', ' 2º Esq', ' R/C Dto', '')(row)}`,
        'ADDRESS',
      ],
      ['Cód. Postal', row => `${pick('4000', '3030', '2775', '8125')(row)}-${digits(3, 4)(row)}`, 'LOCATION'],
      ['Freguesia', pick('Bonfim', 'Santo António dos Olivais', 'Parede', 'Quarteira', 'Lordelo do Ouro'), 'LOCATION'],
      ['Telemóvel', row => `9${pick('1', '2', '3', '6')(row)}${digits(7, 6)(row)}`, 'PHONE'],
      [
        'Médico de Família',
        row => `Dr${row % 2 ? '.' : 'ª.'} ${nome(900 + (row % 5))} ${apelido(900 + (row % 5))}`,
        'PERSON',
      ],
      ['ICPC-2', pick('K86', 'T90', 'R96', 'P76', 'L84'), '*'],
      ['Data Consulta', slashed(2021, 4), 'DATE'],
      ['Taxa moderadora', pick('0,00', '4,50', 'Isento', '7,00'), '-'],
    ],
  },
  {
    name: 'ps_product (PrestaShop)',
    columns: [
      ['id_product', serial(), '-'],
      ['id_category_default', whole(2, 36), '-'],
      ['reference', row => `demo_${row + 1}`, '-'],
      ['ean13', ean, '-'],
      [
        'name',
        pick(
          'Hummingbird printed t-shirt',
          'Mug The best is yet to come',
          'Mountain fox cushion',
          'Brown bear notebook',
        ),
        '-',
      ],
      ['price', small(3, 89, 6), '-'],
      ['weight', small(0, 3, 6, 4), '-'],
      ['quantity', whole(0, 1200), '-'],
      ['condition', pick('new', 'new', 'used', 'refurbished'), '-'],
      ['active', pick('1', '1', '0'), '-'],
      ['date_upd', stamp(2019, 6), 'DATE'],
    ],
  },
]
