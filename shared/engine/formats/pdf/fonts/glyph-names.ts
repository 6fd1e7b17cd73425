import { type Operand, tokenise } from '../content/tokens.ts'
import { spelling } from '../text/normalise-text.ts'

/** What names, maps and font programs say a glyph is: its letters and digits without case and accents. */
export const folded = (text: string): string =>
  spelling(text)
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

const digits = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const accentedName = /^([A-Za-z])(?:acute|grave|circumflex|dieresis|tilde|ring|caron|cedilla|ogonek|breve|macron)$/
const hexName = /^(?:uni((?:[\dA-F]{4})+)|u([\dA-F]{4,6}))$/

const partOf = (name: string): string | undefined => {
  if (/^[A-Za-z]$/.test(name)) return name
  const digit = digits.indexOf(name)
  if (digit >= 0) return String(digit)
  if (name === 'fi' || name === 'fl') return name
  const [, four, more] = hexName.exec(name) ?? []
  if (four) return Buffer.from(four, 'hex').swap16().toString('utf16le')
  const point = more ? Number.parseInt(more, 16) : 0x110000
  return point <= 0x10ffff ? String.fromCodePoint(point) : accentedName.exec(name)?.[1]
}

/** The letters and digits, folded, that a glyph's name stands for (Adobe Glyph List); undefined for all other names. */
export const lettersOfName = (name: string): string | undefined => {
  const parts = (name.split('.')[0] as string).split('_').map(partOf)
  return parts.every(part => part !== undefined) ? folded(parts.join('')) || undefined : undefined
}

/** Letters of formulas in another shape, as the fonts of TeX name them: `epsilon1`. */
const variant = /^(?:epsilon|theta|kappa|pi|rho|sigma|phi|omega|upsilon)1$/i

/** Whether a name only numbers a glyph, and by another number than its code: no reader learns a letter from it. */
export const isNumbered = (name: string, code: number): boolean => {
  const [, number] = /^[A-Za-z]{1,8}-?(\d{1,5}|[\dA-F]{2})$/.exec(name) ?? []
  if (number === undefined || hexName.test(name) || variant.test(name) || name.startsWith('afii')) return false
  return Number(number) !== code && Number.parseInt(number, 16) !== code
}

const utf16 = new TextDecoder('utf-16be')
const numberOf = (bytes: Uint8Array): number => bytes.reduce((sum, byte) => sum * 256 + byte, 0)

/** Codes that are read of a map: all of those of two bytes. */
const maxCodes = 0x10000
/** Bytes of the longest code. */
const longest = 4

/** One code of a ToUnicode map: how many bytes it has, its text, and whether PDFium leaves it out. */
export type MapEntry = { code: number; length: number; text: string; isLeftOut: boolean }

/** Whether one of some ranges runs on to another first byte, which the format forbids: PDFium drops them all. */
const hasLongRange = (operands: Operand[]): boolean =>
  operands.some((first, i) => {
    const last = operands[i + 1]
    if (i % 3 !== 0 || first.kind !== 'string' || last?.kind !== 'string') return false
    return numberOf(first.value.subarray(0, -1)) !== numberOf(last.value.subarray(0, -1))
  })

/** What a ToUnicode map says, in its own order. */
export const readMapEntries = (bytes: Uint8Array): MapEntry[] => {
  const entries: MapEntry[] = []
  const tokens = tokenise(bytes)
  for (let operation = tokens.next(); operation; operation = tokens.next()) {
    const { operator, operands } = operation
    const step = operator === 'endbfchar' ? 2 : operator === 'endbfrange' ? 3 : 0
    const begin = step && operands.length % step
    const isLeftOut = step === 3 && hasLongRange(operands.slice(begin))
    for (let i = begin; step > 0 && i + step <= operands.length; i += step) {
      const [first, last, target] = [operands[i], operands[i + step - 2], operands[i + step - 1]]
      if (first?.kind !== 'string' || last?.kind !== 'string' || first.value.length > longest) continue
      const { length } = first.value
      const start = numberOf(first.value)
      const most = maxCodes - entries.length
      const end = Math.min(step === 2 ? start : numberOf(last.value), start + most - 1)
      if (target?.kind === 'string') {
        const text = utf16.decode(target.value)
        const [head, tail] = [text.slice(0, -1), text.charCodeAt(text.length - 1)]
        for (let code = start; code <= end; code++)
          entries.push({ code, length, text: head + String.fromCharCode(tail + code - start), isLeftOut })
      } else if (target?.kind === 'array')
        target.items.forEach((item, n) => {
          if (item.kind === 'string' && start + n <= end)
            entries.push({ code: start + n, length, text: utf16.decode(item.value), isLeftOut })
        })
    }
  }
  return entries
}

/** The texts that a ToUnicode map gives for codes, and the codes that PDFium leaves out. */
export const readToUnicode = (bytes: Uint8Array): { texts: Map<number, string>; leftOut: ReadonlySet<number> } => {
  const entries = readMapEntries(bytes)
  // A map whose codes are letters in UTF-8 it doesn't read at all.
  const isUnread = entries.some(({ length }) => length > 2)
  return {
    texts: new Map(entries.map(({ code, text }) => [code, text])),
    leftOut: new Set(entries.flatMap(({ code, isLeftOut }) => (isLeftOut || isUnread ? [code] : []))),
  }
}
