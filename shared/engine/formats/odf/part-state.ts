import type { Place } from '../format.ts'
import type { SheetNames } from '../office/sheet-names.ts'
import { looseWording } from '../office/wording.ts'
import type { WrittenFormula } from '../ooxml/slow-rows.ts'
import type { Patch, SourceRun, TextNode } from '../text/text-nodes.ts'
import { foreignNames } from '../xml/names.ts'

/** What an XML part holds and what is taken out of it. Cells of spreadsheets know their row and column. */
export type OdfContent = {
  nodes: TextNode[]
  cleaning: Patch[]
  dropped: Map<string, number>
  structure: Set<string>
  /** Number of tables; the page of a cell is the number of its table. */
  tables: number
  tableNames: string[]
  /** Cells with what they hold, texts or not, in order. */
  cells: OdfCell[]
  /** Rows that are empty elements: where they begin and on which page. */
  emptyRows: Map<number, number>
  /** Number of the last row. */
  row: number
  /** Names of styles whose text stands above or below the line. */
  raised: Set<string>
}

/**
 * A cell: its paragraphs, with where the content of each begins and ends, and the values behind them, which stand in attributes
 * and go with any edit of the cell.
 */
export type OdfCell = {
  values: TextNode[]
  paragraphs: TextNode[]
  starts: Map<TextNode, number>
  ends: Map<TextNode, number>
  /** Its first row and its last, which are several where equal ones are written once, and its column. */
  row: number
  last: number
  column: number
  formula?: WrittenFormula
  /** What takes the values out of its start tag, and of what kind they are. */
  withoutValues: Patch[]
}

/** What becomes of a reference into the package: the new name, or nothing where the target is left out. */
export type References = (href: string) => { name: string } | 'gone' | undefined

/** What is known of a part before it is read: its name, and what it shares with the other parts of its file. */
export type OdfPartContext = {
  part: string
  depth: number
  references: References
  sheets: SheetNames
  /** Names of styles whose text stands above or below the line, that are defined elsewhere. */
  raised?: ReadonlySet<string>
}

/** The cell that is being read. */
export type OpenCell = OdfCell & { also: Patch[]; place: Place }

/** An element that has begun and not ended, and how much had been noted when it began. */
export type OpenElement = {
  name: string
  start: number
  nodes: number
  cleaning: number
  runs: number
  paragraph: TextNode | undefined
  cell: OpenCell | undefined
  /** Whether its text may be no part of the word in front of it, as raised numbers of notes are. */
  isRaised: boolean
  /** What goes with any of its text, for itself and for the elements around it; and of that its own end tag. */
  also: readonly Patch[][] | undefined
  closing?: Patch
}

/** A part while it is read. */
export type PartReading = OdfContent & {
  source: string
  context: OdfPartContext
  /** Texts of attributes and names, each distinct one once. */
  values: Map<string, TextNode>
  readName: ReturnType<typeof foreignNames>
  stack: OpenElement[]
  /** What goes with the text of any field of a variable. */
  variables: Map<string, Patch[]>
  paragraph: TextNode | undefined
  cell: OpenCell | undefined
  /** A character written as an element, until the element ends. */
  mark: SourceRun | undefined
  /** Level of the element that goes, counted from 1; 0 where none does. */
  dropping: number
  /** Name of the style that was last defined. */
  style: string
  /** What the report calls the element that goes. */
  leaving: string
  column: number
  /** Columns that the last cell stands for. */
  repeat: number
  /** Rows that the last row stands for. */
  rows: number
}

/** A part of which nothing has been read, or the rows of a table that come after one. */
export function beginPart(source: string, context: OdfPartContext, after = { page: 0, row: 0 }): PartReading {
  const values = new Map<string, TextNode>()
  return {
    source,
    context,
    nodes: [],
    cleaning: [],
    dropped: new Map(),
    structure: new Set(),
    cells: [],
    emptyRows: new Map(),
    values,
    readName: foreignNames(values, { kind: 'name', part: context.part }),
    stack: [],
    variables: new Map(),
    paragraph: undefined,
    cell: undefined,
    mark: undefined,
    dropping: 0,
    style: '',
    raised: new Set(context.raised),
    leaving: '',
    tables: after.page,
    tableNames: [],
    row: after.row,
    column: 0,
    repeat: 1,
    rows: 1,
  }
}

/** Counts something that is left out, by what the report calls it. */
export function count({ dropped }: PartReading, what: string): void {
  if (what !== '') dropped.set(what, (dropped.get(what) ?? 0) + 1)
}

/** Leaves out the element that was just opened with all that will stand in it. */
export function dropElement(reading: PartReading): void {
  const { nodes, cleaning, paragraph, runs } = reading.stack.at(-1)!
  reading.nodes.length = nodes
  reading.cleaning.length = cleaning
  reading.paragraph = paragraph
  if (paragraph !== undefined) paragraph.runs.length = runs
  reading.dropping = reading.stack.length
}

/** Notes a text that is not seen; with `also`, what else changes with it. */
export function hide(
  { nodes, context: { part } }: PartReading,
  kind: Place['kind'],
  runs: SourceRun[],
  also?: Patch[],
  wordingOf = looseWording,
): void {
  const text = runs.map(run => run.text).join('')
  const wording = wordingOf(text)
  if (/\S/.test(text)) nodes.push({ segment: { text, place: { kind, part }, visible: false, wording }, runs, also })
}
