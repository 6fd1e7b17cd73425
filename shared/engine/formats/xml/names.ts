import type { Place } from '../format.ts'
import type { TextNode } from '../text/text-nodes.ts'
import { isKnownVocabulary } from './known-vocabularies.ts'
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

/** The prefix that names of a namespace are known by: `?` for others of those who make formats, `??` for anybody's. */
export function prefixOf(uri: string, namespaces: Namespaces): string {
  return uri === '' ? '' : (namespaces.get(uri) ?? (isKnownVocabulary(uri) ? '?' : '??'))
}

/** Whether a canonical name is of a vocabulary of anybody: its words are no more known than any other text. */
export const isForeign = (canonical: string): boolean => canonical.startsWith('??:')

/** Prefixes that office programs write: short ones, those with the number of a version, and these. */
const usualPrefix =
  /^(?:[a-zA-Z]{0,2}|[a-z]{1,4}\d{1,3}[a-zA-Z]{0,6}\d?|ns\d*|(?:xml|xmlns|aink|anim|calcext|chart|chartooo|clbl|cml|config|css3t|dc|dcmitype|dcterms|dgm|dom|draw|drawooo|dsp|field|form|formx|grddl|loext|manifest|math|mdssi|number|odc|odgm|odi|odoc|odq|odx|office|officeooo|ooo|oooc|ooow|pic|pkg|pvml|rdf|rel|rpt|script|smil|style|svg|table|tableooo|text|meta|presentation|wne|wpc|wpg|wpi|wps|xcalcf|xda|xdr|xforms|xhtml|xlink|xpdl|xsd|xsi)\d*)$/

/** The prefix that a written name has or, as the name of a declaration, is; undefined where programs give it. */
function madeUpPrefix(written: string): string | undefined {
  const [first = '', local] = written.split(':')
  const prefix = first === 'xmlns' ? local : local === undefined ? undefined : first
  return prefix === undefined || usualPrefix.test(prefix) ? undefined : prefix
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
  let scope: Scope = { prefixes: new Map([['xml', 'xml']]), names: new Map() }
  const scopes: Scope[] = [scope]
  const opened: string[] = []
  const canonical = (name: string, isAttribute: boolean): string => {
    if (isAttribute && (!name.includes(':') || name.startsWith('xmlns:'))) return name
    const known = scope.names.get(name)
    if (known !== undefined) return known
    const colon = name.indexOf(':')
    const prefix = scope.prefixes.get(colon < 0 ? '' : name.slice(0, colon))
    const local = colon < 0 ? name : name.slice(colon + 1)
    const full = prefix === undefined ? `??:${local}` : prefix === '' ? local : `${prefix}:${local}`
    scope.names.set(name, full)
    return full
  }
  scanXml(
    source,
    {
      open(name, start, end, empty, attributes) {
        let declared: Map<string, string> | undefined
        for (const { name: attribute, value } of attributes) {
          if (attribute !== 'xmlns' && !attribute.startsWith('xmlns:')) continue
          declared ??= new Map(scope.prefixes)
          declared.set(attribute.slice(6), prefixOf(value, namespaces))
        }
        if (declared !== undefined) scope = { prefixes: declared, names: new Map() }
        scopes.push(scope)
        const full = canonical(name, false)
        opened.push(full)
        for (const attribute of attributes) attribute.canonical = canonical(attribute.name, true)
        sink.open(full, start, end, empty, attributes, name)
      },
      close(name, start, end) {
        const full = opened.pop()!
        scopes.pop()
        scope = scopes.at(-1)!
        sink.close(full, start, end, name)
      },
      text: sink.text,
      other: sink.other,
    },
    depth,
  )
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
