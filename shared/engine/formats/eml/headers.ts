import iconv from 'iconv-lite'

/** The text of bytes in a character set as mail names it; an unknown one is read as Windows-1252. */
export function decodeCharset(bytes: Buffer, charset: string | undefined): string {
  const name = (charset ?? 'utf-8').toLowerCase().replace(/^(?:us-ascii|ascii|ansi_x3\.\d+-\d+)$/, 'utf-8')
  if (iconv.encodingExists(name)) {
    const text = iconv.decode(bytes, name, { stripBOM: false })
    if (!/utf-?8/.test(name) || !text.includes('\ufffd')) return text
  }
  return iconv.decode(bytes, 'windows-1252')
}

const word = /=\?([^?\s]+?)(?:\*[^?\s]*)?\?([bq])\?([^?\s]*)\?=/gi

/** The value of a header field as people read it: unfolded, encoded words decoded (RFC 2047). */
export function decodeHeader(raw: string): string {
  const unfolded = raw.replace(/\r?\n(?=[ \t])/g, '')
  // Blanks between two encoded words belong to neither, and a character may be cut over two words of one set.
  const joined = unfolded.replace(/(\?=)\s+(?==\?)/g, '$1')
  let text = ''
  let at = 0
  let pending: { bytes: Buffer; charset: string } | undefined
  const flush = () => {
    if (pending !== undefined) text += decodeCharset(pending.bytes, pending.charset)
    pending = undefined
  }
  for (const match of joined.matchAll(word)) {
    const [whole, charset = '', kind = '', body = ''] = match
    if (match.index > at) {
      flush()
      text += plainBytes(joined.slice(at, match.index))
    }
    const bytes = kind.toLowerCase() === 'b' ? Buffer.from(body, 'base64') : unquoted(body)
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

/** A header value for this text: words beyond ASCII are encoded, long lines folded. No line break can get in. */
export function encodeHeader(text: string, eol: string): string {
  const safe = text.replace(/[\x00-\x08\x0a-\x1f\x7f]+/g, ' ').toWellFormed()
  const words = safe.split(/(?<=\S)(?=[ \t])/).flatMap(part => {
    if (!/[^\t\x20-\x7e]/.test(part) && !part.includes('=?')) return [part]
    const lead = /^[ \t]*/.exec(part)![0]
    const chunks = [...part.slice(lead.length)].reduce<string[]>((all, character) => {
      if (all.length > 0 && Buffer.byteLength(all.at(-1)! + character) <= 42) all.push(all.pop()! + character)
      else all.push(character)
      return all
    }, [])
    return chunks.map(
      (chunk, index) => `${index === 0 ? lead : ' '}=?UTF-8?B?${Buffer.from(chunk).toString('base64')}?=`,
    )
  })
  let line = 0
  return words
    .map(part => {
      line += part.length
      if (line <= 76 || !/^[ \t]/.test(part)) return part
      line = part.length
      return eol + part
    })
    .join('')
}

/** A structured header field: its first word and its parameters, with continuations joined and sets decoded. */
export type Parameters = { value: string; all: Map<string, string> }

const parameter = /;\s*([^\s=;]+)\s*=\s*("(?:\\[\s\S]|[^"\\])*"|[^;\s]*)/g

/** Reads `Content-Type` and the like (RFC 2045, RFC 2231). */
export function readParameters(raw: string): Parameters {
  const text = raw.replace(/\r?\n(?=[ \t])/g, '')
  const value = (text.split(';')[0] ?? '')
    .replace(/\([^)]*\)/g, '')
    .trim()
    .toLowerCase()
  const parts = new Map<string, { order: number; text: string; encoded: boolean }[]>()
  for (const [, key = '', quoted = ''] of text.matchAll(parameter)) {
    const [, name = '', order, star] = /^(.*?)(?:\*(\d+))?(\*)?$/.exec(key.toLowerCase())!
    const plain = quoted.startsWith('"') ? quoted.slice(1, -1).replace(/\\([\s\S])/g, '$1') : quoted
    const list = parts.get(name) ?? []
    list.push({ order: Number(order ?? 0), text: plain, encoded: star !== undefined })
    parts.set(name, list)
  }
  const all = new Map<string, string>()
  for (const [name, list] of parts) {
    list.sort((a, b) => a.order - b.order)
    // Where both forms stand, the encoded one is meant.
    const wanted =
      list.some(part => part.encoded) && list.some(part => part.order > 0) ? list : list.filter(part => part.encoded)
    all.set(name, decodedParameter(wanted.length > 0 ? wanted : list))
  }
  return { value, all }
}

function decodedParameter(list: { text: string; encoded: boolean }[]): string {
  if (!list.some(part => part.encoded)) return decodeHeader(list.map(part => part.text).join(''))
  const first = list[0]!
  const mark = first.encoded ? /^([^']*)'[^']*'/.exec(first.text) : null
  const bytes = list.map(({ text, encoded }, index) => {
    const rest = index === 0 && mark !== null ? text.slice(mark[0].length) : text
    return encoded ? rest.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) : rest
  })
  return decodeCharset(Buffer.from(bytes.join(''), 'latin1'), mark?.[1] || 'utf-8')
}

/** One parameter: quoted, or in the extended form where it goes beyond ASCII. */
export function writeParameter(name: string, text: string): string {
  const safe = text.replace(/[\x00-\x1f\x7f]+/g, ' ').toWellFormed()
  if (!/[^\x20-\x7e]/.test(safe)) return `${name}="${safe.replace(/["\\]/g, '\\$&')}"`
  const encoded = encodeURIComponent(safe).replace(/['()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${name}*=UTF-8''${encoded}`
}
