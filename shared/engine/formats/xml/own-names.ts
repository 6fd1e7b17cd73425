import { nameWording } from '../office/wording.ts'
import { distinctNames } from '../text/distinct-names.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { asName, type NamedAttribute, type NamedSink, prefixOf, scanNamed } from './names.ts'

const place = { kind: 'name' } as const
const none = new Map<string, string>()

/** The prefix by which names of a vocabulary that everybody knows are read, such as SVG. */
const known = prefixOf('http://www.w3.org/', none)
const isKnown = (canonical: string) => canonical.startsWith(`${known}:`)

type Found = (name: string, start: number) => void

/** Tells the names that people made up themselves, prefixes aside: of elements, where they begin and end, and of attributes. */
function namesSink(source: string, found: Found): NamedSink {
  const opened: boolean[] = []
  const told = (written: string, start: number) => {
    const local = written.indexOf(':') + 1
    found(written.slice(local), start + local)
  }
  const attributeNames = (attributes: readonly NamedAttribute[], ofKnown: boolean) => {
    for (const { name, canonical, start, valueStart } of attributes) {
      if (/^xml(?:ns)?(?::|$)/.test(name) || isKnown(canonical) || (ofKnown && !name.includes(':'))) continue
      const local = name.indexOf(':') + 1
      const at = start + source.slice(start, valueStart).search(/[^ \t\r\n]/)
      found(name.slice(local), at + local)
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
  open(...tag) {
    one.open(...tag)
    other.open(...tag)
  },
  close(...tag) {
    one.close(...tag)
    other.close(...tag)
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
  const names = namesSink(source, (name, start) => void (places.has(name) || places.set(name, start)))
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
        const found: Found = (name, start) => void (name === text && start !== first && copies.push(run(start)))
        scanNamed(source, none, namesSink(source, found), depth)
        return copies
      },
    }
  })
}
