/** Encodings from before MIME, which are written as base64. */
export const isOldEncoding = (encoding: string): boolean => /^(?:x-)?uu(?:e|encode)$/.test(encoding)

/** Whether bodies in an encoding can be read. */
export const isKnownEncoding = (encoding: string): boolean =>
  /^(?:7bit|8bit|binary|base64|quoted-printable)$/.test(encoding) || isOldEncoding(encoding)

/**
 * The encoding that a field asks for, as mail clients take it: `8bits;` and other words that nobody knows say that the body is
 * as it is written, but for names of encodings that a program made up.
 */
export function encodingOf(field: string): string {
  const said = field.replace(/\([^)]*\)/g, '').toLowerCase()
  const name = /[\w-]+/.exec(said)?.[0] ?? ''
  if (/^\W*quoted[ _-]?printable/.test(said)) return 'quoted-printable'
  if (/^base[_-]?64$/.test(name)) return 'base64'
  if (isKnownEncoding(name) || name.startsWith('x-')) return name
  return name === '' || name.startsWith('7') ? '7bit' : '8bit'
}

/** The bytes of a body in a content transfer encoding (RFC 2045), given as a string of bytes. */
export function decodeTransfer(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return unbase64(body.slice(0, endOfBase64(body)))
  if (isOldEncoding(encoding)) return uudecoded(body)
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1')
  const joined = body.replace(/[ \t]+(?=\r?\n|$)/g, '').replace(/=\r?\n/g, '')
  return unquoted(Buffer.from(joined, 'latin1'))
}

/** Base64 may come in several pieces, each with its own padding. */
function unbase64(text: string): Buffer {
  const pieces = text.split('=').map(piece => Buffer.from(piece, 'base64'))
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
}

/** Where base64 ends in a body: programs of mailing lists write lines behind it that are none. */
export function endOfBase64(body: string): number {
  let end = body.length
  while (end > 0) {
    const start = body.lastIndexOf('\n', end - 2) + 1
    const line = body.slice(start, end).trimEnd()
    if (line !== '' && !/[^A-Za-z0-9+/=]/.test(line)) return end
    end = start
  }
  return body.length
}

/** What a hexadecimal digit stands for, by its code; 16 for all that is none. */
const digits = Uint8Array.from({ length: 256 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
  return digit < 0 ? 16 : digit
})

/** Bytes with each `=41` made the byte that it stands for, in place. */
function unquoted(bytes: Buffer): Buffer {
  let at = bytes.indexOf('=')
  if (at < 0) return bytes
  let end = at
  for (; at < bytes.length; at++) {
    const byte = bytes[at]!
    const isMarked = byte === 0x3d && at + 2 < bytes.length
    const high = isMarked ? digits[bytes[at + 1]!]! : 16
    const low = isMarked ? digits[bytes[at + 2]!]! : 16
    const isEscape = high < 16 && low < 16
    bytes[end++] = isEscape ? high * 16 + low : byte
    if (isEscape) at += 2
  }
  return bytes.subarray(0, end)
}

/** What stands between `begin` and `end`: lines of a length and of four characters for three bytes. */
function uudecoded(body: string): Buffer {
  const lines = body.split(/\r?\n/)
  const from = lines.findIndex(line => /^begin [0-7]{3,4} /.test(line))
  const out: Buffer[] = []
  for (const line of lines.slice(from + 1)) {
    if (line === 'end') break
    const six = (at: number) => ((line.charCodeAt(at) || 0x20) - 0x20) & 0x3f
    const length = line === '' ? 0 : six(0)
    const bytes = Buffer.alloc(Math.ceil(length / 3) * 3)
    for (let n = 0, at = 1; n < length; n += 3, at += 4)
      bytes.writeUIntBE((six(at) << 18) | (six(at + 1) << 12) | (six(at + 2) << 6) | six(at + 3), n, 3)
    out.push(bytes.subarray(0, length))
  }
  return Buffer.concat(out)
}

/** A body for these bytes, in the encoding asked for where it can hold them, and the encoding that it came to be in. */
export function encodeTransfer(bytes: Buffer, encoding: string, eol: string): { body: string; encoding: string } {
  if (encoding === 'base64' || isOldEncoding(encoding)) return { body: base64(bytes, eol), encoding: 'base64' }
  const text = bytes.toString('latin1')
  const plain = !/[^\t\r\n\x20-\x7e]/.test(text) && text.split('\n').every(line => line.length < 998)
  if (encoding !== 'quoted-printable' && plain) return { body: text, encoding }
  return { body: quotedPrintable(text, eol), encoding: 'quoted-printable' }
}

/** Bytes as base64 in lines of 76 characters. */
export function base64(bytes: Buffer, eol: string): string {
  return (bytes.toString('base64').match(/.{1,76}/g) ?? []).join(eol)
}

function quotedPrintable(text: string, eol: string): string {
  const hex = (c: string) => `=${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  return text
    .split(/\r?\n/)
    .map(line => {
      const escaped = line.replace(/[^\t\x20-\x3c\x3e-\x7e]/g, hex).replace(/[ \t]$/, hex)
      return softBreaks(escaped, eol)
    })
    .join(eol)
}

/** Lines of at most 76 characters; a break never cuts an escape in two. */
function softBreaks(line: string, eol: string): string {
  const pieces: string[] = []
  let rest = line
  while (rest.length > 76) {
    let cut = 75
    if (rest[cut - 1] === '=') cut -= 1
    else if (rest[cut - 2] === '=') cut -= 2
    pieces.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...pieces, rest].join(`=${eol}`)
}
