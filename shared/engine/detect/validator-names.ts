/** Names of the checksums, apart from them: whoever only looks at a rule or a replacement need not load the numbers' rules. */
const names = [
  'aadhaar',
  'aba',
  'bsn',
  'cnpj',
  'codice_fiscale',
  'cpf',
  'dni',
  'iban',
  'imei',
  'isbn',
  'lei',
  'luhn',
  'nhs',
  'nip',
  'nir',
  'pesel',
  'regon',
  'steuer_id',
  'vin',
] as const

/** The name of a checksum, see `validators`. */
export type ValidatorName = (typeof names)[number]

/** Whether a rule may name this checksum. */
export const isValidator = (name: string): name is ValidatorName => (names as readonly string[]).includes(name)
