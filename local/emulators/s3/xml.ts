import { AwsError } from '../aws/errors.ts'

/** An element of an XML document: its name without prefix, its children, and its text if it has no children. */
export interface Element {
  name: string
  children: Element[]
  text: string
}

const malformed = () =>
  new AwsError(
    'MalformedXML',
    'The XML you provided was not well-formed or did not validate against our published schema',
  )

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-fA-F]+)|(\w+));?/g, (_, decimal, hexadecimal, name) => {
    const code = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : undefined
    if (code !== undefined && code <= 0x10ffff) return String.fromCodePoint(code)
    if (name === undefined || !Object.hasOwn(entities, name)) throw malformed()
    return entities[name]!
  })
}

const markup =
  /<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([A-Za-z_][\w.:-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*?)(\/?)>|([^<]+)/gy
const MAX_DEPTH = 20

/** Reads an XML document as S3's requests use it: elements and text; document types are refused. */
export function parseXml(document: string, root: string): Element {
  const top: Element = { name: '', children: [], text: '' }
  const open = [top]
  markup.lastIndex = 0
  const source = document.replace(/^\ufeff/, '')
  while (markup.lastIndex < source.length) {
    const match = markup.exec(source)
    if (!match) throw malformed()
    const [, cdata, closing, tag, , selfClosing, text] = match
    const current = open.at(-1)!
    if (cdata !== undefined) current.text += cdata
    else if (text !== undefined) current.text += decode(text)
    else if (tag !== undefined) {
      const name = tag.replace(/^.*:/, '')
      if (closing) {
        if (open.pop()!.name !== name || open.length === 0) throw malformed()
        continue
      }
      const element: Element = { name, children: [], text: '' }
      current.children.push(element)
      if (!selfClosing) open.push(element)
      if (open.length > MAX_DEPTH) throw malformed()
    }
  }
  const [element, more] = top.children
  if (open.length !== 1 || !element || more || element.name !== root) throw malformed()
  return element
}

/** The first child of a name. */
export const child = (element: Element | undefined, name: string) =>
  element?.children.find(inner => inner.name === name)

/** All children of a name. */
export const childrenOf = (element: Element | undefined, name: string) =>
  element?.children.filter(inner => inner.name === name) ?? []

/** The text of a child, undefined if there is no such child. */
export const childText = (element: Element | undefined, name: string) => child(element, name)?.text

/** What can be written as XML: text, an object of elements, or several of one name. */
export type Content = string | number | boolean | undefined | Content[] | { [name: string]: Content }

const escapes: Record<string, string> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' }

/** Text as it stands in XML. */
const escapeXml = (text: string) =>
  text.replace(/[<>&"'\u0000-\u001f\u007f-\u009f]/g, c => escapes[c] ?? `&#x${c.charCodeAt(0).toString(16)};`)

function write(name: string, content: Content): string {
  if (content === undefined) return ''
  if (Array.isArray(content)) return content.map(item => write(name, item)).join('')
  const inner =
    typeof content === 'object'
      ? Object.entries(content)
          .map(([key, value]) => write(key, value))
          .join('')
      : escapeXml(String(content))
  return `<${name}>${inner}</${name}>`
}

/** An XML document. */
export const toXml = (root: string, content: Content) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${write(root, content).replace(
    `<${root}>`,
    root === 'Error' ? '<Error>' : `<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">`,
  )}`
