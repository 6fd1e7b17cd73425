import { readFileAddress } from '../container/data-url-images.ts'
import { isFileAddress } from '../container/file-address.ts'
import type { InlineImage } from '../container/inline-images.ts'
import type { Place, Segment } from '../format.ts'
import { nameWording, spokenWording } from '../office/wording.ts'
import type { Extract } from '../text/text-file.ts'
import type { SourceRun, TextNode } from '../text/text-nodes.ts'
import { isDrawnText, isPlaced } from './drawn-text.ts'
import { isKnownVocabulary } from './known-vocabularies.ts'
import type { NamedSink } from './names.ts'
import { ownNames } from './own-names.ts'
import { scanXml, type XmlSink } from './scan.ts'
import { decodeCdata, decodeXml, encodeXml, encodeXmlAscii } from './text.ts'

/** Levels of elements for each level of containers that the limits allow. */
export const elementDepth = (depth: number) => depth * 16

const blank = /^[ \t\r\n]*$/

/** An open element. Texts in it, if it is mixed, are runs of the node, which may be that of an element around it. */
type Element = { name: string; mixed: boolean; node: TextNode | undefined; isOwn: boolean }

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Notes for each element in order whether it has text of its own between its children, as what drawings show always has. */
function mixedSink(source: string, mixed: boolean[]): NamedSink {
  const open: { at: number; name: string }[] = []
  return {
    open: name => void open.push({ at: mixed.push(isDrawnText(name, open)) - 1, name }),
    close: () => void open.pop(),
    text(start, end) {
      if (!blank.test(source.slice(start, end))) mixed[open.at(-1)!.at] = true
    },
  }
}

/** Names of namespaces, and where their schemas lie: addresses without numbers that could be somebody's. */
const vocabularies = /^(?![\s\S]*(?:\d{6}|\d+\.\d+\.\d+\.\d))[\w.:/#\s-]+$/

/** What an attribute's text is. XML may be anybody's data; only drawings (SVG) and the like have words of their own. */
function attributeWording(attribute: string, text: string): Segment['wording'] {
  const isDeclaration = /^xmlns(?::|$)|^(?:[\w.-]+:)?(?:noNamespaceS|s)chemaLocation$/.test(attribute)
  if (isDeclaration && vocabularies.test(text)) return 'vocabulary'
  const isCode = /^(?:xml:lang|lang|class|id|style|font-family|d|points|transform|viewBox)$/.test(attribute)
  return isCode ? 'code' : nameWording(text)
}

/** The places of texts by their element, or attribute, and the element around it, each kept, as very many are the same. */
function placesOf(kind: Place['kind']): (name: string, parent: string | undefined) => Place {
  const known = new Map<string | undefined, Map<string, Place>>()
  return (name, parent) => {
    const told = known.get(parent)?.get(name)
    if (told) return told
    const within = known.get(parent) ?? new Map<string, Place>()
    const place = { kind, column: parent === undefined ? name : `${parent}.${name}` }
    known.set(parent, within.set(name, place))
    return place
  }
}

const none: SourceRun[] = []

/** Adds a run to a node; a list that begins with one has no room to grow, which very many nodes would keep. */
function addRun(node: TextNode, run: SourceRun): void {
  if (node.runs.length === 0) node.runs = [run]
  else node.runs.push(run)
}

/** Ends a node with all that came between its tags. */
function finish(node: TextNode): void {
  const { runs, segment } = node
  if (runs.length > 1) node.runs = [...runs]
  segment.text = runs.length === 1 ? runs[0]!.text : runs.map(run => run.text).join('')
}

/**
 * The children of an element with text of its own are inline: `Zy<b>sp</b>lit` is one segment, and so are the lines of
 * a text in a drawing. Those of any other element are fields: `<a>Anna</a><b>Rome</b>` are two.
 */
export const extractXml: Extract = (source, context) => {
  const depth = elementDepth(context.limits.depth)
  const mixed: boolean[] = []
  const names = ownNames(source.text, depth, mixedSink(source.text, mixed))
  const nodes: TextNode[] = []
  const encode = source.unicode ? encodeXml : encodeXmlAscii
  const open: Element[] = []
  const embedded: InlineImage[] = []
  let count = 0
  const hide = (place: Place, run: SourceRun, wording: Segment['wording']) => {
    if (!blank.test(run.text)) nodes.push({ segment: { text: run.text, place, visible: false, wording }, runs: [run] })
  }
  const placeOf = placesOf('body')
  const attributePlaceOf = placesOf('attribute')
  const sink: XmlSink = {
    open(written, start, _end, _empty, attributes) {
      const parent = open.at(-1)
      const name = localName(written)
      const isMixed = mixed[count++]!
      let node = parent?.mixed ? parent.node : undefined
      const isOwn = isMixed && node === undefined
      if (isOwn) {
        node = { segment: { text: '', place: placeOf(name, parent?.name), visible: true }, runs: none }
        nodes.push(node)
      } else if (node && isDrawnText(written, open) && isPlaced(attributes))
        addRun(node, { text: '\n', start, end: start })
      open.push({ name, mixed: isMixed, node, isOwn })
      for (const { name: attribute, value, valueStart, valueEnd } of attributes) {
        if (/^xmlns(?::|$)/.test(attribute) && isKnownVocabulary(value)) continue
        const text = decodeXml(value)
        if (isFileAddress(text)) {
          const file = readFileAddress(text, valueStart, valueEnd)
          if (file) embedded.push(file)
        } else {
          const run = { text, start: valueStart, end: valueEnd, encode }
          hide(attributePlaceOf(localName(attribute), name), run, attributeWording(attribute, text))
        }
      }
    },
    close() {
      const { node, isOwn } = open.pop()!
      if (isOwn) finish(node!)
    },
    text(start, end, cdata) {
      const raw = source.text.slice(start, end)
      const text = cdata ? decodeCdata(raw) : decodeXml(raw)
      const { mixed, node } = open.at(-1)!
      if (node && (mixed || !blank.test(text))) addRun(node, { text, start, end, encode })
    },
    other(kind, start, end) {
      if (kind === 'declaration') return
      const [from, to] = kind === 'comment' ? [start + 4, end - 3] : [start + 2, end - 2]
      const unsafe = kind === 'comment' ? /-(?=-)|^-|-$/g : /[^\p{L}\p{N}_.]/gu
      const safely = (text: string) => text.replace(unsafe, '_')
      const text = source.text.slice(from, to)
      const run = { text, start: from, end: to, encode: (out: string) => out, escape: safely }
      hide({ kind: 'comment' }, run, kind === 'comment' ? spokenWording(text) : 'code')
    },
  }
  scanXml(source.text, sink, depth)
  const texts = nodes.filter(node => !blank.test(node.segment.text))
  for (const name of names) texts.push(name)
  return { nodes: texts, embedded }
}
