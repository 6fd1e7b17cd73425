import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { validators } from '../../../shared/engine/detect/validators.ts'
import { alphabets, leastLength } from '../../../shared/engine/tokens/alphabet.ts'
import { createFpe, type FpeForm } from '../../../shared/engine/tokens/fpe.ts'
import { testKey } from './keys.ts'

const form = (change: Partial<FpeForm> = {}): FpeForm => ({ alphabet: 'digits', first: 0, last: 0, ...change })

describe('format-preserving encryption', () => {
  test('takes domains of a million and more only', () => {
    expect([10, 16, 26, 36, 62].map(leastLength)).toEqual([6, 5, 5, 4, 4])
    const cipher = createFpe(testKey(), 'job', 'ID', form())
    expect(cipher.encrypt('12345')).toEqual({ unfit: 'too short' })
    expect(cipher.encrypt('')).toEqual({ unfit: 'too short' })
    expect(cipher.encrypt('123456')).toMatch(/^\d{6}$/)
    expect(createFpe(testKey(), 'job', 'ID', form({ first: 2, last: 3 })).encrypt('1234567890')).toEqual({
      unfit: 'too short',
    })
  })

  test('leaves no letter or digit as it is that the alphabet lacks', () => {
    const cipher = createFpe(testKey(), 'job', 'ID', form())
    for (const value of ['AB123456', '123456é', '１23456', '123456x'])
      expect([value, cipher.encrypt(value)]).toEqual([value, { unfit: 'other characters' }])
  })

  test.each(Object.entries(alphabets))('gives back any value of the alphabet %s, in its form', (alphabet, chars) => {
    const cipher = createFpe(testKey(), 'job', 'ID', form({ alphabet, first: 1, last: 1 }))
    const unit = fc.constantFrom(...chars)
    const value = fc.array(unit, { minLength: 8, maxLength: 40 }).map(all => all.join(''))
    fc.assert(
      fc.property(value, fc.nat(6), (text, at) => {
        const written = `${text.slice(0, at)}-${text.slice(at)}`
        const encrypted = cipher.encrypt(written) as string
        expect(cipher.decrypt(encrypted)).toBe(written)
        expect([encrypted.length, encrypted.indexOf('-')]).toEqual([written.length, at])
        const plain = encrypted.replace('-', '')
        expect([plain[0], plain.at(-1)]).toEqual([text[0], text.at(-1)])
      }),
      { numRuns: 200 },
    )
  })

  test('is one to one, and spreads evenly', { timeout: 60_000 }, () => {
    const cipher = createFpe(testKey(), 'job', 'ID', form())
    const made = new Set<string>()
    const counts = Array.from({ length: 6 }, () => new Array<number>(10).fill(0))
    const N = 20_000
    for (let n = 0; n < N; n++) {
      const text = cipher.encrypt(String(n).padStart(6, '0')) as string
      made.add(text)
      for (const [at, digit] of Array.from(text, Number).entries()) counts[at]![digit]!++
    }
    expect(made.size).toBe(N)
    for (const digits of counts) {
      const chi = digits.reduce((sum, count) => sum + (count - N / 10) ** 2 / (N / 10), 0)
      // 27.9 is passed by chance once in a thousand times with nine degrees of freedom.
      expect(chi).toBeLessThan(27.9)
    }
  })

  test('keeps right check digits right and wrong ones wrong', () => {
    const card = createFpe(testKey(), 'job', 'CARD', form({ first: 6, last: 4, isValid: validators.luhn }))
    for (const value of ['4111 1111 1111 1111', '5500-0000-0000-0004', '4111 1111 1111 1112']) {
      const encrypted = card.encrypt(value) as string
      expect(encrypted).not.toBe(value)
      expect(validators.luhn(encrypted)).toBe(validators.luhn(value))
      expect(encrypted.replace(/\D/g, '').slice(-4)).toBe(value.replace(/\D/g, '').slice(-4))
      expect(card.decrypt(encrypted)).toBe(value)
    }
    const iban = createFpe(testKey(), 'job', 'IBAN', form({ first: 2, isValid: validators.iban }))
    const encrypted = iban.encrypt('DE89 3704 0044 0532 0130 00') as string
    expect(validators.iban(encrypted)).toBe(true)
    expect(encrypted).toMatch(/^DE\d\d( \d{4}){4} \d\d$/)
    expect(iban.decrypt(encrypted)).toBe('DE89 3704 0044 0532 0130 00')
  })

  test('differs by owner, scope, kind and key', () => {
    const of = (key = testKey(), scope: 'job' | 'project' = 'job', kind = 'ID') =>
      createFpe(key, scope, kind, form()).encrypt('123456789012')
    const all = [
      of(),
      of(testKey({ bound: ['deployment', 'another', 'place'] })),
      of(testKey({ secret: 9 })),
      of(testKey(), 'project'),
      of(testKey(), 'job', 'CARD'),
    ]
    expect(new Set(all).size).toBe(all.length)
  })
})
