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
const isRegular = (code: number | undefined) => code !== undefined && classes[code] === 0

/** Groups in groups that are told apart: nothing that shows nests deeper than a few. */
const deepest = 64

const hexValue = (code: number): number => {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** Reads a content stream token by token; tolerant, as every viewer is: what makes no sense is passed over. */
export const tokenise = (bytes: Uint8Array) => {
  let at = 0
  const comments: { start: number; end: number }[] = []

  const skipSpace = () => {
    for (;;) {
      while (isSpace(bytes[at])) at++
      if (bytes[at] !== 37) return
      const start = at
      while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
      comments.push({ start, end: at })
    }
  }

  const readLiteral = (): Operand => {
    const start = at++
    const out: number[] = []
    for (let depth = 1; at < bytes.length; at++) {
      let code = bytes[at] as number
      if (code === 40) depth++
      else if (code === 41 && --depth === 0) break
      else if (code === 13) {
        if (bytes[at + 1] === 10) at++
        code = 10
      } else if (code === 92) {
        const escaped = bytes[++at]
        if (escaped === undefined) break
        if (escaped === 13 || escaped === 10) {
          if (escaped === 13 && bytes[at + 1] === 10) at++
          continue
        }
        if (escaped >= 48 && escaped <= 55) {
          let value = escaped - 48
          for (let digits = 1; digits < 3; digits++) {
            const next = bytes[at + 1]
            if (next === undefined || next < 48 || next > 55) break
            value = value * 8 + next - 48
            at++
          }
          code = value & 255
        } else code = escapes.get(escaped) ?? escaped
      }
      out.push(code)
    }
    at++
    return { kind: 'string', value: Uint8Array.from(out), start, end: at }
  }

  const readHex = (): Operand => {
    const start = at++
    const close = bytes.indexOf(62, at)
    const end = close < 0 ? bytes.length : close
    const out = new Uint8Array((end - at + 1) >> 1)
    let digits = 0
    for (; at < end; at++) {
      const value = hexValue(bytes[at] as number)
      if (value < 0) continue
      // A last digit without another stands for sixteen times itself.
      out[digits >> 1] = digits % 2 === 0 ? value * 16 : (out[digits >> 1] as number) + value
      digits++
    }
    at++
    return { kind: 'string', value: out.subarray(0, (digits + 1) >> 1), start, end: at }
  }

  const readName = (): Operand => {
    const start = at++
    let value = ''
    for (; isRegular(bytes[at]); at++) {
      const code = bytes[at] as number
      const high = code === 35 ? hexValue(bytes[at + 1] ?? 0) : -1
      const low = high < 0 ? -1 : hexValue(bytes[at + 2] ?? 0)
      if (low >= 0) at += 2
      value += String.fromCharCode(low >= 0 ? high * 16 + low : code)
    }
    return { kind: 'name', value, start, end: at }
  }

  const readGroup = (kind: 'array' | 'dict', depth: number): Operand => {
    const start = at
    at += kind === 'dict' ? 2 : 1
    const items: Operand[] = []
    for (;;) {
      skipSpace()
      const code = bytes[at]
      if (code === undefined) break
      if (code === 93 || code === 62) {
        at += code === 62 && bytes[at + 1] === 62 ? 2 : 1
        break
      }
      const item = readOperand(depth + 1)
      if (item) items.push(item)
    }
    return { kind, items, start, end: at }
  }

  const readWord = (): Operand => {
    const start = at
    const value = readPlain()
    if (value !== undefined) return { kind: 'number', value, start, end: at }
    at = start
    while (isRegular(bytes[at])) at++
    const text = wordAt(start, at)
    if (at === start) at++
    return numeric.test(text)
      ? { kind: 'number', value: readNumber(text), start, end: at }
      : { kind: 'other', start, end: at }
  }

  /** A number as nearly all are written: digits with at most a sign and a dot. Undefined for whatever else. */
  const readPlain = (): number | undefined => {
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
        if (scale > 1) value /= scale
        return negative ? -value : value
      }
    }
  }

  const wordAt = (start: number, end: number): string => {
    let text = ''
    for (let i = start; i < end; i++) text += String.fromCharCode(bytes[i] as number)
    return text
  }

  /** Passes over the beginning of a group in too many others: what stands in it counts as items of the last of these. */
  const pass = (code: number): Operand => {
    const start = at
    at += code === 60 ? 2 : 1
    return { kind: 'other', start, end: at }
  }

  function readOperand(depth: number): Operand | undefined {
    const code = bytes[at]
    if (code === 40) return readLiteral()
    if (code === 47) return readName()
    if (code === 60 && bytes[at + 1] !== 60) return readHex()
    if (code === 60 || code === 91)
      return depth < deepest ? readGroup(code === 60 ? 'dict' : 'array', depth) : pass(code)
    return readWord()
  }

  /** Passes over the data of an inline image: its end is the first EI that something readable follows. */
  const skipImage = () => {
    at++
    for (; at < bytes.length; at++) {
      if (bytes[at] !== 69 || bytes[at + 1] !== 73 || !isSpace(bytes[at - 1])) continue
      const after = bytes.subarray(at + 2, at + 14)
      if (
        (after.length === 0 || isSpace(after[0])) &&
        after.every(code => isSpace(code) || (code > 31 && code < 127))
      ) {
        at += 2
        return
      }
    }
  }

  return {
    /** The comments passed over so far. */
    comments: () => comments,
    /** The next operation; undefined at the end. */
    next(): Operation | undefined {
      const operands: Operand[] = []
      for (;;) {
        skipSpace()
        if (at >= bytes.length) return undefined
        const start = at
        const operand = readOperand(0)
        if (!operand) continue
        if (operand.kind !== 'other') {
          operands.push(operand)
          // The longest lists are those of CMaps: a hundred ranges of three. Rubbish must not gather without end.
          if (operands.length > 512) operands.length = 0
          continue
        }
        const operator = wordAt(start, Math.min(operand.end, start + longestOperator))
        if (operator === 'true' || operator === 'false' || operator === 'null') {
          operands.push(operand)
          continue
        }
        if (operator === 'ID') skipImage()
        return { operator, operands, start: operands[0]?.start ?? start, end: at }
      }
    },
  }
}

const escapes = new Map([
  [110, 10],
  [114, 13],
  [116, 9],
  [98, 8],
  [102, 12],
])

/** `endcodespacerange` is the longest of the operators that anybody looks for. */
const longestOperator = 17

const numeric = /^[+-]*(\d+\.?\d*|\.\d+)(-\d*)*$|^[+-]?\.?$/

/** Numbers as viewers read them: `--5` is -5, `1.2-3` ends before its second sign, a lone sign or dot is 0. */
const readNumber = (text: string): number => {
  const match = /^([+-]*)(\d*\.?\d*)/.exec(text)
  const value = Number.parseFloat(match?.[2] || '0')
  return Number.isNaN(value) ? 0 : match?.[1]?.includes('-') ? -value : value
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
