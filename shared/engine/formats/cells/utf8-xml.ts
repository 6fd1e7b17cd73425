import { decodeXml, encodeXml } from '../xml/text.ts'
import { fromBytes, toBytes } from './utf8-cells.ts'

/** A stretch of character data of XML, decoded. Both are UTF-8 bytes read as characters. */
export function decodedBytes(bytes: string, from: number, to: number): string {
  const raw = bytes.slice(from, to)
  return raw.includes('&') || raw.includes('\r') ? toBytes(decodeXml(fromBytes(raw))) : raw
}

/** Text as character data of XML, both as UTF-8 bytes read as characters. */
export const encodedBytes = (bytes: string): string =>
  /^[ !#-%(-;=?-~]*$/.test(bytes) ? bytes : toBytes(encodeXml(fromBytes(bytes)))

const blank = /\s*/y

/** Where the first character stands, from an offset on, that is no white space. */
export function afterBlanks(bytes: string, from: number): number {
  if (bytes.charCodeAt(from) > 32) return from
  blank.lastIndex = from
  blank.exec(bytes)
  return blank.lastIndex
}
