import type { Place } from '../format.ts'
import { decodeUrl } from '../html/values.ts'
import type { SheetNames } from '../office/sheet-names.ts'
import { formulaRuns, identifier } from '../ooxml/formulas.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { isForeign, type NamedAttribute } from '../xml/names.ts'
import { decodeXml, encodeXml } from '../xml/text.ts'
import { decodeStyleName, encodeStyleName } from './text.ts'
import { attributeAction, attributeWording, formulaAttributes, namesTable, spellsStyle } from './vocabulary.ts'

/** Attributes that say which cells are meant. */
const addressing = /(?:address|addresses|range|ranges|linked-cell)$/

/** Elements whose names stand in formulas. */
const ranges = new Set(['table:named-range', 'table:named-expression', 'table:database-range'])

/** The ends of an axis, which programs set themselves where they are not given. */
const bounds = new Set(['chart:minimum', 'chart:maximum'])

/** What is known of a part while its attributes are read. `values` takes their texts, each distinct one once. */
export type AttributeNotes = {
  source: string
  part: string
  structure: Set<string>
  sheets: SheetNames
  values: Map<string, TextNode>
  /** What goes with the texts of the element. */
  entailed(): SourceRun['also']
  readName(written: string, start: number): void
  hide(kind: Place['kind'], runs: SourceRun[]): void
}

/** Makes the reader of the attributes of a part, those aside that hold the values of cells. */
export function attributeReader(notes: AttributeNotes): (element: string, attribute: NamedAttribute) => void {
  const { source, part, structure, sheets, values, readName, hide } = notes
  return (element, { canonical, name, value, start, end, valueStart, valueEnd }) => {
    if (isForeign(canonical)) readName(name, start + source.slice(start).search(/\S/))
    else structure.add(name)
    const style = spellsStyle(element, canonical)
    const isShown = element.startsWith('style:') && canonical === 'style:display-name'
    if (style && canonical === 'style:name') sheets.listStyle(decodeStyleName(decodeXml(value)))
    if (isShown) sheets.listStyle(decodeXml(value))
    if (attributeAction(element, canonical, value) === 'keep') {
      structure.add(value)
      return
    }
    const url = canonical === 'xlink:href' ? decodeUrl(decodeXml(value)) : undefined
    const plain = url?.text ?? decodeXml(value)
    const text = style ? decodeStyleName(plain) : plain
    if (!/\S/.test(text)) return
    if (formulaAttributes.has(canonical) || addressing.test(canonical)) {
      for (const run of formulaRuns(value, valueStart, sheets, 'opendocument')) hide('attribute', [run])
      return
    }
    const table = element === 'table:table' && canonical === 'table:name'
    const inside = text.startsWith('#') && canonical === 'xlink:href'
    const refers =
      inside || canonical.endsWith('ref-name') || (element.startsWith('text:bookmark') && canonical === 'text:name')
    if (table) sheets.list(text)
    const isTable = table || namesTable(element, canonical)
    const writing = isTable
      ? { encode: (out: string) => encodeXml(sheets.named(text, out)), escape: identifier }
      : { encode: (out: string) => encodeXml(url === undefined ? out : url.encode(sheets.reference(text, out))) }
    if (style) writing.encode = out => encodeXml(encodeStyleName(sheets.styleNamed(text, out)))
    if (isShown) writing.encode = out => encodeXml(sheets.styleNamed(text, out))
    if (refers) Object.assign(writing, { escape: identifier })
    const listed = ranges.has(element) && canonical === 'table:name'
    if (listed) sheets.listRange(text)
    const isRange = listed || canonical === 'table:database-range-name'
    if (isRange)
      Object.assign(writing, { encode: (out: string) => encodeXml(sheets.rangeNamed(text, out)), escape: identifier })
    const address = canonical.startsWith('xmlns') ? { escape: encodeURIComponent } : {}
    const run: SourceRun = { text, start: valueStart, end: valueEnd, ...writing, ...address }
    if (canonical === 'loext:display-text') run.also = notes.entailed()
    if (bounds.has(canonical)) run.also = [[{ start, end, text: '' }]]
    const wording = attributeWording(element, canonical, text)
    const key = `${isTable ? 'table' : isRange ? 'range' : refers ? 'reference' : style ? 'style' : 'text'}:${wording ?? ''}:${text}`
    const known = values.get(key)
    if (known !== undefined) known.copies!.push(run)
    else {
      const kind = isTable ? 'name' : canonical === 'xlink:href' ? 'link' : 'attribute'
      values.set(key, { segment: { text, place: { kind, part }, visible: false, wording }, runs: [run], copies: [] })
    }
  }
}
