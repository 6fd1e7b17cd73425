import { withoutPadding } from '../../long-runs.ts'
import { percentDecoded } from '../container/data-url-images.ts'
import type { SourceRun } from '../text/text-nodes.ts'
import { encodeXml, encodeXmlAscii } from '../xml/text.ts'

/** How a value reads once its own encoding is undone, and how to write it so again. */
export type Decoded = { text: string; encode: (text: string) => string }

const dataUri = /^\s*data:([^,;]*)((?:;[^,;]*)*?)(;base64)?,/i

const textual = /^$|^text\/|[/+](?:xml|json)$|javascript$/i

/** A data URI that shows nothing, in place of content that nobody has looked into. */
export const emptyDataUri = 'data:,'

/** What else stands in an address would be lost when it is written anew. */
const onlyBase64 = (text: string) => !/[^\w+/-]/.test(withoutPadding(text))

/** Whether the value of an attribute is the address of a drawing (SVG), which is read as a file of its own. */
export const isDrawingAddress = (attribute: string, value: string): boolean =>
  !attribute.endsWith('srcset') && /^\s*data:image\/svg\+xml[;,]/i.test(value)

/** The text of a `data:` address of a textual type; undefined for anything else. */
export function decodeDataUri(uri: string): Decoded | undefined {
  const match = dataUri.exec(uri)
  if (match === null) return undefined
  const [start, type = '', parameters = '', base64] = match
  if (!textual.test(type)) return undefined
  const plain = percentDecoded(uri.slice(start.length))
  if (base64 && !onlyBase64(plain.replace(/\s/g, ''))) return undefined
  const text = base64 ? Buffer.from(plain, 'base64').toString('utf8') : plain
  const head = `data:${type}${parameters}${base64 ?? ''},`
  return {
    text,
    encode: out => head + (base64 ? Buffer.from(out).toString('base64') : encodeURIComponent(out.toWellFormed())),
  }
}

/** An address with its percent signs undone. */
export function decodeUrl(url: string): Decoded {
  if (!url.includes('%')) return { text: url, encode: text => text }
  return { text: percentDecoded(url), encode: text => encodeURI(text.toWellFormed()) }
}

/** A run cut where characters of an address are written with percent signs, so that they are read as what they are. */
export function percentRuns(run: SourceRun): SourceRun[] {
  const { text, start, end, encode } = run
  if (encode === undefined || !/%[0-9a-f]{2}/i.test(text) || text.length !== end - start) return [run]
  const runs: SourceRun[] = []
  let at = 0
  for (const { index, 0: found } of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) {
    if (index > at) runs.push({ ...run, text: text.slice(at, index), start: start + at, end: start + index })
    at = index + found.length
    const escaped = (out: string) => encode(encodeURIComponent(out.toWellFormed()))
    runs.push({ text: percentDecoded(found), start: start + index, end: start + at, encode: escaped })
  }
  if (at < text.length) runs.push({ ...run, text: text.slice(at), start: start + at })
  return runs
}

/** Escapes a replacement inside a script: right in a string of JavaScript and of JSON, harmless elsewhere. */
export function escapeScript(text: string): string {
  return text.replace(/[^\w .,;:!?@()[\]{}*#+=/|~^%-]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Escapes a replacement inside a style sheet. */
export function escapeStyle(text: string): string {
  return text.replace(/[^\w .-]/gu, c => `\\${c.codePointAt(0)!.toString(16)} `)
}

/** Keeps a replacement from ending the comment that it stands in. */
export function escapeComment(text: string): string {
  return text.replace(/[<>]|-(?=-)|^-|-$/g, ' ')
}

/** Control characters that a page may hold as they are, and XML may not. */
const controls = /([\x01-\x08\x0b\x0c\x0e-\x1f]+)/

function encodeCharacters(text: string, unicode: boolean): string {
  const encode = unicode ? encodeXml : encodeXmlAscii
  if (!controls.test(text)) return encode(text)
  return text
    .split(controls)
    .map((piece, index) => (index % 2 === 0 ? encode(piece) : piece))
    .join('')
}

/** Text between tags. Quotes may stay as they are there. */
export function encodeHtmlText(text: string, unicode: boolean): string {
  const encoded = encodeCharacters(text, unicode)
  return encoded === text ? text : encoded.replaceAll('&apos;', "'").replaceAll('&quot;', '"')
}

/** An attribute's value; `quote` is empty where the source has none. */
export function encodeHtmlAttribute(text: string, quote: string, unicode: boolean): string {
  const value = encodeCharacters(text, unicode).replaceAll('&apos;', '&#39;')
  return quote === '' ? `"${value}"` : value
}
