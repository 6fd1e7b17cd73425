import * as crypto from 'node:crypto'
import { promisify } from 'node:util'
import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'

const scrypt = promisify<string, Uint8Array, number, crypto.ScryptOptions, Buffer>(crypto.scrypt)
const argon2: typeof crypto.argon2 | undefined = crypto.argon2

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. */
const ARGON2 = { m: 19_456, t: 2, p: 1 }
/** OWASP's choice for scrypt, where the runtime lacks argon2. */
const SCRYPT = { ln: 17, r: 8, p: 1 }
const HASH_BYTES = 32

/** Hashes a password as a PHC string: argon2id, or scrypt where the runtime lacks it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.randomBytes(16)
  if (!argon2) return phc('scrypt', SCRYPT, salt, await scryptHash(password, salt, SCRYPT))
  return `$argon2id$v=19${phc('', ARGON2, salt, await argonHash(password, salt, ARGON2))}`.replace('$$', '$')
}

/** Whether a password is the one that was hashed. Throws on a hash of unknown form. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const parts = hash.split('$').filter(part => part && part !== 'v=19')
  const [algorithm, parameters = '', salt = '', expected = ''] = parts
  const numbers = Object.fromEntries(
    parameters
      .split(',')
      .map(pair => pair.split('='))
      .map(([k, v]) => [k, Number(v)]),
  )
  const saltBytes = Buffer.from(salt, 'base64')
  let actual: Buffer
  if (algorithm === 'argon2id') actual = await argonHash(password, saltBytes, numbers as typeof ARGON2)
  else if (algorithm === 'scrypt') actual = await scryptHash(password, saltBytes, numbers as typeof SCRYPT)
  else throw new Error('Unknown password hash')
  const wanted = Buffer.from(expected, 'base64')
  return wanted.length === actual.length && crypto.timingSafeEqual(wanted, actual)
}

/** A hash that no password has, so that a login with an unknown address takes the time of a wrong password. */
export const decoyHash = (): Promise<string> => {
  decoy ??= hashPassword(crypto.randomBytes(24).toString('base64'))
  return decoy
}
let decoy: Promise<string> | undefined

/** Characters of a password that are looked at: what is easily guessed is so from its beginning, and time stays short. */
const LOOKED_AT = 64
/** Smallest score of a good password: about 10^8 guesses, a hundred times what a day and every address allow together. */
const GOOD = 3

/**
 * Whether a password is easily guessed: one of the commonest, with endings, capitals and digits as people put them, a row of
 * keys, a repetition, a date, or made of the person's own name and address.
 */
export function isGuessable(password: string, person: { name: string; email: string }): boolean {
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: LOOKED_AT })
  const own = [person.name, person.email].flatMap(text => [text, ...text.split(/[\s@._+-]+/u)])
  return (
    estimator.check(
      password,
      own.filter(word => word.length > 2),
    ).score < GOOD
  )
}
let estimator: ZxcvbnFactory | undefined

/** A password that nobody can guess, for a person to use once: 20 characters without look-alikes. */
export function temporaryPassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyzACDEFGHJKLMNPQRTUVWXYZ234679'
  return Array.from({ length: 20 }, () => alphabet[crypto.randomInt(alphabet.length)]).join('')
}

const phc = (id: string, parameters: Record<string, number>, salt: Buffer, hash: Buffer): string => {
  const text = Object.entries(parameters).map(([name, value]) => `${name}=${value}`)
  return `$${id}$${text.join(',')}$${bare(salt)}$${bare(hash)}`
}

/** Base64 without padding, as PHC strings want it. */
const bare = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')

const argonHash = (message: string, nonce: Uint8Array, { m, t, p }: typeof ARGON2): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { message, nonce, parallelism: p, tagLength: HASH_BYTES, memory: m, passes: t }
    argon2!('argon2id', options, (error, hash) => (error ? reject(error) : resolve(hash)))
  })

const scryptHash = (password: string, salt: Uint8Array, { ln, r, p }: typeof SCRYPT): Promise<Buffer> =>
  scrypt(password, salt, HASH_BYTES, { N: 2 ** ln, r, p, maxmem: 256 * 2 ** 20 })
