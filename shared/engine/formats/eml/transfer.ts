/** The bytes of a body in a content transfer encoding (RFC 2045), given as a string of bytes. */
export function decodeTransfer(body: string, encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body, 'base64')
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1')
  const joined = body.replace(/[ \t]+(?=\r?\n|$)/g, '').replace(/=\r?\n/g, '')
  const text = joined.replace(/=([0-9A-Fa-f]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(text, 'latin1')
}

/** A body for these bytes, in the encoding asked for where it can hold them, and the encoding that it came to be in. */
export function encodeTransfer(bytes: Buffer, encoding: string, eol: string): { body: string; encoding: string } {
  if (encoding === 'base64') return { body: base64(bytes, eol), encoding }
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
