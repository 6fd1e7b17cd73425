import { type Code, type Codes, codesBySearch } from './code-search.ts'

const word = String.raw`=\?[\w-]{1,40}(?:\*[\w-]{0,10})?\?[bq]\?[^?\r\n]{1,1000}\?=`
const words = new RegExp(String.raw`${word}(?:(?:\r?\n)?[ \t]{1,9}${word})*`, 'iy')
const softEnd = String.raw`=\r?\n`
const then = `(?:${softEnd})?=`
const following = `${then}[89AB][0-9A-F]`
/** A letter beyond ASCII in UTF-8, and nothing but what is one: a run of them can be no text in part. */
const letter =
  `(?!=(?:E0${then}[89]|ED${then}[AB]|F0${then}8|F4${then}[9AB]))` +
  `=(?:C[2-9A-F]${following}|D[0-9A-F]${following}|E[0-9A-F](?:${following}){2}|F[0-4](?:${following}){3})`
/** Such letters: fewer bytes may be what is assigned to a name. */
const letters = new RegExp(`(?:${letter}(?:${softEnd})?){1,1000}`, 'iy')
/** The end of a line that is none, between letters or beside a blank. */
const brokenLine = new RegExp(String.raw`(?<=[^\s=][ \t]?)${softEnd}(?=[ \t]?(?:[^\s=]|=[C-F][0-9A-F]=))`, 'iy')

const part = /=\?(?<charset>[^?*]+)[^?]*\?(?<kind>[bq])\?(?<body>[^?]*)\?=/giu

const bytesOf = (kind: string, body: string): Buffer =>
  kind.toLowerCase() === 'b'
    ? Buffer.from(body, 'base64')
    : Buffer.from(
        body
          .replaceAll('_', ' ')
          .replace(/=([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
        'latin1',
      )

/**
 * What encoded words say, by the platform's character sets: the module that mail is read with is large, and the functions that answer
 * requests would start with it. Words of one set are one text, for a letter may be cut.
 */
function textOfWords(encoded: string): string {
  const runs: { charset: string; bytes: Buffer[] }[] = []
  for (const { groups = {} } of encoded.matchAll(part)) {
    const { charset = '', kind = '', body = '' } = groups
    const last = runs.at(-1)
    if (last?.charset === charset.toLowerCase()) last.bytes.push(bytesOf(kind, body))
    else runs.push({ charset: charset.toLowerCase(), bytes: [bytesOf(kind, body)] })
  }
  return runs.map(({ charset, bytes }) => decoded(Buffer.concat(bytes), charset)).join('')
}

function decoded(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

function codeAt(text: string, start: number): Code | undefined {
  const found = (pattern: RegExp) => {
    pattern.lastIndex = start
    return pattern.exec(text)?.[0]
  }
  const encoded = found(words)
  if (encoded !== undefined) return { start, end: start + encoded.length, text: textOfWords(encoded) }
  const written = found(letters)
  if (written !== undefined) {
    const bytes = Buffer.from(written.replace(/[=\r\n]/g, ''), 'hex')
    return { start, end: start + written.length, text: bytes.toString() }
  }
  const end = found(brokenLine)
  return end === undefined ? undefined : { start, end: start + end.length, text: '' }
}

/** Finds what is written as mail does it: encoded words (RFC 2047), and letters and broken lines in quoted-printable (RFC 2045). */
export const mailCodes = (text: string): Codes =>
  codesBySearch(text.length, from => {
    for (let at = text.indexOf('=', from); at >= 0; at = text.indexOf('=', at + 1)) {
      const code = codeAt(text, at)
      if (code) return code
    }
    return undefined
  })
