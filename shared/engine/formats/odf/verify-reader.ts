import type { Place, Segment } from '../format.ts'
import type { HeldDate } from '../office/held-dates.ts'
import { withoutFunctions } from '../ooxml/formulas.ts'
import { nameSorter, prefixOf } from '../xml/names.ts'
import { type ParsedAttribute, parseXml } from '../xml/verify-parser.ts'
import { fillsRoom, isNumberText, NumberTexts } from './number-texts.ts'
import { decodeStyleName } from './text.ts'
import { blanksOf, collapsed } from './verify-blanks.ts'
import { asides, attributeAction, authors, formulaAttributes, odfNamespaces, spellsStyle, times } from './vocabulary.ts'

/** What a second XML reader finds in a part that was written. */
export type OdfReread = {
  paragraphs: string[]
  segments: Segment[]
  structure: Set<string>
  dates: HeldDate[]
  forbidden: boolean
}

const forbidden = /^(?:text|table):(?:tracked-changes|change|change-start|change-end)$|^office:(?:scripts|meta)$/
const valueAttributes = /^(?:office:(?:value|date-value|time-value|string-value|currency))$/
const dateAttributes = /^(?:(?:office|text):date-value|loext:current-date)$/

/** What a style of numbers shows side by side. */
const shownBy = (parts: readonly { text: string }[], place: Place): Segment => ({
  text: parts.map(({ text }) => text).join(''),
  place,
  visible: false,
})

/** Reads a part with a streaming parser that shares no code with the one that wrote it. Throws `corrupt_file`. */
export function rereadOdf(source: string, part: string): OdfReread {
  const result: OdfReread = { paragraphs: [], segments: [], structure: new Set(), dates: [], forbidden: false }
  const open: { name: string; paragraph: number; held?: HeldDate }[] = []
  const place: Place = { kind: 'body', part }
  let loose = ''
  const numberTexts = new NumberTexts(parts => result.segments.push(shownBy(parts, place)))
  const flush = () => {
    if (/\S/.test(loose)) result.segments.push({ text: loose, place, visible: false })
    loose = ''
  }
  const canonicalName = (uri: string, local: string) => {
    const prefix = prefixOf(uri, odfNamespaces)
    return prefix === '' ? local : `${prefix}:${local}`
  }
  const nameOf = nameSorter(
    text => result.segments.push({ text, place: { kind: 'name', part }, visible: false }),
    word => result.structure.add(word),
  )
  const onText = (text: string) => {
    const { name = '', paragraph = -1, held } = open.at(-1) ?? {}
    if (isNumberText(name)) numberTexts.add({ text, isFill: fillsRoom(name, text) })
    if (held !== undefined) held.shown += text
    if (paragraph >= 0) result.paragraphs[paragraph] += collapsed(text)
    else loose += text
  }
  const onAttribute = (full: string, { name, canonical, value }: ParsedAttribute) => {
    nameOf(canonical, name)
    const isShown = valueAttributes.test(canonical) || attributeAction(full, canonical, value) === 'text'
    const hide = (text: string) => result.segments.push({ text, place: { kind: 'attribute', part }, visible: false })
    if (formulaAttributes.has(canonical)) hide(withoutFunctions(value))
    else if (isShown) hide(spellsStyle(full, canonical) ? decodeStyleName(value) : value)
    else result.structure.add(value)
  }
  const dateIn = (attributes: readonly ParsedAttribute[]) => {
    const value = attributes.find(({ canonical }) => dateAttributes.test(canonical))?.value
    if (value === undefined) return undefined
    const held = { value, shown: '' }
    result.dates.push(held)
    return held
  }
  const forbid = () => {
    result.forbidden = true
  }
  parseXml(
    source,
    {
      canonical: canonicalName,
      open(written, attributes, full) {
        flush()
        numberTexts.tag(full)
        let paragraph = open.at(-1)?.paragraph ?? -1
        if (full === 'text:p' || full === 'text:h') paragraph = result.paragraphs.push('') - 1
        else if (full === 'office:annotation' || [asides, authors, times].some(names => names.has(full))) paragraph = -1
        else if (paragraph >= 0) result.paragraphs[paragraph] += blanksOf(full, attributes)
        open.push({ name: full, paragraph, held: dateIn(attributes) ?? open.at(-1)?.held })
        if (forbidden.test(full)) forbid()
        nameOf(full, written)
        for (const attribute of attributes) onAttribute(full, attribute)
      },
      close() {
        flush()
        numberTexts.tag(open.pop()?.name ?? '')
      },
      text: onText,
      comment: forbid,
      doctype: forbid,
    },
    'A part of the output is not well-formed',
  )
  for (const text of result.paragraphs) result.segments.push({ text, place, visible: true })
  return result
}
