import { isFileAddress, readFileAddress } from '../container/data-url-images.ts'
import type { Embedded } from '../container/inline-images.ts'
import type { Format, Place, Segment } from '../format.ts'
import { nameWording, spokenWording } from '../office/wording.ts'
import { type Extract, openText, verifyText } from '../text/text-file.ts'
import type { Draft, Run } from '../text/text-nodes.ts'
import { isKnownVocabulary } from './known-vocabularies.ts'
import { ownNames } from './own-names.ts'
import { scanXml, type XmlSink } from './scan.ts'
import { decodeCdata, decodeXml, encodeXml, encodeXmlAscii } from './text.ts'

/** Levels of elements for each level of containers that the limits allow. */
export const elementDepth = (depth: number) => depth * 16

const blank = /^[ \t\r\n]*$/

type Element = { mixed: boolean; runs: Run[] }

/** For each element in order whether it has text of its own between its children. */
function mixedElements(source: string, depth: number): boolean[] {
  const mixed: boolean[] = []
  const open: number[] = []
  const sink = {
    open: () => void open.push(mixed.push(false) - 1),
    close: () => void open.pop(),
    text(start: number, end: number) {
      if (!blank.test(source.slice(start, end))) mixed[open.at(-1)!] = true
    },
  }
  scanXml(source, sink, depth)
  return mixed
}

/** What an attribute's text is. XML may be anybody's data; only drawings (SVG) and the like have words of their own. */
const attributeWording = (attribute: string, text: string): Segment['wording'] =>
  /^(?:xml:lang|lang|class|id|style|font-family|d|points|transform|viewBox)$/.test(attribute)
    ? 'code'
    : nameWording(text)

/**
 * The children of an element with text of its own are inline: `Zy<b>sp</b>lit` is one segment. Those of any other
 * element are fields: `<a>Anna</a><b>Rome</b>` are two.
 */
const extract: Extract = (source, context) => {
  const depth = elementDepth(context.limits.depth)
  const mixed = mixedElements(source.text, depth)
  const drafts: Draft[] = []
  const encode = source.unicode ? encodeXml : encodeXmlAscii
  const open: Element[] = []
  const embedded: Embedded[] = []
  let count = 0
  const hide = (kind: Place['kind'], run: Run, wording: Segment['wording']) => {
    if (!blank.test(run.text))
      drafts.push({ segment: { text: run.text, place: { kind }, visible: false, wording }, runs: [run] })
  }
  const sink: XmlSink = {
    open(_name, _start, _end, _empty, attributes) {
      const parent = open.at(-1)
      const runs: Run[] = parent?.mixed ? parent.runs : []
      if (!parent?.mixed) drafts.push({ segment: { text: '', place: { kind: 'body' }, visible: true }, runs })
      open.push({ mixed: mixed[count++]!, runs })
      for (const { name: attribute, value, valueStart, valueEnd } of attributes) {
        if (/^xmlns(?::|$)/.test(attribute) && isKnownVocabulary(value)) continue
        const text = decodeXml(value)
        if (isFileAddress(text)) {
          const file = readFileAddress(text, valueStart, valueEnd)
          if (file) embedded.push(file)
        } else {
          hide('attribute', { text, start: valueStart, end: valueEnd, encode }, attributeWording(attribute, text))
        }
      }
    },
    close: () => void open.pop(),
    text(start, end, cdata) {
      const raw = source.text.slice(start, end)
      const text = cdata ? decodeCdata(raw) : decodeXml(raw)
      const element = open.at(-1)!
      if (element.mixed || !blank.test(text)) element.runs.push({ text, start, end, encode })
    },
    other(kind, start, end) {
      if (kind === 'declaration') return
      const [from, to] = kind === 'comment' ? [start + 4, end - 3] : [start + 2, end - 2]
      const unsafe = kind === 'comment' ? /-(?=-)|^-|-$/g : /[^\p{L}\p{N}_.]/gu
      const safely = (text: string) => text.replace(unsafe, '_')
      const text = source.text.slice(from, to)
      const run = { text, start: from, end: to, encode: (out: string) => out, escape: safely }
      hide('comment', run, kind === 'comment' ? spokenWording(text) : 'code')
    },
  }
  scanXml(source.text, sink, depth)
  for (const draft of drafts) if (draft.segment.visible) draft.segment.text = draft.runs.map(run => run.text).join('')
  const texts = drafts.filter(draft => !blank.test(draft.segment.text))
  return { drafts: [...texts, ...ownNames(source.text, depth)], embedded }
}

const declared = (bytes: Buffer) =>
  /^<\?xml[^>]*?encoding\s*=\s*["']([\w.-]+)/.exec(bytes.toString('latin1', 0, 200))?.[1]

/** XML without a DTD: texts, attributes, names, comments and instructions by position. */
export const xml: Format = {
  id: 'xml',
  type: 'DOCUMENT',
  mediaType: 'application/xml',
  extensions: ['xml', 'xsd', 'xsl', 'xslt', 'kml', 'gpx', 'rss', 'atom', 'svg'],
  propagates: true,
  keepsText: true,
  matches(head, name) {
    const wide = head[0] === 0xff || head[1] === 0
    const start = Buffer.from(head.subarray(0, 4096)).toString(wide ? 'utf16le' : 'utf8')
    const named = /\.(xml|xsd|xslt?|kml|gpx|rss|atom|svg)$/i.test(name)
    if (/^\ufeff?\s*<\?xml[\s?]/.test(start)) return /<html[\s>]/i.test(start) ? 0.5 : 0.95
    return /^\ufeff?\s*<[A-Za-z_!]/.test(start) ? (named ? 0.9 : 0.3) : named ? 0.7 : 0
  },
  open: (input, context) => openText(input, context, extract, declared),
  // Loaded when a file is verified: telling formats apart needs none of it.
  verify: async (output, expected, context) =>
    verifyText(output, expected, context, (await import('./verify-reader.ts')).rereadXml, declared),
}
