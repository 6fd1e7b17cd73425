import { stdnumCheck } from '../detect/stdnum.ts'
import { validators } from '../detect/validators.ts'
import type { Recogniser } from './recogniser.ts'
import { digitsOf, scoreIf } from './valid.ts'

const digits = /\d{2}/

/** Australia, Medicare: weights 1 3 7 9, modulo 10 (AS 5017); first digit 2 to 6. */
function medicare(text: string): boolean {
  const value = digitsOf(text)
  return /^[2-6]\d{9,10}$/.test(value) && scoreIf(value, [1, 3, 7, 9, 1, 3, 7, 9]) % 10 === Number(value[8])
}

/** Germany, health insurance number: a letter as two digits, then weights 1 2 with cross sums, modulo 10. */
function kvnr(text: string): boolean {
  const value = String(text.charCodeAt(0) - 64).padStart(2, '0') + text.slice(1)
  let sum = 0
  for (let i = 0; i < 10; i++) {
    const product = Number(value[i]) * (i % 2 ? 2 : 1)
    sum += product > 9 ? product - 9 : product
  }
  return sum % 10 === Number(value[10])
}

/** United States, NPI: Luhn over the prefix 80840 and ten digits (45 CFR 162.406). */
const npi = (text: string) => validators.luhn(`80840${text}`)

/** United States, DEA registration: (1st+3rd+5th) + 2 x (2nd+4th+6th) ends in the seventh digit. */
function dea(text: string): boolean {
  const value = text.slice(2)
  return (scoreIf(value, [1, 0, 1, 0, 1]) + 2 * scoreIf(value, [0, 1, 0, 1, 0, 1])) % 10 === Number(value[6])
}

const row = (
  name: string,
  label: 'HEALTH_ID' | 'SOCIAL_SECURITY',
  pattern: RegExp,
  valid: (text: string) => boolean,
  [score, near]: [number, number],
  context: string[],
  source: string,
  checksum = true,
): Recogniser => ({ name, label, pattern, valid, checksum, score, near, context, own: context, source, needs: digits })

/** Numbers of social security and of health care, by country. */
export const health: Recogniser[] = [
  row(
    'at.vnr',
    'SOCIAL_SECURITY',
    /(?<![\p{L}\p{N}.-])[1-9]\d{3} ?\d{6}(?![\p{L}\p{N}]|[.-]\d)/gu,
    stdnumCheck('AT', 'vnr'),
    [0.2, 0.93],
    ['sozialversicherung', 'svnr', 'versicherungsnummer', 'sv-nummer'],
    'Austria, Dachverband; weights modulo 11',
  ),
  row(
    'au.medicare',
    'HEALTH_ID',
    /(?<![\p{L}\p{N}.-])[2-6]\d{3} ?\d{5} ?\d(?:[ /-]?\d)?(?![\p{L}\p{N}]|[.-]\d)/gu,
    medicare,
    [0.2, 0.94],
    ['medicare', 'medicare number'],
    'Australia, Services Australia; weights modulo 10',
  ),
  row(
    'ca.sin',
    'SOCIAL_SECURITY',
    /(?<![\p{L}\p{N}.-])[1-79]\d{2}[- ]?\d{3}[- ]?\d{3}(?![\p{L}\p{N}]|[ .-]\d)/gu,
    stdnumCheck('CA', 'sin'),
    [0.3, 0.95],
    ['sin', 'social insurance', 'nas', 'assurance sociale'],
    'Canada, ESDC; Luhn',
  ),
  row(
    'ca.bc-phn',
    'HEALTH_ID',
    /(?<![\p{L}\p{N}.-])9\d{3} ?\d{3} ?\d{3}(?![\p{L}\p{N}]|[ .-]\d)/gu,
    stdnumCheck('CA', 'bc_bhn'),
    [0.2, 0.94],
    ['phn', 'personal health number', 'carecard', 'health number'],
    'British Columbia; weights modulo 11',
  ),
  row(
    'de.kvnr',
    'HEALTH_ID',
    /(?<![\p{L}\p{N}])[A-Z]\d{9}(?![\p{L}\p{N}])/gu,
    kvnr,
    [0.5, 0.95],
    ['kvnr', 'versichertennummer', 'krankenversicherung', 'versicherten-nr', 'krankenkasse'],
    'Germany, § 290 SGB V; modulo 10',
  ),
  row(
    'de.svnr',
    'SOCIAL_SECURITY',
    /(?<![\p{L}\p{N}])\d{2} ?(?:0[1-9]|[12]\d|3[01]|[4-9]\d)(?:0[1-9]|1[0-2])\d{2} ?[A-Z] ?\d{3}(?![\p{L}\p{N}])/gu,
    stdnumCheck('DE', 'svnr'),
    [0.75, 0.96],
    ['sozialversicherung', 'rentenversicherung', 'svnr', 'rvnr'],
    'Germany, VKVV § 2; modulo 10',
  ),
  row(
    'es.nss',
    'SOCIAL_SECURITY',
    /(?<![\p{L}\p{N}.-])(?:0[1-9]|[1-5]\d|66)[ /-]?\d{7,8}[ /-]?\d{2}(?![\p{L}\p{N}]|[.-]\d)/gu,
    stdnumCheck('ES', 'nss'),
    [0.5, 0.95],
    ['nss', 'naf', 'seguridad social', 'nass', 'afiliación'],
    'Spain, TGSS; modulo 97',
  ),
  row(
    'fr.nir',
    'SOCIAL_SECURITY',
    /(?<![\p{L}\p{N}.-])[1-478] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}(?![\p{L}\p{N}]|[.-]\d)/gu,
    validators.nir,
    [0.9, 0.98],
    ['sécurité sociale', 'nir', 'numéro de sécu', 'n° sécu', 'insee'],
    'France, INSEE; modulo 97',
  ),
  row(
    // As people write it, with a wrong key or none: three groups of it look like a telephone number.
    'fr.nir.form',
    'SOCIAL_SECURITY',
    /(?<![\p{L}\p{N}.-])[1-478](?<sign> ?)\d{2}\k<sign>(?:0[1-9]|1[0-2]|[2-9]\d)\k<sign>(?:\d{2}|2[AB])\k<sign>\d{3}\k<sign>\d{3}(?: ?(?:\(?(?:clé|cle|key)?:? ?)?\d{2}\)?)?(?![\p{L}\p{N}]|[.-]\d)/gu,
    text => text.replace(/[^\dAB]/g, '').length >= 13,
    [0.1, 0.96],
    [
      'sécurité sociale',
      'securite sociale',
      'nir',
      'numéro de sécu',
      'n° ss',
      'nº ss',
      'numéro ss',
      'insee',
      'assuré',
      'assurée',
      'immatriculation',
    ],
    'France, INSEE; form without its key',
    false,
  ),
  row(
    'fr.nif',
    'SOCIAL_SECURITY',
    /(?<![\p{L}\p{N}.-])[0-3]\d ?\d{2} ?\d{3} ?\d{3} ?\d{3}(?![\p{L}\p{N}]|[ .-]\d)/gu,
    stdnumCheck('FR', 'nif'),
    [0.15, 0.9],
    ['nif', 'numéro fiscal', 'spi', 'référence fiscale'],
    'France, DGFiP; modulo 511',
  ),
  row(
    'gb.nino',
    'SOCIAL_SECURITY',
    /(?<![\p{L}\p{N}])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\p{L}\p{N}])/giu,
    stdnumCheck('GB', 'nino'),
    [0.85, 0.97],
    ['ni number', 'nino', 'national insurance', 'ni no'],
    'United Kingdom, HMRC NIM39110; prefixes in use',
    false,
  ),
  row(
    'gb.nino.named',
    'SOCIAL_SECURITY',
    /(?<![\p{L}\p{N}])[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\p{L}\p{N}])/giu,
    () => true,
    [0.05, 0.85],
    ['ni number', 'nino', 'national insurance', 'ni no'],
    'United Kingdom, HMRC NIM39110; any prefix, for people mistype it',
    false,
  ),
  row(
    'gb.nhs',
    'HEALTH_ID',
    /(?<![\p{L}\p{N}.-])\d{3}(?: \d{3} |\d{3})\d{4}(?![\p{L}\p{N}]|[ .-]\d)/gu,
    validators.nhs,
    [0.4, 0.96],
    ['nhs', 'nhs number', 'nhs no', 'patient', 'chi', 'hospital'],
    'United Kingdom, NHS Data Dictionary; weights modulo 11',
  ),
  row(
    // With hyphens it looks like a North American telephone number, of which every eleventh passes the checksum.
    'gb.nhs.hyphens',
    'HEALTH_ID',
    /(?<![\p{L}\p{N}.-])\d{3}-\d{3}-\d{4}(?![\p{L}\p{N}]|[ .-]\d)/gu,
    validators.nhs,
    [0.1, 0.96],
    ['nhs', 'nhs number', 'nhs no', 'patient', 'chi', 'hospital'],
    'United Kingdom, NHS Data Dictionary; weights modulo 11',
  ),
  row(
    'gr.amka',
    'SOCIAL_SECURITY',
    /(?<![\p{L}\p{N}.-])(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])\d{7}(?![\p{L}\p{N}]|[.-]\d)/gu,
    stdnumCheck('GR', 'amka'),
    [0.3, 0.94],
    ['αμκα', 'amka', 'α.μ.κ.α'],
    'Greece, IDIKA; Luhn',
  ),
  row(
    'us.npi',
    'HEALTH_ID',
    /(?<![\p{L}\p{N}.-])[12]\d{9}(?![\p{L}\p{N}]|[.-]\d)/gu,
    npi,
    [0.15, 0.93],
    ['npi', 'provider', 'prescriber'],
    'United States, CMS; Luhn with 80840',
  ),
  row(
    'us.dea',
    'HEALTH_ID',
    /(?<![\p{L}\p{N}])[ABFGMPR][A-Z9]\d{7}(?![\p{L}\p{N}])/gu,
    dea,
    [0.6, 0.95],
    ['dea', 'dea number', 'dea no', 'prescriber'],
    'United States, 21 CFR 1301; check digit',
  ),
  row(
    'us.mbi',
    'HEALTH_ID',
    /(?<![\p{L}\p{N}])[1-9][AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d-?[AC-HJKMNP-RT-Y][0-9AC-HJKMNP-RT-Y]\d-?[AC-HJKMNP-RT-Y]{2}\d{2}(?![\p{L}\p{N}])/gu,
    () => true,
    [0.7, 0.95],
    ['medicare', 'mbi', 'beneficiary'],
    'United States, CMS; format without a check digit',
    false,
  ),
]
