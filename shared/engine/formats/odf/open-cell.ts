import { spokenWording } from '../office/wording.ts'
import { formulaRuns } from '../ooxml/formulas.ts'
import type { Patch, TextNode } from '../text/text-nodes.ts'
import type { NamedAttribute } from '../xml/names.ts'
import { decodeXml, encodeXml } from '../xml/text.ts'
import { formulaThatGoes } from './cell-formulas.ts'
import { count, hide, type OpenCell, type PartReading } from './part-state.ts'
import { valueAttributes } from './vocabulary.ts'

/** Begins a cell of a spreadsheet and reads the values and the formula that stand in its attributes. */
export function openCell(reading: PartReading, attributes: NamedAttribute[]): void {
  const { context, tables, row, rows, column, structure, cleaning } = reading
  const position = { page: tables, row, ...(rows > 1 && { rows }), column: String(column) }
  const cell: OpenCell = {
    also: changesWithText(attributes),
    place: { kind: 'cell', part: context.part, ...position },
    values: [],
    paragraphs: [],
  }
  reading.cell = cell
  reading.cells.push(cell)
  const gone = formulaThatGoes(attributes)
  if (gone !== undefined) {
    cleaning.push(...gone.patches)
    count(reading, gone.what)
  }
  for (const attribute of attributes) {
    if (!valueAttributes.test(attribute.canonical)) continue
    structure.add(attribute.name)
    if (attribute.canonical !== 'table:formula') readValue(reading, cell, attribute)
    else if (gone === undefined) readFormula(reading, attribute)
  }
}

/** What changes in a cell's attributes once its text is another: the values behind it go, and it is a text. */
function changesWithText(attributes: NamedAttribute[]): Patch[] {
  const changes: Patch[] = []
  for (const { canonical, start, end, valueStart, valueEnd } of attributes) {
    if (valueAttributes.test(canonical)) changes.push({ start, end, text: '' })
    else if (/^(?:office|calcext):value-type$/.test(canonical))
      changes.push({ start: valueStart, end: valueEnd, text: 'string' })
  }
  return changes
}

function readFormula(reading: PartReading, { value, start, end, valueStart }: NamedAttribute) {
  const whole = [{ start, end, text: '' }]
  for (const run of formulaRuns(value, valueStart, reading.context.sheets, 'opendocument'))
    hide(reading, 'attribute', [run], run.number ? whole : undefined)
}

function readValue(reading: PartReading, cell: OpenCell, { value, valueStart: start, valueEnd: end }: NamedAttribute) {
  if (!/\S/.test(value)) return
  const text = decodeXml(value)
  const node: TextNode = {
    segment: { text, place: { ...cell.place, kind: 'attribute' }, visible: false, wording: spokenWording(text) },
    runs: [{ text, start, end, encode: encodeXml }],
    also: cell.also,
  }
  cell.values.push(node)
  reading.nodes.push(node)
}
