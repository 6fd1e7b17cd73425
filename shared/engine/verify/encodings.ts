import { entityText } from '../formats/text/named-entities.ts'

/** Shortest value whose base64 and hexadecimal forms are looked for, bytes: shorter ones occur by chance. */
const encodedFrom = 6

/**
 * The characters of base64 text that surely stand for `bytes`, at each of the three alignments: those at the edges
 * depend on the neighbouring bytes and are left off.
 */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].map(lead => {
    const text = Buffer.concat([Buffer.alloc(lead), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const whole = Math.floor(((lead + bytes.length) * 8) / 6)
    return text.slice(Math.ceil((lead * 8) / 6), whole)
  })
}

function base64Forms(bytes: Buffer): string[] {
  const cores = base64Cores(bytes)
  return [...cores, ...cores.map(core => core.replaceAll('+', '-').replaceAll('/', '_'))]
}

/** The byte sequences that a text form of `value` has: UTF-8, and Latin-1 where it can be written so. */
export function plainForms(value: string): Buffer[] {
  const utf8 = Buffer.from(value, 'utf8')
  const latin1 = Buffer.from(value, 'latin1')
  return latin1.equals(utf8) || latin1.toString('latin1') !== value ? [utf8] : [utf8, latin1]
}

/** Byte sequences that hide `value`: UTF-16 of both orders, hexadecimal, base64 and base64url at every alignment, also of UTF-16. */
export function hiddenForms(value: string): Buffer[] {
  const little = Buffer.from(value, 'utf16le')
  const forms = [little, Buffer.from(little).swap16()]
  for (const bytes of plainForms(value)) {
    if (bytes.length < encodedFrom) continue
    const hex = bytes.toString('hex')
    for (const text of new Set([hex, hex.toUpperCase(), ...base64Forms(bytes)])) forms.push(Buffer.from(text, 'latin1'))
  }
  if (little.length >= encodedFrom)
    for (const text of new Set(base64Forms(little))) forms.push(Buffer.from(text, 'latin1'))
  return forms
}

const short: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v' }

/**
 * The escapes of URLs, JSON, XML, HTML and quoted-printable, and line ends inside of the last, which programs write in small
 * letters, too: only beyond ASCII, as others begin words that are assigned to a name.
 */
const anEscape =
  /%([0-9A-Fa-f]{2})|=(?:([0-9A-F]{2}|[89A-Fa-f][0-9A-Fa-f])|\r?\n)|\\(?:u([Dd][89ABab][0-9A-Fa-f]{2}\\u[Dd][C-Fc-f][0-9A-Fa-f]{2}|[0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]{1,6})\}|x([0-9A-Fa-f]{2})|([^ux]))|&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,30}));/y

/** Whether an escape of those families begins at `at` in bytes read as Latin-1. */
export function escapeAt(bytes: string, at: number): boolean {
  anEscape.lastIndex = at
  return anEscape.test(bytes)
}

const utf8 = (code: number) =>
  code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '' : Buffer.from(String.fromCodePoint(code)).toString('latin1')

/** What an escape says, as it was found. */
function resolved([whole, ...parts]: RegExpExecArray): string {
  const [percent, printable, unit, point, byte, letter, decimal, hex, name] = parts
  const raw = percent ?? printable ?? byte
  if (raw !== undefined) return String.fromCharCode(Number.parseInt(raw, 16))
  if (unit !== undefined) {
    // Half of a pair that stands alone is no character.
    const [first, second] = unit.split('\\u').map(digits => Number.parseInt(digits, 16))
    return utf8(second === undefined ? first! : 0x10000 + ((first! & 0x3ff) << 10) + (second & 0x3ff))
  }
  if (point !== undefined) return utf8(Number.parseInt(point, 16))
  if (letter !== undefined) return short[letter] ?? letter
  if (decimal !== undefined) return utf8(Number(decimal))
  if (hex !== undefined) return utf8(Number.parseInt(hex, 16))
  if (name === undefined) return ''
  const text = entityText(name)
  return text === undefined ? whole : Buffer.from(text).toString('latin1')
}

const beginnings = /[%=\\&]/g
const backslash = 0x5c
/** What a backslash before it makes more than a letter of. */
const numbered = new Set(['u', 'x'].map(letter => letter.charCodeAt(0)))

/**
 * Bytes (as a Latin-1 string) with every escape of those families resolved, so that a value is found whichever of its
 * characters are escaped and how.
 */
export function unescaped(bytes: string): string {
  const pieces: string[] = []
  let copied = 0
  beginnings.lastIndex = 0
  while (beginnings.test(bytes)) {
    const at = beginnings.lastIndex - 1
    const isLetter =
      bytes.charCodeAt(at) === backslash && at + 1 < bytes.length && !numbered.has(bytes.charCodeAt(at + 1))
    if (isLetter) {
      // Most of them by far where there are many: only those that stand for something else are taken away.
      pieces.push(bytes.slice(copied, at))
      const said = short[bytes[at + 1]!]
      if (said !== undefined) pieces.push(said)
      copied = said === undefined ? at + 1 : at + 2
      beginnings.lastIndex = at + 2
      continue
    }
    anEscape.lastIndex = at
    const found = anEscape.exec(bytes)
    if (found === null) continue
    pieces.push(bytes.slice(copied, at), resolved(found))
    copied = anEscape.lastIndex
    beginnings.lastIndex = copied
  }
  pieces.push(bytes.slice(copied))
  return pieces.join('')
}
