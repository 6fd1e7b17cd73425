import { type Operand, tokenise } from '../content/tokens.ts'

/** How a composite font cuts a string into codes, and which glyph (CID) each code stands for. */
export type CMap = {
  vertical: boolean
  /** Length in bytes of the code that starts at `at`. */
  codeLength(bytes: Uint8Array, at: number): number
  cid(code: number, length: number): number
}

const isVertical = (name: string) => name === 'V' || name.endsWith('-V')

/** The two-byte map in which the code is the CID. */
export const identity = (name: string): CMap => ({
  vertical: isVertical(name),
  codeLength: () => 2,
  cid: code => code,
})

// Lead bytes of the mixed one- and two-byte encodings that predefined maps stand for (PDF 32000-1, 9.7.5.2).
const leads: [RegExp, (byte: number) => boolean][] = [
  [/RKSJ/, byte => (byte >= 0x81 && byte <= 0x9f) || (byte >= 0xe0 && byte <= 0xfc)],
  [/^(GB|GBK|KSC|EUC|Ext-EUC|CNS|B5|ETen|ETenms|HKscs)/i, byte => byte >= 0x81 && byte <= 0xfe],
]

/**
 * A predefined map, known by its name only: the code lengths are right; CIDs are known for Latin letters of the usual
 * collections and 0 otherwise, so that their widths are the font's default. What that misplaces, verification finds.
 */
export const predefined = (name: string): CMap => {
  if (name.startsWith('Identity') || /UCS2|UTF16/.test(name) || name === 'H' || name === 'V') {
    const map = identity(name)
    return name.startsWith('Identity') ? map : { ...map, cid: code => latinCid(name, code) }
  }
  const isLead = leads.find(([pattern]) => pattern.test(name))?.[1]
  return {
    vertical: isVertical(name),
    codeLength: (bytes, at) => (isLead?.(bytes[at] as number) ? 2 : 1),
    cid: (code, length) => (length === 1 ? latinCid(name, code) : 0),
  }
}

const latinCid = (name: string, code: number): number => {
  if (code < 0x20 || code > 0x7e) return 0
  if (/RKSJ|EUC-[HV]$/.test(name) && !/P-|GB|KSC|CNS|B5/.test(name)) return code - 0x20 + 231
  return code - 0x20 + 1
}

type Range = { low: number; high: number; length: number; cid: number }

const number = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

/** Reads an embedded map. `base` stands for the map that it builds upon by `usecmap`. */
export const parseCMap = (bytes: Uint8Array, base: CMap | undefined, vertical: boolean): CMap => {
  const spaces: Range[] = []
  const ranges: Range[] = []
  const tokens = tokenise(bytes)
  for (let operation = tokens.next(); operation; operation = tokens.next()) {
    const { operator, operands } = operation
    if (operator === 'endcodespacerange') readRanges(operands, 2, spaces)
    if (operator === 'endcidrange') readRanges(operands, 3, ranges)
    if (operator === 'endcidchar') readRanges(operands, 1, ranges)
  }
  const single = new Map<string, number>()
  for (const range of ranges) if (range.low === range.high) single.set(`${range.length}:${range.low}`, range.cid)
  const wide = ranges.filter(range => range.low !== range.high)
  const longest = spaces.reduce((most, space) => Math.max(most, space.length), 0)
  return {
    vertical: vertical || (base?.vertical ?? false),
    codeLength: (string, at) => {
      for (let length = 1; length <= longest; length++) {
        const code = string.subarray(at, at + length)
        if (code.length === length && spaces.some(space => inSpace(code, space))) return length
      }
      return spaces.length > 0 || !base ? Math.max(1, Math.min(longest, 2)) : base.codeLength(string, at)
    },
    cid: (code, length) => {
      const one = single.get(`${length}:${code}`)
      if (one !== undefined) return one
      const range = wide.find(found => found.length === length && found.low <= code && code <= found.high)
      return range ? range.cid + code - range.low : (base?.cid(code, length) ?? 0)
    },
  }
}

/** A code is in a range when each of its bytes is within the range of that byte (PDF 32000-1, 9.7.6.2). */
const inSpace = (code: Uint8Array, space: Range): boolean => {
  if (space.length !== code.length) return false
  return code.every((byte, i) => {
    const shift = 256 ** (code.length - 1 - i)
    return byte >= Math.floor(space.low / shift) % 256 && byte <= Math.floor(space.high / shift) % 256
  })
}

const readRanges = (operands: Operand[], kind: 1 | 2 | 3, out: Range[]): void => {
  const step = kind === 1 ? 2 : kind
  for (let i = operands.length % step; i + step <= operands.length; i += step) {
    const low = operands[i]
    const high = kind === 1 ? low : operands[i + 1]
    const cid = kind === 2 ? undefined : operands[i + step - 1]
    if (low?.kind !== 'string' || high?.kind !== 'string') continue
    out.push({
      low: number(low.value),
      high: number(high.value),
      length: low.value.length,
      cid: cid?.kind === 'number' ? cid.value : 0,
    })
  }
}
