import { pushAll } from '../../lists.ts'
import type { Place, Segment } from '../format.ts'
import type { SheetNames } from '../office/sheet-names.ts'
import { fieldWording, spokenWording } from '../office/wording.ts'
import type { Entailed } from '../text/entailed.ts'
import type { Patch, SourceRun, TextNode } from '../text/text-nodes.ts'
import { foreignNames } from '../xml/names.ts'
import { attributeAction } from './attributes.ts'
import { type ChartFormat, plainChart } from './chart-numbers.ts'
import { withoutData } from './field-data.ts'
import { remembered } from './remembered.ts'
import { droppedNames, type ElementRole } from './vocabulary.ts'

/** What an XML part of a package holds and what is taken out of it. */
export type PartContent = {
  nodes: TextNode[]
  cleaning: Patch[]
  dropped: Map<string, number>
  /** Names of elements and attributes and the values that stay: the part's own words. */
  structure: Set<string>
}

/** What is known of a part before it is read. */
export type PartContext = {
  /** Where its texts stand. */
  place: Place
  depth: number
  /** Identifiers of relationships whose targets are left out. */
  gone: ReadonlySet<string>
  sheets: SheetNames
  /** Identifiers of the styles that set text above or below the line. */
  raised?: ReadonlySet<string>
}

/** An element that has begun and not ended. */
export type OpenElement = {
  name: string
  role: ElementRole
  start: number
  /** How much had been noted when it began, to take back what stands in an element that goes: texts, patches, runs. */
  nodes: number
  cleaning: number
  runs: number
  paragraph: Paragraph | undefined
  fallback: boolean
  /** A date that a master or a layout shows as a sample: programs fill in the day on which they show it. */
  isSample: boolean
  /** Whether its tags go and its content stays. */
  unwrapped: boolean
  /** Whether it ends a field. */
  ends: boolean
  /** Of a run: whether it may be no part of the word in front of it, as hidden text and raised numbers of notes are. */
  isApart: boolean
  /** Of a paragraph: whether the next one goes on in it, as its end was deleted or hidden, or it is a large first letter. */
  isOpen: boolean
  /** What goes with any of its text, for itself and for the elements around it; and of that its own end tag. */
  also: Entailed | undefined
  closing?: Patch
  /** End of the start tag where `xml:space` may have to be added, or -1. */
  lead: number
}

type Paragraph = { node: TextNode; code: SourceRun[] }

/**
 * A field that has begun: a separator ends its code, and these patches take out the elements that write it. That happens if
 * it becomes text, and with any of its text if it is literal: `also` is what goes with that, for the fields around it, too.
 */
type OpenField = {
  places: Patch[]
  also: Entailed
  isShown: boolean
  becomesText: boolean
  isNesting: boolean
  /** Whether it stands in the code of another. */
  isInCode: boolean
}

/** A part while it is read. */
export type PartReading = PartContent & {
  source: string
  context: PartContext
  /** Texts of attributes and names, each distinct one once. */
  values: Map<string, TextNode>
  readName: ReturnType<typeof foreignNames>
  actionOf: typeof attributeAction
  stack: OpenElement[]
  paragraph: Paragraph | undefined
  /** A paragraph that the next one goes on in, and the element around it. */
  unended: { node: TextNode; around: OpenElement | undefined } | undefined
  /** The fields around the place, the innermost last. */
  fields: OpenField[]
  /** A character written as an element, until the element ends. */
  mark: SourceRun | undefined
  /** How the numbers of a chart are shown where the place is. */
  chart: ChartFormat
  /** Level of the element that goes, counted from 1; 0 where none does. */
  dropping: number
}

/** A part of which nothing has been read. */
export function beginPart(source: string, context: PartContext): PartReading {
  const values = new Map<string, TextNode>()
  return {
    source,
    context,
    nodes: [],
    cleaning: [],
    dropped: new Map(),
    structure: new Set(),
    values,
    actionOf: remembered(attributeAction),
    readName: foreignNames(values, { ...context.place, kind: 'name' }),
    stack: [],
    paragraph: undefined,
    unended: undefined,
    fields: [],
    mark: undefined,
    chart: plainChart(),
    dropping: 0,
  }
}

/** Counts something that is left out, by what the report calls it. */
export function count({ dropped }: PartReading, what: string | undefined): void {
  if (what !== undefined) dropped.set(what, (dropped.get(what) ?? 0) + 1)
}

/** Leaves out the open element of a level with all that stands in it. */
export function dropFrom(reading: PartReading, level: number): void {
  const { nodes, cleaning, runs, paragraph } = reading.stack[level - 1]!
  reading.nodes.length = nodes
  reading.cleaning.length = cleaning
  reading.paragraph = paragraph
  if (paragraph !== undefined) paragraph.node.runs.length = runs
  reading.dropping = level
}

/** Notes a text that is not seen. */
export function hide(
  { nodes, context }: PartReading,
  kind: Place['kind'],
  runs: SourceRun[],
  wordingOf: (text: string) => Segment['wording'] = spokenWording,
): void {
  const text = runs.map(run => run.text).join('')
  nodes.push({ segment: { text, place: { ...context.place, kind }, visible: false, wording: wordingOf(text) }, runs })
}

/** Notes the code of the field that ends here. */
export function endCode(reading: PartReading): void {
  const { paragraph, cleaning } = reading
  if (paragraph === undefined || paragraph.code.length === 0) return
  const rest = withoutData(paragraph.code)
  if (rest !== undefined) {
    pushAll(cleaning, rest.cleaning)
    count(reading, droppedNames['w:fldData'])
  }
  hide(reading, 'link', rest?.runs ?? paragraph.code, fieldWording)
  paragraph.code = []
}
