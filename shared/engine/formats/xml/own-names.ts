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
function namesSink(source: string, { wants, found }: Sought): NamedSink {
  const opened: boolean[] = []
  const told = (written: string, start: number) => {
    const name = localName(written)
    if (wants(name)) found(name, start + written.length - name.length)
  }
  const attributeNames = (attributes: readonly NamedAttribute[], ofKnown: boolean) => {
    for (const { name: written, canonical, start, valueStart } of attributes) {
      const name = localName(written)
      if (!wants(name)) continue
      if (/^xml(?:ns)?(?::|$)/.test(written) || isKnown(canonical) || (ofKnown && !written.includes(':'))) continue
      const at = start + source.slice(start, valueStart).search(/[^ \t\r\n]/)
      found(name, at + written.length - name.length)
    }
  }
  return {
    open(canonical, start, _end, empty, attributes, written) {
      const ofKnown = isKnown(canonical)
      if (!empty) opened.push(ofKnown)
      if (!ofKnown) told(written, start + 1)
      if (attributes.length > 0) attributeNames(attributes, ofKnown)
    },
    close(_canonical, start, end, written) {
      if (end > start && !opened.pop()) told(written, start + 2)
    },
    text() {},
  }
}

const both = (one: NamedSink, other: NamedSink): NamedSink => ({
  open(canonical, start, end, empty, attributes, written) {
    one.open(canonical, start, end, empty, attributes, written)
    other.open(canonical, start, end, empty, attributes, written)
  },
  close(canonical, start, end, written) {
    one.close(canonical, start, end, written)
    other.close(canonical, start, end, written)
  },
  text: other.text,
})

/**
 * The names of elements and attributes as hidden texts, each once with all the places where it is written, so that tags go
 * on matching. Two that differ still do when they change, as no element may have an attribute twice. `beside` is told of the
 * file on the same walk.
 */
export function ownNames(source: string, depth: number, beside: NamedSink): TextNode[] {
  const places = new Map<string, number>()
  const names = namesSink(source, {
    wants: name => !places.has(name),
    found: (name, start) => void places.set(name, start),
  })
  scanNamed(source, none, both(names, beside), depth)
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
        scanNamed(source, none, namesSink(source, others), depth)
        return copies
      },
    }
  })
}
