import type { Place, Segment } from '../format.ts'
import { nameSorter, prefixOf } from '../xml/names.ts'
import { type ParsedAttribute, parseXml } from '../xml/verify-parser.ts'
import { attributeAction, isOwnReference, isStructural } from './attributes.ts'
import { withoutFunctions } from './formulas.ts'
import { officeNamespaces } from './namespaces.ts'
import { numberFormatText } from './number-formats.ts'
import { remembered } from './remembered.ts'
import { asides, isFormula, marks, measuring } from './vocabulary.ts'

/** What a second XML reader finds in a part that was written. */
export type Reread = {
  /** Text of each paragraph that is seen, in the order in which they begin. */
  paragraphs: string[]
  /** Every text and attribute that may hold a value. */
  segments: Segment[]
  /** Names and fixed values. */
  structure: Set<string>
  /** Elements that must not be in an output. */
  forbidden: string[]
}

type Paragraph = { text: string; hidden: boolean }

const forbidden = /^w:(?:del|ins|moveFrom|moveTo|delText|docVars|rsids|attachedTemplate|mailMerge|\w+Change)$/
const characters = new Set(['w:t', 'a:t', 'm:t', 's:t'])
const paragraphNames = new Set(['w:p', 'a:p', 's:text', ...asides])

/** What the value of an attribute is: a text, what a relationship is called, or a word of the format. */
function kindOf(element: string, attribute: string, value: string): 'text' | 'reference' | 'structure' {
  if (attributeAction(element, attribute, value) === 'text') return 'text'
  return isOwnReference(attribute, value) ? 'reference' : 'structure'
}

/** What elements of a name are, by what they are called. */
type ElementKind = { isParagraph: boolean; isAside: boolean; isFallback: boolean; isForbidden: boolean; mark?: string }

/** Tells the kind of elements, each of which is made out once, as very many have the same name. */
function elementKinds(): (name: string) => ElementKind {
  const known = new Map<string, ElementKind>()
  return name => {
    const told = known.get(name)
    if (told !== undefined) return told
    const kind: ElementKind = {
      isParagraph: paragraphNames.has(name),
      isAside: asides.has(name),
      isFallback: name === 'mc:Fallback',
      isForbidden: forbidden.test(name),
      mark: marks.get(name),
    }
    known.set(name, kind)
    return kind
  }
}

/** Reads the attributes of a part, given what reads their names and formats of numbers. */
function attributeReader(
  { segments, structure }: Reread,
  part: string,
  { nameOf, formatText }: { nameOf: ReturnType<typeof nameSorter>; formatText(format: string): string },
) {
  const kindIn = remembered(kindOf)
  return (element: string, { name, canonical, value }: ParsedAttribute) => {
    nameOf(canonical, name)
    const kind = kindIn(element, canonical, value)
    if (kind === 'structure') return void structure.add(value)
    const text = kind === 'text' && canonical === 'formatCode' ? formatText(value) : value
    segments.push({ text, place: { kind: 'attribute', part }, visible: false })
  }
}

/** Reads a part with a streaming parser that shares no code with the one that wrote it. Throws `corrupt_file`. */
export function reread(source: string, part: string): Reread {
  const result: Reread = { paragraphs: [], segments: [], structure: new Set(), forbidden: [] }
  const open: { name: string; paragraph: number; fallback: boolean }[] = []
  const texts: Paragraph[] = []
  const place: Place = { kind: 'body', part }
  let loose = ''
  const formatText = (format: string) => {
    const text = numberFormatText(format)
    if (!/\p{L}/u.test(text)) result.structure.add(format)
    return text
  }
  const flush = () => {
    if (loose === '') return
    const text = loose.trim()
    loose = ''
    if (text === '') return
    const prefix = open.at(-1)?.name.split(':')[0] ?? ''
    if (measuring.has(prefix) && isStructural(text)) result.structure.add(text)
    else {
      const element = open.at(-1)?.name ?? ''
      const shown = element === 'c:formatCode' ? formatText(text) : isFormula(element) ? withoutFunctions(text) : text
      result.segments.push({ text: shown, place, visible: false })
    }
  }
  const nameOf = nameSorter(
    text => result.segments.push({ text, place: { kind: 'name', part }, visible: false }),
    word => result.structure.add(word),
  )
  const onText = (text: string) => {
    const element = open.at(-1)
    if (element === undefined) return
    if (element.paragraph >= 0 && characters.has(element.name)) texts[element.paragraph]!.text += text
    else loose += text
  }
  const onAttribute = attributeReader(result, part, { nameOf, formatText })
  const elementKind = elementKinds()
  parseXml(
    source,
    {
      canonical: canonicalName,
      open(written, attributes, full) {
        const outer = open.at(-1)
        flush()
        const { isParagraph, isAside, isFallback, isForbidden, mark } = elementKind(full)
        const fallback = isFallback || outer?.fallback === true
        let paragraph = outer?.paragraph ?? -1
        if (isParagraph) paragraph = texts.push({ text: '', hidden: fallback || isAside }) - 1
        else if (paragraph >= 0 && mark !== undefined) texts[paragraph]!.text += mark
        open.push({ name: full, paragraph, fallback })
        if (isForbidden) result.forbidden.push(full)
        nameOf(full, written)
        for (const attribute of attributes) onAttribute(full, attribute)
      },
      close() {
        flush()
        open.pop()
      },
      text: onText,
      comment: () => void result.forbidden.push('comment'),
      doctype: () => void result.forbidden.push('doctype'),
    },
    'A part of the output is not well-formed',
  )
  addParagraphs(result, texts, place)
  return result
}

function addParagraphs({ paragraphs, segments }: Reread, texts: readonly Paragraph[], place: Place) {
  for (const { text, hidden } of texts) {
    if (!hidden) paragraphs.push(text)
    if (text !== '') segments.push({ text, place, visible: !hidden })
  }
}

function canonicalName(uri: string, local: string): string {
  const prefix = prefixOf(uri, officeNamespaces)
  return prefix === '' ? local : `${prefix}:${local}`
}
