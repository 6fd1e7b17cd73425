import { nameWording } from '../office/wording.ts'
import { distinctNames } from '../text/distinct-names.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { asName, type NamedAttribute, type NamedSink, prefixOf, scanNamed } from './names.ts'

const place = { kind: 'name' } as const
const none = new Map<string, string>()

/** The prefix by which names of a vocabulary that everybody knows are read, such as SVG. */
const known = prefixOf('http://www.w3.org/', none)
const isKnown = (canonical: string) => canonical.startsWith(`${known}:`)

/** Whether a name is asked for, and who is told where it stands. */
type Sought = { wants(name: string): boolean; found(name: string, start: number): void }

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Tells the names that people made up themselves, prefixes aside: of elements, where they begin and end, and of attributes. */
class NameSink implements NamedSink {
  readonly #source: string
  readonly #sought: Sought
  readonly #beside: NamedSink | undefined
  /** Whether each open element is one that everybody knows. */
  readonly #opened: boolean[] = []

  /** `beside` is told of all that it is told of. */
  constructor(source: string, sought: Sought, beside?: NamedSink) {
    this.#source = source
    this.#sought = sought
    this.#beside = beside
  }

  open(
    canonical: string,
    start: number,
    end: number,
    empty: boolean,
    attributes: NamedAttribute[],
    written: string,
  ): void {
    const ofKnown = isKnown(canonical)
    if (!empty) this.#opened.push(ofKnown)
    if (!ofKnown) this.#tell(written, start + 1)
    if (attributes.length > 0) this.#attributeNames(attributes, ofKnown)
    this.#beside?.open(canonical, start, end, empty, attributes, written)
  }

  close(canonical: string, start: number, end: number, written: string): void {
    if (end > start && !this.#opened.pop()) this.#tell(written, start + 2)
    this.#beside?.close(canonical, start, end, written)
  }

  text(start: number, end: number, cdata: boolean): void {
    this.#beside?.text(start, end, cdata)
  }

  #tell(written: string, start: number): void {
    const name = localName(written)
    if (this.#sought.wants(name)) this.#sought.found(name, start + written.length - name.length)
  }

  #attributeNames(attributes: readonly NamedAttribute[], ofKnown: boolean): void {
    for (const { name: written, canonical, start, valueStart } of attributes) {
      const name = localName(written)
      if (!this.#sought.wants(name)) continue
      if (/^xml(?:ns)?(?::|$)/.test(written) || isKnown(canonical) || (ofKnown && !written.includes(':'))) continue
      const at = start + this.#source.slice(start, valueStart).search(/[^ \t\r\n]/)
      this.#sought.found(name, at + written.length - name.length)
    }
  }
}

/** Where each name stands first. */
class FirstPlaces implements Sought {
  readonly places = new Map<string, number>()

  wants(name: string): boolean {
    return !this.places.has(name)
  }

  found(name: string, start: number): void {
    this.places.set(name, start)
  }
}

/**
 * The names of elements and attributes as hidden texts, each once with all the places where it is written, so that tags go
 * on matching. Two that differ still do when they change, as no element may have an attribute twice. `beside` is told of the
 * file on the same walk.
 */
export function ownNames(source: string, depth: number, beside: NamedSink): TextNode[] {
  const first = new FirstPlaces()
  scanNamed(source, none, new NameSink(source, first, beside), depth)
  const { places } = first
  const rename = distinctNames([...places.keys()])
  return [...places].map(([text, first]): TextNode => {
    const encode = (out: string) => rename(text, /^[\p{L}_]/u.test(out) ? out : `_${out}`)
    const run = (start: number): SourceRun => ({ text, start, end: start + text.length, encode, escape: asName })
    return {
      segment: { text, place, visible: false, wording: nameWording(text) ?? 'code' },
      runs: [run(first)],
      // Looked for only where the name changes: a large file has few names in very many places.
      get copies() {
        const copies: SourceRun[] = []
        const others: Sought = {
          wants: name => name === text,
          found: (_, start) => void (start !== first && copies.push(run(start))),
        }
        scanNamed(source, none, new NameSink(source, others), depth)
        return copies
      },
    }
  })
}
