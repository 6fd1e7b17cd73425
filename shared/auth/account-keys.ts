import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Digits, capitals, small letters: a key is one word, marked whole by a double click. */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Id of the account without hyphens, secret of 256 random bits, and check sum over all before it. */
const KEY =
  /^(anon_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_[0-9A-Za-z]{43})_([0-9A-Za-z]{6})$/

/** A number in base 62, with zeros before it up to a length. */
function inBase62(value: bigint, length: number): string {
  let [text, rest] = ['', value]
  for (; rest > 0n; rest /= 62n) text = BASE62[Number(rest % 62n)] + text
  return text.padStart(length, '0')
}

const checkSum = (text: string): string => inBase62(BigInt(crc32(text)), 6)

/** Keys are 256 random bits, so a plain digest keeps them from whoever reads the table. */
const digest = (key: string): string => createHash('sha256').update(key).digest('hex')

/** What a key says: whose it is, and the digest by which it is known. */
export type KeyClaim = { accountId: string; hash: string }

/** A new key of a service account, and its digest, hexadecimal. */
export function newKey(accountId: string): { key: string; hash: string } {
  const secret = inBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), 43)
  const named = `anon_${accountId.replaceAll('-', '')}_${secret}`
  const key = `${named}_${checkSum(named)}`
  return { key, hash: digest(key) }
}

/** Whether a bearer token has the prefix of keys. */
export const looksLikeKey = (token: string): boolean => token.startsWith('anon_')

/** What a key says, whether or not there is such a key; undefined where the form or the check sum is wrong. */
export function readKey(key: string): KeyClaim | undefined {
  const [, named, a, b, c, d, e, sum] = KEY.exec(key) ?? []
  if (named === undefined || checkSum(named) !== sum) return undefined
  return { accountId: `${a}-${b}-${c}-${d}-${e}`, hash: digest(key) }
}
