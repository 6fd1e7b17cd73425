import { decodeCharset, decodeHeader } from './words.ts'

/** A structured header field: its first word and its parameters, with continuations joined and sets decoded. */
export type Parameters = {
  value: string
  all: Map<string, string>
  /** Whether nothing is written beside what is read: no comment, no parameter twice or in two forms. */
  plain: boolean
}

const parameter = /;\s*([^\s=;]+)\s*=\s*("(?:\\[\s\S]|[^"\\])*"|[^;]*?(?=\s*(?:;|$)))/g

/** Names of files are often written with blanks and without quotes; of others the first word counts. */
function unquotedValue(name: string, text: string): string {
  if (name === 'name' || name === 'filename') return text.replace(/\s*\([^()]*\)$/, '')
  return /^[^\s(]*/.exec(text)![0]
}

/** Reads `Content-Type` and the like (RFC 2045, RFC 2231). */
export function readParameters(raw: string): Parameters {
  const text = raw.replace(/\r?\n(?=[ \t])/g, '')
  const value = (text.split(';')[0] ?? '')
    .replace(/\([^)]*\)/g, '')
    .trim()
    .toLowerCase()
  const parts = new Map<string, { order: number; text: string; encoded: boolean }[]>()
  let plain = /^[^\s()"=;]*;?$/.test(text.replace(parameter, '').trim())
  for (const [, key = '', quoted = ''] of text.matchAll(parameter)) {
    const [, name = '', order, star] = /^(.*?)(?:\*(\d+))?(\*)?$/.exec(key.toLowerCase())!
    const isQuoted = quoted.startsWith('"')
    const said = isQuoted ? quoted.slice(1, -1).replace(/\\([\s\S])/g, '$1') : unquotedValue(name, quoted)
    if (!isQuoted && /[\s()]/.test(quoted)) plain = false
    const list = parts.get(name) ?? []
    list.push({ order: Number(order ?? 0), text: said, encoded: star !== undefined })
    parts.set(name, list)
  }
  const all = new Map<string, string>()
  for (const [name, list] of parts) {
    list.sort((a, b) => a.order - b.order)
    if (list.some(({ order }, index) => order !== index)) plain = false
    // Where both forms stand, the encoded one is meant.
    const wanted =
      list.some(part => part.encoded) && list.some(part => part.order > 0) ? list : list.filter(part => part.encoded)
    all.set(name, decodedParameter(wanted.length > 0 ? wanted : list))
  }
  return { value, all, plain }
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
