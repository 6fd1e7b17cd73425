import { resolvedDoctype } from '../xml/doctype.ts'
import { scanXml, type XmlAttribute } from '../xml/scan.ts'
import { decodeXml } from '../xml/text.ts'

const rootEnd = /<\/svg\s*>\s*$/
/** Characters of the longest text that the entities of a drawing may make of it. */
const mostResolved = 16 * 1024 * 1024

/** Whether a text is a drawing (SVG) and nothing else, as XML has it: templates and pieces of HTML are none. */
export function isDrawing(text: string): boolean {
  if (!/^\ufeff?\s*</.test(text.slice(0, 100)) || !rootEnd.test(text.slice(-100))) return false
  try {
    return rootOf(resolvedDoctype(text, mostResolved) ?? text) === 'svg'
  } catch {
    return false
  }
}

/** The name of the root of an XML document. Throws where it is not well-formed. */
function rootOf(source: string): string | undefined {
  let root: string | undefined
  scanXml(source, {
    open(name: string, _start: number, _end: number, _empty: boolean, attributes: XmlAttribute[]) {
      root ??= name
      for (const { value } of attributes) decodeXml(value)
    },
    close() {},
    text(start: number, end: number, cdata: boolean) {
      if (!cdata) decodeXml(source.slice(start, end))
    },
  })
  return root
}
