/** What fonts and colour profiles say of themselves: names, notices, licences. Nobody who looks at a page sees it. */

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes)

/** A font program without its texts, of the same length; undefined when there are none, or it is of no known kind. */
export const anonymousFont = (bytes: Uint8Array): Uint8Array | undefined => {
  const font = asBuffer(bytes)
  try {
    const kind = font.toString('latin1', 0, 4)
    if (kind === '\0\x01\0\0' || kind === 'true' || kind === 'OTTO') cleanTables(font)
    else if (kind.startsWith('%!')) return cleanType1(font)
    else if (font[0] === 1 && (font[2] as number) >= 4) cleanCompact(font)
  } catch (error) {
    // A damaged font keeps what could not be found in it; what it holds by chance, verification finds.
    if (!(error instanceof RangeError)) throw error
  }
  return font.equals(bytes) ? undefined : font
}

/** Sum of a table's 32-bit words, as fonts check it. */
const sum = (font: Buffer, start: number, length: number): number => {
  let total = 0
  for (let at = start; at < start + length; at += 4) {
    const word = at + 4 <= font.length ? font.readUInt32BE(at) : 0
    total = (total + word) >>> 0
  }
  return total
}

/** Tables that hold names, signatures or sources of programs and that nobody needs who draws letters. */
const wordy = ['DSIG', 'PCLT', 'PfEd', 'TSI0', 'TSI1', 'TSI2', 'TSI3', 'TSI5', 'meta']

/** TrueType and OpenType: an empty table of names, and nothing in others that only hold texts. */
const cleanTables = (font: Buffer): void => {
  const tables = new Map<string, { entry: number; start: number; length: number }>()
  for (let n = 0, count = font.readUInt16BE(4); n < count; n++) {
    const entry = 12 + 16 * n
    const table = { entry, start: font.readUInt32BE(entry + 8), length: font.readUInt32BE(entry + 12) }
    tables.set(font.toString('latin1', entry, entry + 4), table)
  }
  const names = tables.get('name')
  const head = tables.get('head')
  const outlines = tables.get('CFF ')
  if (outlines) cleanCompact(font.subarray(outlines.start, outlines.start + outlines.length))
  const held = ['name', ...wordy].flatMap(tag => tables.get(tag) ?? []).filter(({ length }) => length >= 6)
  for (const table of held) {
    font.fill(0, table.start, table.start + table.length)
    if (table === names) font.writeUInt16BE(6, table.start + 4)
    font.writeUInt32BE(sum(font, table.start, table.length), table.entry + 4)
  }
  if (held.length === 0 || !head || head.length < 12) return
  font.writeUInt32BE(0, head.start + 8)
  font.writeUInt32BE((0xb1b0afba - sum(font, 0, font.length)) >>> 0, head.start + 8)
}

/** The parts of an INDEX (Adobe Technical Note 5176, 5) that begins at `at`, and where it ends. */
const readIndex = (font: Buffer, at: number): { parts: [number, number][]; end: number } => {
  const count = font.readUInt16BE(at)
  if (count === 0) return { parts: [], end: at + 2 }
  const size = font.readUInt8(at + 2)
  const offset = (n: number) => font.readUIntBE(at + 3 + n * size, size)
  const base = at + 2 + (count + 1) * size
  const parts = Array.from({ length: count }, (_, n): [number, number] => [base + offset(n), base + offset(n + 1)])
  return { parts, end: base + offset(count) }
}

/** Operators of a Top DICT whose operands are texts: version, notice, names, weight; escaped ones are 256 more. */
const textual = new Set([0, 1, 2, 3, 4, 256, 256 + 21, 256 + 22])
const standardStrings = 391

/** Compact Font Format: spaces for the texts that the Top DICT points at, letters without meaning for the font's name. */
const cleanCompact = (font: Buffer): void => {
  const names = readIndex(font, font.readUInt8(2))
  for (const [start, end] of names.parts) font.fill('F', start, end)
  const dicts = readIndex(font, names.end)
  const strings = readIndex(font, dicts.end)
  for (const [start, end] of dicts.parts) {
    let operand = 0
    for (let at = start; at < end; at++) {
      const byte = font.readUInt8(at)
      if (byte <= 21) {
        const operator = byte === 12 ? 256 + font.readUInt8(++at) : byte
        const string = textual.has(operator) ? strings.parts[operand - standardStrings] : undefined
        if (string) font.fill(' ', string[0], string[1])
      } else if (byte === 28) {
        operand = font.readInt16BE(at + 1)
        at += 2
      } else if (byte === 29) {
        operand = font.readInt32BE(at + 1)
        at += 4
      } else if (byte === 30) {
        while ((font.readUInt8(++at) & 15) !== 15);
      } else if (byte >= 247 && byte <= 254) {
        const low = font.readUInt8(++at)
        operand = byte < 251 ? (byte - 247) * 256 + low + 108 : -(byte - 251) * 256 - low - 108
      } else operand = byte - 139
    }
  }
}

const blankOf = (found: string) => found.replace(/[^\r\n()]/g, ' ')
const notices = /\/(?:Notice|Copyright|FullName|FamilyName|Weight|version)\s*\((?:\\.|[^()\\]|\((?:\\.|[^()\\])*\))*\)/g
const comments = /%(?!!)[^\r\n]*/g
const heading = /^(%![\w-]+-[\d.]+:?)([^\r\n]*)/

/** Type 1: spaces for the comments and notices of the part that is not encrypted. */
const cleanType1 = (font: Buffer): Uint8Array => {
  const coded = font.indexOf('eexec')
  const clear = font.toString('latin1', 0, coded < 0 ? font.length : coded)
  const cleaned = clear
    .replace(notices, found => found.slice(0, found.indexOf('(')) + blankOf(found.slice(found.indexOf('('))))
    .replace(comments, blankOf)
    .replace(heading, (_, head: string, rest: string) => head + blankOf(rest))
    .replace(/(\/FontName\s*\/)(\w[\w+-]*)/, (_, key: string, name: string) => key + 'F'.repeat(name.length))
  return Buffer.concat([Buffer.from(cleaned, 'latin1'), font.subarray(clear.length)])
}

/** A colour profile without its texts, of the same length; undefined when the bytes are none or say nothing. */
export const anonymousProfile = (bytes: Uint8Array): Uint8Array | undefined => {
  const profile = asBuffer(bytes)
  if (profile.length < 132 || profile.toString('latin1', 36, 40) !== 'acsp') return undefined
  for (let n = 0, count = Math.min(profile.readUInt32BE(128), 256); n < count; n++) {
    const entry = 132 + 12 * n
    if (entry + 12 > profile.length) break
    const [start, end] = [
      profile.readUInt32BE(entry + 4),
      profile.readUInt32BE(entry + 4) + profile.readUInt32BE(entry + 8),
    ]
    const kind = profile.toString('latin1', start, start + 4)
    // What follows the head of a text is its letters, after the counts of a description.
    if (kind === 'text') profile.fill(0, start + 8, end)
    else if (kind === 'desc') profile.fill(0, start + 12, start + 12 + descriptionLength(profile, start, end))
    else if (kind === 'mluc') profile.fill(0, Math.min(end, start + 16 + 12 * namesOf(profile, start)), end)
  }
  return profile.equals(bytes) ? undefined : profile
}

const descriptionLength = (profile: Buffer, start: number, end: number): number =>
  start + 12 > profile.length ? 0 : Math.max(0, Math.min(profile.readUInt32BE(start + 8), end - start - 12))

const namesOf = (profile: Buffer, start: number): number =>
  start + 12 > profile.length ? 0 : Math.min(profile.readUInt32BE(start + 8), 1024)
