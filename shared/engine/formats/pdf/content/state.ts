import { type PDFDict, PDFNumber } from '@cantoo/pdf-lib'
import type { Font } from '../fonts/fonts.ts'
import { readFont } from '../fonts/fonts.ts'
import { arrayAt, dictAt } from '../objects/objects.ts'
import { type Matrix, multiply, unit } from './matrix.ts'
import type { Operand, Operation } from './tokens.ts'

/** What of the graphics state decides where text stands. */
export type State = {
  ctm: Matrix
  font: Font | undefined
  size: number
  charSpace: number
  wordSpace: number
  /** Horizontal scaling as a factor. */
  scale: number
  leading: number
  rise: number
  mode: number
}

/** The state at the start of a page. */
export const initialState = (): State => ({
  ctm: unit,
  font: undefined,
  size: 0,
  charSpace: 0,
  wordSpace: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  mode: 0,
})

/** The numbers among the operands of an operation. */
export const numbers = (operands: Operand[]): number[] => {
  const values: number[] = []
  for (const operand of operands) if (operand.kind === 'number') values.push(operand.value)
  return values
}

/** The fonts read so far, by dictionary: a font is shared by many pages. */
export type FontCache = Map<PDFDict, Font>

/** A font; where a page names one that it doesn't have, the reader takes Helvetica. */
const cached = (fonts: FontCache, dict: PDFDict | undefined): Font => {
  const known = (dict && fonts.get(dict)) ?? readFont(dict)
  if (dict) fonts.set(dict, known)
  return known
}

/** Takes in an operation that sets the state, `values` its numbers; false when it is none of those. */
export const setState = (
  state: State,
  { operator, operands }: Operation,
  values: number[],
  resources: PDFDict | undefined,
  fonts: FontCache,
): boolean => {
  const first = values[0] ?? 0
  switch (operator) {
    case 'cm': {
      if (values.length >= 6) state.ctm = multiply(values.slice(-6) as unknown as Matrix, state.ctm)
      return true
    }
    case 'Tc':
      state.charSpace = first
      return true
    case 'Tw':
      state.wordSpace = first
      return true
    case 'Tz':
      state.scale = first / 100
      return true
    case 'TL':
      state.leading = first
      return true
    case 'Ts':
      state.rise = first
      return true
    case 'Tr':
      state.mode = first
      return true
    case 'Tf': {
      const name = operands.find(operand => operand.kind === 'name')
      state.size = first
      state.font = cached(fonts, dictAt(dictAt(resources, 'Font'), name?.value ?? ''))
      return true
    }
    case 'gs': {
      const name = operands.find(operand => operand.kind === 'name')
      const [font, size] = arrayAt(dictAt(dictAt(resources, 'ExtGState'), name?.value ?? ''), 'Font') ?? []
      // The reader knows fonts by name only, and has none here: positions must be those that it sees.
      if (font && size instanceof PDFNumber) {
        state.font = cached(fonts, undefined)
        state.size = size.asNumber()
      }
      return true
    }
    default:
      return false
  }
}
