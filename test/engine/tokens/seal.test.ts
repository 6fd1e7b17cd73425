import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kindOf, readToken, tokenPattern, tokensIn } from '../../../shared/engine/tokens/form.ts'
import { createOpener, createSealer } from '../../../shared/engine/tokens/seal.ts'
import { testKey } from './keys.ts'

/** Texts without halves of characters, which no file holds. */
const values = fc.string({ unit: 'binary', minLength: 1, maxLength: 80 })

describe('a token', () => {
  const { seal, open } = createSealer(testKey(), 'job')

  test('gives back any value, and is the same for the same value only', () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        const token = seal(one, 'PERSON')
        expect(open(token)).toBe(one)
        expect(seal(one, 'PERSON') === seal(other, 'PERSON')).toBe(one === other)
        expect(token).toMatch(/^PERSON~[0-9A-HJKMNP-TV-Z]{34,}$/)
      }),
      { numRuns: 2000 },
    )
  })

  test('is read in small letters, in groups, and with letters that look like digits', () => {
    const token = seal('Anna Müller', 'PERSON')
    const body = token.slice('PERSON~'.length)
    const groups = body.replace(/(.{5})(?=.)/g, '$1-')
    for (const written of [
      token.toLowerCase(),
      `PERSON~${groups}`,
      ` ${token} `,
      `person~${body.replaceAll('0', 'o')}`,
    ])
      expect([written, open(written)]).toEqual([written, 'Anna Müller'])
  })

  test('shows every slip of one character, and every two that changed places', () => {
    const token = seal('Anna Müller', 'PERSON')
    const start = token.indexOf('~') + 1
    for (let at = start; at < token.length; at++) {
      for (const char of '0123456789ABCDEFGHJKMNPQRSTVWXYZ') {
        if (char === token[at]) continue
        expect(readToken(`${token.slice(0, at)}${char}${token.slice(at + 1)}`)).toBeUndefined()
      }
      const swapped = `${token.slice(0, at)}${token[at + 1] ?? ''}${token[at]}${token.slice(at + 2)}`
      if (swapped !== token) expect(readToken(swapped)).toBeUndefined()
    }
  })

  test('is found in a text, and told from what follows it', () => {
    const token = seal('Anna', 'PERSON')
    const text = `Dear ${token}99, and ${seal('Ulm', 'CITY')}`
    const [found] = new RegExp(tokenPattern(['PERSON']), 'u').exec(text)!
    const candidates = [...tokensIn(found)].map(one => one.token)
    expect(candidates).toContain(token)
    expect(createOpener({ job: testKey() })(candidates.find(one => open(one))!)).toBe('Anna')
  })

  test.each([
    ['Bündnis 90', 'BUNDNIS_90'],
    ['WHOLE-CELL', 'WHOLE_CELL'],
    ['人名', 'VALUE'],
    ['', 'VALUE'],
    ['x'.repeat(40), 'X'.repeat(32)],
  ])('of the kind %j says %s', (label, kind) => expect(kindOf(label)).toBe(kind))

  test('that is none opens as little as a stranger’s', () => {
    const garbage = fc.oneof(fc.string(), fc.stringMatching(/^[A-Z]{1,8}~[0-9A-HJKMNP-TV-Z]{30,80}$/))
    fc.assert(fc.property(garbage, text => open(text) === undefined))
  })
})
