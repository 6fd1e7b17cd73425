import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { newKey, readKey } from '../../shared/auth/account-keys.ts'
import { isWithin } from '../../shared/auth/address-ranges.ts'

describe('a key', () => {
  test('names its account and is known by its digest', () => {
    for (let n = 0; n < 200; n++) {
      const accountId = randomUUID()
      const { key, hash } = newKey(accountId)
      expect(key).toMatch(/^anon_[0-9a-f]{32}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
      expect(readKey(key)).toEqual({ accountId, hash })
      expect(hash).toMatch(/^[0-9a-f]{64}$/)
      expect(hash).not.toContain(key.slice(38, 81))
    }
  })

  // The sum was computed by Python: `zlib.crc32`, then in base 62.
  const known = `anon_${'0'.repeat(32)}_${'A'.repeat(43)}_2iyRwN`
  test('ends with the CRC-32 of what is before it', () => {
    expect(readKey(known)?.accountId).toBe('00000000-0000-0000-0000-000000000000')
  })

  test('with one character changed, missing or too many is none', () => {
    for (let at = 0; at < known.length; at++) {
      const [before, after] = [known.slice(0, at), known.slice(at + 1)]
      for (const wrong of [
        `${before}${known[at] === 'f' ? 'e' : 'f'}${after}`,
        before + after,
        `${before}0${known.slice(at)}`,
      ]) {
        if (wrong !== known) expect([wrong, readKey(wrong)]).toEqual([wrong, undefined])
      }
    }
  })
})

describe('ranges of addresses', () => {
  test.each([
    [[], '203.0.113.9', true],
    [[], 'unknown', true],
    [['203.0.113.9'], '203.0.113.9', true],
    [['203.0.113.9'], '203.0.113.10', false],
    [['203.0.113.0/24', '2001:db8::/32'], '203.0.113.255', true],
    [['203.0.113.77/24'], '203.0.113.1', true],
    [['203.0.113.0/24', '2001:db8::/32'], '203.0.114.0', false],
    [['203.0.113.0/24', '2001:db8::/32'], '2001:db8:ffff::1', true],
    [['203.0.113.0/24', '2001:db8::/32'], '2001:db9::1', false],
    [['203.0.113.0/24'], '::ffff:203.0.113.7', true],
    [['203.0.113.0/24'], '::ffff:203.0.114.7', false],
    [['0.0.0.0/0'], '198.51.100.1', true],
    [['0.0.0.0/0', '::/0'], 'unknown', false],
    [['0.0.0.0/0', '::/0'], '', false],
  ])('%j hold %s: %s', (ranges, address, expected) => {
    expect(isWithin(ranges, address)).toBe(expected)
  })
})
