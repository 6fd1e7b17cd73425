import { validators } from '../detect/validators.ts'
import type { Recogniser } from './recogniser.ts'

const words = [
  'passport',
  'passport no',
  'passport number',
  'pasaporte',
  'reisepass',
  'passnummer',
  'pass-nr',
  'passaporte',
  'passeport',
  'passaporto',
  'paspoort',
  'paszport',
  'pas nr',
  'passi',
]
const digits = /\d{3}/

/** Passports carry no check digit outside their machine-readable zone: a word near them decides. */
const passport = (country: string, pattern: RegExp, score = 0.1): Recogniser => ({
  name: `${country}.passport`,
  label: 'PASSPORT',
  pattern,
  score,
  near: 0.9,
  context: words,
  source: 'ICAO Doc 9303 and the issuing authority',
  needs: /\d/,
})

/** ICAO Doc 9303 part 3: weights 7 3 1 over digits, letters (A = 10) and fillers, modulo 10. */
function mrz(field: string): boolean {
  const value = (c: string) => (c === '<' ? 0 : Number.parseInt(c, 36))
  const sum = Array.from(field.slice(0, -1), (c, i) => value(c) * [7, 3, 1][i % 3]!).reduce((a, b) => a + b, 0)
  return sum % 10 === Number(field.at(-1))
}

/** Second line of a passport: number, birth and expiry each with their check digit. */
const mrzLine = (text: string) => mrz(text.slice(0, 10)) && mrz(text.slice(13, 20)) && mrz(text.slice(21, 28))

/** What the number of a vehicle's chassis is called. */
const vehicles =
  `vin vehicle chassis car fin fahrgestell fahrgestellnummer fahrzeug-identifizierungsnummer bastidor châssis chassisnummer
  telaio chassi nadwozia pojazdu karoserie rámu quadro understel chassinummer`.split(/\s+/)

export const documents: Recogniser[] = [
  passport('at', /(?<![\p{L}\p{N}])[A-Z]{1,2} ?\d{7}(?![\p{L}\p{N}])/gu),
  passport('au', /(?<![\p{L}\p{N}])[A-Z]{1,2}\d{7}(?![\p{L}\p{N}])/gu),
  passport('br', /(?<![\p{L}\p{N}])[A-Z]{2}\d{6}(?![\p{L}\p{N}])/gu),
  passport('ca', /(?<![\p{L}\p{N}])[A-Z]{2}\d{6}(?![\p{L}\p{N}])/gu),
  passport('ch', /(?<![\p{L}\p{N}])[SX]\d{7}(?![\p{L}\p{N}])/gu),
  passport('cn', /(?<![\p{L}\p{N}])[EG][A-Z]?\d{7,8}(?![\p{L}\p{N}])/gu),
  passport('de', /(?<![\p{L}\p{N}])[CFGHJK][CFGHJKLMNPRTVWXYZ0-9]{7,8}[0-9CFGHJKLMNPRTVWXYZ](?![\p{L}\p{N}])/gu),
  passport('es', /(?<![\p{L}\p{N}])[A-Z]{2,3}\d{6}[A-Z]?(?![\p{L}\p{N}])/gu),
  passport('fr', /(?<![\p{L}\p{N}])\d{2}[A-Z]{2}\d{5}(?![\p{L}\p{N}])/gu),
  passport('gb', /(?<![\p{L}\p{N}])\d{9}(?![\p{L}\p{N}])/gu, 0.05),
  passport('in', /(?<![\p{L}\p{N}])[A-PR-WY][1-9]\d ?\d{4}[1-9](?![\p{L}\p{N}])/gu),
  passport('it', /(?<![\p{L}\p{N}])[A-Z]{2}\d{7}(?![\p{L}\p{N}])/gu),
  passport('nl', /(?<![\p{L}\p{N}])[A-NP-Z]{2}[A-NP-Z0-9]{6}\d(?![\p{L}\p{N}])/gu),
  passport('pl', /(?<![\p{L}\p{N}])[A-Z]{2} ?\d{7}(?![\p{L}\p{N}])/gu),
  passport('us', /(?<![\p{L}\p{N}])(?:[A-Z]\d{8}|\d{9})(?![\p{L}\p{N}])/gu, 0.05),
  {
    name: 'mrz',
    label: 'PASSPORT',
    pattern: /(?<![\p{L}\p{N}<])[A-Z0-9<]{9}\d[A-Z<]{3}\d{7}[MFX<]\d{7}[A-Z0-9<]{14}[\d<]\d(?![\p{L}\p{N}<])/gu,
    valid: mrzLine,
    checksum: true,
    score: 0.98,
    source: 'ICAO Doc 9303 part 4, machine-readable zone of passports',
    needs: /</,
  },
  {
    name: 'vin',
    label: 'VEHICLE_ID',
    pattern: /(?<![\p{L}\p{N}])(?=[A-HJ-NPR-Z0-9]{0,16}\d)[A-HJ-NPR-Z0-9]{17}(?![\p{L}\p{N}])/gu,
    valid: validators.vin,
    checksum: true,
    score: 0.7,
    near: 0.97,
    context: vehicles,
    source: 'ISO 3779 and 49 CFR 565.15; check digit of North America',
    needs: digits,
  },
  {
    name: 'vin.named',
    label: 'VEHICLE_ID',
    pattern:
      /(?<![\p{L}\p{N}])(?=[A-HJ-NPR-Z -]{0,20}\d)[A-HJ-NPR-Z0-9]{3}(?:[A-HJ-NPR-Z0-9]{14}|(?:[ -]?[A-HJ-NPR-Z0-9]){14})(?![\p{L}\p{N}])/gu,
    score: 0.1,
    near: 0.85,
    context: vehicles,
    source: 'ISO 3779; outside North America the ninth place is no check digit',
    needs: digits,
  },
  {
    name: 'imei',
    label: 'DEVICE_ID',
    pattern: /(?<![\p{L}\p{N}.-])\d{2}[ -]?\d{6}[ -]?\d{6}[ -]?\d(?![\p{L}\p{N}]|[.-]\d)/gu,
    valid: validators.imei,
    checksum: true,
    score: 0.4,
    near: 0.97,
    context: ['imei', 'device', 'handset', 'phone'],
    own: ['imei'],
    source: '3GPP TS 23.003 annex B; Luhn',
    needs: digits,
  },
  {
    name: 'driving-licence',
    label: 'DRIVING_LICENCE',
    pattern: /(?<![\p{L}\p{N}])(?=[A-Z]{0,5}[ -]?\d)(?:[A-Z]{1,5}[ -]?)?\d(?:[ -]?[A-Z0-9]){5,15}(?![\p{L}\p{N}])/gu,
    score: 0.02,
    near: 0.75,
    context: [
      "driver's license",
      "driver's licence",
      'drivers license',
      'driver license',
      'driving licence',
      'driving license',
      'driver’s license',
      'licence number',
      'license number',
      'permiso de conducir',
      'führerschein',
      'prawo jazdy',
      'körkort',
      'førerkort',
      'carta de condução',
      'permis de conduire',
      'rijbewijs',
      'patente di guida',
      'řidičský průkaz',
    ],
    source: 'letters and digits that are called a driving licence',
    needs: digits,
  },
  {
    name: 'id.labelled',
    label: 'ID',
    pattern:
      /(?<![\p{L}\p{N}])(?:id|mrn|nhc|nass|case|file|application|policy|claim|member|customer|client|employee|patient|invoice|order|reference|ref|account|certificate|confirmation|booking|ticket|registration|licen[cs]e|permit|serial|student|record|docket|expediente|historia|póliza|aktenzeichen|kundennummer|vertragsnummer|processo|matrícula|diarienummer|kundnummer)(?: ?(?:number|num|no|nr|n[º°]|id|code|#))?(?:\.|#)?\s{0,2}(?:is|:|#|=)?\s{0,3}(?<value>#?(?=[A-Z/-]{0,8}\d)[A-Z0-9](?:[A-Z0-9]|[-/.](?=[A-Z0-9])){3,63})(?![\p{L}\p{N}])/giu,
    score: 0.6,
    source: 'a value with a digit that is called a number of something, as long as a UUID or longer',
    needs: digits,
  },
]
