import { entailedWithin } from '../text/entailed.ts'
import type { Patch } from '../text/text-nodes.ts'
import type { NamedTag } from '../xml/names.ts'
import type { OpenElement, PartReading } from './part-state.ts'
import { machineValues, paragraphs, variables } from './vocabulary.ts'

/** Whether an element has texts of its own, which stand in no field around it. */
export const startsAnew = (name: string): boolean => paragraphs.has(name) || name === 'office:annotation'

/**
 * Notes what goes with the text of an element. A field that holds for programs what it shows to people becomes the text that
 * it shows, and so do all fields of its variable. The reading over a word goes with the word.
 */
export function noteEntailed(reading: PartReading, element: OpenElement, tag: NamedTag): void {
  const own = entailedBy(reading, element, tag)
  if (own !== undefined) element.also = entailedWithin(element.also, own)
}

function entailedBy(reading: PartReading, element: OpenElement, tag: NamedTag): Patch[] | undefined {
  const { name, start, end, attributes } = tag
  if (name === 'text:ruby') return []
  if (name === 'loext:content-control') return holding(attributes)
  if (name === 'loext:list-item') element.also?.at(-1)?.push(...itemValues(attributes))
  const kind = variables.exec(name)?.[1]
  if (kind !== undefined) {
    const variable = attributes.find(({ canonical }) => canonical === 'text:name')?.value ?? ''
    const own = ofVariable(reading, `${kind}:${variable}`)
    own.push(...tagsOf(element, start, end))
    return own
  }
  const isField = reading.paragraph !== undefined && name.startsWith('text:') && !startsAnew(name)
  return isField && holding(attributes).length > 0 ? tagsOf(element, start, end) : undefined
}

/** Notes where an element ends. */
export function endEntailed({ closing }: OpenElement, start: number, end: number): void {
  if (closing !== undefined && end > start) Object.assign(closing, { start, end })
}

function ofVariable({ variables }: PartReading, key: string): Patch[] {
  const known = variables.get(key) ?? []
  variables.set(key, known)
  return known
}

/** What takes out the tags of an element, of which the end is not known yet. */
function tagsOf(element: OpenElement, start: number, end: number): Patch[] {
  element.closing = { start: end, end, text: '' }
  return [{ start, end, text: '' }, element.closing]
}

const without = ({ start, end }: { start: number; end: number }): Patch => ({ start, end, text: '' })

const holding = (attributes: NamedTag['attributes']): Patch[] =>
  attributes.filter(({ canonical }) => machineValues.test(canonical)).map(without)

/** The value of an item that shows another text. */
const itemValues = (attributes: NamedTag['attributes']): Patch[] =>
  attributes.some(({ canonical }) => canonical === 'loext:display-text')
    ? attributes.filter(({ canonical }) => canonical === 'loext:value').map(without)
    : []
