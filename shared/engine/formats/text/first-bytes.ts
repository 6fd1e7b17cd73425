import { isUtf8 } from 'node:buffer'

/** What the first bytes of a text tell of it; no table of characters is needed for that. */

const marks: [name: string, bom: Buffer][] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-32le', Buffer.from([0xff, 0xfe, 0, 0])],
  ['utf-32be', Buffer.from([0, 0, 0xfe, 0xff])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
]

/** The encoding that the byte order mark says, if there is one. */
export function byteOrderMark(head: Uint8Array): { name: string; bom: Uint8Array } | undefined {
  for (const [name, bom] of marks) if (bom.equals(head.subarray(0, bom.length))) return { name, bom }
  return undefined
}

/** Most pairs of bytes that are looked at. */
const mostPairs = 4096

/** Zero bytes that a text of bytes may have by some fault. */
export const strayZeros = 3

/**
 * UTF-16 without a mark: one byte of nearly every pair is zero, as in Latin script; or those of blanks, signs and markup are, and
 * the others make characters.
 */
export function looksLikeUtf16(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (head.length < 4 || !head.includes(0)) return undefined
  const pairs = Math.min(head.length >> 1, mostPairs)
  let even = 0
  let odd = 0
  for (let pair = 0; pair < pairs; pair++) {
    if (head[pair * 2] === 0) even++
    if (head[pair * 2 + 1] === 0) odd++
  }
  if (odd > pairs * 0.4 && even < pairs * 0.05) return 'utf-16le'
  if (even > pairs * 0.4 && odd < pairs * 0.05) return 'utf-16be'
  const [most, least] = [Math.max(even, odd), Math.min(even, odd)]
  const units = Buffer.from(head.subarray(0, pairs * 2))
  if (most <= strayZeros || least > most / 2 || areUtf8(units)) return undefined
  if (odd > even) return areCharacters(units) ? 'utf-16le' : undefined
  return areCharacters(units.swap16()) ? 'utf-16be' : undefined
}

/** Whether bytes are UTF-8, the last character of which may be cut. */
export const beginUtf8 = (bytes: Buffer): boolean =>
  [0, 1, 2, 3].some(cut => isUtf8(bytes.subarray(0, bytes.length - cut)))

/** Whether bytes are a text in UTF-8: zeros in it aside, there is hardly a control. */
function areUtf8(bytes: Buffer): boolean {
  const controls = () => bytes.toString('latin1').match(/[\x01-\x08\x0e-\x1f\x7f]/g)?.length ?? 0
  return beginUtf8(bytes) && controls() <= bytes.length / 100
}

/** A lone surrogate but at the end, a control, or what nobody but a maker of fonts gives a meaning. */
const noCharacter =
  /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff]|$)|(?<![\ud800-\udbff])[\udc00-\udfff]/

/**
 * Whether pairs of bytes, the lower one first, are characters, some of them of ASCII; most of the others must not be two of ASCII each, as of a
 * text of bytes with a zero in it.
 */
function areCharacters(bytes: Buffer): boolean {
  const text = bytes.toString('utf16le')
  if (noCharacter.test(text)) return false
  const ascii = text.match(/[\t\n\f\r\x20-\x7e]/g)?.length ?? 0
  const doubtful = bytes
    .toString('latin1')
    .match(/../gs)!
    .filter(pair => /^[\x20-\x7e]{2}$/.test(pair)).length
  return ascii >= text.length / 100 && doubtful <= (text.length - ascii) * 0.6
}

/** Letters and digits of EBCDIC, its blank, its usual signs and its ends of lines. */
const ebcdic =
  /[\x0d\x15\x25\x40\x4b-\x50\x5a-\x61\x6b-\x6f\x7a-\x7f\x81-\x89\x91-\x99\xa2-\xa9\xc1-\xc9\xd1-\xd9\xe2-\xe9\xf0-\xf9]/g

/** Whether first bytes are text of a mainframe: without a blank or end of line as others write them. */
function looksLikeEbcdic(head: Uint8Array): boolean {
  if (head.length < 16 || head.includes(0x20) || head.includes(0x0a)) return false
  const start = Buffer.from(head.subarray(0, 4096)).toString('latin1')
  return start.replace(ebcdic, '').length < start.length / 10 && !/^[\x00-\x7f]*$/.test(start)
}

/**
 * Whether first bytes may be text: neither zero bytes (unless UTF-16 or UTF-32) nor many control characters but those of printers
 * and terminals, nor EBCDIC, which nothing here reads.
 */
export function looksLikeText(head: Uint8Array): boolean {
  if (byteOrderMark(head) || looksLikeUtf16(head)) return true
  let controls = 0
  if (head.includes(0) || looksLikeEbcdic(head)) return false
  // By its places, as all kinds of files pass here: an iterator makes an object for each byte.
  for (let at = 0; at < head.length; at++) {
    const byte = head[at]!
    if (byte < 32 && (byte < 7 || byte > 13) && byte !== 27 && byte !== 26 && (byte < 28 || byte > 31)) controls++
  }
  return controls <= head.length / 100
}
