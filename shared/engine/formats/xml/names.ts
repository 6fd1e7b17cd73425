import type { Place } from '../format.ts'
import type { TextNode } from '../text/text-nodes.ts'
import { isKnownVocabulary, isUsualPrefix } from './known-vocabularies.ts'
import { scanXml, type XmlAttribute, type XmlSink } from './scan.ts'

/** Names of a vocabulary with fixed prefixes, whatever prefixes a file declares: from namespace to prefix. */
export type Namespaces = ReadonlyMap<string, string>

/** A sink that is given canonical names: `w:p` for a paragraph even where the file writes `ns0:p`, which is told last. */
export type NamedSink = {
  open(name: string, start: number, end: number, empty: boolean, attributes: NamedAttribute[], written: string): void
  close(name: string, start: number, end: number, written: string): void
  text(start: number, end: number, cdata: boolean): void
  other?: XmlSink['other']
}

/** An attribute whose canonical name is known; those without a prefix keep their bare name. */
export type NamedAttribute = XmlAttribute

/** A start tag whose canonical name is known: where it begins and ends, and whether it ends its element too. */
export type NamedTag = { name: string; start: number; end: number; empty: boolean; attributes: NamedAttribute[] }

/** The prefix that names of a namespace are known by: `?` for others of those who make formats, `??` for anybody's. */
export function prefixOf(uri: string, namespaces: Namespaces): string {
  return uri === '' ? '' : (namespaces.get(uri) ?? (isKnownVocabulary(uri) ? '?' : '??'))
}

/** Whether a canonical name is of a vocabulary of anybody: its words are no more known than any other text. */
export const isForeign = (canonical: string): boolean => canonical.startsWith('??:')

/** The prefix that a written name has or, as the name of a declaration, is; undefined where programs give it. */
function madeUpPrefix(written: string): string | undefined {
  const [first = '', local] = written.split(':')
  const prefix = first === 'xmlns' ? local : local === undefined ? undefined : first
  return prefix === undefined || isUsualPrefix(prefix) ? undefined : prefix
}

/**
 * Parts the names of a document into those that may hold a value and the words of its format, which excuse no prefix that
 * somebody made up; each of these is told once.
 */
export function nameSorter(open: (name: string) => void, word: (name: string) => void) {
  const seen = new Set<string>()
  return (canonical: string, written: string): void => {
    if (!isForeign(canonical) && seen.has(written)) return
    const hidden = isForeign(canonical) ? written : madeUpPrefix(written)
    if (hidden === undefined) word(written)
    else open(hidden)
    if (!isForeign(canonical)) seen.add(written)
  }
}

type Scope = { prefixes: Map<string, string>; names: Map<string, string> }

/** Walks a document like {@link scanXml} with namespaces resolved. An unknown namespace has the prefix `?` or `??`, see {@link prefixOf}. */
export function scanNamed(source: string, namespaces: Namespaces, sink: NamedSink, depth: number): void {
  scanXml(source, new Resolver(namespaces, sink), depth)
}

/** Tells a sink of what it is told of, by canonical names. */
class Resolver implements XmlSink {
  readonly #namespaces: Namespaces
  readonly #sink: NamedSink
  readonly #scopes: Scope[] = []
  readonly #opened: string[] = []
  #scope: Scope = { prefixes: new Map([['xml', 'xml']]), names: new Map() }

  constructor(namespaces: Namespaces, sink: NamedSink) {
    this.#namespaces = namespaces
    this.#sink = sink
    this.#scopes.push(this.#scope)
  }

  open(name: string, start: number, end: number, empty: boolean, attributes: XmlAttribute[]): void {
    if (attributes.length > 0) this.#declare(attributes)
    this.#scopes.push(this.#scope)
    const full = this.#canonical(name)
    this.#opened.push(full)
    for (const attribute of attributes)
      if (attribute.name.includes(':') && !attribute.name.startsWith('xmlns:'))
        attribute.canonical = this.#canonical(attribute.name)
    this.#sink.open(full, start, end, empty, attributes, name)
  }

  close(name: string, start: number, end: number): void {
    const full = this.#opened.pop()!
    this.#scopes.pop()
    this.#scope = this.#scopes.at(-1)!
    this.#sink.close(full, start, end, name)
  }

  text(start: number, end: number, cdata: boolean): void {
    this.#sink.text(start, end, cdata)
  }

  other(kind: 'comment' | 'instruction' | 'declaration', start: number, end: number): void {
    this.#sink.other?.(kind, start, end)
  }

  /** Begins a scope where attributes declare namespaces. */
  #declare(attributes: readonly XmlAttribute[]): void {
    let declared: Map<string, string> | undefined
    for (const { name, value } of attributes) {
      if (name !== 'xmlns' && !name.startsWith('xmlns:')) continue
      declared ??= new Map(this.#scope.prefixes)
      declared.set(name.slice(6), prefixOf(value, this.#namespaces))
    }
    if (declared !== undefined) this.#scope = { prefixes: declared, names: new Map() }
  }

  #canonical(name: string): string {
    const { names, prefixes } = this.#scope
    const known = names.get(name)
    if (known !== undefined) return known
    const colon = name.indexOf(':')
    const prefix = prefixes.get(colon < 0 ? '' : name.slice(0, colon))
    const local = colon < 0 ? name : name.slice(colon + 1)
    const full = prefix === undefined ? `??:${local}` : prefix === '' ? local : `${prefix}:${local}`
    names.set(name, full)
    return full
  }
}

/** A replacement in the name of an element or an attribute. */
export const asName = (text: string): string => text.replace(/[^\p{L}\p{N}_.-]+/gu, '_')

/**
 * Takes names of a vocabulary of anybody, prefixes aside, as hidden texts, each once with all the places where it is
 * written, so that tags go on matching.
 */
export function foreignNames(nodes: Map<string, TextNode>, place: Place): (written: string, start: number) => void {
  return (written, start) => {
    const from = written.indexOf(':') + 1
    const text = written.slice(from)
    const encode = (out: string) => (/^[\p{L}_]/u.test(out) ? out : `_${out}`)
    const run = { text, start: start + from, end: start + written.length, encode, escape: asName }
    const known = nodes.get(`name:${text}`)
    if (known === undefined)
      nodes.set(`name:${text}`, { segment: { text, place, visible: false, wording: 'code' }, runs: [run], copies: [] })
    else known.copies!.push(run)
  }
}
