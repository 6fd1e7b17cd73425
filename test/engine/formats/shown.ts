import { parse } from 'csv-parse/sync'
import { type DefaultTreeAdapterTypes, parse as parseHtml } from 'parse5'
import { SaxesParser } from 'saxes'
import { readZip } from './package.ts'

// What files show. The readers here are those of others, or know just as much of a format as the samples of its suite need;
// the engine reads with none of them.

/** An element of XML: its attributes, and all text in it. */
type Element = { attributes: Record<string, string>; text: string }

/** The elements of this name, spelt with its prefix, in the order of their ends. */
export function elementsOf(xml: Uint8Array, name: string): Element[] {
  const parser = new SaxesParser()
  const open: Element[] = []
  const elements: Element[] = []
  parser.on('opentag', tag => {
    if (tag.name === name) open.push({ attributes: tag.attributes as Record<string, string>, text: '' })
  })
  const add = (text: string) => {
    for (const element of open) element.text += text
  }
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', tag => {
    if (tag.name === name) elements.push(open.pop()!)
  })
  parser.on('error', error => {
    throw error
  })
  parser.write(Buffer.from(xml).toString()).close()
  return elements
}

/** The texts of a page, in UTF-8. */
export function shownByHtml(bytes: Uint8Array): string[] {
  const textsOf = (node: DefaultTreeAdapterTypes.Node): string[] => {
    if ('value' in node) return [node.value]
    return 'childNodes' in node ? node.childNodes.flatMap(textsOf) : []
  }
  return textsOf(parseHtml(Buffer.from(bytes).toString()))
}

/** The cells of the second column below its header, in UTF-8. */
export const shownByCsv = (bytes: Uint8Array, delimiter: string): string[] =>
  parse(Buffer.from(bytes), { delimiter, fromLine: 2 }).map(row => row[1]!)

/** The cells of the first sheet of a workbook. */
export function shownByWorkbook(bytes: Uint8Array): string[] {
  const parts = readZip(bytes)
  const strings = elementsOf(parts.get('xl/sharedStrings.xml')!, 'si').map(({ text }) => text)
  return elementsOf(parts.get('xl/worksheets/sheet1.xml')!, 'c').map(({ attributes, text }) =>
    attributes.t === 's' ? strings[Number(text)]! : text,
  )
}

/** The paragraphs behind the head of a letter in RTF. */
export const shownByRtf = (bytes: Uint8Array, head: string): string[] =>
  Buffer.from(bytes)
    .toString('latin1')
    .slice(head.length)
    .replaceAll(
      /\\u(-?\d+) ?\?|\\'([\da-f]{2})|\\([\\{}])|\\([a-z]+)(?:-?\d+)? ?|[{}\r\n]/gi,
      (_, unit, byte, character, word) => {
        if (unit) return String.fromCharCode(Number(unit) & 0xffff)
        if (byte) return String.fromCharCode(Number.parseInt(byte, 16))
        return character ?? (word === 'par' ? '\n' : '')
      },
    )
    .split('\n')

/** The values of the fields of this name in a calendar or an address card, in UTF-8. */
export function shownByContentLines(bytes: Uint8Array, field: string): string[] {
  // A line may be broken within a character.
  const unfolded = Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/\r\n[ \t]/g, '')
  return Buffer.from(unfolded, 'latin1')
    .toString()
    .split('\r\n')
    .filter(line => line.startsWith(`${field}:`))
    .map(line => line.slice(field.length + 1).replaceAll(/\\(.)/g, (_, code) => (/n/i.test(code) ? '\n' : code)))
}

/** The texts that an enhanced metafile draws with `EMR_EXTTEXTOUTW`. */
export function shownByEmf(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes)
  const texts: string[] = []
  for (let at = 0; at < file.length; at += file.readUInt32LE(at + 4)) {
    if (file.readUInt32LE(at) !== 84) continue
    const [letters, start] = [file.readUInt32LE(at + 44), at + file.readUInt32LE(at + 48)]
    texts.push(file.toString('utf16le', start, start + 2 * letters))
  }
  return texts
}
