import { pushAll } from '../../lists.ts'
import { spokenWording } from '../office/wording.ts'
import { formulaRuns } from '../ooxml/formulas.ts'
import { lastRow } from '../ooxml/references.ts'
import type { WrittenFormula } from '../ooxml/slow-rows.ts'
import type { Patch, TextNode } from '../text/text-nodes.ts'
import type { NamedAttribute } from '../xml/names.ts'
import { decodeXml, encodeXml } from '../xml/text.ts'
import { formulaThatGoes } from './cell-formulas.ts'
import { anyCell, officeFormula } from './office-formulas.ts'
import { count, hide, type OpenCell, type PartReading } from './part-state.ts'
import { valueAttributes } from './vocabulary.ts'

/** Attributes that hold the result of a formula. */
const ofValues = /^(?:office:(?:(?:date-|time-|boolean-|string-)?value|currency)|(?:office|calcext):value-type)$/

const without = ({ start, end }: NamedAttribute): Patch => ({ start, end, text: '' })

/** Begins a cell of a spreadsheet and reads the values and the formula that stand in its attributes. */
export function openCell(reading: PartReading, attributes: NamedAttribute[]): void {
  const { context, tables, row, rows, column, structure, cleaning } = reading
  const position = { page: tables, row, ...(rows > 1 && { rows }), column: String(column) }
  const cell: OpenCell = {
    also: changesWithText(attributes),
    place: { kind: 'cell', part: context.part, ...position },
    values: [],
    paragraphs: [],
    starts: new Map(),
    ends: new Map(),
    row: row - rows + 1,
    last: row,
    column,
    formula: writtenFormula(attributes, { row, rows, column }),
    withoutValues: attributes.filter(({ canonical }) => ofValues.test(canonical)).map(without),
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

/** The formula of a cell as Office writes it; of one that stands in several rows it can't be told what it refers to. */
function writtenFormula(
  attributes: NamedAttribute[],
  { row, rows, column }: Pick<PartReading, 'row' | 'rows' | 'column'>,
): WrittenFormula | undefined {
  const valueIn = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)?.value
  const formula = valueIn('table:formula')
  if (formula === undefined) return undefined
  if (rows > 1) return { text: anyCell }
  const spanned = (what: string) => Math.max(1, Number(valueIn(`table:number-matrix-${what}-spanned`) ?? 1))
  const covers = { row: Math.min(row + spanned('rows') - 1, lastRow), column: column + spanned('columns') - 1 }
  const isOne = covers.row === row && covers.column === column
  return { text: encodeXml(officeFormula(decodeXml(formula))), ...(isOne ? {} : { covers }) }
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

const tagRest = String.raw`(?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*`
/** What stands between two paragraphs of a cell that an edit may join, and empty ones between them. */
const border = new RegExp(String.raw`^</([\w.:-]+)\s*>\s*(?:<\1${tagRest}(?:/>|></\1\s*>)\s*)*<\1${tagRest}>$`)

const shows = ({ segment }: TextNode) => /\S/.test(segment.text)

/** Ends a cell: its paragraphs become the lines of one text, as others write cells with line breaks. */
export function closeCell({ source, nodes }: PartReading, cell: OpenCell, firstNode: number): void {
  if (cell.paragraphs.length < 2) return
  const kept = new Set(nodes.slice(firstNode))
  const all = cell.paragraphs.filter(node => kept.has(node))
  const texts: TextNode[] = []
  let breaks = ''
  for (const node of all.slice(all.findIndex(shows), all.findLastIndex(shows) + 1)) {
    const last = texts.at(-1)
    breaks += '\n'
    if (last !== undefined && node.runs.length === 0) continue
    const [start, end] = [last && cell.ends.get(last), cell.starts.get(node)!]
    if (start !== undefined && start < end && border.test(source.slice(start, end))) {
      last!.runs.push({ text: breaks, start, end })
      pushAll(last!.runs, node.runs)
      last!.segment.text += breaks + node.segment.text
      cell.ends.set(last!, cell.ends.get(node)!)
      node.segment.text = ''
    } else texts.push(node)
    breaks = ''
  }
  cell.paragraphs = texts
}
