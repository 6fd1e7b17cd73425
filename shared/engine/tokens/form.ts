import { checkOf, fromBase32, toBase32 } from './base32.ts'

/**
 * How a token is written: what kind of value it stands for, a tilde, and base 32 of version and scope (1 byte), number of
 * the key (2 bytes) and the encrypted value, with two characters to check it by: `PERSON~2400…`. All of it is ASCII that
 * HTML, CSV, JSON and URLs leave as it is.
 */
export type Written = {
  /** `PERSON`: capitals, digits and underscores. */
  kind: string
  /** Version of the scheme, and which scope the token belongs to. */
  version: number
  scope: number
  /** Number of the key among those of its owner. */
  key: number
  sealed: Uint8Array
}

const HEADER_BYTES = 3
/** A synthetic IV and one byte at least. */
const LEAST_BYTES = HEADER_BYTES + 17
const CHECK_LENGTH = 2

/** Characters of the shortest token, without its kind and the tilde. */
const LEAST_LENGTH = Math.ceil((LEAST_BYTES * 8) / 5) + CHECK_LENGTH

/** What a kind may be written with. */
const kindForm = /^[A-Z0-9_]{1,32}$/

/** A label as a token shows it: ASCII only, so that it stays what it is wherever the token goes. */
export function kindOf(label: string): string {
  const plain = label
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, '_')
    .slice(0, 32)
    .replace(/^_+|_+$/g, '')
  return plain || 'VALUE'
}

/** The text of a token. */
export function writeToken({ kind, version, scope, key, sealed }: Written): string {
  const bytes = new Uint8Array(HEADER_BYTES + sealed.length)
  bytes.set([(version << 4) | scope, key >> 8, key & 0xff])
  bytes.set(sealed, HEADER_BYTES)
  const body = toBase32(bytes)
  return `${kind}~${body}${checkOf(body)}`
}

/** A token as people may have written it: in small letters, in groups, with letters that look like digits. */
const straighten = (text: string): string => {
  const [kind = '', ...rest] = text.trim().toUpperCase().split('~')
  const body = rest.join('~').replace(/[-\s]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return `${kind}~${body}`
}

/** What a text says if it is a token; undefined otherwise. */
export function readToken(text: string): Written | undefined {
  const [kind, body, ...more] = straighten(text).split('~')
  if (!kind || !body || more.length > 0 || body.length < LEAST_LENGTH || !kindForm.test(kind)) return undefined
  const data = body.slice(0, -CHECK_LENGTH)
  if (checkOf(data) !== body.slice(-CHECK_LENGTH)) return undefined
  const bytes = fromBase32(data)
  if (!bytes) return undefined
  const [first, high, low] = bytes as unknown as [number, number, number]
  return {
    kind,
    version: first >> 4,
    scope: first & 15,
    key: (high << 8) | low,
    sealed: bytes.subarray(HEADER_BYTES),
  }
}

/** A pattern that finds tokens of these kinds, or of any, in texts; what stands beside one without a space may be in the match. */
export function tokenPattern(kinds: readonly string[] | null): string {
  const kind = kinds ? `(?:${kinds.filter(one => kindForm.test(one)).join('|')})` : '[A-Z0-9_]{1,32}'
  return `${kind}~[0-9A-HJKMNP-TV-Z]{${LEAST_LENGTH},}`
}

/** Stretches of a match of {@link tokenPattern} that are tokens by their check characters, the longest first, and where they begin. */
export function* tokensIn(text: string): Generator<{ start: number; token: string }> {
  const tilde = text.indexOf('~')
  for (let start = 0; start < tilde; start++) {
    for (let end = text.length; end >= tilde + 1 + LEAST_LENGTH; end--) {
      const token = text.slice(start, end)
      if (readToken(token)) yield { start, token }
    }
  }
}
