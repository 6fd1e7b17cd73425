import type { Place } from '../format.ts'
import type { SheetNames } from '../office/sheet-names.ts'
import { looseWording, spokenWording } from '../office/wording.ts'
import { formulaRuns } from '../ooxml/formulas.ts'
import type { Draft, Patch, Run } from '../text/text-nodes.ts'
import { elementDepth } from '../xml/index.ts'
import { foreignNames, isForeign, type NamedAttribute, scanNamed } from '../xml/names.ts'
import { decodeCdata, decodeXml, encodeXml } from '../xml/text.ts'
import { attributeReader } from './attributes.ts'
import { formulaThatGoes } from './cell-formulas.ts'
import { collapsed, encodeText, wordingIn } from './text.ts'
import {
  asides,
  authors,
  dropped,
  holdsMacro,
  marks,
  odfNamespaces,
  paragraphs,
  privateSettings,
  times,
  valueAttributes,
} from './vocabulary.ts'

/** What an XML part holds and what is taken out of it. Cells of spreadsheets know their row and column. */
export type OdfContent = {
  drafts: Draft[]
  cleaning: Patch[]
  dropped: Map<string, number>
  structure: Set<string>
  /** Number of tables; the page of a cell is the number of its table. */
  tables: number
  /** Cells with what they hold, texts or not, in order. */
  cells: OdfCell[]
  /** Rows that are empty elements: where they begin and on which page. */
  emptyRows: Map<number, number>
  /** Number of the last row. */
  row: number
}

/** A cell: its paragraphs, and the values behind them, which stand in attributes and go with any edit of the cell. */
export type OdfCell = { values: Draft[]; paragraphs: Draft[] }

/** What becomes of a reference into the package: the new name, or nothing where the target is left out. */
export type References = (href: string) => { name: string } | 'gone' | undefined

/** What is known of a part before it is read: its name, and what it shares with the other parts of its file. */
export type OdfPartContext = { part: string; depth: number; references: References; sheets: SheetNames }

type Paragraph = { draft: Draft; cell: Cell | undefined }
type Cell = OdfCell & { also: Patch[]; place: Place }
type Element = {
  name: string
  start: number
  drafts: number
  cleaning: number
  runs: number
  paragraph: Paragraph | undefined
  cell: Cell | undefined
}

/**
 * Reads a part of an OpenDocument file; nothing that is text is passed over. With `after`, the source is a table of some
 * rows that come after that row.
 */
export function readOdfPart(
  source: string,
  { part, depth, references, sheets }: OdfPartContext,
  after?: { page: number; row: number },
): OdfContent {
  const drafts: Draft[] = []
  const cleaning: Patch[] = []
  const counts = new Map<string, number>()
  const structure = new Set<string>()
  const values = new Map<string, Draft>()
  const readName = foreignNames(values, { kind: 'name', part })
  const cells: OdfCell[] = []
  const emptyRows = new Map<number, number>()
  const stack: Element[] = []
  let paragraph: Paragraph | undefined
  let cell: Cell | undefined
  let mark: Run | undefined
  let dropping = 0
  let leaving = '' // what the report calls the element that goes
  let tables = after?.page ?? 0
  let row = after?.row ?? 0
  let column = 0
  let repeat = 1
  let rows = 1
  const drop = (what: string) => what !== '' && counts.set(what, (counts.get(what) ?? 0) + 1)
  const hide = (kind: Place['kind'], runs: Run[], also?: Patch[], wordingOf = looseWording) => {
    const text = runs.map(run => run.text).join('')
    const wording = wordingOf(text)
    if (/\S/.test(text)) drafts.push({ segment: { text, place: { kind, part }, visible: false, wording }, runs, also })
  }
  const dropFrom = (level: number) => {
    const element = stack[level - 1]!
    drafts.length = element.drafts
    cleaning.length = element.cleaning
    paragraph = element.paragraph
    if (paragraph !== undefined) paragraph.draft.runs.length = element.runs
    dropping = level
  }
  const openCell = (attributes: NamedAttribute[]) => {
    const also: Patch[] = []
    for (const { canonical, start, end, valueStart, valueEnd } of attributes) {
      if (valueAttributes.test(canonical)) also.push({ start, end, text: '' })
      else if (/^(?:office|calcext):value-type$/.test(canonical))
        also.push({ start: valueStart, end: valueEnd, text: 'string' })
    }
    const place: Place = { kind: 'cell', part, page: tables, row, ...(rows > 1 && { rows }), column: String(column) }
    cell = { also, place, values: [], paragraphs: [] }
    cells.push(cell)
    const gone = formulaThatGoes(attributes)
    if (gone !== undefined) {
      cleaning.push(...gone.patches)
      drop(gone.what)
    }
    for (const attribute of attributes) {
      if (!valueAttributes.test(attribute.canonical)) continue
      structure.add(attribute.name)
      const { canonical, value, valueStart: start, valueEnd: end } = attribute
      if (canonical === 'table:formula') {
        const whole = [{ start: attribute.start, end: attribute.end, text: '' }]
        for (const run of gone === undefined ? formulaRuns(value, start, sheets, 'opendocument') : [])
          hide('attribute', [run], run.number ? whole : undefined)
      } else if (/\S/.test(value)) {
        const text = decodeXml(value)
        const runs: Run[] = [{ text, start, end, encode: encodeXml }]
        const draft: Draft = {
          segment: { text, place: { ...place, kind: 'attribute' }, visible: false, wording: spokenWording(text) },
          runs,
          also,
        }
        cell.values.push(draft)
        drafts.push(draft)
      }
    }
  }
  const readAttribute = attributeReader({ source, part, structure, sheets, values, readName, hide })

  scanNamed(
    source,
    odfNamespaces,
    {
      open(name, start, end, empty, attributes) {
        const noted = { drafts: drafts.length, cleaning: cleaning.length, runs: paragraph?.draft.runs.length ?? 0 }
        stack.push({ name, start, ...noted, paragraph, cell })
        // The table around some rows was made to read them, and is no part of the file.
        if (dropping > 0 || (after !== undefined && stack.length === 1)) return
        const value = (wanted: string) => attributes.find(({ canonical }) => canonical === wanted)
        const secret = name === 'config:config-item' && privateSettings.test(value('config:name')?.value ?? '')
        if (Object.hasOwn(dropped, name) || secret) {
          if (secret) drop('private settings')
          else if (!empty || attributes.length > 0) leaving = dropped[name]!
          dropFrom(stack.length)
          return
        }
        const href = value('xlink:href')
        const target = href === undefined ? undefined : references(decodeXml(href.value))
        if (target === 'gone') {
          dropFrom(stack.length)
          return
        }
        const written = /^[^\s/>]+/.exec(source.slice(start + 1, end))![0]
        if (isForeign(name)) readName(written, start + 1)
        else structure.add(written)
        if (name === 'table:table') {
          tables++
          row = 0
        } else if (name === 'table:table-row') {
          row++
          column = 0
          repeat = 1
          rows = Number(value('table:number-rows-repeated')?.value ?? 1)
          row += rows - 1
          if (empty) emptyRows.set(start, tables)
        } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
          column += repeat
          repeat = Number(value('table:number-columns-repeated')?.value ?? 1)
          openCell(attributes)
        }
        for (const attribute of attributes) {
          if (attribute === href && target !== undefined) {
            structure.add(target.name)
            if (target.name !== href.value)
              cleaning.push({ start: href.valueStart, end: href.valueEnd, text: encodeXml(target.name) })
          } else if (cell === undefined || !/table-cell$/.test(name) || !valueAttributes.test(attribute.canonical))
            readAttribute(name, attribute)
        }
        if (paragraphs.has(name)) {
          const place: Place = cell === undefined ? { kind: 'body', part } : cell.place
          const draft: Draft = { segment: { text: '', place, visible: true }, runs: [], also: cell?.also }
          drafts.push(draft)
          cell?.paragraphs.push(draft)
          paragraph = { draft, cell }
        } else if (marks.has(name) && paragraph !== undefined) {
          const count = name === 'text:s' ? Math.min(Number(value('text:c')?.value ?? 1), 1000) : 1
          mark = { text: marks.get(name)!.repeat(count), start, end }
          paragraph.draft.runs.push(mark)
          if (empty) mark = undefined
        } else if (name === 'office:annotation') {
          paragraph = undefined
          cell = undefined
        }
      },
      close(name, start, end) {
        const level = stack.length
        const element = stack.pop()!
        if (dropping === 0 && end > start && isForeign(name))
          readName(source.slice(start + 2, end).split(/[\s>]/)[0]!, start + 2)
        if (dropping > 0) {
          if (dropping < level) return
          cleaning.push({ start: element.start, end, text: '' })
          if (leaving !== 'macros' || holdsMacro.test(source.slice(element.start, end))) drop(leaving)
          leaving = ''
          dropping = 0
          return
        }
        if (paragraphs.has(name)) {
          const { segment, runs } = paragraph!.draft
          segment.text = runs.map(run => run.text).join('')
          paragraph = element.paragraph
        } else if (mark !== undefined && marks.has(name)) {
          mark.end = end
          mark = undefined
        } else if (/table-cell$/.test(name) || name === 'office:annotation') {
          paragraph = element.paragraph
          cell = element.cell
        }
      },
      text(start, end, cdata) {
        if (dropping > 0) return
        const raw = source.slice(start, end)
        const element = stack.at(-1)!.name
        const text = collapsed(cdata ? decodeCdata(raw) : decodeXml(raw))
        if (authors.has(element) || times.has(element)) {
          const neutral = authors.has(element) ? 'Author' : '2000-01-01T00:00:00'
          structure.add(neutral)
          cleaning.push({ start, end, text: neutral })
          if (authors.has(element)) drop('names of people')
        } else if (paragraph !== undefined && !asides.has(element))
          paragraph.draft.runs.push({ text, start, end, encode: encodeText })
        else if (element === 'config:config-item' && /^(?:true|false|-?\d+|\w{1,12})$/.test(text)) structure.add(text)
        else hide('body', [{ text, start, end, encode: encodeXml }], undefined, wordingIn(element))
      },
      other(kind, start, end) {
        if (kind === 'declaration' || dropping > 0) return
        cleaning.push({ start, end, text: '' })
        drop('XML comments')
      },
    },
    elementDepth(depth),
  )
  for (const draft of values.values()) drafts.push(draft)
  const shown = drafts.filter(({ segment }) => /\S/.test(segment.text))
  return { drafts: shown, cleaning, dropped: counts, structure, tables, cells, emptyRows, row }
}
