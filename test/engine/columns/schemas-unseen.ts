/**
 * Tables other than those of schemas.ts, with the headings that the sample database,
 * standard or export has, values made up for each, and by hand what each column is. Labels as there; where it could be argued:
 * a key of a person (also of the one who made or manages a record) is ID, a key of a stay, order or post is `-`; a year alone is
 * DATE, a month alone `-`; the last four digits of a card are PAYMENT_CARD; the Italian codice fiscale is TAX_ID, the French NIR
 * and the number of an identity card are NATIONAL_ID; a Polish account number without its country is BANK_ACCOUNT; a log-on name
 * that looks like an address of mail is USERNAME; pregnancy and the code of a disease are `*`.
 */
import type { Schema } from './schemas.ts'

const pick =
  (...values: string[]) =>
  (row: number) =>
    values[(row * 11 + (row >> 2)) % values.length]!
const digits =
  (length: number, seed = 1) =>
  (row: number) =>
    Array.from({ length }, (_, n) => (Math.imul(row * 31 + n * 17 + seed, 2654435761) >>> 8) % 10).join('')
const letters =
  (length: number, seed = 1) =>
  (row: number) =>
    Array.from(
      { length },
      (_, n) => 'ABCDEFGHJKLMNPRSTVWXYZ'[(Math.imul(row * 37 + n * 19 + seed, 2654435761) >>> 9) % 22],
    ).join('')
const mixed =
  (length: number, seed = 1) =>
  (row: number) =>
    Array.from(
      { length },
      (_, n) =>
        'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'[
          (Math.imul(row * 41 + n * 23 + seed, 2654435761) >>> 7) % 62
        ],
    ).join('')
const serial =
  (from = 1) =>
  (row: number) =>
    String(from + row)
const whole = (from: number, to: number) => (row: number) =>
  String(from + ((Math.imul(row + 3, 2654435761) >>> 4) % (to - from + 1)))
const money = (row: number) => (((Math.imul(row + 11, 40503) >>> 3) % 900_000) / 100 + 5).toFixed(2)
const small =
  (from: number, to: number, places = 2) =>
  (row: number) =>
    (from + (((Math.imul(row + 7, 2654435761) >>> 5) % 10_000) / 10_000) * (to - from)).toFixed(places)
const two = (n: number) => String(n).padStart(2, '0')
const iso =
  (from = 1940, years = 70) =>
  (row: number) =>
    `${from + ((row * 13) % years)}-${two(1 + ((row * 5) % 12))}-${two(1 + ((row * 11) % 28))}`
const clock = (row: number) => `${two(row % 24)}:${two((row * 7) % 60)}:${two((row * 13) % 60)}`
const stamp =
  (from = 2015, years = 9) =>
  (row: number) =>
    `${iso(from, years)(row)} ${clock(row)}`
const slashed =
  (from = 1940, years = 60) =>
  (row: number) =>
    iso(from, years)(row).split('-').reverse().join('/')
const packed =
  (from = 1940, years = 70) =>
  (row: number) =>
    iso(from, years)(row).replaceAll('-', '')
const hex =
  (length: number, seed = 5) =>
  (row: number) =>
    Array.from({ length }, (_, n) => ((Math.imul(row * 31 + n * 29 + seed, 2654435761) >>> 9) % 16).toString(16)).join(
      '',
    )
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
  return body + ((10 - (sum % 10)) % 10)
}
/** The remainder by 97 of a number as long as it may be */
const rest97 = (number: string) => {
  let rest = 0
  for (const digit of number) rest = (rest * 10 + Number(digit)) % 97
  return rest
}
const host = (row: number) => `${20 + (row % 180)}.${(row * 7) % 255}.${(row * 13) % 255}.${1 + (row % 250)}`
const plain = (name: string) =>
  name
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[\u0300-\u036f' ]/g, '')
    .toLowerCase()

const given = pick(
  'Kayla',
  'Hudson',
  'Isabella',
  'Ethan',
  'Priya',
  'Dwayne',
  'Chloe',
  'Terrence',
  'Aisha',
  'Gareth',
  'Mei',
  'Oluwaseun',
  'Bridget',
  'Hiroshi',
  'Naomi',
  'Callum',
  'Fatima',
  'Douglas',
  'Ingrid',
)
const family = pick(
  'Woodcock',
  'Onslow',
  'Rupp',
  'Patel',
  'Okafor',
  'Whalen',
  'Greenberg',
  'Tanaka',
  'Lindqvist',
  'McAllister',
  'Nguyen',
  'Faviet',
  'Baptiste',
  'Hartstein',
  'Ó Briain',
  'Castellanos',
  'Pritchard',
)
const full = (row: number) => `${given(row)} ${family(row + 2)}`
const mail = (row: number) =>
  `${plain(given(row))}.${plain(family(row + 2))}${pick('', '7', '82', '')(row)}@${pick('example.com', 'example.net', 'mail.example.org')(row)}`
const login = (row: number) => `${plain(given(row))}${plain(family(row + 2))[0]}${row % 3 ? '' : row}`
const american = (row: number) => `(${201 + ((row * 17) % 700)}) 555-01${two(row % 100)}`
const street = (row: number) =>
  `${101 + ((row * 37) % 8800)} ${pick('Maplewood Dr', 'W 4th St', 'Cedar Creek Rd', 'Jefferson Ave Apt 3B', 'Sunset Blvd')(row)}`
const town = pick('Boise', 'Tulsa', 'Halifax', 'Leeds', 'Albuquerque', 'Dunedin', 'Knoxville', 'Cork', 'Des Moines')
const firm = pick(
  'Brightwater Foods LLC',
  'Hargreaves & Sons',
  'Litware, Inc.',
  'Orchid Dental Group',
  'Kestrel Logistics Ltd',
  'Fabrikam',
)
const site = (row: number) =>
  `https://${pick('www.', '', 'blog.')(row)}${plain(family(row + 2))}${row % 40}.example.net/`

const nachname = pick('Ackermann', 'Yıldız', 'Bäumler', 'von der Heide', 'Krüger', 'Öztürk', 'Petersen', 'Wieczorek')
const vornamen = pick('Heike Margarete', 'Jürgen', 'Ayşe', 'Karl-Heinz', 'Lena Marie', 'Björn', 'Ursula', 'Tarek')
/** The German tax number: of the first ten digits one comes twice, the last checks them (ISO 7064 MOD 11,10) */
const steuer = (row: number) => {
  const pool = [...'123456789']
  let body = ''
  for (let n = 0; pool.length; n++)
    body += pool.splice((Math.imul(row * 31 + n * 17 + 3, 2654435761) >>> 8) % pool.length, 1)[0]!
  body = body.slice(0, 9) + body[row % 9]!
  let product = 10
  for (const digit of body) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return body + ((11 - product) % 10)
}
/** The nine characters of an identity card or passport, as on its front */
const german = (row: number, series: string, seed: number) => {
  const set = '0C1F2G3H4J5K6L7M8N9P0R1T2V3W4X5Y6Z789'
  const tail = Array.from(
    { length: 8 },
    (_, n) => set[(Math.imul(row * 43 + n * 29 + seed, 2654435761) >>> 8) % set.length],
  ).join('')
  return series + tail
}

const nom = pick('LEFEBVRE', 'MOREAU', 'BENALI', 'GAUTHIER', 'LE GOFF', 'CHEVALIER', 'DIALLO', 'ROUSSEAU')
const prenom = pick('Amélie', 'Jean-Baptiste', 'Karim', 'Solène', 'Thierry', 'Océane', 'Mathieu', 'Françoise', 'Loïc')
const nir = (row: number) => {
  const sex = 1 + (row % 2)
  const parts = [
    two((50 + row * 13) % 100),
    two(1 + ((row * 5) % 12)),
    pick('75', '13', '69', '33', '59', '35')(row),
    String(1 + ((row * 29) % 890)).padStart(3, '0'),
    String(1 + ((row * 41) % 700)).padStart(3, '0'),
  ]
  return `${sex} ${parts.join(' ')} ${two(97 - rest97(sex + parts.join('')))}`
}
const rib = (row: number) => {
  const [bank, branch, account] = [pick('30004', '20041', '10278', '30002')(row), digits(5, 4)(row), digits(11, 9)(row)]
  const key = 97 - ((89 * Number(bank) + 15 * Number(branch) + 3 * Number(account)) % 97)
  const body = `${bank}${branch}${account}${two(key)}`
  return `FR${two(98 - rest97(`${body}152700`))}${body}`.replace(/(.{4})(?=.)/g, '$1 ')
}

const cognome = pick('Ferrari', 'Esposito', 'Bianchi', "D'Angelo", 'Greco', 'De Luca', 'Conti', 'Lombardi')
const nome = pick('Giulia', 'Alessandro', 'Chiara', 'Francesco', 'Valentina', 'Matteo', 'Paola', 'Salvatore', 'Elisa')
const fiscale = (row: number) => {
  const consonants = (word: string, seed: number) =>
    (plain(word).replace(/[aeiou]/g, '') + letters(3, seed)(row)).slice(0, 3).toUpperCase()
  const body =
    consonants(cognome(row), 3) +
    consonants(nome(row), 8) +
    two((40 + row * 13) % 100) +
    'ABCDEHLMPRST'[(row * 5) % 12] +
    two(1 + ((row * 11) % 28) + (row % 2 ? 40 : 0)) +
    pick('F205', 'H501', 'L219', 'A944', 'F839')(row)
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
  let sum = 0
  for (const [n, char] of [...body].entries()) {
    const at = /\d/.test(char) ? Number(char) : char.charCodeAt(0) - 65
    sum += n % 2 === 0 ? odd[at]! : at
  }
  return body + String.fromCharCode(65 + (sum % 26))
}

const brasileiro = pick('JOAO PEDRO', 'ANTONIA', 'RAIMUNDO', 'LUCIANA', 'WELLINGTON', 'MARIA DAS GRACAS', 'THIAGO')
const sobrenome = pick('DOS SANTOS', 'OLIVEIRA LIMA', 'PEREIRA', 'NASCIMENTO', 'DE SOUZA COSTA', 'ALVES', 'BARBOSA')
const cns = (row: number) => {
  for (let seed = 1; ; seed++) {
    const body = `7${digits(13, seed)(row)}`
    const last = (11 - ([...body].reduce((sum, digit, n) => sum + Number(digit) * (15 - n), 0) % 11)) % 11
    if (last < 10) return body + last
  }
}

const apellido = pick('García', 'Fernández', 'Muñoz', 'Jiménez', 'Ortega', 'Ibáñez', 'El Amrani', 'Carmona', 'Vázquez')
const alumno = pick('Lucía', 'Hugo', 'Martina', 'Álvaro', 'Noa', 'Iker', 'María del Mar', 'Yassine', 'Daniela', 'Pablo')
const dni = (row: number) => {
  const number = `${2 + (row % 6)}${digits(7, 6)(row)}`
  return number + 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23]
}

const nazwisko = pick(
  'Wiśniewska',
  'Zieliński',
  'Szymańska',
  'Woźniak',
  'Dąbrowski',
  'Kaczmarek',
  'Jabłońska',
  'Krawczyk',
)
const imie = pick('Agnieszka', 'Paweł', 'Małgorzata', 'Grzegorz', 'Łukasz', 'Ewa', 'Zbigniew', 'Joanna', 'Krzysztof')
const pesel = (row: number) => {
  const body = `${two(55 + ((row * 13) % 45))}${two(1 + ((row * 5) % 12))}${two(1 + ((row * 11) % 28))}${digits(4, 7)(row)}`
  const sum = [...body].reduce((total, digit, n) => total + Number(digit) * [1, 3, 7, 9][n % 4]!, 0)
  return body + ((10 - (sum % 10)) % 10)
}
const nip = (row: number) => {
  for (let seed = 1; ; seed++) {
    const body = `${pick('525', '676', '781', '897')(row)}${digits(6, seed)(row)}`
    const check = [...body].reduce((sum, digit, n) => sum + Number(digit) * [6, 5, 7, 2, 3, 4, 5, 6, 7][n]!, 0) % 11
    if (check < 10) return `${body.slice(0, 3)}-${body.slice(3, 6)}-${body.slice(6, 8)}-${body.slice(8)}${check}`
  }
}
const dowod = (row: number) => {
  const series = `${pick('A', 'C', 'D')(row)}${letters(2, 4)(row)}`
  const tail = digits(5, 8)(row)
  const weights = [7, 3, 1, 7, 3, 1, 7, 3]
  const sum = [...(series + tail)].reduce((total, char, n) => total + Number.parseInt(char, 36) * weights[n]!, 0)
  return `${series} ${sum % 10}${tail}`
}
const nrb = (row: number) => {
  const body = `${pick('10201026', '11402004', '10501025', '12401040')(row)}${digits(16, 11)(row)}`
  return `${two(98 - rest97(`${body}252100`))}${body}`.replace(/^(..)|(.{4})(?=.)/g, '$1$2 ')
}

export const unseen: readonly Schema[] = [
  {
    name: 'Sales.SalesOrderHeader with Sales.CreditCard (AdventureWorks)',
    columns: [
      ['SalesOrderID', serial(43_659), '-'],
      ['OrderDate', row => `${iso(2011, 4)(row)} 00:00:00.000`, 'DATE'],
      ['SalesOrderNumber', row => `SO${43_659 + row}`, '-'],
      ['PurchaseOrderNumber', row => `PO${digits(9, 2)(row)}`, '-'],
      ['AccountNumber', row => `10-40${pick('20', '30')(row)}-0${digits(5, 3)(row)}`, 'ID'],
      ['CustomerID', whole(11_000, 30_118), 'ID'],
      ['SalesPersonID', whole(274, 290), 'ID'],
      ['CardType', pick('Vista', 'SuperiorCard', 'Distinguish', 'ColonialVoice'), '-'],
      ['CardNumber', row => `${pick('1111', '3333', '5555', '7777')(row)}${digits(10, 4)(row)}`, 'PAYMENT_CARD'],
      ['ExpMonth', whole(1, 12), '-'],
      ['ExpYear', pick('2005', '2006', '2007', '2008'), 'DATE'],
      ['CreditCardApprovalCode', row => `${digits(6, 5)(row)}Vi${digits(5, 6)(row)}`, '-'],
      ['SubTotal', row => `${money(row)}00`, '-'],
      ['Freight', row => `${small(2, 400)(row)}00`, '-'],
      ['TotalDue', row => `${money(row + 5)}00`, '-'],
    ],
  },
  {
    name: 'Application.People (WideWorldImporters)',
    columns: [
      ['PersonID', serial(2), 'ID'],
      ['FullName', full, 'PERSON'],
      ['PreferredName', given, 'PERSON'],
      ['SearchName', row => `${given(row)} ${full(row)}`, 'PERSON'],
      ['IsPermittedToLogon', pick('1', '0'), '-'],
      ['LogonName', row => (row % 4 === 3 ? 'NO LOGON' : `${login(row)}@wideworldimporters.example`), 'USERNAME'],
      ['HashedPassword', row => `0x${hex(64)(row).toUpperCase()}`, 'SECRET'],
      ['IsEmployee', pick('0', '1'), '-'],
      [
        'UserPreferences',
        row =>
          `{"theme":"${pick('blitzer', 'humanity', 'dark-hive')(row)}","dateFormat":"${pick('yy-mm-dd', 'dd/mm/yy', 'DD, MM d, yy')(row)}","timeZone": "PST","table":{"pagingType":"full","pageLength": ${pick('25', '10', '50')(row)}},"favoritesOnDashboard":true}`,
        '-',
      ],
      ['PhoneNumber', american, 'PHONE'],
      ['FaxNumber', row => american(row + 1), 'PHONE'],
      ['EmailAddress', row => `${login(row)}@wideworldimporters.example`, 'EMAIL'],
      ['OtherLanguages', pick('["Polish","Chinese"]', '["Slovenian"]', '["Dutch","Finnish","Arabic"]'), 'DEMOGRAPHIC'],
      ['LastEditedBy', whole(1, 20), 'ID'],
      ['ValidFrom', row => `${stamp(2013, 4)(row)}.0000000`, 'DATE'],
    ],
  },
  {
    name: 'EMPLOYEES (Oracle HR)',
    columns: [
      ['EMPLOYEE_ID', serial(100), 'ID'],
      ['FIRST_NAME', given, 'PERSON'],
      ['LAST_NAME', family, 'PERSON'],
      ['EMAIL', row => `${given(row)[0]}${plain(family(row)).slice(0, 7)}`.toUpperCase(), 'EMAIL'],
      [
        'PHONE_NUMBER',
        row => `${pick('515', '590', '650', '603')(row)}.${digits(3, 3)(row)}.${digits(4, 5)(row)}`,
        'PHONE',
      ],
      [
        'HIRE_DATE',
        row =>
          `${two(1 + ((row * 11) % 28))}-${pick('JUN', 'SEP', 'JAN', 'MAY', 'FEB')(row)}-${two(1 + ((row * 3) % 8))}`,
        'DATE',
      ],
      ['JOB_ID', pick('AD_PRES', 'IT_PROG', 'FI_ACCOUNT', 'SA_REP', 'ST_CLERK', 'PU_MAN'), 'DEMOGRAPHIC'],
      ['SALARY', whole(2100, 24_000), 'QUANTITY'],
      ['MANAGER_ID', whole(100, 205), 'ID'],
      ['DEPARTMENT_ID', pick('90', '60', '100', '80', '50'), '-'],
    ],
  },
  {
    name: 'patient_identifier with person_name (OpenMRS)',
    columns: [
      ['patient_identifier_id', serial(18), '-'],
      ['patient_id', serial(7), 'ID'],
      ['identifier', row => `10${digits(1, 3)(row)}${letters(2, 7)(row)}${digits(1, 9)(row)}`, 'ID'],
      ['identifier_type', pick('3', '2', '1'), '-'],
      ['preferred', pick('1', '0'), '-'],
      ['location_id', whole(1, 9), '-'],
      ['prefix', pick('Mr', '', 'Mrs', 'Dr'), 'DEMOGRAPHIC'],
      ['given_name', pick('Wanjiru', 'Joseph', 'Akinyi', 'Emmanuel', 'Nakato', 'Horatio', 'Chebet'), 'PERSON'],
      ['middle_name', pick('', 'Grace', 'Otieno', '', 'Moses', 'Atieno'), 'PERSON'],
      ['family_name', pick('Kamau', 'Odhiambo', 'Mugisha', 'Hornblower', 'Kiplagat', 'Nabwire'), 'PERSON'],
      ['creator', whole(1, 6), 'ID'],
      ['date_created', stamp(2006, 15), 'DATE'],
      ['voided', pick('0', '0', '1'), '-'],
      ['void_reason', pick('', '', 'Duplicate identifier', ''), '-'],
      ['uuid', uuid(), '-'],
    ],
  },
  {
    name: 'Patient (FHIR, flattened)',
    columns: [
      ['id', uuid(9), 'ID'],
      ['identifier[0].type.text', pick('Medical Record Number', 'Medical record number'), '-'],
      ['identifier[0].value', row => `MRN${digits(7, 2)(row)}`, 'ID'],
      ['active', pick('true', 'false', 'true'), '-'],
      ['name[0].use', pick('official', 'usual'), '-'],
      ['name[0].family', family, 'PERSON'],
      ['name[0].given[0]', given, 'PERSON'],
      ['telecom[0].value', american, 'PHONE'],
      ['telecom[1].value', mail, 'EMAIL'],
      ['gender', pick('male', 'female', 'other', 'unknown', 'female'), 'DEMOGRAPHIC'],
      ['birthDate', iso(1928, 90), 'DATE_OF_BIRTH'],
      ['address[0].line[0]', street, 'ADDRESS'],
      ['address[0].city', town, 'LOCATION'],
      ['maritalStatus.text', pick('Married', 'Never Married', 'Divorced', 'Widowed'), 'DEMOGRAPHIC'],
      ['generalPractitioner[0].display', row => `Dr. ${full(row + 6)}`, 'PERSON'],
    ],
  },
  {
    name: 'patient (eICU)',
    columns: [
      ['patientunitstayid', serial(141_168), '-'],
      ['patienthealthsystemstayid', serial(128_919), '-'],
      ['gender', pick('Female', 'Male'), 'DEMOGRAPHIC'],
      ['age', row => (row % 17 === 5 ? '> 89' : whole(18, 89)(row)), 'AGE'],
      ['ethnicity', pick('Caucasian', 'African American', 'Hispanic', 'Native American', 'Other/Unknown'), '*'],
      ['hospitalid', whole(56, 459), '-'],
      ['wardid', whole(81, 1108), '-'],
      [
        'apacheadmissiondx',
        pick(
          'Rhythm disturbance (atrial, supraventricular)',
          'Sepsis, pulmonary',
          'CVA, cerebrovascular accident/stroke',
          'Diabetic ketoacidosis',
          'Overdose, sedatives, hypnotics, antipsychotics, benzodiazepines',
        ),
        '*',
      ],
      ['admissionheight', small(147, 198, 1), 'QUANTITY'],
      ['hospitaladmitoffset', row => `-${whole(1, 4200)(row)}`, '-'],
      ['hospitaladmitsource', pick('Emergency Department', 'Floor', 'Direct Admit', 'Operating Room'), '-'],
      ['hospitaldischargeyear', pick('2014', '2015'), 'DATE'],
      ['unittype', pick('Med-Surg ICU', 'CCU-CTICU', 'MICU', 'Neuro ICU', 'SICU'), '-'],
      ['admissionweight', small(44, 146, 1), 'QUANTITY'],
      ['uniquepid', row => `0${two(2 + (row % 60))}-${digits(5, 6)(row)}`, 'ID'],
    ],
  },
  {
    name: 'wp_comments (WordPress)',
    columns: [
      ['comment_ID', serial(312), '-'],
      ['comment_post_ID', whole(1, 940), '-'],
      ['comment_author', row => (row % 5 === 4 ? given(row) : full(row)), 'PERSON'],
      ['comment_author_email', mail, 'EMAIL'],
      ['comment_author_url', row => (row % 3 === 1 ? '' : site(row)), 'URL'],
      [
        'comment_author_IP',
        row => (row % 6 === 2 ? `2001:db8:${hex(4)(row)}::${hex(3, 8)(row)}` : host(row)),
        'IP_ADDRESS',
      ],
      ['comment_date', stamp(2012, 12), 'DATE'],
      [
        'comment_date_gmt',
        row => `${iso(2012, 12)(row)} ${clock(row).replace(/^\d+/, hour => two(Math.max(0, Number(hour) - 1)))}`,
        'DATE',
      ],
      [
        'comment_content',
        pick(
          'Great write-up, thanks! I had the same problem after upgrading to 6.1 and clearing the cache fixed it.',
          'I disagree with the second point, my wife and I tried this last summer and it did not work at all.',
          'Could you share the recipe for the sauce as well? My kids loved it.',
          'Hi, this is a comment. To get started with moderating, editing, and deleting comments, visit the dashboard.',
          'First time here, found you through Claire’s newsletter. Subscribed!',
        ),
        'text',
      ],
      ['comment_karma', pick('0', '0', '1'), '-'],
      ['comment_approved', pick('1', '0', 'spam'), '-'],
      ['comment_type', pick('comment', 'pingback', 'comment'), '-'],
      ['comment_parent', row => (row % 3 ? '0' : serial(300)(row)), '-'],
      ['user_id', row => (row % 4 ? whole(1, 60)(row) : '0'), 'ID'],
    ],
  },
  {
    name: 'mdl_user (Moodle)',
    columns: [
      ['auth', pick('manual', 'ldap', 'oauth2'), '-'],
      ['confirmed', pick('1', '0', '1'), '-'],
      ['username', login, 'USERNAME'],
      ['password', row => `$2y$10$${mixed(53)(row)}`, 'SECRET'],
      ['idnumber', row => `s${digits(7, 3)(row)}`, 'ID'],
      ['firstname', given, 'PERSON'],
      ['lastname', family, 'PERSON'],
      ['email', mail, 'EMAIL'],
      ['phone1', row => `0${digits(3, 2)(row)} ${digits(6, 4)(row)}`, 'PHONE'],
      [
        'institution',
        pick('Universität Tübingen', 'Open University', 'Politecnico di Milano', 'HAW Hamburg'),
        'ORGANIZATION',
      ],
      ['city', town, 'LOCATION'],
      ['country', pick('DE', 'GB', 'NZ', 'IE', 'CA'), 'LOCATION'],
      ['lang', pick('en', 'de', 'fr', 'es_mx'), 'DEMOGRAPHIC'],
      ['lastaccess', row => String(1_480_000_000 + row * 1_234_567), 'DATE'],
      ['lastip', host, 'IP_ADDRESS'],
    ],
  },
  {
    name: 'customers_export (Shopify)',
    columns: [
      ['Customer ID', row => `'66${digits(11, 4)(row)}`, 'ID'],
      ['First Name', given, 'PERSON'],
      ['Last Name', family, 'PERSON'],
      ['Email', mail, 'EMAIL'],
      ['Accepts Email Marketing', pick('yes', 'no'), '-'],
      ['Default Address Company', row => (row % 3 ? '' : firm(row)), 'ORGANIZATION'],
      ['Default Address Address1', street, 'ADDRESS'],
      ['Default Address City', town, 'LOCATION'],
      ['Default Address Province Code', pick('ID', 'OK', 'NS', 'NM', 'TN', 'IA'), 'LOCATION'],
      ['Default Address Zip', row => `'${10_001 + ((row * 977) % 88_000)}`, 'LOCATION'],
      ['Phone', row => `'+1${201 + ((row * 17) % 700)}555${digits(4, 8)(row)}`, 'PHONE'],
      ['Total Spent', money, '-'],
      ['Total Orders', whole(0, 41), '-'],
      [
        'Note',
        pick(
          '',
          'Asked to ship to her mother in Ohio, call before delivery',
          'Returned two pairs, size runs small for him',
          '',
          'Wants gift wrapping every time, birthday is in March',
        ),
        'text',
      ],
      ['Tags', pick('newsletter', 'VIP, newsletter', '', 'wholesale', 'Login with Shop'), '-'],
    ],
  },
  {
    name: 'payments export (Stripe)',
    columns: [
      ['id', row => `ch_3${mixed(23)(row)}`, '-'],
      ['Created date (UTC)', row => stamp(2019, 5)(row).slice(0, 16), 'DATE'],
      ['Amount', money, '-'],
      ['Amount Refunded', pick('0.00', '0.00', '19.00', '0.00'), '-'],
      ['Currency', pick('usd', 'eur', 'gbp'), '-'],
      [
        'Seller Message',
        pick(
          'Payment complete.',
          'The bank did not return any further details with this decline.',
          'Payment complete.',
        ),
        '-',
      ],
      ['Status', pick('Paid', 'Failed', 'Refunded', 'Paid'), '-'],
      ['Customer ID', row => `cus_${mixed(14, 6)(row)}`, 'ID'],
      ['Customer Email', mail, 'EMAIL'],
      ['Card Last4', digits(4, 9), 'PAYMENT_CARD'],
      ['Card Brand', pick('Visa', 'MasterCard', 'American Express'), '-'],
      ['Card Name', full, 'PERSON'],
      ['Card Address Line1', street, 'ADDRESS'],
      ['Card Address Zip', row => String(10_001 + ((row * 787) % 88_000)), 'LOCATION'],
      ['Card Issue Country', pick('US', 'DE', 'GB', 'IE', 'NL'), 'LOCATION'],
    ],
  },
  {
    name: 'listings (Inside Airbnb)',
    columns: [
      ['id', row => String(3176 + row * 4831), '-'],
      [
        'name',
        pick(
          'Fabulous Flat in great Location',
          'Cozy loft with balcony',
          'Sunny room close to the park',
          'Stylish East Side Loft in Center with AC & 2 baths',
        ),
        '-',
      ],
      ['host_id', row => String(3718 + row * 9173), 'ID'],
      ['host_url', row => `https://www.airbnb.example/users/show/${3718 + row * 9173}`, 'URL'],
      ['host_name', row => (row % 6 === 1 ? `${given(row)} & ${given(row + 1)}` : given(row)), 'PERSON'],
      ['host_since', iso(2008, 15), 'DATE'],
      [
        'host_location',
        pick('Berlin, Germany', 'Coledale, Australia', 'Key Biscayne, FL', 'Lisbon, Portugal'),
        'LOCATION',
      ],
      [
        'host_about',
        pick(
          'We love to travel a lot and like to meet open-minded people. I work as a photographer and live here with my two cats.',
          'Hi, I moved to the city in 2009 to study architecture and never left. Ask me anything about good food!',
          'Retired teacher, mother of three, happy to welcome you in our family home.',
        ),
        'text',
      ],
      ['host_is_superhost', pick('t', 'f'), '-'],
      [
        'neighbourhood_cleansed',
        pick('Prenzlauer Berg Südwest', 'Reuterstraße', 'Tempelhofer Vorstadt', 'Helmholtzplatz'),
        'LOCATION',
      ],
      ['latitude', small(52.37, 52.64, 5), 'COORDINATES'],
      ['longitude', row => small(13.12, 13.72, 5)(row + 40), 'COORDINATES'],
      ['room_type', pick('Entire home/apt', 'Private room', 'Shared room'), '-'],
      ['price', row => `$${whole(25, 420)(row)}.00`, '-'],
      ['number_of_reviews', row => whole(0, 380)(row + 9), '-'],
    ],
  },
  {
    name: 'yellow_tripdata (NYC taxi, 2015)',
    columns: [
      ['VendorID', pick('1', '2'), '-'],
      ['tpep_pickup_datetime', stamp(2015, 1), 'DATE'],
      [
        'tpep_dropoff_datetime',
        row => `${iso(2015, 1)(row)} ${two(row % 24)}:${two(((row * 7) % 60) + ((59 - ((row * 7) % 60)) >> 1))}:59`,
        'DATE',
      ],
      ['passenger_count', whole(1, 6), '-'],
      ['trip_distance', small(0.4, 19), '-'],
      ['pickup_longitude', row => small(-74.02, -73.77, 12)(row + 3), 'COORDINATES'],
      ['pickup_latitude', row => small(40.63, 40.86, 12)(row + 21), 'COORDINATES'],
      ['RateCodeID', pick('1', '1', '2', '5'), '-'],
      ['store_and_fwd_flag', pick('N', 'N', 'Y'), '-'],
      ['dropoff_longitude', row => small(-74.02, -73.77, 12)(row + 50), 'COORDINATES'],
      ['dropoff_latitude', row => small(40.63, 40.86, 12)(row + 77), 'COORDINATES'],
      ['payment_type', pick('1', '2', '3'), '-'],
      ['fare_amount', small(3, 62, 1), '-'],
      ['tip_amount', row => small(0, 14)(row + 5), '-'],
      ['total_amount', row => small(4, 80)(row + 2), '-'],
    ],
  },
  {
    name: 'Users (Stack Exchange data dump)',
    columns: [
      ['Id', row => String(1 + row * 211), 'ID'],
      ['Reputation', row => whole(1, 48_000)(row + 4), '-'],
      ['CreationDate', row => `${iso(2008, 14)(row)}T${clock(row)}.${digits(3, 2)(row)}`, 'DATE'],
      ['DisplayName', row => (row % 7 === 3 ? given(row) : full(row)), 'PERSON'],
      ['LastAccessDate', row => `${iso(2019, 5)(row)}T${clock(row + 3)}.${digits(3, 4)(row)}`, 'DATE'],
      ['WebsiteUrl', row => (row % 4 === 2 ? '' : site(row)), 'URL'],
      [
        'Location',
        pick('El Cerrito, CA', 'Toronto, Canada', 'Bangalore, Karnataka, India', '', 'Cologne, Germany'),
        'LOCATION',
      ],
      [
        'AboutMe',
        pick(
          '<p>Software engineer at a small startup, father of two, I write mostly C# and a bit of Haskell.</p>',
          '<p>PhD student in statistics. I like climbing, chess and long answers.</p>',
          '',
          '<p>Co-founder of a web shop. You can find me on Twitter most of the day.</p>',
        ),
        'text',
      ],
      ['Views', whole(0, 9000), '-'],
      ['UpVotes', row => whole(0, 3400)(row + 8), '-'],
      ['DownVotes', row => whole(0, 700)(row + 12), '-'],
      ['ProfileImageUrl', row => `https://www.gravatar.example/avatar/${hex(32)(row)}?s=128&d=identicon&r=PG`, 'URL'],
      ['Age', row => whole(16, 71)(row + 6), 'AGE'],
      ['AccountId', row => String(1 + row * 1973), 'ID'],
    ],
  },
  {
    name: 'devices export (Microsoft Intune)',
    columns: [
      ['Device ID', uuid(13), 'DEVICE_ID'],
      ['Enrollment date', row => `${stamp(2019, 5)(row)}.0000000`, 'DATE'],
      ['Last check-in', row => `${stamp(2023, 2)(row)}.0000000`, 'DATE'],
      ['OS version', pick('10.0.22631.3447', '17.4.1', '14.0', '10.0.19045.4291'), '-'],
      ['Manufacturer', pick('LENOVO', 'Apple', 'samsung', 'Microsoft Corporation'), '-'],
      ['Model', pick('20XW004AGE', 'iPhone 13', 'SM-G991B', 'Surface Laptop 5'), '-'],
      [
        'Serial number',
        row => `${pick('PF', 'C0', 'R5')(row)}${letters(3, 5)(row)}${digits(2, 3)(row)}${letters(3, 9)(row)}`,
        'DEVICE_ID',
      ],
      ['IMEI', row => luhn(`35${digits(12, 7)(row)}`), 'DEVICE_ID'],
      ['Wi-Fi MAC', row => `${pick('A4C3F0', '3C5282', 'F01898')(row)}${hex(6)(row).toUpperCase()}`, 'MAC_ADDRESS'],
      ['Primary user email address', mail, 'EMAIL'],
      ['Primary user display name', full, 'PERSON'],
      ['Phone number', row => `+4915${digits(9, 3)(row)}`, 'PHONE'],
      ['Ownership', pick('Corporate', 'Personal'), '-'],
      ['Compliance', pick('Compliant', 'Noncompliant', 'In grace period'), '-'],
      ['Total storage', pick('485376', '121984', '243968'), '-'],
    ],
  },
  {
    name: 'Einwohnermeldewesen (German, DSMeld)',
    columns: [
      ['Familienname', nachname, 'PERSON'],
      ['Geburtsname', row => nachname(row + 3), 'PERSON'],
      ['Vornamen', vornamen, 'PERSON'],
      ['Geburtsdatum', packed(1931, 85), 'DATE_OF_BIRTH'],
      ['Geburtsort', pick('Wuppertal', 'Adana', 'Zwickau', 'Bad Salzuflen', 'Katowice', 'Emden'), 'LOCATION'],
      ['Geschlecht', pick('W', 'M'), 'DEMOGRAPHIC'],
      ['Familienstand', pick('VH', 'LD', 'GS', 'VW', 'LP'), 'DEMOGRAPHIC'],
      ['Staatsangehörigkeit', pick('000', '163', '152', '000'), 'DEMOGRAPHIC'],
      ['Religionsgesellschaft', pick('rk', 'ev', 'vd', 'oa'), '*'],
      ['Identifikationsnummer', steuer, 'TAX_ID'],
      ['Straße', pick('Amselweg', 'Konrad-Adenauer-Platz', 'Am Alten Markt', 'Schillerstr.', 'Kirchgasse'), 'ADDRESS'],
      ['Hausnummer', row => `${1 + ((row * 17) % 140)}${pick('', 'a', '', '', 'b')(row)}`, 'ADDRESS'],
      ['Einzugsdatum', packed(1985, 38), 'DATE'],
      ['Seriennummer Personalausweis', row => german(row, 'L', 3), 'NATIONAL_ID'],
      ['Seriennummer Reisepass', row => german(row, 'C', 8), 'PASSPORT'],
    ],
  },
  {
    name: 'salariés (French payroll)',
    columns: [
      ['Matricule', row => `S${digits(5, 2)(row)}`, 'ID'],
      ['Civilité', pick('M.', 'Mme'), 'DEMOGRAPHIC'],
      ['Nom de naissance', nom, 'PERSON'],
      ['Prénom', prenom, 'PERSON'],
      ['Date de naissance', slashed(1955, 50), 'DATE_OF_BIRTH'],
      ['Commune de naissance', pick('RENNES', 'MARSEILLE 05', 'ORAN', 'VILLEURBANNE', 'TOURCOING'), 'LOCATION'],
      ['N° Sécurité sociale', nir, 'NATIONAL_ID'],
      [
        'Adresse',
        row =>
          `${1 + ((row * 7) % 150)} ${pick('rue Victor Hugo', 'bd Gambetta', 'allée des Tilleuls', 'chemin du Moulin')(row)}`,
        'ADDRESS',
      ],
      ['Code postal', pick('35000', '13005', '69100', '59200', '33800', '75011'), 'LOCATION'],
      ['Emploi', pick('Comptable', 'Agent de maintenance', 'Chef de projet', 'Assistante RH'), 'DEMOGRAPHIC'],
      ["Date d'entrée", slashed(1998, 25), 'DATE'],
      ['Type de contrat', pick('CDI', 'CDD', 'CDI', 'Apprentissage'), '-'],
      ['Coefficient', pick('240', '275', '310', '355'), '-'],
      ['Salaire de base', row => `${whole(1766, 5400)(row)},${two((row * 7) % 100)}`, 'QUANTITY'],
      ['IBAN', rib, 'IBAN'],
    ],
  },
  {
    name: 'polizze RC auto (Italian insurer)',
    columns: [
      ['Numero polizza', row => `1/${digits(5, 2)(row)}/30/${digits(9, 5)(row)}`, '-'],
      ['Contraente', row => `${cognome(row)} ${nome(row)}`, 'PERSON'],
      ['Codice fiscale', fiscale, 'TAX_ID'],
      ['Data di nascita', slashed(1945, 58), 'DATE_OF_BIRTH'],
      [
        'Indirizzo',
        row =>
          `${pick('Via Garibaldi', 'Corso Italia', 'Piazza Dante', 'Viale dei Mille')(row)}, ${1 + ((row * 7) % 120)}`,
        'ADDRESS',
      ],
      ['CAP', pick('20121', '00184', '10128', '40125', '80133'), 'LOCATION'],
      ['Comune', pick('Milano', 'Roma', 'Torino', 'Casalecchio di Reno', 'Pozzuoli'), 'LOCATION'],
      ['Provincia', pick('MI', 'RM', 'TO', 'BO', 'NA'), 'LOCATION'],
      ['Cellulare', row => `${pick('333', '347', '328', '392')(row)} ${digits(7, 4)(row)}`, 'PHONE'],
      ['PEC', row => `${plain(nome(row))}.${plain(cognome(row))}@pec.example.it`, 'EMAIL'],
      ['Targa', row => `${letters(2, 3)(row)}${digits(3, 5)(row)}${letters(2, 9)(row)}`, 'VEHICLE_ID'],
      ['Telaio', row => `ZFA${pick('31200000', '19900000', '35600000')(row)}${digits(6, 7)(row)}`, 'VEHICLE_ID'],
      ['Numero patente', row => `U1${letters(1, 6)(row)}${digits(6, 8)(row)}${letters(1, 2)(row)}`, 'DRIVING_LICENCE'],
      ['Classe di merito', whole(1, 18), '-'],
      ['Premio annuo', row => `${whole(260, 1480)(row)},${two((row * 11) % 100)}`, '-'],
    ],
  },
  {
    name: 'notificações (Brazilian SINAN)',
    columns: [
      ['TP_NOT', pick('2', '2', '1'), '-'],
      ['ID_AGRAVO', pick('A90', 'A920', 'B24', 'A169'), '*'],
      ['DT_NOTIFIC', packed(2014, 9), 'DATE'],
      ['NU_NOTIFIC', digits(7, 5), '-'],
      ['ID_MUNICIP', pick('355030', '330455', '292740', '230440', '130260'), 'LOCATION'],
      ['NM_PACIENT', row => `${brasileiro(row)} ${sobrenome(row + 1)}`, 'PERSON'],
      ['DT_NASC', packed(1938, 78), 'DATE_OF_BIRTH'],
      ['NU_IDADE_N', row => `40${whole(10, 84)(row)}`, 'AGE'],
      ['CS_SEXO', pick('M', 'F', 'I', 'F'), 'DEMOGRAPHIC'],
      ['CS_GESTANT', pick('5', '6', '2', '9'), '*'],
      ['CS_RACA', pick('1', '4', '2', '9', '5'), '*'],
      ['ID_CNS_SUS', cns, 'HEALTH_ID'],
      [
        'NM_MAE_PAC',
        row => `${pick('JOSEFA', 'MARIA APARECIDA', 'FRANCISCA', 'TEREZINHA')(row)} ${sobrenome(row + 1)}`,
        'PERSON',
      ],
      ['NM_LOGRADO', pick('RUA SETE DE SETEMBRO', 'AV BRASIL', 'TRAVESSA DO COMERCIO', 'RUA DAS ACACIAS'), 'ADDRESS'],
      ['NU_CEP', row => `${pick('01310', '20040', '40020', '60060')(row)}${digits(3, 4)(row)}`, 'LOCATION'],
    ],
  },
  {
    name: 'alumnado (Spanish school, Séneca export)',
    columns: [
      ['Alumno/a', row => `${apellido(row)} ${apellido(row + 2)}, ${alumno(row)}`, 'PERSON'],
      ['Estado Matrícula', pick('', '', 'Anulada', 'Trasladada'), '-'],
      ['Nº Id. Escolar', row => `1${digits(6, 3)(row)}`, 'ID'],
      ['DNI/Pasaporte', dni, 'NATIONAL_ID'],
      [
        'Dirección',
        row =>
          `${pick('C/ Real', 'Avda. de Andalucía', 'Plaza del Carmen', 'C/ San Fernando')(row)}, ${1 + ((row * 7) % 90)}, ${1 + (row % 5)}º ${pick('A', 'B', 'Izq')(row)}`,
        'ADDRESS',
      ],
      [
        'Localidad de residencia',
        pick('Dos Hermanas', 'Motril', 'Jerez de la Frontera', 'Úbeda', 'Lucena'),
        'LOCATION',
      ],
      ['Fecha de nacimiento', slashed(2005, 8), 'DATE_OF_BIRTH'],
      ['Teléfono', row => `${pick('6', '9', '7')(row)}${digits(8, 5)(row)}`, 'PHONE'],
      ['Correo electrónico', row => `${plain(alumno(row))}.${plain(apellido(row))}${row % 30}@example.es`, 'EMAIL'],
      ['Curso', pick('1º de E.S.O.', '3º de E.S.O.', '2º de Bachillerato (Ciencias)'), '-'],
      ['Unidad', pick('1ESO-A', '3ESO-C', '2BACH-B'), '-'],
      ['Edad a 31/12 del año de matrícula', whole(12, 19), 'AGE'],
      ['Nacionalidad', pick('Española', 'Marroquí', 'Rumana', 'Española', 'Colombiana'), 'DEMOGRAPHIC'],
      [
        'Nombre Primer tutor',
        pick('Antonio', 'María José', 'Francisco Javier', 'Rocío', 'Fátima', 'Inmaculada'),
        'PERSON',
      ],
      [
        'Observaciones de la matrícula',
        pick(
          '',
          'Los padres están separados, recoge al niño su abuela los viernes',
          'Pendiente de entregar el certificado de estudios del centro anterior',
          'Solicita plaza en el comedor y transporte desde la parada del hospital',
        ),
        'text',
      ],
    ],
  },
  {
    name: 'kartoteka pracowników (Polish payroll)',
    columns: [
      ['Nr ewidencyjny', row => String(row + 118).padStart(6, '0'), 'ID'],
      ['Nazwisko', nazwisko, 'PERSON'],
      ['Imię', imie, 'PERSON'],
      ['PESEL', pesel, 'NATIONAL_ID'],
      ['NIP', nip, 'TAX_ID'],
      ['Seria i nr dowodu', dowod, 'NATIONAL_ID'],
      ['Data urodzenia', row => iso(1955, 45)(row).split('-').reverse().join('.'), 'DATE_OF_BIRTH'],
      [
        'Ulica',
        row =>
          `ul. ${pick('Polna', 'Mickiewicza', 'Długa', 'Armii Krajowej')(row)} ${1 + ((row * 7) % 80)}/${1 + (row % 40)}`,
        'ADDRESS',
      ],
      ['Kod pocztowy', row => `${two((row * 7) % 99)}-${digits(3, 2)(row)}`, 'LOCATION'],
      ['Miejscowość', pick('Wrocław', 'Łódź', 'Nowy Sącz', 'Rzeszów', 'Bielsko-Biała'), 'LOCATION'],
      ['Stanowisko', pick('Księgowa', 'Magazynier', 'Kierowca', 'Specjalista ds. sprzedaży'), 'DEMOGRAPHIC'],
      ['Wymiar etatu', pick('1/1', '1/2', '3/4', '1/1'), '-'],
      ['Wynagrodzenie zasadnicze', row => `${whole(4300, 14_800)(row)},00`, 'QUANTITY'],
      ['Nr rachunku', nrb, 'BANK_ACCOUNT'],
      ['Data zatrudnienia', row => iso(2001, 22)(row).split('-').reverse().join('.'), 'DATE'],
    ],
  },
]
