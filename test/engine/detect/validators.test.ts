import { expect, test } from 'vitest'
import type { ValidatorName } from '../../../shared/engine/detect/validator-names.ts'
import { validators } from '../../../shared/engine/detect/validators.ts'

/** Published examples of each checksum, and the same with a digit changed or places swapped. */
const cases: Record<ValidatorName, { good: string[]; bad: string[] }> = {
  aadhaar: { good: ['2341 2341 2346'], bad: ['2341 2341 2347', '1341 2341 2346', '23412341234'] },
  aba: { good: ['021000021', '011401533'], bad: ['021000022', '000000000'] },
  bsn: { good: ['111222333', '123456782'], bad: ['111222334', '000000000'] },
  cnpj: { good: ['11.222.333/0001-81'], bad: ['11.222.333/0001-82', '11111111111111'] },
  codice_fiscale: { good: ['RSSMRA85T10A562S'], bad: ['RSSMRA85T10A562T', 'RSSMRA85T10A56'] },
  cpf: { good: ['529.982.247-25'], bad: ['529.982.247-26', '111.111.111-11'] },
  dni: { good: ['12345678Z', 'X1234567L'], bad: ['12345678A', 'X12345678L'] },
  iban: {
    good: ['DE89 3704 0044 0532 0130 00', 'GB82WEST12345698765432', 'NL91ABNA0417164300'],
    bad: ['DE89 3704 0044 0532 0130 01', 'DE8937040044053201300', 'ZZ89370400440532013000'],
  },
  imei: { good: ['490154203237518'], bad: ['490154203237519', '4111111111111111'] },
  isbn: { good: ['978-3-16-148410-0', '0-306-40615-2', '080442957X'], bad: ['978-3-16-148410-1', '0306406153'] },
  lei: { good: ['5493001KJTIIGC8Y1R12'], bad: ['5493001KJTIIGC8Y1R13', '5493001KJTIIGC8Y1R1'] },
  luhn: { good: ['4111 1111 1111 1111', '79927398713'], bad: ['4111 1111 1111 1112', '7'] },
  nhs: { good: ['943 476 5919'], bad: ['943 476 5918', '94347659'] },
  nip: { good: ['123-456-32-18'], bad: ['123-456-32-19'] },
  nir: { good: ['2 55 08 14 168 025 38'], bad: ['2 55 08 14 168 025 39'] },
  pesel: { good: ['44051401359'], bad: ['44051401358'] },
  regon: { good: ['123456785'], bad: ['123456784'] },
  steuer_id: { good: ['86095742719'], bad: ['86095742718', '06095742719'] },
  vin: { good: ['1M8GDM9AXKP042788'], bad: ['1M8GDM9A1KP042788', '1M8GDM9AXKP04278I'] },
}

const rows = Object.entries(cases).flatMap(([name, { good, bad }]) => [
  ...good.map(text => [name as ValidatorName, text, true] as const),
  ...bad.map(text => [name as ValidatorName, text, false] as const),
])

test.each(rows)('%s of %s: %s', (name, text, passes) => {
  expect(validators[name](text)).toBe(passes)
})
