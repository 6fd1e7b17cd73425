import { isUtf8 } from 'node:buffer'
import { decodeHeader } from '../formats/eml/words.ts'
import { type Code, type Codes, codesBySearch } from './code-search.ts'

const word = String.raw`=\?[\w-]{1,40}(?:\*[\w-]{0,10})?\?[bq]\?[^?\r\n]{1,1000}\?=`
const words = new RegExp(String.raw`${word}(?:(?:\r?\n)?[ \t]{1,9}${word})*`, 'iy')
const softEnd = String.raw`=\r?\n`
/** Letters beyond ASCII in UTF-8: fewer bytes may be what is assigned to a name. */
const letters = new RegExp(`(?:=[C-F][0-9A-F](?:(?:${softEnd})?=[89AB][0-9A-F]){1,3}(?:${softEnd})?)+`, 'y')
/** The end of a line that is none, within a word. */
const brokenWord = new RegExp(String.raw`(?<=[^\s=])${softEnd}(?=[^\s=])`, 'y')

function codeAt(text: string, start: number): Code | undefined {
  const found = (pattern: RegExp) => {
    pattern.lastIndex = start
    return pattern.exec(text)?.[0]
  }
  const encoded = found(words)
  if (encoded !== undefined) return { start, end: start + encoded.length, text: decodeHeader(encoded) }
  const written = found(letters)
  if (written !== undefined) {
    const bytes = Buffer.from(written.replace(/[=\r\n]/g, ''), 'hex')
    return isUtf8(bytes) ? { start, end: start + written.length, text: bytes.toString() } : undefined
  }
  const end = found(brokenWord)
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
