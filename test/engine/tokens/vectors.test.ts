import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { aessiv } from '@noble/ciphers/aes.js'
import { FF1 } from '@noble/ciphers/ff1.js'
import { describe, expect, test } from 'vitest'

/** What the tests of a Wycheproof file have in common. */
type Vector = { tcId: number; key: string; msg: never; ct: never; result: 'valid' | 'invalid' | 'acceptable' }
type SivVector = Vector & { aad: string; msg: string; ct: string; iv?: string; tag?: string }
type FpeVector = Vector & { tweak: string; msg: number[]; ct: number[]; flags: string[] }
type File<T> = { numberOfTests: number; testGroups: { radix?: number; keySize: number; tests: T[] }[] }

function vectorsOf<T>(name: string): File<T> {
  const packed = readFileSync(new URL(`./vectors/${name}_test.json.gz`, import.meta.url))
  return JSON.parse(gunzipSync(packed).toString())
}

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** What a call answers, or undefined where it throws. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

describe('AES-SIV', () => {
  test.each([
    ['aes_siv_cmac', 442],
    ['aead_aes_siv_cmac', 900],
  ])('does what all vectors of Wycheproof in %s say', (name, count) => {
    const { numberOfTests, testGroups } = vectorsOf<SivVector>(name)
    const wrong: number[] = []
    for (const { tcId, key, aad, iv, msg, ct, tag = '', result } of testGroups.flatMap(({ tests }) => tests)) {
      const parts = iv === undefined ? [hex(aad)] : [hex(aad), hex(iv)]
      // The AEAD of RFC 5297 gives the synthetic IV apart; it stands in front of the text.
      const sealed = `${tag}${ct}`
      const opened = attempt(() => toHex(aessiv(hex(key), ...parts).decrypt(hex(sealed))))
      const made = attempt(() => toHex(aessiv(hex(key), ...parts).encrypt(hex(msg))))
      const isRight = result === 'valid' ? opened === msg && made === sealed : opened === undefined
      if (!isRight) wrong.push(tcId)
    }
    expect(wrong).toEqual([])
    expect(testGroups.flatMap(({ tests }) => tests)).toHaveLength(numberOfTests)
    expect(numberOfTests).toBe(count)
  })

  test('does what the samples of RFC 5297, appendix A, say', () => {
    const first = aessiv(
      hex('fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff'),
      hex('101112131415161718191a1b1c1d1e1f2021222324252627'),
    )
    expect(toHex(first.encrypt(hex('112233445566778899aabbccddee')))).toBe(
      '85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c',
    )
    const second = aessiv(
      hex('7f7e7d7c7b7a79787776757473727170404142434445464748494a4b4c4d4e4f'),
      hex('00112233445566778899aabbccddeeffdeaddadadeaddadaffeeddccbbaa99887766554433221100'),
      hex('102030405060708090a0'),
      hex('09f911029d74e35bd84156c5635688c0'),
    )
    const text = '7468697320697320736f6d6520706c61696e7465787420746f20656e6372797074207573696e67205349562d414553'
    expect(toHex(second.encrypt(hex(text)))).toBe(
      '7bdb6e3b432667eb06f4d14bff2fbd0fcb900f2fddbe404326601965c889bf17dba77ceb094fa663b7a3f748ba8af829ea64ad544a272e9c485b62a3fd5c0d',
    )
  })
})

describe('FF1', () => {
  test.each([
    [10, 3845],
    [16, 3872],
    [26, 3076],
    [36, 2854],
    [62, 2474],
  ])('does what all vectors of Wycheproof with radix %i say', (radix, count) => {
    const { numberOfTests, testGroups } = vectorsOf<FpeVector>(`aes_ff1_radix${radix}`)
    const wrong: number[] = []
    for (const { tests } of testGroups) {
      for (const { tcId, key, tweak, msg, ct, result } of tests) {
        const cipher = () => FF1(radix, hex(key), hex(tweak))
        const made = attempt(() => cipher().encrypt(msg))
        const opened = attempt(() => cipher().decrypt(ct))
        // Of invalid ones it is the text that must be refused.
        const isRight = result === 'invalid' ? made === undefined : same([made, opened], [ct, msg])
        if (!isRight) wrong.push(tcId)
      }
    }
    expect(wrong).toEqual([])
    expect(testGroups.flatMap(({ tests }) => tests)).toHaveLength(numberOfTests)
    expect(numberOfTests).toBe(count)
  })

  const key128 = '2b7e151628aed2a6abf7158809cf4f3c'
  const key192 = `${key128}ef4359d8d580aa4f`
  const key256 = `${key192}7f036d6f04fc6a94`
  const digits = '0123456789'
  const alnum = `${digits}abcdefghijklmnopqrstuvwxyz`

  test.each([
    [1, key128, digits, '', '0123456789', '2433477484'],
    [2, key128, digits, '39383736353433323130', '0123456789', '6124200773'],
    [3, key128, alnum, '3737373770717273373737', '0123456789abcdefghi', 'a9tv40mll9kdu509eum'],
    [4, key192, digits, '', '0123456789', '2830668132'],
    [5, key192, digits, '39383736353433323130', '0123456789', '2496655549'],
    [6, key192, alnum, '3737373770717273373737', '0123456789abcdefghi', 'xbj3kv35jrawxv32ysr'],
    [7, key256, digits, '', '0123456789', '6657667009'],
    [8, key256, digits, '39383736353433323130', '0123456789', '1001623463'],
    [9, key256, alnum, '3737373770717273373737', '0123456789abcdefghi', 'xs8a0azh2avyalyzuwd'],
  ])('does what sample %i of NIST says', (_, key, alphabet, tweak, text, encrypted) => {
    const cipher = FF1(alphabet.length, hex(key), hex(tweak))
    const numbers = (word: string) => Array.from(word, char => alphabet.indexOf(char))
    const word = (all: number[]) => all.map(number => alphabet[number]).join('')
    expect(word(cipher.encrypt(numbers(text)))).toBe(encrypted)
    expect(word(cipher.decrypt(numbers(encrypted)))).toBe(text)
  })
})
