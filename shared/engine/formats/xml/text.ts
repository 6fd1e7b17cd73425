import { EngineError } from '../../errors.ts'

/** Whether a number is that of a character, and none of halves of characters and of those that Unicode has not. */
const isCharacter = (code: number): boolean =>
  code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) && code !== 0xfffe && code !== 0xffff

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Character data or an attribute's value as a reader sees it. Throws `corrupt_file` on an entity XML does not define. */
export function decodeXml(raw: string): string {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(\w+));|&/g, (_, decimal, hex, name) => {
    if (name !== undefined && Object.hasOwn(entities, name)) return entities[name]!
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    if (!isCharacter(code)) throw new EngineError('corrupt_file', 'The XML uses an unknown entity')
    return String.fromCodePoint(code)
  })
}

/** What a section of characters begins and ends with. */
export const sectionStart = '<![CDATA['
export const sectionEnd = ']]>'

/** The text of a CDATA section with its marks. */
export function decodeCdata(raw: string): string {
  return raw.slice(sectionStart.length, -sectionEnd.length).replace(/\r\n?/g, '\n')
}

/** What can't stand in XML as it is. */
const changed = /[\x00-\x08\x0b-\x1f&<>"'\ud800-\udfff\ufffe\uffff]/

/** Text as character data or as an attribute's value in either kind of quotes. What XML can't hold becomes U+FFFD. */
export function encodeXml(text: string): string {
  if (!changed.test(text)) return text
  return text
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
    .toWellFormed()
    .replace(/[&<>"'\r]/g, c => references[c]!)
}

const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\r': '&#13;',
}

/** The same with every character beyond ASCII as a reference, for files in an encoding that can't hold all of them. */
export function encodeXmlAscii(text: string): string {
  return encodeXml(text).replace(/[^\x00-\x7f]/gu, c => `&#${c.codePointAt(0)};`)
}

/** Text within a section of characters, which goes on behind what can't stand in one. */
export const encodeCdata = (text: string): string =>
  changed.test(text)
    ? text.replace(/\]\]>|[^\t\n -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, outside(encodeXml))
    : text

/** The same for encodings that can't hold all characters. */
export const encodeCdataAscii = (text: string): string =>
  text.replace(/(?:\]\]>|[^\t\n -\x7e])+/g, outside(encodeXmlAscii))

const outside = (encode: (text: string) => string) => (text: string) => `${sectionEnd}${encode(text)}${sectionStart}`
