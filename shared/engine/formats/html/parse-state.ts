import { seam } from '../../detect/normalise.ts'
import { mayHoldFile } from '../container/file-address.ts'
import type { InlineImage } from '../container/inline-images.ts'
import type { Place, Segment } from '../format.ts'
import { nameWording } from '../office/wording.ts'
import { codedTextsIn, shortestCode } from '../text/coded-texts.ts'
import { hasText, type Patch, type SourceRun, type TextNode } from '../text/text-nodes.ts'
import { type MachineValues, machineValues } from './machine-values.ts'
import { type Ruby, startRuby } from './ruby.ts'
import { shiftedIn } from './shifted.ts'
import { encodeHtmlAttribute, encodeHtmlText } from './values.ts'

/** Where a name stands. */
export type Stretch = [start: number, end: number]

/** A file while it is read. */
export type HtmlReading = {
  html: string
  unicode: boolean
  depth: number
  nodes: TextNode[]
  cleaning: Patch[]
  embedded: InlineImage[]
  /** Whether any of its texts may hold a file in base64. */
  mayHoldFiles: boolean
  /** Number of files in addresses that are left out. */
  blanked: number
  /** Running text since the last border of a block. */
  runs: SourceRun[]
  /** Whether the next text may be another than the last one. */
  isLoose: boolean
  /** Where the last element within a line ended, and whether another began there that has shown nothing yet. */
  closedAt: number
  meets: boolean
  ruby: Ruby
  values: MachineValues
  /** Names in lower case, by how they are written. */
  lower: Map<string, string>
  /** Names that are none of the markup's own, and where they stand. */
  made: Map<string, Stretch[]>
  /** Made-up elements that have begun. */
  opened: Set<string>
  /** The tag that is being read, or was last. */
  tag: string
  tagStart: number
  /** Where its name ends. */
  tagEnd: number
  hasValues: boolean
  /** Whether an attribute says that the tag's element is not shown. */
  isUnseen: boolean
  /** An element within a line that is not shown, and how many of its name are open since. */
  unseen: { tag: string; depth: number } | undefined
  /** Whether an attribute says where an element of a drawing stands, and what the attributes that do say, by their names. */
  isPlaced: boolean
  placed: Map<string, string>
  /** Where the last piece of a drawn text stands. */
  line: { x: number; y: string }
  /** Its attributes whose names are none of the markup's own. */
  madeAttributes: Stretch[]
  /** The attribute that is being read; its value starts at -1 where it has none yet. */
  attribute: string
  attributeStart: number
  valueStart: number
  valueEnd: number
  scriptType: string
  /** The element whose content is not markup. */
  raw: string
  /** Number of open elements whose blanks are shown as they are. */
  pre: number
  /** Elements and classes that stand above or below their line, and whether an attribute says so of the tag's element. */
  shifted: ReadonlySet<string>
  isShifted: boolean
  /** A mark behind a word or a number, such as that of a footnote, while it is read: how many of its name are open since, and whether it is apart from the word. */
  note: { tag: string; depth: number; isApart: boolean } | undefined
  /** Where the last token ended. */
  done: number
  encodeText: (out: string) => string
  /** How a value is written between each kind of quotation marks. */
  encodeValue: Record<'"' | "'" | '', (out: string) => string>
}

/** A file of which nothing has been read. */
export function beginHtml(html: string, unicode: boolean, depth: number): HtmlReading {
  const valueWriter = (mark: string) => (out: string) => encodeHtmlAttribute(out, mark, unicode)
  const reading: HtmlReading = {
    html,
    unicode,
    depth,
    nodes: [],
    cleaning: [],
    embedded: [],
    mayHoldFiles: mayHoldFile(html),
    blanked: 0,
    runs: [],
    isLoose: false,
    closedAt: -1,
    meets: false,
    ruby: startRuby(readings => hide(reading, 'body', readings)),
    values: machineValues(),
    lower: new Map(),
    made: new Map(),
    opened: new Set(),
    tag: '',
    tagStart: 0,
    tagEnd: 0,
    hasValues: false,
    isUnseen: false,
    unseen: undefined,
    isPlaced: false,
    placed: new Map(),
    line: { x: Number.NaN, y: '' },
    madeAttributes: [],
    attribute: '',
    attributeStart: 0,
    valueStart: -1,
    valueEnd: -1,
    scriptType: '',
    raw: '',
    pre: 0,
    shifted: shiftedIn(html),
    isShifted: false,
    note: undefined,
    done: 0,
    encodeText: out => encodeHtmlText(out, unicode),
    encodeValue: { '"': valueWriter('"'), "'": valueWriter("'"), '': valueWriter('') },
  }
  return reading
}

/** One of each, as there may be very many texts. */
export const places = {
  body: { kind: 'body' },
  comment: { kind: 'comment' },
  attribute: { kind: 'attribute' },
  link: { kind: 'link' },
  name: { kind: 'name' },
} as const satisfies Record<string, Place>

/** Writes a text as it is. */
export const same = (text: string): string => text

function textOf(runs: readonly SourceRun[]): string {
  if (runs.length === 1) return runs[0]!.text
  const texts: string[] = new Array(runs.length)
  for (let index = 0; index < runs.length; index++) texts[index] = runs[index]!.text
  return texts.join('')
}

/** Notes a text that is not seen; `isDecoded`: the texts in base64 that it holds are noted as well. */
export function hide(
  { nodes }: HtmlReading,
  kind: keyof typeof places,
  hidden: SourceRun | SourceRun[],
  wording?: Segment['wording'],
  isDecoded?: true,
): void {
  const runs = Array.isArray(hidden) ? hidden : [hidden]
  const text = textOf(runs)
  if (hasText(text)) nodes.push({ segment: { text, place: places[kind], visible: false, wording, isDecoded }, runs })
}

/**
 * Notes a text that is not seen, which stands between two places and of which `runOf` makes runs; and once more, as what they
 * say, the texts that it holds in base64.
 */
export function hideStretch(
  reading: HtmlReading,
  kind: keyof typeof places,
  [start, end]: Stretch,
  runOf: (start: number, end: number) => SourceRun | SourceRun[],
  wording?: Segment['wording'],
): void {
  const coded = end - start < shortestCode ? [] : codedTextsIn(reading.html.slice(start, end))
  const borders = [start, ...coded.flatMap(one => [start + one.start, start + one.end]), end]
  const runs = () => borders.slice(1).flatMap((to, index) => (to > borders[index]! ? runOf(borders[index]!, to) : []))
  hide(reading, kind, coded.length === 0 ? runOf(start, end) : runs(), wording, coded.length === 0 ? undefined : true)
  for (const { start: from, end: to, text, encode } of coded)
    hide(reading, kind, { text, start: start + from, end: start + to, encode }, nameWording(text))
}

/** Adds to the running text. */
export function show(reading: HtmlReading, run: SourceRun): void {
  if (reading.isLoose) join(reading, run)
  else if (reading.meets) meet(reading, run)
  reading.meets = false
  if (!reading.ruby.takes(run)) reading.runs.push(run)
}

/** Ends the running text where the source begins a line, and has the next one meet it otherwise. */
function join(reading: HtmlReading, { start, end }: SourceRun): void {
  const { html, runs } = reading
  reading.isLoose = false
  const last = runs.at(-1)
  if (!last) return
  const [before, after] = [html.slice(last.start, last.end), html.slice(start, end)]
  if (/[\n\r]\s*$/.test(before) || /^\s*[\n\r]/.test(after)) endText(reading)
  else if (!/\s$/.test(before) && !/^\s/.test(after)) runs.push({ text: seam, start, end: start })
}

/** What styles often part though nothing stands between two elements: a name and the next, a word and a number, two addresses. */
const partedByStyle = /[\p{Ll}\p{N}]\n\p{Lu}|\p{L}\n\p{N}|\p{N}\n\p{L}|@[\w.-]+\n\w/u

/** Has the text of an element meet that of the one before it. */
function meet({ runs }: HtmlReading, { text, start }: SourceRun): void {
  const before = runs.at(-1)?.text ?? ''
  if (partedByStyle.test(`${before.slice(-100)}\n${text.slice(0, 1)}`)) runs.push({ text: seam, start, end: start })
}

/** Ends the running text: a block begins or ends here. Its runs are kept in a list without room to grow, as there are very many. */
export function endText(reading: HtmlReading): void {
  reading.ruby.flush()
  reading.isLoose = false
  reading.meets = false
  const { runs, nodes } = reading
  if (runs.length === 0) return
  const whole = textOf(runs)
  if (hasText(whole)) nodes.push({ segment: { text: whole, place: places.body, visible: true }, runs: [...runs] })
  reading.runs = []
}

/** Notes where a name stands that is none of the markup's own. */
export function noteName({ html, made }: HtmlReading, stretch: Stretch): void {
  const name = html.slice(...stretch)
  const known = made.get(name)
  if (known === undefined) made.set(name, [stretch])
  else known.push(stretch)
}
