/** Workers, visits to a hospital, issues, orders and a log: tables written by somebody who knew nothing of the words that are looked for. Labels as in schemas-held-back.ts. */
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
const clock: Make = row => `${two(hash(row, 3) % 24)}:${two(hash(row, 5) % 60)}:${two(hash(row, 9) % 60)}`
/** Empty in one row of `every` */
const some =
  (make: Make, every = 5): Make =>
  row =>
    hash(row, every * 41) % every === 0 ? '' : make(row)
const given = pick(
  'Noreen',
  'Desmond',
  'Paloma',
  'Tobias',
  'Anjali',
  'Curtis',
  'Mireille',
  'Kwame',
  'Bridget',
  'Hiroshi',
  'Leticia',
  'Owen',
)
const family = pick(
  'Hargrove',
  'Okonjo',
  'Villanueva',
  'Lindqvist',
  'Bhatt',
  'Maddox',
  'Tanaka',
  'Pruitt',
  'Delacroix',
  'Whitcomb',
  'Sorrell',
)
const full: Make = row => `${given(row)} ${family(row)}`
const login: Make = row => `${given(row)[0]}${family(row)}`.toLowerCase()
const host: Make = row =>
  `${24 + (hash(row, 31) % 180)}.${hash(row, 32) % 255}.${hash(row, 33) % 255}.${1 + (hash(row, 34) % 250)}`
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const jira =
  (seed: number): Make =>
  row => {
    const [y, m, d] = iso(2023, 2, seed)(row).split('-')
    return `${d}/${months[Number(m) - 1]}/${y!.slice(2)} ${1 + (hash(row, seed) % 12)}:${two(hash(row, seed + 1) % 60)} ${hash(row, seed + 2) % 2 ? 'PM' : 'AM'}`
  }
const col = (heading: string, label: string, make: Make): [string, Make, string] => [heading, make, label]
const EMAIL = 'EMAIL'
const PHONE = 'PHONE'
const IP = 'IP_ADDRESS'
const USER = 'USERNAME'

export const tables: readonly Schema[] = [
  {
    name: 'workday-workers',
    columns: [
      col('Employee_ID', 'ID', whole(210_400, 298_000)),
      col('Worker', 'PERSON', full),
      col(
        'Business_Title',
        'DEMOGRAPHIC',
        pick('Payroll Analyst', 'Senior Engineer', 'Plant Supervisor', 'HR Business Partner', 'Buyer'),
      ),
      col(
        'Supervisory_Organization',
        'ORGANIZATION',
        pick('Finance Operations', 'Platform Engineering', 'Plant 4', 'People Services'),
      ),
      col(
        "Worker's_Manager",
        'PERSON',
        some(row => full(row + 500), 7),
      ),
      col('Hire_Date', 'DATE', iso(2008, 16)),
      col('Date_of_Birth', 'DATE_OF_BIRTH', iso(1961, 42, 2)),
      col('primaryWorkEmail', EMAIL, row => `${given(row)}.${family(row)}@northfell.example`.toLowerCase()),
      col(
        'primaryHomePhone',
        PHONE,
        some(row => `+1 (${whole(212, 919)(row)}) 555-0${whole(100, 199)(row)}`),
      ),
      col(
        'Home_Address_-_Formatted',
        'ADDRESS',
        some(
          row =>
            `${whole(11, 4900)(row)} ${pick('Alder Ct', 'Quarry Rd', 'Fifth Ave')(row)}, ${pick('Dayton, OH 45402', 'Tulsa, OK 74103', 'Salem, OR 97301')(row)}`,
          8,
        ),
      ),
      col('Total_Base_Pay_-_Amount', 'QUANTITY', money(41_000, 168_000)),
      col('Worker_Status', '-', pick('Active', 'On Leave', 'Terminated')),
    ],
  },
  {
    name: 'omop-visit-person',
    columns: [
      col('visit_occurrence_id', '-', whole(40_100_000, 49_900_000)),
      col('person_id', 'ID', whole(100_200, 188_000, 2)),
      col('visit_concept_id', '-', pick('9201', '9202', '9203', '581477')),
      col('visit_start_date', 'DATE', iso(2017, 7)),
      col('visit_end_date', 'DATE', some(iso(2017, 7), 9)),
      col('provider_id', 'ID', some(whole(3100, 4800, 3))),
      col('visit_source_value', '-', pick('INPATIENT', 'OP', 'ER', 'TELEHEALTH')),
      col('gender_concept_id', 'DEMOGRAPHIC', pick('8507', '8532')),
      col('year_of_birth', 'DATE_OF_BIRTH', whole(1931, 2015, 4)),
      col(
        'birth_datetime',
        'DATE_OF_BIRTH',
        some(row => `${whole(1931, 2015, 4)(row)}-${iso(2000, 1, 5)(row).slice(5)} 00:00:00`, 3),
      ),
      col('race_concept_id', '*', pick('8527', '8516', '8515', '0')),
      col('person_source_value', 'ID', row => `MRN${whole(1_000_000, 9_999_999, 6)(row)}`),
    ],
  },
  {
    name: 'jira-issues',
    columns: [
      col(
        'Summary',
        '-',
        pick(
          'Login page times out',
          'Export drops last row',
          'Upgrade TLS library',
          'Typo in invoice footer',
          'Add dark theme',
        ),
      ),
      col('Issue key', '-', row => `OPS-${1180 + row * 3}`),
      col('Issue id', '-', whole(50_100, 79_900)),
      col('Issue Type', '-', pick('Bug', 'Story', 'Task', 'Epic', 'Sub-task')),
      col('Status', '-', pick('To Do', 'In Progress', 'In Review', 'Done')),
      col('Priority', '-', pick('Highest', 'High', 'Medium', 'Low')),
      col('Assignee', 'PERSON', some(full, 4)),
      col(
        'Assignee Id',
        'ID',
        some(
          row =>
            `557058:${hash(row, 71).toString(16).padStart(8, '0')}-${(hash(row, 72) & 0xffff).toString(16).padStart(4, '0')}`,
          4,
        ),
      ),
      col('Reporter', 'PERSON', row => full(row + 300)),
      col('Created', '-', jira(4)),
      col('Due Date', '-', some(jira(8), 3)),
      col('Custom field (Story Points)', '-', some(pick('1.0', '2.0', '3.0', '5.0', '8.0'), 3)),
    ],
  },
  {
    name: 'woocommerce-orders',
    columns: [
      col('Order Number', '-', row => String(20_417 + row)),
      col('Order Status', '-', pick('Completed', 'Processing', 'On hold', 'Refunded')),
      col('Order Date', 'DATE', row => `${iso(2022, 3)(row)} ${clock(row).slice(0, 5)}`),
      col('First Name (Billing)', 'PERSON', given),
      col('Last Name (Billing)', 'PERSON', family),
      col('Company (Billing)', 'ORGANIZATION', some(pick('Tidewater Ceramics', 'Bramble & Co', 'Fenwick Audio'), 2)),
      col(
        'Address 1&2 (Billing)',
        'ADDRESS',
        row => `${whole(2, 890)(row)} ${pick('Mill Lane', 'Harbour St', 'Larch Way', 'Castle Rd')(row)}`,
      ),
      col('Postcode (Billing)', 'LOCATION', pick('97214', '04101', '60614', '78704', '55406')),
      col(
        'Email (Billing)',
        EMAIL,
        row => `${login(row)}${whole(1, 99)(row)}@${pick('mailbox.example', 'post.example')(row)}`,
      ),
      col(
        'Phone (Billing)',
        PHONE,
        some(row => `(${whole(201, 989)(row)}) 555-01${two(hash(row, 77) % 100)}`, 4),
      ),
      col('Payment Method Title', '-', pick('Credit card (Stripe)', 'PayPal', 'Cash on delivery')),
      col('Order Total Amount', '-', money(9, 640)),
    ],
  },
  {
    name: 'access-log',
    columns: [
      col('c-ip', IP, host),
      col('cs-username', USER, row => (hash(row, 81) % 2 ? login(row) : '-')),
      col('date', 'DATE', iso(2024, 2)),
      col('time', '-', clock),
      col('cs-method', '-', pick('GET', 'POST', 'HEAD', 'PUT')),
      col('cs-uri-stem', '-', pick('/', '/login', '/api/v2/items', '/static/app.css', '/favicon.ico')),
      col(
        'cs-uri-query',
        '-',
        some(row => `page=${whole(1, 40)(row)}&sort=asc`, 2),
      ),
      col('sc-status', '-', pick('200', '200', '304', '404', '302', '500')),
      col('sc-bytes', '-', whole(180, 98_000)),
      col(
        'cs(User-Agent)',
        '-',
        pick('Mozilla/5.0+(X11;+Linux+x86_64)', 'curl/8.5.0', 'Mozilla/5.0+(iPhone;+CPU+iPhone+OS+17_2)'),
      ),
      col('cs(Referer)', '-', some(pick('https://search.example/', 'https://news.example/today'), 2)),
      col('time-taken', '-', whole(1, 4200, 9)),
    ],
  },
]
