/**
 * Every checksum that `validator` of a rule may name: what it checks, and by which rule. `stdnum` is the library of that
 * name (npm, MIT).
 */
export const checksums = {
  aadhaar: ['India: Aadhaar, 12 digits', 'Verhoeff; stdnum'],
  aba: ['United States: ABA routing number, 9 digits', 'weights 3 7 1, modulo 10'],
  bsn: ['Netherlands: burgerservicenummer', 'elfproef; stdnum, and not one digit repeated'],
  cnpj: ['Brazil: number of a company', 'stdnum, and not one digit repeated'],
  codice_fiscale: ['Italy: codice fiscale', 'stdnum'],
  cpf: ['Brazil: number of a person', 'stdnum, and not one digit repeated'],
  dni: ['Spain: DNI of citizens and NIE of foreigners', 'stdnum'],
  iban: ['IBAN of a country of the register, with its length', 'ISO 13616; ISO 7064, MOD 97-10'],
  imei: ['Identity of a mobile device, 15 digits', '3GPP TS 23.003, annex B'],
  isbn: ['ISBN of 10 or 13 digits', 'ISO 2108'],
  lei: ['Legal entity identifier, 20 characters', 'ISO 17442; ISO 7064, MOD 97-10'],
  luhn: ['Numbers of cards and others with a Luhn digit', 'ISO/IEC 7812-1, annex B'],
  nhs: ['United Kingdom: NHS number, 10 digits', 'NHS Data Dictionary, modulo 11'],
  nip: ['Poland: tax number', 'stdnum'],
  nir: ['France: number of social security', 'stdnum'],
  pesel: ['Poland: number of a person', 'stdnum'],
  regon: ['Poland: number of a company', 'stdnum'],
  steuer_id: ['Germany: Steuer-Identifikationsnummer, 11 digits', 'stdnum'],
  vin: ['Vehicle identification number with a check digit (North America)', '49 CFR 565.15'],
} as const satisfies Record<string, readonly [proves: string, rule: string]>
