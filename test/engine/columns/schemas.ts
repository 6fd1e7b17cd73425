/**
 * Tables as public sample databases, registers and exports of programs have them: their headings, values made up for each,
 * and by hand what each column is. `-` is nothing of a person's, `text` is free text, `*` is sensitive (health, belief, origin).
 */
export type Schema = { name: string; columns: [heading: string, make: (row: number) => string, gold: string][] }

const pick =
  (...values: string[]) =>
  (row: number) =>
    values[(row * 7 + (row >> 2)) % values.length]!
const digits =
  (length: number, seed = 1) =>
  (row: number) =>
    Array.from({ length }, (_, n) => (Math.imul(row * 31 + n * 17 + seed, 2654435761) >>> 8) % 10).join('')
const serial =
  (from = 1) =>
  (row: number) =>
    String(from + row)
const whole = (from: number, to: number) => (row: number) =>
  String(from + ((Math.imul(row + 3, 2654435761) >>> 4) % (to - from + 1)))
const money = (row: number) => (((Math.imul(row + 11, 40503) >>> 3) % 900_000) / 100 + 5).toFixed(2)
const two = (n: number) => String(n).padStart(2, '0')
const iso =
  (from = 1940, years = 80) =>
  (row: number) =>
    `${from + ((row * 13) % years)}-${two(1 + ((row * 5) % 12))}-${two(1 + ((row * 11) % 28))}`
const stamp = (row: number) => `${iso(2015, 9)(row)} ${two(row % 24)}:${two((row * 7) % 60)}:${two((row * 13) % 60)}`
const dotted = (row: number) => `${two(1 + ((row * 11) % 28))}.${two(1 + ((row * 5) % 12))}.${1940 + ((row * 13) % 60)}`

const women = ['Anna', 'Maria', 'Julia', 'Sophie', 'Laura', 'Emma', 'Olivia', 'Katrin', 'Helen', 'Nancy', 'Rosa']
const men = ['Peter', 'Thomas', 'Andrew', 'Jan', 'Luis', 'Marco', 'Robert', 'Steven', 'Michael', 'Erik', 'David']
const surnames = [
  'Schneider',
  'Hansen',
  'Kowalski',
  'Rossi',
  'Martin',
  'Davolio',
  'Fuller',
  'Peacock',
  'Silva',
  'Novak',
]
const first = pick(...women, ...men)
const last = pick(...surnames, 'Weber', 'Jansen', 'Dubois')
const full = (row: number) => `${first(row)} ${last(row + 3)}`
const mail = (row: number) => `${first(row)}.${last(row + 3)}${row}@example.org`.toLowerCase()
const city = pick(
  'Berlin',
  'London',
  'Seattle',
  'Lyon',
  'Graz',
  'Madrid',
  'Porto',
  'Bologna',
  'Utrecht',
  'Gdańsk',
  'Lethbridge',
)
const country = pick('Germany', 'France', 'Brazil', 'Canada', 'Spain', 'United Kingdom', 'Italy', 'Poland')
const street = (row: number) => `${12 + row} ${pick('Main Street', 'Oak Avenue', 'Church Road', 'Mill Lane')(row)}`
const strasse = (row: number) =>
  `${pick('Hauptstraße', 'Bahnhofstraße', 'Gartenweg', 'Lindenallee')(row)} ${1 + (row % 90)}`
const phone = (row: number) => `+49 30 ${digits(7)(row)}`
const american = (row: number) => `(${201 + (row % 700)}) 555-${digits(4)(row)}`
const company = pick(
  'Acme Ltd',
  'Nordwind GmbH',
  'Tailspin Toys Inc.',
  'Alfreds Futterkiste',
  'Ernst Handel',
  'Contoso Corp',
)
const host = (row: number) => `${20 + (row % 180)}.${(row * 7) % 255}.${(row * 13) % 255}.${1 + (row % 250)}`
const hex = (length: number) => (row: number) =>
  Array.from({ length }, (_, n) => ((Math.imul(row * 31 + n * 29 + 5, 2654435761) >>> 9) % 16).toString(16)).join('')
const uuid = (row: number) => {
  const all = hex(32)(row)
  return `${all.slice(0, 8)}-${all.slice(8, 12)}-4${all.slice(13, 16)}-a${all.slice(17, 20)}-${all.slice(20)}`
}
const mac = (row: number) => hex(12)(row).match(/../g)!.join(':')
const note = pick(
  'Customer called about the delayed delivery and asks for a refund',
  'Patient feels better, next appointment in two weeks',
  'Please leave the parcel with the neighbour on the second floor',
  'Spoke to her on the phone, will send the signed contract next week',
)
const luhn = (body: string) => {
  let sum = 0
  for (const [n, digit] of [...body].reverse().entries()) {
    const twice = n % 2 === 0 ? Number(digit) * 2 : Number(digit)
    sum += twice > 9 ? twice - 9 : twice
  }
  return body + ((10 - (sum % 10)) % 10)
}
const card = (row: number) => luhn(`4${digits(14)(row)}`)
const iban = (row: number) => {
  const body = digits(18)(row)
  let rest = 0
  for (const digit of `${body}131400`) rest = (rest * 10 + Number(digit)) % 97
  return `DE${two(98 - rest)}${body}`
}
const nhs = (row: number) => {
  for (let seed = 1; ; seed++) {
    const body = `4${digits(8, seed)(row)}`
    const check = 11 - ([...body].reduce((sum, digit, n) => sum + Number(digit) * (10 - n), 0) % 11)
    if (check !== 10) return body + (check === 11 ? 0 : check)
  }
}
const ssn = (row: number) => `${101 + (row % 500)}-${two(10 + (row % 80))}-${1000 + ((row * 37) % 8999)}`
const postcode = (row: number) => String(10115 + ((row * 977) % 80_000))
const british = (row: number) =>
  `${pick('SW', 'LS', 'NW', 'EC')(row)}${1 + (row % 9)} ${1 + (row % 9)}${pick('AA', 'BD', 'JT')(row)}`
const product = pick('Chai', 'Mishi Kobe Niku', 'Queso Cabrales', 'Longlife Tofu', 'Pavlova', 'Ikura')
const url = (row: number) => `https://www.example.org/users/${last(row).toLowerCase()}${row}`
const login = (row: number) => `${first(row)[0]}${last(row)}${row}`.toLowerCase()
const yes = pick('Y', 'N')
const sex = pick('M', 'F')

export const schemas: readonly Schema[] = [
  {
    name: 'employees (MySQL sample)',
    columns: [
      ['emp_no', serial(10001), 'ID'],
      ['birth_date', iso(1952, 13), 'DATE_OF_BIRTH'],
      ['first_name', first, 'PERSON'],
      ['last_name', last, 'PERSON'],
      ['gender', sex, 'DEMOGRAPHIC'],
      ['hire_date', iso(1985, 15), 'DATE'],
    ],
  },
  {
    name: 'salaries (MySQL sample)',
    columns: [
      ['emp_no', serial(10001), 'ID'],
      ['salary', whole(38_000, 120_000), 'QUANTITY'],
      ['from_date', iso(1985, 15), 'DATE'],
      ['to_date', iso(1986, 15), 'DATE'],
    ],
  },
  {
    name: 'customer (Sakila)',
    columns: [
      ['customer_id', serial(), 'ID'],
      ['store_id', pick('1', '2'), '-'],
      ['first_name', first, 'PERSON'],
      ['last_name', last, 'PERSON'],
      ['email', mail, 'EMAIL'],
      ['address_id', serial(5), '-'],
      ['active', pick('1', '0'), '-'],
      ['create_date', stamp, 'DATE'],
      ['last_update', stamp, 'DATE'],
    ],
  },
  {
    name: 'address (Sakila)',
    columns: [
      ['address_id', serial(), '-'],
      ['address', street, 'ADDRESS'],
      ['district', pick('Alberta', 'QLD', 'Nagasaki', 'California'), 'LOCATION'],
      ['city_id', whole(1, 600), '-'],
      ['postal_code', postcode, 'LOCATION'],
      ['phone', digits(11), 'PHONE'],
      ['last_update', stamp, 'DATE'],
    ],
  },
  {
    name: 'film (Sakila)',
    columns: [
      ['film_id', serial(), '-'],
      ['title', pick('ACADEMY DINOSAUR', 'ACE GOLDFINGER', 'AFRICAN EGG', 'ALIEN CENTER'), '-'],
      ['release_year', pick('2004', '2005', '2006'), 'DATE'],
      ['rental_duration', whole(3, 7), '-'],
      ['rental_rate', pick('0.99', '2.99', '4.99'), '-'],
      ['length', whole(46, 185), '-'],
      ['rating', pick('PG', 'G', 'NC-17', 'R'), '-'],
    ],
  },
  {
    name: 'staff (Sakila)',
    columns: [
      ['staff_id', serial(), 'ID'],
      ['first_name', first, 'PERSON'],
      ['last_name', last, 'PERSON'],
      ['email', mail, 'EMAIL'],
      ['username', login, 'USERNAME'],
      ['password', hex(40), 'SECRET'],
    ],
  },
  {
    name: 'Customers (Northwind)',
    columns: [
      ['CustomerID', pick('ALFKI', 'ANATR', 'ANTON', 'AROUT', 'BERGS', 'BLAUS'), 'ID'],
      ['CompanyName', company, 'ORGANIZATION'],
      ['ContactName', full, 'PERSON'],
      ['ContactTitle', pick('Owner', 'Sales Agent', 'Marketing Manager'), 'DEMOGRAPHIC'],
      ['Address', strasse, 'ADDRESS'],
      ['City', city, 'LOCATION'],
      ['Region', pick('BC', 'SP', 'Táchira', 'Essex'), 'LOCATION'],
      ['PostalCode', postcode, 'LOCATION'],
      ['Country', country, 'LOCATION'],
      ['Phone', phone, 'PHONE'],
      ['Fax', phone, 'PHONE'],
    ],
  },
  {
    name: 'Employees (Northwind)',
    columns: [
      ['EmployeeID', serial(), 'ID'],
      ['LastName', last, 'PERSON'],
      ['FirstName', first, 'PERSON'],
      ['Title', pick('Sales Representative', 'Vice President, Sales', 'Sales Manager'), 'DEMOGRAPHIC'],
      ['TitleOfCourtesy', pick('Ms.', 'Dr.', 'Mrs.', 'Mr.'), 'DEMOGRAPHIC'],
      ['BirthDate', iso(1937, 30), 'DATE_OF_BIRTH'],
      ['HireDate', iso(1992, 3), 'DATE'],
      ['HomePhone', american, 'PHONE'],
      ['Extension', digits(4), '-'],
      ['Notes', note, 'text'],
    ],
  },
  {
    name: 'Orders (Northwind)',
    columns: [
      ['OrderID', serial(10_248), '-'],
      ['OrderDate', iso(1996, 3), 'DATE'],
      ['RequiredDate', iso(1996, 3), 'DATE'],
      ['Freight', money, '-'],
      ['ShipName', company, 'ORGANIZATION'],
      ['ShipAddress', strasse, 'ADDRESS'],
      ['ShipCity', city, 'LOCATION'],
      ['ShipCountry', country, 'LOCATION'],
    ],
  },
  {
    name: 'Products (Northwind)',
    columns: [
      ['ProductID', serial(), '-'],
      ['ProductName', product, '-'],
      ['QuantityPerUnit', pick('10 boxes x 20 bags', '24 - 12 oz bottles', '48 - 6 oz jars'), '-'],
      ['UnitPrice', money, '-'],
      ['UnitsInStock', whole(0, 120), '-'],
      ['Discontinued', pick('0', '1'), '-'],
    ],
  },
  {
    name: 'Customer (Chinook)',
    columns: [
      ['CustomerId', serial(), 'ID'],
      ['FirstName', first, 'PERSON'],
      ['LastName', last, 'PERSON'],
      ['Company', company, 'ORGANIZATION'],
      ['Address', street, 'ADDRESS'],
      ['City', city, 'LOCATION'],
      ['State', pick('SP', 'QC', 'CA', 'WA', 'NV'), 'LOCATION'],
      ['Country', country, 'LOCATION'],
      ['PostalCode', postcode, 'LOCATION'],
      ['Phone', phone, 'PHONE'],
      ['Email', mail, 'EMAIL'],
      ['SupportRepId', whole(3, 5), '-'],
    ],
  },
  {
    name: 'Invoice (Chinook)',
    columns: [
      ['InvoiceId', serial(), '-'],
      ['InvoiceDate', stamp, 'DATE'],
      ['BillingAddress', street, 'ADDRESS'],
      ['BillingCity', city, 'LOCATION'],
      ['BillingPostalCode', postcode, 'LOCATION'],
      ['Total', money, '-'],
    ],
  },
  {
    name: 'Adult (UCI census income)',
    columns: [
      ['age', whole(17, 90), 'AGE'],
      ['workclass', pick('Private', 'State-gov', 'Self-emp-inc'), 'DEMOGRAPHIC'],
      ['fnlwgt', whole(12_285, 900_000), '-'],
      ['education', pick('Bachelors', 'HS-grad', '11th', 'Masters'), 'DEMOGRAPHIC'],
      ['marital-status', pick('Never-married', 'Divorced', 'Widowed'), 'DEMOGRAPHIC'],
      ['occupation', pick('Tech-support', 'Craft-repair', 'Sales'), 'DEMOGRAPHIC'],
      ['relationship', pick('Wife', 'Own-child', 'Husband'), 'DEMOGRAPHIC'],
      ['race', pick('White', 'Black', 'Other'), '*'],
      ['sex', pick('Male', 'Female'), 'DEMOGRAPHIC'],
      ['hours-per-week', whole(1, 99), '-'],
      ['native-country', country, 'LOCATION'],
      ['salary-class', pick('<=50K', '>50K'), 'QUANTITY'],
    ],
  },
  {
    name: 'Titanic passengers',
    columns: [
      ['PassengerId', serial(), 'ID'],
      ['Survived', pick('0', '1'), '-'],
      ['Pclass', pick('1', '2', '3'), '-'],
      ['Name', row => `${last(row)}, ${pick('Mr.', 'Mrs.', 'Miss.')(row)} ${first(row)}`, 'PERSON'],
      ['Sex', pick('male', 'female'), 'DEMOGRAPHIC'],
      ['Age', whole(1, 80), 'AGE'],
      ['SibSp', whole(0, 5), '-'],
      ['Fare', money, '-'],
      ['Embarked', pick('S', 'C', 'Q'), '-'],
    ],
  },
  {
    name: 'patients (Synthea)',
    columns: [
      ['Id', uuid, 'ID'],
      ['BIRTHDATE', iso(), 'DATE_OF_BIRTH'],
      ['DEATHDATE', iso(2000, 20), 'DATE'],
      ['SSN', ssn, 'NATIONAL_ID'],
      ['DRIVERS', row => `S999${digits(5)(row)}`, 'DRIVING_LICENCE'],
      ['PASSPORT', row => `X${digits(8)(row)}X`, 'PASSPORT'],
      ['PREFIX', pick('Mr.', 'Mrs.', 'Ms.'), 'DEMOGRAPHIC'],
      ['FIRST', first, 'PERSON'],
      ['LAST', last, 'PERSON'],
      ['MAIDEN', last, 'PERSON'],
      ['MARITAL', pick('M', 'S'), 'DEMOGRAPHIC'],
      ['RACE', pick('white', 'black', 'asian'), '*'],
      ['ETHNICITY', pick('nonhispanic', 'hispanic'), '*'],
      ['GENDER', sex, 'DEMOGRAPHIC'],
      ['BIRTHPLACE', row => `${city(row)}  Massachusetts  US`, 'LOCATION'],
      ['ADDRESS', street, 'ADDRESS'],
      ['CITY', city, 'LOCATION'],
      ['ZIP', postcode, 'LOCATION'],
      ['LAT', row => (42 + (row % 97) / 131).toFixed(8), 'COORDINATES'],
      ['LON', row => (-71 - (row % 89) / 137).toFixed(8), 'COORDINATES'],
      ['HEALTHCARE_EXPENSES', money, '-'],
    ],
  },
  {
    name: 'conditions (Synthea)',
    columns: [
      ['START', iso(1990, 30), 'DATE'],
      ['PATIENT', uuid, 'ID'],
      ['ENCOUNTER', uuid, '-'],
      ['CODE', digits(9), '-'],
      ['DESCRIPTION', pick('Viral sinusitis (disorder)', 'Acute bronchitis (disorder)', 'Hypertension'), '*'],
    ],
  },
  {
    name: 'admissions (MIMIC-IV)',
    columns: [
      ['subject_id', serial(10_000_032), 'ID'],
      ['hadm_id', serial(20_000_019), '-'],
      ['admittime', stamp, 'DATE'],
      ['dischtime', stamp, 'DATE'],
      ['admission_type', pick('URGENT', 'EW EMER.', 'ELECTIVE'), '-'],
      ['insurance', pick('Medicare', 'Medicaid', 'Other'), 'DEMOGRAPHIC'],
      ['language', pick('ENGLISH', '?'), 'DEMOGRAPHIC'],
      ['marital_status', pick('MARRIED', 'SINGLE'), 'DEMOGRAPHIC'],
      ['ethnicity', pick('WHITE', 'ASIAN', 'HISPANIC/LATINO'), '*'],
    ],
  },
  {
    name: 'patients (MIMIC-IV)',
    columns: [
      ['subject_id', serial(10_000_032), 'ID'],
      ['gender', sex, 'DEMOGRAPHIC'],
      ['anchor_age', whole(18, 91), 'AGE'],
      ['anchor_year', whole(2110, 2200), '-'],
      ['dod', iso(2110, 90), 'DATE'],
    ],
  },
  {
    name: 'person (OMOP)',
    columns: [
      ['person_id', serial(), 'ID'],
      ['gender_concept_id', pick('8507', '8532'), 'DEMOGRAPHIC'],
      ['year_of_birth', whole(1930, 2010), 'DATE_OF_BIRTH'],
      ['month_of_birth', whole(1, 12), '-'],
      ['birth_datetime', stamp, 'DATE_OF_BIRTH'],
      ['race_source_value', pick('white', 'black'), '*'],
      ['location_id', serial(), '-'],
    ],
  },
  {
    name: 'Patienten (clinic, German)',
    columns: [
      ['Patientennummer', row => `P${digits(7)(row)}`, 'ID'],
      ['Nachname', last, 'PERSON'],
      ['Vorname', first, 'PERSON'],
      ['Geburtsdatum', dotted, 'DATE_OF_BIRTH'],
      ['Geschlecht', pick('m', 'w', 'd'), 'DEMOGRAPHIC'],
      ['Straße', strasse, 'ADDRESS'],
      ['PLZ', postcode, 'LOCATION'],
      ['Ort', city, 'LOCATION'],
      ['Krankenkasse', pick('AOK', 'TK', 'Barmer', 'DAK'), 'DEMOGRAPHIC'],
      ['Diagnose', pick('E11.9', 'I10', 'J45.0'), '*'],
      ['Bemerkung', note, 'text'],
    ],
  },
  {
    name: 'Kunden (shop, German)',
    columns: [
      ['Kundennr', digits(6), 'ID'],
      ['Name', full, 'PERSON'],
      ['E-Mail', mail, 'EMAIL'],
      ['Telefon', phone, 'PHONE'],
      ['IBAN', iban, 'IBAN'],
      ['Umsatz', money, '-'],
      ['Rabatt', whole(0, 30), '-'],
    ],
  },
  {
    name: 'pacientes (Spanish)',
    columns: [
      ['NHC', digits(7), 'ID'],
      ['apellidos', row => `${last(row)} ${last(row + 1)}`, 'PERSON'],
      ['nombre', first, 'PERSON'],
      ['fecha_nacimiento', row => iso()(row).split('-').reverse().join('/'), 'DATE_OF_BIRTH'],
      ['sexo', pick('H', 'M'), 'DEMOGRAPHIC'],
      ['domicilio', row => `Calle Mayor ${1 + row}`, 'ADDRESS'],
      ['localidad', city, 'LOCATION'],
      ['diagnostico', pick('Asma', 'Diabetes', 'Migraña'), '*'],
    ],
  },
  {
    name: 'clients (French)',
    columns: [
      ['numero_client', digits(6), 'ID'],
      ['nom', last, 'PERSON'],
      ['prenom', first, 'PERSON'],
      ['date_naissance', row => iso()(row).split('-').reverse().join('/'), 'DATE_OF_BIRTH'],
      ['adresse', row => `${1 + row} rue de la Paix`, 'ADDRESS'],
      ['code_postal', postcode, 'LOCATION'],
      ['ville', city, 'LOCATION'],
      ['telephone', row => `01 23 45 ${two(row % 100)} ${two((row * 7) % 100)}`, 'PHONE'],
      ['profession', pick('Médecin', 'Avocat', 'Infirmière'), 'DEMOGRAPHIC'],
    ],
  },
  {
    name: 'dipendenti (Italian)',
    columns: [
      ['matricola', digits(5), 'ID'],
      ['cognome', last, 'PERSON'],
      ['nome', first, 'PERSON'],
      ['data_di_nascita', row => iso()(row).split('-').reverse().join('/'), 'DATE_OF_BIRTH'],
      ['luogo_di_nascita', city, 'LOCATION'],
      ['stipendio', whole(1200, 5600), 'QUANTITY'],
    ],
  },
  {
    name: 'klanten (Dutch)',
    columns: [
      ['klantnummer', digits(6), 'ID'],
      ['voornaam', first, 'PERSON'],
      ['achternaam', last, 'PERSON'],
      ['geboortedatum', row => iso()(row).split('-').reverse().join('-'), 'DATE_OF_BIRTH'],
      ['straat', row => `Dorpsstraat ${1 + row}`, 'ADDRESS'],
      ['woonplaats', city, 'LOCATION'],
      ['telefoonnummer', row => `06-${digits(8)(row)}`, 'PHONE'],
    ],
  },
  {
    name: 'pracownicy (Polish)',
    columns: [
      ['imie', first, 'PERSON'],
      ['nazwisko', last, 'PERSON'],
      ['data_urodzenia', iso(), 'DATE_OF_BIRTH'],
      ['miejscowosc', city, 'LOCATION'],
      ['kod_pocztowy', row => `${two(row % 90)}-${digits(3)(row)}`, 'LOCATION'],
      ['wynagrodzenie', whole(4000, 12_000), 'QUANTITY'],
    ],
  },
  {
    name: 'payments (card processor)',
    columns: [
      ['transaction_id', uuid, '-'],
      ['pan', card, 'PAYMENT_CARD'],
      ['cardholder_name', full, 'PERSON'],
      ['amount', money, '-'],
      ['currency', pick('EUR', 'USD', 'GBP'), '-'],
      ['merchant_category', pick('5411', '5812', '4111'), '-'],
      ['ip', host, 'IP_ADDRESS'],
      ['created_at', stamp, 'DATE'],
    ],
  },
  {
    name: 'bank accounts',
    columns: [
      ['account_holder', full, 'PERSON'],
      ['iban', iban, 'IBAN'],
      ['balance', money, 'QUANTITY'],
      ['opened_on', iso(2000, 20), 'DATE'],
      ['branch', city, 'LOCATION'],
    ],
  },
  {
    name: 'users (web application)',
    columns: [
      ['id', serial(), '-'],
      ['login', login, 'USERNAME'],
      ['email_address', mail, 'EMAIL'],
      ['password_hash', row => `$2b$12$${hex(53)(row)}`, 'SECRET'],
      ['last_login_ip', host, 'IP_ADDRESS'],
      ['api_token', hex(40), 'SECRET'],
      ['profile_url', url, 'URL'],
      ['created_at', stamp, 'DATE'],
      ['is_admin', pick('true', 'false'), '-'],
    ],
  },
  {
    name: 'devices',
    columns: [
      ['device_id', uuid, 'DEVICE_ID'],
      ['mac_address', mac, 'MAC_ADDRESS'],
      ['ip_address', host, 'IP_ADDRESS'],
      ['firmware', pick('1.4.2', '1.5.0', '2.0.1'), '-'],
      ['last_seen', stamp, 'DATE'],
      ['status', pick('online', 'offline'), '-'],
    ],
  },
  {
    name: 'access log',
    columns: [
      ['time', stamp, 'DATE'],
      ['client_ip', host, 'IP_ADDRESS'],
      ['method', pick('GET', 'POST'), '-'],
      ['status', pick('200', '404', '500'), '-'],
      ['bytes', whole(100, 99_999), '-'],
      ['user', login, 'USERNAME'],
    ],
  },
  {
    name: 'NHS appointments',
    columns: [
      ['nhs_number', nhs, 'HEALTH_ID'],
      ['surname', last, 'PERSON'],
      ['forename', first, 'PERSON'],
      ['dob', row => iso()(row).split('-').reverse().join('/'), 'DATE_OF_BIRTH'],
      ['postcode', british, 'LOCATION'],
      ['gp_practice', pick('A81001', 'B82005', 'C83010'), '-'],
      ['attended', yes, '-'],
    ],
  },
  {
    name: 'payroll (US)',
    columns: [
      ['employee_name', full, 'PERSON'],
      ['ssn', ssn, 'NATIONAL_ID'],
      ['date_of_birth', row => iso()(row).replace(/(\d+)-(\d+)-(\d+)/, '$2/$3/$1'), 'DATE_OF_BIRTH'],
      ['job_title', pick('Engineer', 'Accountant', 'Nurse'), 'DEMOGRAPHIC'],
      ['department', pick('Finance', 'Research', 'Sales'), '-'],
      ['annual_salary', whole(30_000, 190_000), 'QUANTITY'],
      ['home_address', street, 'ADDRESS'],
    ],
  },
  {
    name: 'support tickets',
    columns: [
      ['ticket_id', serial(5000), '-'],
      ['requester', full, 'PERSON'],
      ['requester_email', mail, 'EMAIL'],
      ['priority', pick('low', 'high', 'urgent'), '-'],
      ['message', note, 'text'],
      ['opened', stamp, 'DATE'],
    ],
  },
  {
    name: 'CRM leads',
    columns: [
      ['lead_owner', full, 'PERSON'],
      ['company', company, 'ORGANIZATION'],
      ['phone_number', american, 'PHONE'],
      ['mobile', american, 'PHONE'],
      ['website', url, 'URL'],
      ['stage', pick('new', 'won', 'lost'), '-'],
      ['comments', note, 'text'],
    ],
  },
  {
    name: 'shipments',
    columns: [
      ['tracking_no', row => `1Z${digits(16)(row)}`, '-'],
      ['recipient_name', full, 'PERSON'],
      ['street', strasse, 'ADDRESS'],
      ['zip', postcode, 'LOCATION'],
      ['town', city, 'LOCATION'],
      ['weight_kg', pick('1.2', '3.4', '0.8'), '-'],
      ['delivered_at', stamp, 'DATE'],
    ],
  },
  {
    name: 'students',
    columns: [
      ['student_id', digits(7), 'ID'],
      ['full_name', full, 'PERSON'],
      ['nationality', pick('German', 'French', 'Turkish'), 'DEMOGRAPHIC'],
      ['religion', pick('none', 'catholic', 'muslim'), '*'],
      ['grade', pick('1.3', '2.0', '3.7'), '-'],
      ['course', pick('Algebra', 'History', 'Physics'), '-'],
    ],
  },
  {
    name: 'sensor readings',
    columns: [
      ['sensor', pick('A1', 'A2', 'B7'), '-'],
      ['temperature', pick('21.4', '19.8', '22.0'), '-'],
      ['humidity', whole(20, 90), '-'],
      ['measured_at', stamp, 'DATE'],
    ],
  },
  {
    name: 'vehicles',
    columns: [
      ['vin', row => `WVWZZZ1JZ3W${digits(6)(row)}`, 'VEHICLE_ID'],
      ['owner_name', full, 'PERSON'],
      ['make', pick('VW', 'Audi', 'Seat'), '-'],
      ['model_year', pick('2003', '2004', '2005'), 'DATE'],
      ['colour', pick('red', 'blue'), '-'],
    ],
  },
  {
    name: 'survey (headings that tell nothing)',
    columns: [
      ['q1', mail, 'EMAIL'],
      ['q2', note, 'text'],
      ['q3', whole(1, 5), '-'],
      ['q4', phone, 'PHONE'],
      ['q5', iban, 'IBAN'],
      ['q6', pick('agree', 'disagree'), '-'],
    ],
  },
  {
    name: 'clinical trial',
    columns: [
      ['subject_initials', pick('AB', 'CD', 'EF'), '-'],
      ['site', pick('01', '02'), '-'],
      ['age_years', whole(18, 80), 'AGE'],
      ['height_cm', whole(150, 200), 'QUANTITY'],
      ['weight', whole(45, 120), 'QUANTITY'],
      ['visit_date', iso(2020, 3), 'DATE'],
      ['adverse_event', pick('Headache', 'Nausea', 'None'), '*'],
    ],
  },
]
