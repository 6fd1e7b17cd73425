import { type Entailed, entailedWithin } from '../text/entailed.ts'
import type { Patch } from '../text/text-nodes.ts'
import type { NamedAttribute, NamedTag } from '../xml/names.ts'
import { decodeXml } from '../xml/text.ts'
import type { OpenElement, PartReading } from './part-state.ts'

/** Elements of which the text stands beside the same in another form. */
const wholes = new Set(['w:sdt', 'w:ruby'])

/** Attributes of controls that hold for programs what the control shows to people. */
const machineValues = new Set(['w:date@w:fullDate', 'w:dropDownList@w:lastValue', 'w:comboBox@w:lastValue'])

/** Codes of fields that may hold in another form what the field shows. */
const literal = /^\s*(?:=|(?:QUOTE|IF|COMPARE|FILLIN)\b)/i

/** Whether what a field shows may stand in its code in another form. */
export const isLiteral = (code: string): boolean => literal.test(code)

const without = ({ start, end }: { start: number; end: number }): Patch => ({ start, end, text: '' })

/**
 * Notes what goes with the text of an element: the date behind the text of a control, and the values of a list of which it is
 * one; a field that is one element and may compute its text.
 */
export function noteEntailed(element: OpenElement, { name, start, end, attributes }: NamedTag): void {
  const own = element.also?.at(-1)
  if (wholes.has(name)) element.also = entailedWithin(element.also, [])
  else if (name === 'w:fldSimple' && attributes.some(computes)) {
    element.closing = { start: end, end, text: '' }
    element.also = entailedWithin(element.also, [without({ start, end }), element.closing])
  } else if (name === 'w:rt') {
    element.closing = { start: end, end, text: '' }
    element.also = element.also?.slice(0, -1)
  } else if (own !== undefined) own.push(...valuesOf(name, attributes).map(without))
}

const computes = ({ canonical, value }: NamedAttribute) => canonical === 'w:instr' && isLiteral(decodeXml(value))

function valuesOf(element: string, attributes: readonly NamedAttribute[]): NamedAttribute[] {
  if (element === 'w:listItem' && attributes.some(({ canonical }) => canonical === 'w:displayText'))
    return attributes.filter(({ canonical }) => canonical === 'w:value')
  return attributes.filter(({ canonical }) => machineValues.has(`${element}@${canonical}`))
}

/** Notes where an element ends; the reading over a word goes with the word. */
export function endEntailed({ stack }: PartReading, { name, closing }: OpenElement, start: number, end: number): void {
  if (closing === undefined || end <= start) return
  if (name !== 'w:rt') Object.assign(closing, { start, end })
  else
    stack
      .at(-1)
      ?.also?.at(-1)
      ?.push({ ...closing, end: start })
}

/** What goes with a text at this place. */
export function entailedAt({ stack, fields }: PartReading): Entailed | undefined {
  const around = stack.at(-1)!.also
  const computed = fields.at(-1)?.also ?? []
  return computed.length === 0 ? around : [...(around ?? []), ...computed]
}
