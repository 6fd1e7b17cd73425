import type { Recogniser } from './recogniser.ts'

/** Without a leading zero, unless all three digits are written: `04.72.00.11` is a number of sections or a telephone. */
const byte = '(?:25[0-5]|2[0-4]\\d|[01]\\d\\d|[1-9]?\\d)'

/** Words in capitals or not. V8 does not always mind flags of groups around alternatives. */
const anyCase = (words: string) => `(?:${words.replace(/[^|]+/g, '(?i:$&)')})`

/** Programs whose versions have four parts, and words for versions. What stands behind them is no address. */
const versioned = anyCase(
  'version|versión|versão|versione|wersja|versie|release|build|revision|rev|firmware|fw|driver|patch|v|ver|libreoffice|openoffice|chrome|chromium|firefox|thunderbird|safari|edge|opera|word|excel|outlook|office|acrobat|reader|windows|macos|ios|android|linux|kernel|java|jdk|python|php|apache|nginx|postfix|exim|mysql|oracle|postgresql|ghostscript|gimp|itext|teams|zoom|foxit',
)
/** A name with a capital inside (`OpenSSL`) is one of a program; small parts alone make it likely that a version follows. */
const program = '\\p{L}{1,20}\\p{Ll}\\p{Lu}\\p{L}{0,20}'
const small = '(?!(?:10|127)\\.)(?=\\d{1,2}(?:\\.\\d{1,2}){3}(?!\\d))'

/** RFC 4291: eight groups of four hexadecimal digits, one run of zeros written as `::`, the end perhaps as IPv4. */
function ipv6(text: string): boolean {
  const [address = ''] = text.split(/[%/]/)
  const v4 = /:(\d{1,3}(?:\.\d{1,3}){3})$/.exec(address)
  if (v4 && !v4[1]!.split('.').every(part => Number(part) < 256)) return false
  const plain = v4 ? `${address.slice(0, v4.index)}:0:0` : address
  const halves = plain.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap(half => (half === '' ? [] : half.split(':')))
  if (!groups.every(group => /^[0-9a-f]{1,4}$/i.test(group))) return false
  return halves.length === 2 ? groups.length < 8 && groups.length > 1 : groups.length === 8
}

export const network: Recogniser[] = [
  {
    name: 'ipv4',
    label: 'IP_ADDRESS',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}.])(?<!(?<!\\p{L})${versioned}[ .:/\\u00a0]{1,2})(?:(?<!(?<!\\p{L})${program}[ /\\u00a0])|(?!${small}))${byte}(?:\\.${byte}){3}(?:/(?:3[0-2]|[12]?\\d))?(?![\\p{L}\\p{N}]|\\.\\d)`,
      'gu',
    ),
    score: 0.75,
    near: 0.95,
    context: ['ip', 'ip address', 'host', 'server', 'client', 'gateway', 'dns', 'address', 'from', 'ping', 'remote'],
    source: 'RFC 791, dotted decimal',
    needs: /\d\.\d/,
  },
  {
    name: 'ipv6',
    label: 'IP_ADDRESS',
    pattern:
      /(?<![\p{L}\p{N}:.])[0-9a-f:]{2,39}(?:\.\d{1,3}){0,3}(?:%[a-z0-9]{1,16})?(?:\/\d{1,3})?(?![\p{L}\p{N}:])/giu,
    valid: ipv6,
    score: 0.9,
    source: 'RFC 4291 section 2.2',
    needs: /:[0-9a-f]{0,4}:/i,
  },
  {
    name: 'mac',
    label: 'MAC_ADDRESS',
    pattern:
      /(?<![\p{L}\p{N}:-])(?:[0-9a-f]{2}:[0-9a-f]{2}(?::[0-9a-f]{2}){4}(?::[0-9a-f]{2}:[0-9a-f]{2})?|[0-9a-f]{2}(?:-[0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})(?![\p{L}\p{N}:-])/giu,
    score: 0.9,
    source: 'IEEE 802, EUI-48 and EUI-64 as written by IEEE, Windows and Cisco',
    needs: /[:.-]/,
  },
  {
    name: 'coordinates',
    label: 'COORDINATES',
    pattern:
      /(?<![\p{L}\p{N}.])[-+]?(?:90(?:\.0+)?|[1-8]?\d\.\d{4,15})\s?,\s{0,2}[-+]?(?:180(?:\.0+)?|(?:1[0-7]\d|\d{1,2})\.\d{4,15})(?![\p{N}.])/gu,
    score: 0.6,
    near: 0.9,
    context: ['gps', 'lat', 'latitude', 'lon', 'long', 'longitude', 'coordinates', 'location', 'position'],
    source: 'ISO 6709 annex H, decimal degrees with four digits or more',
    needs: /\d\.\d{4}/,
  },
  {
    name: 'coordinates.grid',
    label: 'COORDINATES',
    pattern:
      /(?<![\p{L}\p{N}])(?:grid(?: ref(?:erence)?)?|NGR|OSGR)\.?[ :]{0,3}(?<value>[HJNOST][A-HJ-Z] ?(?:\d{3} ?\d{3}|\d{4} ?\d{4}|\d{5} ?\d{5}))(?![\p{L}\p{N}])/giu,
    score: 0.85,
    source: 'Ordnance Survey National Grid: two letters, six to ten digits',
    needs: /grid|NGR|OSGR/i,
  },
  {
    name: 'coordinates.degrees',
    label: 'COORDINATES',
    pattern:
      /(?<![\p{L}\p{N}.])(?:[NS] ?)?\d{1,2} ?° ?\d{1,2}(?:[.,]\d{1,6})? ?['’′](?: ?\d{1,2}(?:[.,]\d{1,4})? ?(?:["”″]|''|’’))? ?[NSns]?[ ,;]{1,3}(?:[EWOL] ?)?\d{1,3} ?° ?\d{1,2}(?:[.,]\d{1,6})? ?['’′](?: ?\d{1,2}(?:[.,]\d{1,4})? ?(?:["”″]|''|’’))?(?: ?[EWOL](?![\p{L}]))?/gu,
    score: 0.85,
    source: 'ISO 6709 annex D, degrees, minutes and seconds; east and west in five languages',
    needs: /\d ?°/,
  },
]
