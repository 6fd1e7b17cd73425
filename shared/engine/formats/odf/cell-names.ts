import { type CellNames, type Reference, referencesIn } from '../ooxml/references.ts'
import { scanNamed } from '../xml/names.ts'
import { decodeXml, encodeXml } from '../xml/text.ts'
import type { ContentFrame } from './content.ts'
import { officeAddresses, officeFormula } from './office-formulas.ts'
import type { OdfContent } from './part-state.ts'
import { odfNamespaces } from './vocabulary.ts'

/** Where the cells of an element stand that formulas call by its name: in an attribute, as addresses or as a formula. */
const ranges: Readonly<Record<string, { attribute: string; read(text: string): string }>> = {
  'table:named-range': { attribute: 'table:cell-range-address', read: officeAddresses },
  'table:named-expression': { attribute: 'table:expression', read: officeFormula },
}

/** What formulas of a spreadsheet call its sheets and ranges. */
export function cellNames({ text }: ContentFrame, { tableNames }: OdfContent): CellNames {
  const places = new Map<string, number | undefined>()
  tableNames.forEach((title, index) => {
    const name = title.toLowerCase()
    places.set(name, places.has(name) ? undefined : index + 1)
  })
  const sheet = (name: string) => places.get(name.toLowerCase())
  const none: CellNames = { sheet, named: () => undefined }
  const named = new Map<string, Reference[] | undefined>()
  for (const { name, formula } of namedRanges(text)) {
    const cells = referencesIn(encodeXml(formula), { sheet: 0, row: 0, column: 0 }, none)
    const isFixed = cells?.every(({ sheet: of, top, left }) => of !== 0 && !top.moves && !left.moves)
    const known = named.has(name) ? named.get(name) : []
    named.set(name, isFixed && known ? [...known, ...cells!] : undefined)
  }
  return { sheet, named: name => (name.includes('[') ? undefined : named.get(name.toLowerCase())) }
}

function namedRanges(source: string): { name: string; formula: string }[] {
  const names: { name: string; formula: string }[] = []
  scanNamed(
    source,
    odfNamespaces,
    {
      open(element, _start, _end, _empty, attributes) {
        const range = Object.hasOwn(ranges, element) ? ranges[element] : undefined
        if (range === undefined) return
        const value = (wanted: string) =>
          decodeXml(attributes.find(({ canonical }) => canonical === wanted)?.value ?? '')
        names.push({ name: value('table:name').toLowerCase(), formula: range.read(value(range.attribute)) })
      },
      close() {},
      text() {},
    },
    4096,
  )
  return names
}
