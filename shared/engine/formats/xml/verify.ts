import { EngineError } from '../../errors.ts'
import { picturesIn, type Reread } from '../text/reread.ts'
import { isDrawnText, isPlaced } from './drawn-text.ts'
import { isKnownVocabulary } from './known-vocabularies.ts'
import { type ParsedAttribute, parseXml } from './verify-parser.ts'

/** The elements of a document, by their number in the order in which they begin. */
type Elements = {
  /** Texts as they come, and where elements begin, by their number, and end. */
  order: (string | number)[]
  /** Whether the text of an element runs on through it. */
  mixed: boolean[]
  beginsLine: boolean[]
}

const end = -1

/** The text of an element with text of its own runs on through its children; those of any other are texts of their own. */
function textsOf({ order, mixed, beginsLine }: Elements): string[] {
  const texts: string[] = []
  /** For each open element the text that it adds to; none where it has no text. */
  const open: (number | undefined)[] = []
  // By its places: an iterator makes an object for each of very many.
  for (let at = 0; at < order.length; at++) {
    const item = order[at]!
    const around = open.at(-1)
    if (typeof item === 'string') {
      if (around !== undefined) texts[around] += item
    } else if (item === end) open.pop()
    else {
      if (around !== undefined && beginsLine[item]) texts[around] += '\n'
      open.push(mixed[item] ? (around ?? texts.push('') - 1) : undefined)
    }
  }
  return texts
}

/** Words that are remembered. */
const mostRecent = 1000

/** Reads XML by a parser of its own: texts by element, and all that stands beside them. Throws `corrupt_file`. */
export function rereadXml(source: string): Reread {
  const elements: Elements = { order: [], mixed: [], beginsLine: [] }
  const { order, mixed, beginsLine } = elements
  const open: { name: string; number: number }[] = []
  const hidden: string[] = []
  const pictures: Uint8Array[] = []
  const structure = new Set<string>()
  const add = (text: string, more: boolean) => {
    const element = open.at(-1)
    if (element === undefined) return
    order.push(text)
    if (more) mixed[element.number] = true
  }
  /** Words beside the texts that were just added: the same ones come again and again. */
  const recent = new Set<string>()
  const word = (text: string, isKnown: boolean) => {
    if (isKnown) structure.add(text)
    else if (!recent.has(text)) {
      if (recent.size === mostRecent) recent.clear()
      recent.add(text)
      hidden.push(text)
    }
  }
  /** Whether each prefix stands for a vocabulary that everybody knows. */
  const scopes = [new Map([['xml', true]])]
  const attributeName = (name: string, scope: Map<string, boolean>, ofKnown: boolean) => {
    const colon = name.indexOf(':')
    word(name, colon < 0 ? ofKnown || name === 'xmlns' : scope.get(name.slice(0, colon)) === true)
  }
  /** Takes the values of an element's attributes, and answers what prefixes stand for within it. */
  const readValues = (attributes: readonly ParsedAttribute[]): Map<string, boolean> => {
    if (attributes.length === 0) return scopes.at(-1)!
    const declared: [string, boolean][] = []
    for (const { name, value } of attributes) {
      const prefix = name.startsWith('xmlns') ? /^xmlns(?::(.*))?$/.exec(name) : null
      const isKnown = prefix !== null && isKnownVocabulary(value)
      if (prefix) declared.push([prefix[1] ?? '', isKnown])
      word(value, isKnown)
      for (const { bytes } of picturesIn(value)) pictures.push(bytes)
    }
    return declared.length > 0 ? new Map([...scopes.at(-1)!, ...declared]) : scopes.at(-1)!
  }
  parseXml(
    source,
    {
      open(name, attributes) {
        const isDrawn = isDrawnText(name, open)
        const number = mixed.push(isDrawn) - 1
        beginsLine.push(isDrawn && isPlaced(attributes))
        order.push(number)
        open.push({ name, number })
        const scope = readValues(attributes)
        scopes.push(scope)
        const ofKnown = scope.get(name.slice(0, Math.max(0, name.indexOf(':')))) === true
        word(name, ofKnown)
        for (const attribute of attributes) attributeName(attribute.name, scope, ofKnown)
      },
      close() {
        order.push(end)
        open.pop()
        scopes.pop()
      },
      text: (text, cdata) => add(text, cdata || /[^ \t\r\n]/.test(text)),
      comment: text => void hidden.push(text),
      instruction(target, body, isDeclaration) {
        if (!isDeclaration) hidden.push(target, body)
        else
          for (const [, name, , value] of body.matchAll(/(\w+)\s*=\s*(["'])(.*?)\2/g)) structure.add(`${name}=${value}`)
      },
      doctype() {
        throw new EngineError('corrupt_file', 'The XML has a document type declaration')
      },
    },
    'The XML of the output is not well-formed',
  )
  return { shown: textsOf(elements).map(text => ({ text })), each: 'parts', hidden, pictures, structure }
}
