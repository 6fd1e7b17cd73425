import { isAscii, isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { legacyText } from '../text/legacy-text.ts'

/** The platform's decoder of a character set; undefined where it has none. */
function platformDecoder(name: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(name, { ignoreBOM: true })
  } catch {
    return undefined
  }
}

/** Whether a name is that of a character set that can be read. */
export const isKnownCharset = (name: string): boolean =>
  iconv.encodingExists(name) || platformDecoder(name) !== undefined

/**
 * A character set by the name that is used for it here. ASCII is UTF-8, and what says nothing too; what is called ISO 8859-1 is
 * Windows-1252, as everybody reads it, and so are others that are parts of sets of Windows.
 */
function nameOf(charset = 'utf-8'): string {
  const name = charset.toLowerCase()
  if (/^(?:us-ascii|ascii|ansi_x3\.\d+-\d+|utf-?8)$/.test(name)) return 'utf-8'
  const platform = platformDecoder(name)?.encoding
  return platform?.startsWith('windows-') ? platform : name
}

/** Japanese in ISO-2022-JP, which mail had before it said of character sets. */
const isJapanese = (bytes: Buffer) => ['\x1b$B', '\x1b$@'].some(mark => bytes.includes(mark))

/** Whether bytes are called Western and are UTF-8, as programs write that take no notice of what they say. */
const isMisnamed = (bytes: Buffer, charset: string | undefined) =>
  /^(?:windows-1252|iso-8859-15)$/.test(nameOf(charset)) && isUtf8(bytes) && !isAscii(bytes)

/** A text in a character set as UTF-8, see {@link decodeCharset}; of one that says of none the set is told by its letters. */
export function asUtf8(bytes: Buffer, charset: string | undefined): Buffer {
  if (isMisnamed(bytes, charset)) return bytes
  if (nameOf(charset) !== 'utf-8') return Buffer.from(decodeCharset(bytes, charset))
  if (isUtf8(bytes))
    return isAscii(bytes) && isJapanese(bytes) ? Buffer.from(decodeCharset(bytes, 'iso-2022-jp')) : bytes
  return Buffer.from(decodeCharset(bytes, olderCharset(bytes)))
}

/** The set that a text without one is in; undefined where some of it is UTF-8, or it is Western. */
function olderCharset(bytes: Buffer): string | undefined {
  const text = legacyText()
  text.push(bytes, 0)
  const name = text.likeliest()
  return name === 'windows-1252' ? undefined : name
}

/** The text of bytes in a character set as mail names it; in an unknown one they are read as those that say of none. */
export function decodeCharset(bytes: Buffer, charset: string | undefined): string {
  const name = nameOf(charset)
  if (name === 'utf-8' || isMisnamed(bytes, charset)) return decodeAny(bytes)
  if (iconv.encodingExists(name)) return iconv.decode(bytes, name, { stripBOM: false })
  // Sets in which a byte means what those before it say, as ISO-2022-JP.
  return platformDecoder(name)?.decode(bytes) ?? decodeAny(bytes)
}

const character = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x80-\xff]/g

/** Bytes as UTF-8, and those that are none as Windows-1252. */
function decodeAny(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  return bytes.toString('latin1').replace(character, found => {
    const own = Buffer.from(found, 'latin1')
    return isUtf8(own) ? own.toString() : iconv.decode(own, 'windows-1252')
  })
}

/** An encoded word (RFC 2047). Blanks inside are against its rules, but readers take them. */
const encodedWord = /=\?([^?\s]+?)(?:\*[^?\s]*)?\?([bq])\?([^?\r\n]*)\?=/gi

const unfolded = (raw: string) => raw.replace(/\r?\n(?=[ \t])/g, '')

const bytesOfWord = (kind: string, body: string): Buffer =>
  kind.toLowerCase() === 'b' ? Buffer.from(body, 'base64') : unquoted(body)

/**
 * Whether readers differ over encoded words: those that hold bytes beyond ASCII, or name a set that few know or that they are not in.
 */
export const isDoubtful = (raw: string): boolean =>
  [...unfolded(raw).matchAll(encodedWord)].some(
    ([word, charset = '', kind = '', body = '']) =>
      /[^\t\x20-\x7e]/.test(word) ||
      platformDecoder(charset) === undefined ||
      isMisnamed(bytesOfWord(kind, body), charset),
  )

/** The value of a header field as people read it: unfolded, encoded words decoded. */
export function decodeHeader(raw: string): string {
  // Blanks between two encoded words belong to neither, and a character may be cut over two words of one set.
  const joined = unfolded(raw).replace(/(\?=)\s+(?==\?)/g, '$1')
  let text = ''
  let at = 0
  let pending: { bytes: Buffer; charset: string } | undefined
  const flush = () => {
    if (pending !== undefined) text += decodeCharset(pending.bytes, pending.charset)
    pending = undefined
  }
  for (const match of joined.matchAll(encodedWord)) {
    const [whole, charset = '', kind = '', body = ''] = match
    if (match.index > at) {
      flush()
      text += plainBytes(joined.slice(at, match.index))
    }
    const bytes = bytesOfWord(kind, body)
    if (pending?.charset === charset.toLowerCase()) pending.bytes = Buffer.concat([pending.bytes, bytes])
    else {
      flush()
      pending = { bytes, charset: charset.toLowerCase() }
    }
    at = match.index + whole.length
  }
  flush()
  return text + plainBytes(joined.slice(at))
}

function unquoted(body: string): Buffer {
  const text = body.replaceAll('_', ' ')
  return Buffer.from(
    text.replace(/=([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )
}

function plainBytes(text: string): string {
  return /[\x80-\xff]/.test(text) ? decodeCharset(Buffer.from(text, 'latin1'), 'utf-8') : text
}

/** Bytes of text in one encoded word: short enough for a line of 76 characters even behind the name of the field. */
const wordBytes = 30

const printable = (text: string) => text.replace(/[\x00-\x1f\x7f]+/g, ' ').toWellFormed()

/** Encoded words that read as this text, blanks and all. */
function encodedWords(text: string): string {
  const chunks: string[] = []
  let chunk = ''
  for (const character of text) {
    if (chunk !== '' && Buffer.byteLength(chunk + character) > wordBytes) {
      chunks.push(chunk)
      chunk = ''
    }
    chunk += character
  }
  return [...chunks, chunk].map(part => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')
}

const needsEncoding = (word: string) => /[^\x21-\x7e]/.test(word) || word.includes('=?')

/**
 * Text of an unstructured field. Words beyond ASCII are encoded, together with the blanks between two of them: readers
 * leave out those between encoded words.
 */
export function encodeText(text: string): string {
  const out: string[] = []
  let run = ''
  let blanks = ''
  const flush = () => {
    if (run !== '') out.push(encodedWords(run))
    out.push(blanks)
    run = ''
    blanks = ''
  }
  for (const [, blank = '', word = ''] of printable(text).matchAll(/([ \t]*)([^ \t]*)/g)) {
    blanks += blank
    if (word === '') continue
    if (!needsEncoding(word)) {
      flush()
      out.push(word)
    } else if (run === '') {
      flush()
      run = word
    } else {
      run += blanks + word
      blanks = ''
    }
  }
  flush()
  return out.join('')
}

const atoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?: [\w!#$%&'*+/=?^`{|}~-]+)*$/

/** The name that stands before an address or a group: atoms, a quoted string or encoded words. */
export function encodePhrase(text: string): string {
  const safe = printable(text)
  if (/[^\x20-\x7e]/.test(safe) || safe.includes('=?')) return encodedWords(safe)
  return safe === '' || atoms.test(safe) ? safe : `"${safe.replace(/["\\]/g, '\\$&')}"`
}

/** What stands between the parentheses of a comment. */
export function encodeComment(text: string): string {
  const safe = printable(text)
  return /[^\x20-\x7e]/.test(safe) || safe.includes('=?') ? encodedWords(safe) : safe.replace(/[()\\]/g, '\\$&')
}

/** What stands outside of names and comments, such as an address. Marks that would begin one of them are encoded. */
export function encodeAddress(text: string): string {
  const safe = printable(text)
  return safe.replace(/[^ <>,;:@]+/g, word => (/[^\x21-\x7e]|["\\()]|=\?/.test(word) ? encodedWords(word) : word))
}

const lineLength = 76

/** A field with its long lines folded, at blanks only: unfolded it reads the same. */
export function foldField(field: string, eol: string): string {
  return field
    .split(/\r?\n/)
    .map(line => {
      if (line.length <= lineLength) return line
      let folded = ''
      let column = 0
      // Not behind the name of the field, and no line of blanks, which would end the header.
      for (const piece of line.match(/^[!-9;-~]+: *[^ \t]*|[ \t]*[^ \t]+|[ \t]+$/g) ?? []) {
        if (column > 0 && column + piece.length > lineLength && /^[ \t]+[^ \t]/.test(piece)) {
          folded += eol
          column = 0
        }
        folded += piece
        column += piece.length
      }
      return folded
    })
    .join(eol)
}
