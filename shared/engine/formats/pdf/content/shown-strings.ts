import { type PDFDict, type PDFObject, PDFRawStream } from '@cantoo/pdf-lib'
import type { Font } from '../fonts/fonts.ts'
import { arrayAt, asDict, decode, dictAt, nameAt, value } from '../objects/objects.ts'
import { joined } from './content.ts'
import { numbers } from './state.ts'
import { tokenise } from './tokens.ts'

/** Strings that one operator shows, in which font and text rendering mode. */
export type Showing = { font: PDFDict | undefined; mode: number; strings: Uint8Array[] }

type State = { font: PDFDict | undefined; mode: number }

/** Which forms were read, with which resources and in which state: shown once more they say nothing new. */
type Known = Map<unknown, { resources: PDFDict | undefined; state: State }[]>

const deepest = 12

const isNew = (known: Known, form: unknown, resources: PDFDict | undefined, state: State): boolean => {
  const before = known.get(form) ?? []
  known.set(form, before)
  if (before.some(one => one.resources === resources && one.state.font === state.font && one.state.mode === state.mode))
    return false
  before.push({ resources, state: { ...state } })
  return true
}

/**
 * Visits the strings that a page's content shows, its forms included, each form once for each state that it is shown in;
 * ends, and returns true, as soon as a visit does.
 */
export const someShown = (
  streams: (PDFObject | undefined)[],
  resources: PDFDict | undefined,
  visit: (showing: Showing) => boolean,
): boolean => {
  const known: Known = new Map()
  const read = (bytes: Uint8Array, own: PDFDict | undefined, start: State, depth: number): boolean => {
    const saved: State[] = []
    let state = { ...start }
    const tokens = tokenise(bytes)
    for (let operation = tokens.next(); operation; operation = tokens.next()) {
      const { operator, operands } = operation
      const name = operands.find(operand => operand.kind === 'name')?.value ?? ''
      if (operator === 'q') saved.push({ ...state })
      else if (operator === 'Q') state = saved.pop() ?? state
      else if (operator === 'Tf') state.font = dictAt(dictAt(own, 'Font'), name)
      else if (operator === 'gs') {
        const font = asDict(arrayAt(dictAt(dictAt(own, 'ExtGState'), name), 'Font')?.[0])
        if (font) state.font = font
      } else if (operator === 'Tr') state.mode = numbers(operands)[0] ?? 0
      else if (operator === 'Do') {
        const form = value(dictAt(own, 'XObject'), name)
        if (!(form instanceof PDFRawStream) || nameAt(form.dict, 'Subtype') !== 'Form') continue
        const inner = dictAt(form.dict, 'Resources') ?? own
        if (depth >= deepest || !isNew(known, form, inner, state)) continue
        if (read(decode(form) ?? new Uint8Array(0), inner, state, depth + 1)) return true
      } else if (operator === 'TJ' || operator === 'Tj' || operator === "'" || operator === '"') {
        const last = operands.at(-1)
        const items = last?.kind === 'array' ? last.items : operands.slice(-1)
        const strings = items.flatMap(item => (item.kind === 'string' ? [item.value] : []))
        if (visit({ ...state, strings })) return true
      }
    }
    return false
  }
  const parts = streams.map(stream => decode(stream) ?? new Uint8Array(0))
  return read(joined(parts), resources, { font: undefined, mode: 0 }, 0)
}

/** The codes of a shown string; `spaces`: also those by which words are spaced, which may stand for letters all the same. */
export const codesOf = (font: Font, bytes: Uint8Array, spaces: boolean): number[] => {
  const codes: number[] = []
  let at = 0
  for (const { length, space } of font.glyphs(bytes)) {
    let code = 0
    for (const end = Math.min(at + length, bytes.length); at < end; at++) code = code * 256 + (bytes[at] as number)
    if (spaces || !space) codes.push(code)
  }
  return codes
}
