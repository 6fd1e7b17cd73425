import type { Place, Segment } from '../format.ts'
import { decodeUrl, percentRuns } from '../html/values.ts'
import type { SheetNames } from '../office/sheet-names.ts'
import { addressWording, fieldWording, looseWording, spokenWording } from '../office/wording.ts'
import type { Draft, Patch, Run } from '../text/text-nodes.ts'
import { elementDepth } from '../xml/index.ts'
import { foreignNames, isForeign, type NamedAttribute, scanNamed } from '../xml/names.ts'
import { decodeCdata, decodeXml, encodeXml } from '../xml/text.ts'
import { attributeFate, attributeWording, isStructural } from './attributes.ts'
import { decodeString, encodeString, unescaped } from './escapes.ts'
import { officeNamespaces } from './namespaces.ts'
import { numberFormatRuns } from './number-formats.ts'
import { attributeRun, looseRuns } from './values.ts'
import {
  asides,
  carriers,
  droppedElements,
  droppedNames,
  marks,
  measuring,
  paragraphs,
  spaced,
  texts,
  unwrapped,
} from './vocabulary.ts'

/** What an XML part of a package holds and what is taken out of it. */
export type PartContent = {
  drafts: Draft[]
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
}

type Paragraph = { draft: Draft; code: Run[] }
type Element = {
  name: string
  start: number
  /** How much had been noted when it began, to take back what stands in an element that goes. */
  noted: { drafts: number; cleaning: number; runs: number }
  paragraph: Paragraph | undefined
  fallback: boolean
  /** End of the start tag where `xml:space` may have to be added, or -1. */
  lead: number
}

/**
 * Reads a part of an Office file: each paragraph's text over all of its runs, every other text on its own, attributes
 * that may hold text once per distinct value; notes what must go. Nothing that is text is passed over.
 */
export function readPart(source: string, context: PartContext): PartContent {
  const drafts: Draft[] = []
  const cleaning: Patch[] = []
  const dropped = new Map<string, number>()
  const structure = new Set<string>()
  const values = new Map<string, Draft>()
  const readName = foreignNames(values, { ...context.place, kind: 'name' })
  const stack: Element[] = []
  let paragraph: Paragraph | undefined
  let mark: Run | undefined
  let dropping = 0 // level of the element that goes, counted from 1
  const drop = (what: string | undefined) => {
    if (what !== undefined) dropped.set(what, (dropped.get(what) ?? 0) + 1)
  }
  const dropFrom = (level: number) => {
    const { noted, paragraph: outer } = stack[level - 1]!
    drafts.length = noted.drafts
    cleaning.length = noted.cleaning
    paragraph = outer
    if (paragraph !== undefined) paragraph.draft.runs.length = noted.runs
    dropping = level
  }
  const hide = (kind: Place['kind'], runs: Run[], wordingOf: (text: string) => Segment['wording'] = spokenWording) => {
    const text = runs.map(run => run.text).join('')
    drafts.push({
      segment: { text, place: { ...context.place, kind }, visible: false, wording: wordingOf(text) },
      runs,
    })
  }
  const flushCode = () => {
    if (paragraph === undefined || paragraph.code.length === 0) return
    hide('link', paragraph.code, fieldWording)
    paragraph.code = []
  }
  const readAttribute = (element: string, { canonical, name, value, ...at }: NamedAttribute) => {
    const lost = canonical.startsWith('r:') && context.gone.has(value)
    const fate = lost ? 'remove' : attributeFate(element, canonical, value)
    if (isForeign(canonical)) readName(name, at.start + (/\S/.exec(source.slice(at.start))?.index ?? 0))
    else if (fate !== 'remove') structure.add(name)
    if (fate === 'keep') structure.add(value)
    else if (fate === 'remove') cleaning.push({ start: at.start, end: at.end, text: '' })
    else if (canonical === 'formatCode') {
      for (const run of numberFormatRuns(value, at.valueStart)) hide('attribute', [run])
    } else if (fate !== 'text') {
      structure.add(fate.set)
      if (value === fate.set) return
      cleaning.push({ start: at.valueStart, end: at.valueEnd, text: fate.set })
      if (fate.set === 'Author') drop('names of people')
    } else if (/\S/.test(value)) {
      const isString = element.startsWith('s:') && value.includes('_x')
      const plain = isString ? decodeString(value) : decodeXml(value)
      const url = /^[a-z]+:.*%[0-9a-f]{2}/i.test(plain) ? decodeUrl(plain) : undefined
      const text = url?.text ?? plain
      if (element === 's:sheet') context.sheets.list(text)
      const run: Run = {
        text,
        start: at.valueStart,
        end: at.valueEnd,
        ...attributeRun(element, canonical, text, context.sheets),
      }
      if (isString && run.encode === encodeXml) run.encode = encodeString
      // Readers refuse addresses of namespaces that are none.
      if (canonical.startsWith('xmlns')) run.escape = encodeURIComponent
      if (url !== undefined) run.encode = out => encodeXml(url.encode(out))
      const wording = url === undefined ? attributeWording(element, canonical, text) : addressWording(text)
      const key = `${run.escape === undefined ? 'text' : element}:${wording ?? ''}:${text}`
      const known = values.get(key)
      if (known !== undefined) known.copies!.push(run)
      else {
        const kind = element === 's:sheet' ? 'name' : 'attribute'
        values.set(key, {
          segment: { text, place: { ...context.place, kind }, visible: false, wording },
          runs: [run],
          copies: [],
        })
      }
    }
  }
  const mustGo = (name: string, attributes: NamedAttribute[], empty: boolean): number => {
    const level = stack.length
    if (droppedElements.has(name)) {
      if (!empty || attributes.length > 0) drop(droppedNames[name])
      // A deleted row is marked inside of its properties.
      return name === 'w:del' && stack[level - 2]?.name === 'w:trPr' ? level - 2 : level
    }
    const lost = ({ canonical, value }: NamedAttribute) =>
      (canonical.startsWith('r:') || canonical === 'o:relid') && context.gone.has(value)
    // The page's size and orientation stay when the printer's own settings go.
    if (name === 's:pageSetup' || name === 'c:pageSetup' || !attributes.some(lost)) return 0
    const carrier = stack.findLastIndex(element => carriers.has(element.name))
    return carrier < 0 ? level : carrier + 1
  }

  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, start, end, empty, attributes) {
        const parent = stack.at(-1)
        const noted = { drafts: drafts.length, cleaning: cleaning.length, runs: paragraph?.draft.runs.length ?? 0 }
        const fallback = name === 'mc:Fallback' || parent?.fallback === true
        const element: Element = { name, start, noted, paragraph, fallback, lead: -1 }
        stack.push(element)
        if (dropping > 0) return
        const level = mustGo(name, attributes, empty)
        if (level > 0) {
          dropFrom(level)
          return
        }
        if (unwrapped.has(name)) {
          cleaning.push({ start, end, text: '' })
          drop('marks of insertions')
          return
        }
        const written = /^[^\s/>]+/.exec(source.slice(start + 1, end))![0]
        if (isForeign(name)) readName(written, start + 1)
        else structure.add(written)
        for (const attribute of attributes) readAttribute(name, attribute)
        if (paragraphs.has(name)) {
          const draft: Draft = {
            segment: { text: '', place: context.place, visible: !fallback && !asides.has(name) },
            runs: [],
          }
          drafts.push(draft)
          paragraph = { draft, code: [] }
        } else if (marks.has(name) && paragraph !== undefined && parent?.name !== 'w:tabs') {
          mark = { text: marks.get(name)!, start, end }
          paragraph.draft.runs.push(mark)
        } else if (name === 'w:fldChar') flushCode()
        if (spaced.has(name) && !empty && !attributes.some(({ canonical }) => canonical === 'xml:space'))
          element.lead = end - 1
      },
      close(name, start, end) {
        const level = stack.length
        const element = stack.pop()!
        if (dropping === 0 && end > start && isForeign(name))
          readName(source.slice(start + 2, end).split(/[\s>]/)[0]!, start + 2)
        if (dropping > 0) {
          if (dropping < level) return
          cleaning.push({ start: element.start, end, text: '' })
          dropping = 0
        } else if (unwrapped.has(name)) {
          if (end > start) cleaning.push({ start, end, text: '' })
        } else if (paragraphs.has(name)) {
          flushCode()
          const { segment, runs } = paragraph!.draft
          segment.text = runs.length === 1 ? runs[0]!.text : runs.map(run => run.text).join('')
          paragraph = element.paragraph
        } else if (mark !== undefined && marks.has(name)) {
          mark.end = end
          mark = undefined
        }
      },
      text(start, end, cdata) {
        if (dropping > 0) return
        const element = stack.at(-1)!
        const raw = source.slice(start, end)
        const within = paragraph !== undefined && texts.has(element.name)
        if (!within && !/\S/.test(raw)) return
        if (element.name === 's:definedName' && /\[\d+\]/.test(raw)) {
          drop('external links')
          dropFrom(stack.length)
          return
        }
        const isString = element.name.startsWith('s:')
        const plain = cdata ? decodeCdata(raw) : decodeXml(raw)
        const text = isString ? unescaped(plain) : plain
        if (within) paragraph!.draft.runs.push(spacedRun(text, start, end, element))
        else if (paragraph !== undefined && element.name === 'w:instrText')
          paragraph.code.push(...percentRuns({ text, start, end, encode: encodeXml }))
        else if (element.name === 's:author') {
          structure.add('Author')
          cleaning.push({ start, end, text: 'Author' })
          drop('names of people')
        } else if (measuring.has(element.name.split(':')[0]!) && isStructural(text.trim())) structure.add(text.trim())
        else if (cdata || spaced.has(element.name)) hide('body', [spacedRun(text, start, end, element)])
        else
          for (const { kind, runs } of looseRuns(element.name, raw, start, context.sheets))
            hide(kind, runs, kind === 'meta' ? () => 'code' : looseWording)
      },
      other(kind, start, end) {
        if (kind === 'declaration' || dropping > 0) return
        cleaning.push({ start, end, text: '' })
        drop('XML comments')
      },
    },
    elementDepth(context.depth),
  )
  for (const draft of values.values()) drafts.push(draft)
  return { drafts: drafts.filter(({ segment }) => /\S/.test(segment.text)), cleaning, dropped, structure }
}

/** How text of an element is written. */
const writerOf = ({ name }: Element) => (name.startsWith('s:') ? encodeString : encodeXml)

/** A run that takes its element's `>` along, so that blanks at the edges of its new text can be kept. */
function spacedRun(text: string, start: number, end: number, element: Element): Run {
  if (element.lead < 0) return { text, start, end, encode: writerOf(element) }
  const from = element.lead
  element.lead = -1
  const write = writerOf(element)
  const encode = (out: string) => `${/^\s|\s$|\s\s/.test(out) ? ' xml:space="preserve">' : '>'}${write(out)}`
  return { text, start: from, end, encode }
}
