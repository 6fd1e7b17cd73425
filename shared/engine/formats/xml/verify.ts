import { EngineError } from '../../errors.ts'
import { pushAll } from '../../lists.ts'
import { picturesIn, type Reread, type Shown, wholePicture, withoutAnyFiles } from '../text/reread.ts'
import { isDrawingData } from './drawing-data.ts'
import { isDrawnText, isInDrawing, isPlaced } from './drawn-text.ts'
import { isKnownVocabulary, isUsualPrefix } from './known-vocabularies.ts'
import { type ParsedAttribute, parseXml, type XmlEvents } from './verify-parser.ts'

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

/** What a document holds, as a parser of its own tells. */
class Rereading implements XmlEvents {
  readonly elements: Elements = { order: [], mixed: [], beginsLine: [] }
  readonly hidden: string[] = []
  readonly pictures: Uint8Array[] = []
  readonly structure = new Set<string>()
  readonly #open: { number: number; isDrawn: boolean }[] = []
  /** Words beside the texts that were just added: the same ones come again and again. */
  readonly #recent = new Set<string>()
  /** Whether each prefix stands for a vocabulary that everybody knows. */
  readonly #scopes: ReadonlyMap<string, boolean>[] = [new Map([['xml', true]])]

  open(name: string, attributes: readonly ParsedAttribute[]): void {
    const { order, mixed, beginsLine } = this.elements
    const around = this.#open.at(-1)
    const isText = isDrawnText(name, around)
    const number = mixed.push(isText) - 1
    beginsLine.push(isText && isPlaced(attributes))
    order.push(number)
    const isDrawn = isInDrawing(name, around)
    this.#open.push({ number, isDrawn })
    const scope = this.#readValues(attributes, isDrawn ? name.slice(name.indexOf(':') + 1) : '')
    this.#scopes.push(scope)
    const ofKnown = scope.get(name.slice(0, Math.max(0, name.indexOf(':')))) === true
    this.#word(name, ofKnown)
    for (const attribute of attributes) this.#attributeName(attribute.name, scope, ofKnown)
  }

  close(): void {
    this.elements.order.push(end)
    this.#open.pop()
    this.#scopes.pop()
  }

  text(text: string, cdata: boolean): void {
    const element = this.#open.at(-1)
    if (element === undefined) return
    const { texts, files } = withoutAnyFiles(text)
    pushAll(this.pictures, files)
    this.elements.order.push(texts.join(''))
    if (cdata || /[^ \t\r\n]/.test(text)) this.elements.mixed[element.number] = true
  }

  comment(text: string): void {
    this.hidden.push(text)
  }

  instruction(target: string, body: string, isDeclaration: boolean): void {
    if (!isDeclaration) this.hidden.push(target, body)
    else
      for (const [, name, , value] of body.matchAll(/(\w+)\s*=\s*(["'])(.*?)\2/g))
        this.structure.add(`${name}=${value}`)
  }

  doctype(): void {
    throw new EngineError('corrupt_file', 'The XML has a document type declaration')
  }

  #word(text: string, isKnown: boolean): void {
    if (isKnown) this.structure.add(text)
    else if (!this.#recent.has(text)) {
      if (this.#recent.size === mostRecent) this.#recent.clear()
      this.#recent.add(text)
      this.hidden.push(text)
    }
  }

  #attributeName(name: string, scope: ReadonlyMap<string, boolean>, ofKnown: boolean): void {
    const [first = '', local] = name.split(':')
    if (local === undefined) this.#word(name, ofKnown || name === 'xmlns')
    else if (first === 'xmlns') this.#word(name, scope.get(local) === true && isUsualPrefix(local))
    else this.#word(name, scope.get(first) === true)
  }

  /** Takes the values of an element's attributes (`drawn`: its name in a drawing), and answers what prefixes stand for within it. */
  #readValues(attributes: readonly ParsedAttribute[], drawn: string): ReadonlyMap<string, boolean> {
    const scope = this.#scopes.at(-1)!
    if (attributes.length === 0) return scope
    const declared: [string, boolean][] = []
    for (const { name, value } of attributes) {
      const prefix = name.startsWith('xmlns') ? /^xmlns(?::(.*))?$/.exec(name) : null
      const isKnown = prefix !== null && isKnownVocabulary(value)
      if (prefix) declared.push([prefix[1] ?? '', isKnown])
      this.#word(value, isKnown || isDrawingData(drawn, name, value))
      for (const { bytes } of picturesIn(value)) this.pictures.push(bytes)
      const whole = wholePicture(value)
      if (whole?.length) this.pictures.push(whole)
    }
    return declared.length > 0 ? new Map([...scope, ...declared]) : scope
  }
}

/** Reads XML by a parser of its own: texts by element, and all that stands beside them. Throws `corrupt_file`. */
export function rereadXml(source: string): Reread {
  const { elements, hidden, pictures, structure } = parsed(source)
  const shown: Shown[] = []
  for (const text of textsOf(elements)) shown.push({ text })
  return { shown, each: 'parts', hidden, pictures, structure }
}

function parsed(source: string): Rereading {
  const rereading = new Rereading()
  parseXml(source, rereading, 'The XML of the output is not well-formed')
  return rereading
}
