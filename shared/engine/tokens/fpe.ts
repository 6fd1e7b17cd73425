import { FF1 } from '@noble/ciphers/ff1.js'
import type { Scope } from '../operators/scope.ts'
import { charactersOf, leastLength } from './alphabet.ts'
import { deriveKey, type TokenKey } from './key.ts'

/** How values keep their form: what is encrypted, and what stays. */
export type FpeForm = {
  /** Name of an alphabet, or its characters. */
  alphabet: string
  /** Letters and digits that stay at the beginning and at the end. */
  first: number
  last: number
  /** Tells values whose check digits are right: right ones become right ones, and others become others. */
  isValid?: (text: string) => boolean
}

/** Why a value has no encryption of its form. */
export type Unfit = 'too short' | 'other characters' | 'no valid value'

/** Encrypts and decrypts values of one form. */
export type FpeCipher = { encrypt(value: string): string | Refused; decrypt(value: string): string | Refused }

/** A value without an encryption of its form, and why. */
export type Refused = { unfit: Unfit }

/** Encryptions until a value with the right check digits comes; for two digits it takes about a hundred. */
const MOST_STEPS = 5000

const isMeaningful = /[\p{L}\p{N}]/u

/** A value taken apart: the places of the characters to be encrypted, and those as numbers. */
function takeApart(chars: string[], form: FpeForm, numbers: ReadonlyMap<string, number>) {
  const places = [...chars.keys()].filter(at => numbers.has(chars[at]!) || isMeaningful.test(chars[at]!))
  const inner = places.slice(form.first, Math.max(form.first, places.length - form.last))
  // A letter that stays would be told: only what separates may, and what is to be kept.
  if (!inner.every(at => numbers.has(chars[at]!))) return { unfit: 'other characters' as const }
  if (inner.length < leastLength(numbers.size)) return { unfit: 'too short' as const }
  const encrypted = new Set(inner)
  const kept = places.filter(at => !encrypted.has(at)).map(at => chars[at]!)
  return { inner, kept: kept.join(''), digits: inner.map(at => numbers.get(chars[at]!)!) }
}

/**
 * FF1 (NIST SP 800-38G) over what the form encrypts of a value. Kind of value and what stays of it are the tweak, so that
 * numbers that differ in those only have nothing in common.
 */
export function createFpe(key: TokenKey, scope: Scope, kind: string, form: FpeForm): FpeCipher {
  const secret = deriveKey(key, scope, 'fpe/v1', 32)
  const alphabet = charactersOf(form.alphabet)
  const numbers = new Map(alphabet.map((char, number) => [char, number]))
  const run = (value: string, direction: 'encrypt' | 'decrypt') => {
    const chars = Array.from(value)
    const apart = takeApart(chars, form, numbers)
    if (apart.unfit) return { unfit: apart.unfit }
    const { inner, kept } = apart
    const cipher = FF1(alphabet.length, secret, Buffer.from(JSON.stringify([kind, kept])))
    const valid = form.isValid?.(value)
    let { digits } = apart
    for (let step = 0; step < MOST_STEPS; step++) {
      digits = cipher[direction](digits)
      for (const [n, at] of inner.entries()) chars[at] = alphabet[digits[n]!]!
      const text = chars.join('')
      // Walking on until the check digits are as right as they were undoes itself the same way (cycle walking).
      if (form.isValid?.(text) === valid) return text
    }
    return { unfit: 'no valid value' as const }
  }
  return { encrypt: value => run(value, 'encrypt'), decrypt: value => run(value, 'decrypt') }
}
