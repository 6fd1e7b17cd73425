import { QuoteType, Tokenizer } from 'htmlparser2'
import { EngineError } from '../../errors.ts'

/** An attribute as second readers see it. */
export type ParsedAttribute = { name: string; canonical: string; value: string }

/** Told of what a document holds, in order. */
export type XmlEvents = {
  open(name: string, attributes: readonly ParsedAttribute[], canonical: string): void
  close(): void
  /** The text between two tags, comments or the like, or that of a section of CDATA. */
  text(text: string, cdata: boolean): void
  comment(text: string): void
  /** A processing instruction, or the declaration that XML may begin with. */
  instruction?(target: string, body: string, isDeclaration: boolean): void
  doctype(): void
  /**
   * How a name is known whose namespace is this one, whatever prefix a file uses; an attribute without a prefix keeps its
   * name. Without it namespaces don't matter.
   */
  canonical?(uri: string, local: string): string
}

/** The namespaces of prefixes, and how names are known that were met since they were declared. */
type Scope = { prefixes: ReadonlyMap<string, string>; canonical: Map<string, string> }

const nameForm =
  /^[A-Za-z_:\u00c0-\u00d6\u00d8-\u00f6\u00f8-\uffff][\w.\-:\u00b7\u00c0-\u00d6\u00d8-\u00f6\u00f8-\uffff]*$/
const qualified = /^[^:]+(?::[^:]+)?$/
const declarationForm =
  /^version\s*=\s*(["'])1\.\d\1(?:\s+encoding\s*=\s*(["'])[A-Za-z][\w.-]*\2)?(?:\s+standalone\s*=\s*(["'])(?:yes|no)\3)?\s*$/
const forbidden = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/
const references = /&(?:#x([0-9A-Fa-f]{1,6});|#([0-9]{1,7});|(amp|lt|gt|quot|apos);)?/g
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const none: ParsedAttribute[] = []
const outermost: Scope = {
  prefixes: new Map([
    ['', ''],
    ['xml', 'http://www.w3.org/XML/1998/namespace'],
  ]),
  canonical: new Map(),
}

/** Attributes that are looked through one by one for a name. */
const few = 16

const isBlank = (code: number) => code === 32 || code === 10 || code === 9

const declares = (name: string) => name === 'xmlns' || name.startsWith('xmlns:')

function declareAny(attributes: readonly ParsedAttribute[]): boolean {
  for (const { name } of attributes) if (declares(name)) return true
  return false
}

const prefixOf = (name: string) => name.slice(0, Math.max(0, name.indexOf(':')))

/**
 * Parses XML for second readers by the tokenizer of htmlparser2, which shares no code with `scan.ts`. As that takes whatever
 * it is given, this holds it to the rules: every character belongs to a tag, a text or the like, every tag closes the one
 * that is open, and names and references are what XML knows. Throws `corrupt_file` with `reason` for anything else.
 */
export function parseXml(source: string, events: XmlEvents, reason: string): void {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  new Reader(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text, events, reason).read()
}

/** Its methods are what the tokenizer calls; where a token starts and ends it tells as places in the source. */
class Reader {
  readonly #source: string
  readonly #events: XmlEvents
  readonly #reason: string
  /** Names that were found to have the form of one. */
  readonly #names = new Set<string>()
  readonly #open: string[] = []
  readonly #scopes: Scope[] = [{ ...outermost, canonical: new Map() }]
  #roots = 0
  /** Where what has been read ends. */
  #done = 0
  #element = ''
  #attribute = ''
  #valueStart = -1
  #attributes = none
  /** Names of the attributes of an element that has many. */
  #attributeNames: Set<string> | undefined

  constructor(source: string, events: XmlEvents, reason: string) {
    this.#source = source
    this.#events = events
    this.#reason = reason
  }

  read(): void {
    if (forbidden.test(this.#source)) this.#fail()
    const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: false }, this)
    tokenizer.write(this.#source)
    tokenizer.end()
    if (this.#done !== this.#source.length || this.#open.length > 0 || this.#roots === 0) this.#fail()
  }

  onopentagname(start: number, end: number): void {
    this.#follows(start, '<')
    this.#element = this.#nameAt(start, end)
    this.#attributes = none
    this.#attributeNames = undefined
    this.#done = end
  }

  onattribname(start: number, end: number): void {
    if (start === this.#done) this.#fail()
    this.#skipBlanks(start)
    this.#attribute = this.#nameAt(start, end)
    this.#valueStart = -1
  }

  onattribdata(start: number): void {
    this.#valueStart = start
  }

  onattribend(quote: QuoteType, end: number): void {
    if (quote !== QuoteType.Double && quote !== QuoteType.Single) this.#fail()
    const name = this.#attribute
    const value = this.#valueStart < 0 ? '' : this.#value(this.#source.slice(this.#valueStart, end - 1))
    const attribute = { name, canonical: name, value }
    if (this.#attributes === none) this.#attributes = [attribute]
    else {
      if (this.#attributes.length === few) this.#attributeNames = new Set(this.#attributes.map(other => other.name))
      const isKnown = this.#attributeNames?.has(name) ?? this.#attributes.some(other => other.name === name)
      if (isKnown) this.#fail()
      this.#attributeNames?.add(name)
      this.#attributes.push(attribute)
    }
    this.#done = end
  }

  onopentagend(end: number): void {
    this.#skipBlanks(end)
    this.#done = end + 1
    this.#opened()
  }

  onselfclosingtag(end: number): void {
    this.#skipBlanks(end - 1)
    this.#done = end + 1
    this.#opened()
    this.#closed()
  }

  onclosetag(start: number, end: number): void {
    this.#follows(start, '</')
    const name = this.#open.at(-1)
    if (name === undefined || name.length !== end - start || !this.#source.startsWith(name, start)) this.#fail()
    this.#done = end
    this.#skipBlanks(this.#source.indexOf('>', end))
    this.#done++
    this.#closed()
  }

  ontext(start: number, end: number): void {
    this.#follows(start, '')
    this.#done = end
    const text = this.#source.slice(start, end)
    if (this.#open.length > 0) {
      if (text.startsWith('<') || text.includes(']]>')) this.#fail()
      this.#events.text(this.#decoded(text), false)
    } else if (/[^ \t\n]/.test(text)) this.#fail()
  }

  oncomment(start: number, end: number, offset: number): void {
    this.#follows(start, '<!--')
    this.#done = end + 1
    const text = this.#source.slice(start, end - offset)
    if (offset !== '--'.length || text.includes('--') || text.endsWith('-')) this.#fail()
    this.#events.comment(text)
  }

  oncdata(start: number, end: number, offset: number): void {
    this.#follows(start, '<![CDATA[')
    this.#done = end + 1
    if (offset !== ']]'.length || this.#open.length === 0) this.#fail()
    this.#events.text(this.#source.slice(start, end - offset), true)
  }

  onprocessinginstruction(start: number, end: number): void {
    this.#follows(start, '<?')
    const isFirst = this.#done === 0
    this.#done = end + '?>'.length
    const parts = /^([^ \t\n]+)[ \t\n]*([\s\S]*)$/.exec(this.#source.slice(start, end))
    const [, target = '', body = ''] = parts ?? []
    const isDeclaration = isFirst && target === 'xml'
    if (isDeclaration) {
      if (!declarationForm.test(body)) this.#fail()
    } else if (/^xml$/i.test(target) || !nameForm.test(target) || (this.#events.canonical && target.includes(':')))
      this.#fail()
    this.#events.instruction?.(target, body, isDeclaration)
  }

  ondeclaration(start: number, end: number): void {
    this.#follows(start, '<!')
    this.#done = end + 1
    if (!this.#source.startsWith('DOCTYPE', start)) this.#fail()
    this.#events.doctype()
  }

  onattribentity(): void {}
  ontextentity(): void {}
  onend(): void {}

  #fail(): never {
    throw new EngineError('corrupt_file', this.#reason)
  }

  /** What begins at `start` is what comes next, behind its mark. */
  #follows(start: number, mark: string): void {
    if (start - mark.length !== this.#done) this.#fail()
  }

  /** Nothing but blanks comes before `end`. */
  #skipBlanks(end: number): void {
    while (this.#done < end) if (!isBlank(this.#source.charCodeAt(this.#done++))) this.#fail()
  }

  #nameAt(start: number, end: number): string {
    const name = this.#source.slice(start, end)
    if (this.#names.has(name)) return name
    if (!nameForm.test(name) || (this.#events.canonical && !qualified.test(name))) this.#fail()
    this.#names.add(name)
    return name
  }

  #value(raw: string): string {
    if (raw.includes('<')) this.#fail()
    return this.#decoded(/[\t\n]/.test(raw) ? raw.replace(/[\t\n]/g, ' ') : raw)
  }

  #decoded(text: string): string {
    if (!text.includes('&')) return text
    return text.replace(references, (_, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return named[name]!
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      const character = code <= 0x10ffff ? String.fromCodePoint(code) : ''
      return character === '' || forbidden.test(character) || !character.isWellFormed() ? this.#fail() : character
    })
  }

  #opened(): void {
    if (this.#open.length === 0 && ++this.#roots > 1) this.#fail()
    this.#open.push(this.#element)
    this.#declare()
    for (const one of this.#attributes) {
      const isBare = !one.name.includes(':') || declares(one.name)
      if (!isBare) one.canonical = this.#canonical(one.name)
    }
    this.#events.open(this.#element, this.#attributes, this.#canonical(this.#element))
  }

  #closed(): void {
    this.#open.pop()
    this.#scopes.pop()
    this.#events.close()
  }

  #declare(): void {
    const scope = this.#scopes.at(-1)!
    if (this.#attributes === none || !declareAny(this.#attributes)) this.#scopes.push(scope)
    else {
      const declared = this.#attributes.filter(({ name }) => declares(name))
      const added = declared.map(({ name, value }): [string, string] => [name.slice('xmlns:'.length), value.trim()])
      this.#scopes.push({ prefixes: new Map([...scope.prefixes, ...added]), canonical: new Map() })
    }
  }

  #canonical(name: string): string {
    if (!this.#events.canonical) return name
    const { prefixes, canonical } = this.#scopes.at(-1)!
    let full = canonical.get(name)
    if (full === undefined) {
      const uri = prefixes.get(prefixOf(name))
      if (uri === undefined) this.#fail()
      full = this.#events.canonical(uri, name.slice(name.indexOf(':') + 1))
      canonical.set(name, full)
    }
    return full
  }
}
