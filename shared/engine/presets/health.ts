import { numberAfter } from './numbers.ts'
import type { Preset, PresetPattern } from './preset.ts'

const plate = String.raw`(?=[A-Z -]{0,8}\d)[A-Z0-9]{1,8}(?:[ -](?=[A-Z]{0,3}\d)[A-Z0-9]{1,4})?`

const hipaaPatterns: readonly PresetPattern[] = [
  numberAfter('MEDICAL_RECORD', String.raw`MRN|(?:medical|patient)[ \t](?:record|chart)`, { unmistakable: true }),
  numberAfter('HEALTH_PLAN', 'member|subscriber|policy|group|beneficiary|medicare|medicaid|insurance'),
  numberAfter('ACCOUNT', String.raw`account|acct\.?|invoice|encounter|visit|accession|specimen|order`),
  numberAfter('CERTIFICATE', 'licen[cs]e|certificate|DEA|NPI|registration'),
  numberAfter('PLATE', String.raw`(?:licen[cs]e[ \t]|number[ \t])plate`, { shape: plate, unmistakable: true }),
  numberAfter('DEVICE_SERIAL', String.raw`serial|S\/N|UDI|device|lot|model`),
]

/** Presets for documents about patients. */
export const health: readonly Preset[] = [
  {
    id: 'hipaa-safe-harbor',
    version: '3.2.0',
    title: 'HIPAA Safe Harbor',
    description:
      'The eighteen identifiers of the Safe Harbor method of the HIPAA Privacy Rule, item by item. Stricter where a finer cut would be a guess: all dates go with their year, all ages, and places of any size. Safe Harbor asks besides that nobody knows of a way to tell who somebody is by what is left, which no software can attest.',
    labels: {
      direct: [
        'PERSON',
        'ADDRESS',
        'PHONE',
        'EMAIL',
        'SOCIAL_SECURITY',
        'NATIONAL_ID',
        'TAX_ID',
        'HEALTH_ID',
        'ID',
        'BANK_ACCOUNT',
        'IBAN',
        'PAYMENT_CARD',
        'CRYPTO_ADDRESS',
        'DRIVING_LICENCE',
        'PASSPORT',
        'VEHICLE_ID',
        'DEVICE_ID',
        'MAC_ADDRESS',
        'URL',
        'IP_ADDRESS',
        'USERNAME',
        'SECRET',
      ],
      quasi: ['LOCATION', 'COORDINATES', 'ORGANIZATION', 'DATE', 'DATE_OF_BIRTH', 'AGE'],
    },
    patterns: hipaaPatterns,
    items: [
      {
        item: 'A',
        title: 'Names',
        by: ['PERSON', 'ORGANIZATION'],
        note: 'The rule counts names of relatives, employers and household members as well.',
      },
      {
        item: 'B',
        title: 'Geographic subdivisions smaller than a state',
        by: ['ADDRESS', 'LOCATION', 'COORDINATES'],
        note: 'States and countries go too, and the first three digits of a ZIP code, which may stay where more than 20,000 people live.',
      },
      {
        item: 'C',
        title: 'Elements of dates but the year, and ages over 89',
        by: ['DATE', 'DATE_OF_BIRTH', 'AGE'],
        note: 'Years and ages below 90 go too.',
      },
      { item: 'D', title: 'Telephone numbers', by: ['PHONE'] },
      { item: 'E', title: 'Fax numbers', by: ['PHONE'] },
      { item: 'F', title: 'E-mail addresses', by: ['EMAIL'] },
      { item: 'G', title: 'Social security numbers', by: ['SOCIAL_SECURITY', 'NATIONAL_ID', 'TAX_ID'] },
      { item: 'H', title: 'Medical record numbers', by: ['HEALTH_ID', 'ID', 'MEDICAL_RECORD'] },
      { item: 'I', title: 'Health plan beneficiary numbers', by: ['HEALTH_ID', 'ID', 'HEALTH_PLAN'] },
      {
        item: 'J',
        title: 'Account numbers',
        by: ['BANK_ACCOUNT', 'IBAN', 'PAYMENT_CARD', 'CRYPTO_ADDRESS', 'ACCOUNT'],
      },
      { item: 'K', title: 'Certificate and license numbers', by: ['DRIVING_LICENCE', 'PASSPORT', 'ID', 'CERTIFICATE'] },
      {
        item: 'L',
        title: 'Vehicle identifiers and serial numbers, license plates',
        by: ['VEHICLE_ID', 'PLATE'],
        note: 'Plates behind a word that names them only.',
      },
      {
        item: 'M',
        title: 'Device identifiers and serial numbers',
        by: ['DEVICE_ID', 'MAC_ADDRESS', 'DEVICE_SERIAL'],
      },
      { item: 'N', title: 'Web addresses (URLs)', by: ['URL'] },
      { item: 'O', title: 'Internet protocol addresses', by: ['IP_ADDRESS'] },
      {
        item: 'P',
        title: 'Biometric identifiers, such as finger and voice prints',
        by: [],
        note: 'Not text. Leave out recordings and pictures that hold them.',
      },
      {
        item: 'Q',
        title: 'Full-face photographs and comparable images',
        by: [],
        note: 'Pictures are read for text and otherwise stay as they are. Leave out or cover those of people.',
      },
      {
        item: 'R',
        title: 'Any other unique identifying number, characteristic or code',
        by: ['ID', 'USERNAME', 'SECRET'],
        note: 'Characteristics that single somebody out in words ("the mayor of ...") need a person to read.',
      },
    ],
    sources: ['45 CFR 164.514(b)(2)(i)', 'HHS, guidance on methods for de-identification of PHI, 26 November 2012'],
  },
  {
    id: 'doctor-letter-de',
    version: '3.2.0',
    title: 'Arztbrief',
    description:
      'German letters of doctors and hospitals. Patients, relatives and staff, addresses, numbers of patients, cases, insurance and practices, dates and places go; findings, laboratory values, doses and the age stay, or the letter would say nothing more. Of a date of birth written in digits the year stays.',
    labels: {
      direct: [
        'PERSON',
        'ADDRESS',
        'PHONE',
        'EMAIL',
        'URL',
        'ID',
        'NATIONAL_ID',
        'SOCIAL_SECURITY',
        'TAX_ID',
        'HEALTH_ID',
        'PASSPORT',
        'DRIVING_LICENCE',
        'VEHICLE_ID',
        'DEVICE_ID',
        'IBAN',
        'BANK_ACCOUNT',
        'USERNAME',
      ],
      quasi: ['DATE_OF_BIRTH', 'DATE', 'LOCATION', 'ORGANIZATION', 'DEMOGRAPHIC'],
    },
    replacements: { DATE_OF_BIRTH: { generalise: { date: { part: 'year', order: 'DMY' } } } },
    patterns: [
      numberAfter('FALLNUMMER', '(?:Fall|Aufnahme|Behandlungs|Auftrags?|Befund|Proben?|Akten|Journal)-?'),
      numberAfter('PATIENTENNUMMER', String.raw`(?:Patienten|Patientinnen|Pat\.|PID)-?`),
      numberAfter('VERSICHERTENNUMMER', String.raw`(?:Versicherten|Versicherungs|KV|Kassen|Mitglieds?|KVNR|Vers\.)-?`),
      numberAfter('ARZTNUMMER', '(?:LANR|BSNR|Arzt|Betriebsstätten|IK|Institutionskennzeichen)-?', {
        shape: String.raw`\d{9}`,
        unmistakable: true,
      }),
    ],
    sources: [
      '§ 203 StGB, § 10 MBO-Ä',
      'SGB V § 290 (Krankenversichertennummer), § 293 (Arzt- und Betriebsstättennummer, Institutionskennzeichen)',
    ],
  },
]
