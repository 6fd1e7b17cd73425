/** One operand of a content stream with its place in the bytes (end exclusive). */
export type Operand = { start: number; end: number } & (
  | { kind: 'number'; value: number }
  | { kind: 'string'; value: Uint8Array }
  | { kind: 'name'; value: string }
  | { kind: 'array' | 'dict'; items: Operand[] }
  | { kind: 'other' }
)

/** One operator of a content stream; `start` is where its first operand begins. */
export type Operation = { operator: string; operands: Operand[]; start: number; end: number }

const classes = new Uint8Array(256)
for (const code of [0, 9, 10, 12, 13, 32]) classes[code] = 1
for (const char of '()<>[]{}/%') classes[char.charCodeAt(0)] = 2
const isSpace = (code: number | undefined) => code !== undefined && classes[code] === 1
const isLetter = (code: number | undefined) => code !== undefined && (code | 32) >= 97 && (code | 32) <= 122
const isRegular = (code: number | undefined) => code !== undefined && classes[code] === 0

/** Groups in groups that are told apart: nothing that shows nests deeper than a few. */
const deepest = 64

/** What digits of hexadecimal numbers are worth, by their codes; -1 for all else. */
const hexValues = Int8Array.from({ length: 256 }, (_, code) => {
  const char = String.fromCharCode(code)
  return /[\dA-Fa-f]/.test(char) ? Number.parseInt(char, 16) : -1
})

/** A content stream, how far it is read, and the comments that were passed over. */
type Cursor = { readonly bytes: Uint8Array; at: number; readonly comments: { start: number; end: number }[] }

const skipSpace = (cursor: Cursor) => {
  const { bytes, comments } = cursor
  let { at } = cursor
  for (;;) {
    while (isSpace(bytes[at])) at++
    if (bytes[at] !== 37) break
    const start = at
    while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
    comments.push({ start, end: at })
  }
  cursor.at = at
}

const escapes = new Map([
  [110, 10],
  [114, 13],
  [116, 9],
  [98, 8],
  [102, 12],
])

/** The character that a backslash begins, read up to its last byte; undefined where none is meant. */
const readEscape = (cursor: Cursor): number | undefined => {
  const { bytes } = cursor
  const escaped = bytes[++cursor.at]
  if (escaped === 13 && bytes[cursor.at + 1] === 10) cursor.at++
  if (escaped === undefined || escaped === 13 || escaped === 10) return undefined
  if (escaped < 48 || escaped > 55) return escapes.get(escaped) ?? escaped
  let value = escaped - 48
  for (let digits = 1; digits < 3; digits++) {
    const next = bytes[cursor.at + 1]
    if (next === undefined || next < 48 || next > 55) break
    value = value * 8 + next - 48
    cursor.at++
  }
  return value & 255
}

/** Where the string ends that begins there, if all of its bytes stand for themselves; -1 if not. */
const plainEnd = (bytes: Uint8Array, from: number): number => {
  for (let at = from, depth = 1; at < bytes.length; at++) {
    const code = bytes[at]
    if (code === 92 || code === 13) return -1
    if (code === 40) depth++
    else if (code === 41 && --depth === 0) return at
  }
  return -1
}

const readLiteral = (cursor: Cursor): Operand => {
  const { bytes } = cursor
  const start = cursor.at++
  const plain = plainEnd(bytes, cursor.at)
  if (plain >= 0) {
    cursor.at = plain + 1
    return { kind: 'string', value: bytes.subarray(start + 1, plain), start, end: cursor.at }
  }
  const out: number[] = []
  for (let depth = 1; cursor.at < bytes.length; cursor.at++) {
    let code: number | undefined = bytes[cursor.at]
    if (code === 40) depth++
    else if (code === 41 && --depth === 0) break
    else if (code === 13) {
      if (bytes[cursor.at + 1] === 10) cursor.at++
      code = 10
    } else if (code === 92) code = readEscape(cursor)
    if (code !== undefined) out.push(code)
  }
  cursor.at++
  return { kind: 'string', value: Uint8Array.from(out), start, end: cursor.at }
}

const readHex = (cursor: Cursor): Operand => {
  const { bytes, at: start } = cursor
  let end = start + 1
  while (end < bytes.length && bytes[end] !== 62) end++
  const out = new Uint8Array((end - start) >> 1)
  let at = start + 1
  let length = 0
  for (; at + 1 < end; at += 2) {
    const value = ((hexValues[bytes[at]!] as number) << 4) | (hexValues[bytes[at + 1]!] as number)
    if (value < 0) break
    out[length++] = value
  }
  let digits = 2 * length
  for (; at < end; at++) {
    const value = hexValues[bytes[at] as number] as number
    if (value < 0) continue
    // A last digit without another stands for sixteen times itself.
    if ((digits & 1) === 0) out[digits >> 1] = value << 4
    else out[digits >> 1]! |= value
    digits++
  }
  length = (digits + 1) >> 1
  cursor.at = end + 1
  return { kind: 'string', value: length < out.length ? out.subarray(0, length) : out, start, end: cursor.at }
}

const readName = (cursor: Cursor): Operand => {
  const { bytes, at: start } = cursor
  let at = start + 1
  let value = ''
  for (; isRegular(bytes[at]); at++) {
    const code = bytes[at] as number
    const high = code === 35 ? (hexValues[bytes[at + 1] ?? 0] as number) : -1
    const low = high < 0 ? -1 : (hexValues[bytes[at + 2] ?? 0] as number)
    if (low >= 0) at += 2
    value += String.fromCharCode(low >= 0 ? high * 16 + low : code)
  }
  cursor.at = at
  return { kind: 'name', value, start, end: at }
}

const readGroup = (cursor: Cursor, kind: 'array' | 'dict', depth: number): Operand => {
  const { bytes, at: start } = cursor
  cursor.at += kind === 'dict' ? 2 : 1
  const items: Operand[] = []
  for (;;) {
    skipSpace(cursor)
    const code = bytes[cursor.at]
    if (code === undefined) break
    if (code === 93 || code === 62) {
      cursor.at += code === 62 && bytes[cursor.at + 1] === 62 ? 2 : 1
      break
    }
    items.push(readOperand(cursor, depth + 1))
  }
  return { kind, items, start, end: cursor.at }
}

/** A number as nearly all are written: digits with at most a sign and a dot. Undefined for whatever else. */
const readPlain = (cursor: Cursor): number | undefined => {
  const { bytes } = cursor
  let { at } = cursor
  const negative = bytes[at] === 45
  if (negative) at++
  let digits = 0
  let value = 0
  let scale = 0
  for (; ; at++) {
    const code = bytes[at]
    if (code === 46 && scale === 0) scale = 1
    else if (code !== undefined && code >= 48 && code <= 57) {
      value = value * 10 + code - 48
      scale *= 10
      digits++
    } else {
      // Beyond fifteen digits sums lose exactness that the general way keeps.
      if (digits === 0 || digits > 15 || isRegular(code)) return undefined
      cursor.at = at
      if (scale > 1) value /= scale
      return negative ? -value : value
    }
  }
}

const numeric = /^[+-]*(\d+\.?\d*|\.\d+)(-\d*)*$|^[+-]?\.?$/

/** Numbers as viewers read them: `--5` is -5, `1.2-3` ends before its second sign, a lone sign or dot is 0. */
const readNumber = (text: string): number => {
  const match = /^([+-]*)(\d*\.?\d*)/.exec(text)
  const value = Number.parseFloat(match?.[2] || '0')
  return Number.isNaN(value) ? 0 : match?.[1]?.includes('-') ? -value : value
}

const wordAt = (bytes: Uint8Array, start: number, end: number): string => {
  let text = ''
  for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] as number)
  return text
}

/** Operators of up to two letters, by their bytes: the same string each time is compared without a look at its letters. */
const shortOperators = new Map<number, string>()

const operatorAt = (bytes: Uint8Array, start: number, end: number): string => {
  if (end - start > 2) return wordAt(bytes, start, end)
  const code = bytes[start]! + (end - start === 2 ? 256 * bytes[start + 1]! : 0)
  const known = shortOperators.get(code)
  if (known !== undefined) return known
  const operator = wordAt(bytes, start, end)
  shortOperators.set(code, operator)
  return operator
}

const readWord = (cursor: Cursor): Operand => {
  const { bytes, at: start } = cursor
  const value = readPlain(cursor)
  if (value !== undefined) return { kind: 'number', value, start, end: cursor.at }
  let end = start
  while (isRegular(bytes[end])) end++
  if (isLetter(bytes[start])) {
    cursor.at = end
    return { kind: 'other', start, end }
  }
  const text = wordAt(bytes, start, end)
  if (end === start) end++
  cursor.at = end
  return numeric.test(text) ? { kind: 'number', value: readNumber(text), start, end } : { kind: 'other', start, end }
}

/** Passes over the beginning of a group in too many others: what stands in it counts as items of the last of these. */
const pass = (cursor: Cursor, code: number): Operand => {
  const start = cursor.at
  cursor.at += code === 60 ? 2 : 1
  return { kind: 'other', start, end: cursor.at }
}

function readOperand(cursor: Cursor, depth: number): Operand {
  const { bytes, at } = cursor
  const code = bytes[at]
  if (code === 40) return readLiteral(cursor)
  if (code === 47) return readName(cursor)
  if (code === 60 && bytes[at + 1] !== 60) return readHex(cursor)
  if (code === 60 || code === 91)
    return depth < deepest ? readGroup(cursor, code === 60 ? 'dict' : 'array', depth) : pass(cursor, code)
  return readWord(cursor)
}

/** Passes over the data of an inline image: its end is the first EI that something readable follows. */
const skipImage = (cursor: Cursor) => {
  const { bytes } = cursor
  for (cursor.at++; cursor.at < bytes.length; cursor.at++) {
    const { at } = cursor
    if (bytes[at] !== 69 || bytes[at + 1] !== 73 || !isSpace(bytes[at - 1])) continue
    const after = bytes.subarray(at + 2, at + 14)
    if ((after.length === 0 || isSpace(after[0])) && after.every(code => isSpace(code) || (code > 31 && code < 127))) {
      cursor.at += 2
      return
    }
  }
}

/** `endcodespacerange` is the longest of the operators that anybody looks for. */
const longestOperator = 17

const readOperation = (cursor: Cursor): Operation | undefined => {
  const { bytes } = cursor
  const operands: Operand[] = []
  for (;;) {
    skipSpace(cursor)
    if (cursor.at >= bytes.length) return undefined
    const operand = readOperand(cursor, 0)
    if (operand.kind !== 'other') {
      operands.push(operand)
      // The longest lists are those of CMaps: a hundred ranges of three. Rubbish must not gather without end.
      if (operands.length > 512) operands.length = 0
      continue
    }
    const operator = operatorAt(bytes, operand.start, Math.min(operand.end, operand.start + longestOperator))
    if (operator === 'true' || operator === 'false' || operator === 'null') {
      operands.push(operand)
      continue
    }
    if (operator === 'ID') skipImage(cursor)
    return { operator, operands, start: operands[0]?.start ?? operand.start, end: cursor.at }
  }
}

/** Reads a content stream token by token; tolerant, as every viewer is: what makes no sense is passed over. */
export const tokenise = (bytes: Uint8Array) => {
  const cursor: Cursor = { bytes, at: 0, comments: [] }
  return {
    /** The comments passed over so far. */
    comments: () => cursor.comments,
    /** The next operation; undefined at the end. */
    next: () => readOperation(cursor),
  }
}

/** A change of bytes: what stands from `start` up to `end` gives way to `bytes`. */
export type Splice = { start: number; end: number; bytes: Uint8Array }

/** Applies splices, given in any order; one that starts inside an earlier one is an error of the caller. */
export const splice = (source: Uint8Array, splices: Splice[]): Uint8Array => {
  const sorted = [...splices].sort((a, b) => a.start - b.start || a.end - b.end)
  const parts: Uint8Array[] = []
  let from = 0
  for (const change of sorted) {
    if (change.start < from) throw new RangeError('changes overlap')
    parts.push(source.subarray(from, change.start), change.bytes)
    from = change.end
  }
  parts.push(source.subarray(from))
  return Buffer.concat(parts)
}
