import { isUsualFont } from '../office/font-names.ts'
import { decodeCdata, decodeXml, encodeXml } from '../xml/text.ts'
import { isStructural } from './attributes.ts'

const elements = new Set(
  't r rPr b i u sz color rFont family charset scheme vertAlign strike outline shadow condense extend'.split(' '),
)

const phonetics = /<((?:[\w.-]+:)?)rPh(?=[\s>])[\s\S]*?<\/\1rPh\s*>/g
const phoneticFont = /<((?:[\w.-]+:)?)phoneticPr\s[^<>]*?(?:\/>|>[\s\S]*?<\/\1phoneticPr\s*>)/g
const unit = /<!\[CDATA\[[\s\S]*?\]\]>|<[^<>]*>|[^<]+/g
const tag = /^<\/?((?:[\w.-]+:)?)([\w.-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>$/
const font = /<((?:[\w.-]+:)?)rFont\s+val\s*=\s*(?:"([^"]*)"|'([^']*)')\s*(?:\/>|>\s*<\/\1rFont\s*>)/g
/** How much lighter or darker a colour is, from -1 to 1: more digits than other numbers of a format have. */
const tint = /^-?[01](?:\.\d{1,18})?$/
const attribute = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/**
 * The content of a string item without what repeats a text as it is pronounced and fonts of unusual names, and as bare
 * text where it holds anything but text and its usual properties: what has a prefix of its own may be bound elsewhere,
 * and nobody reads its attributes.
 */
export function cleanItem(source: string, prefix: string): string {
  if (!source.includes('<') || /^<t(?: xml:space="preserve")?>[^<]*<\/t>$/.test(source)) return source
  const plain = source
    .replace(phonetics, '')
    .replace(phoneticFont, '')
    .replace(font, (whole, _, double, single) => (isUsualFont(decodeXml(double ?? single)) ? whole : ''))
  return isUsual(plain, prefix) ? plain : bareText(plain, prefix)
}

function isUsual(source: string, prefix: string): boolean {
  for (const [found] of source.matchAll(unit)) {
    if (!found.startsWith('<') || found.startsWith('<![')) continue
    const match = tag.exec(found)
    if (match === null || match[1] !== prefix || !elements.has(match[2]!)) return false
    for (const [, name, double, single] of match[3]!.matchAll(attribute)) {
      if (name === 'xml:space') continue
      const value = decodeXml(double ?? single ?? '')
      const isKnown =
        match[2] === 'rFont' ? name === 'val' : isStructural(value) || (name === 'tint' && tint.test(value))
      if (!isKnown || name!.includes(':')) return false
    }
  }
  return true
}

/** All that stands in elements for text, in order. */
function bareText(source: string, prefix: string): string {
  let text = ''
  let within = false
  for (const [found] of source.matchAll(unit)) {
    const match = found.startsWith('<![') ? null : tag.exec(found)
    if (match !== null)
      within = match[1] === prefix && match[2] === 't' && !found.startsWith('</') && !found.endsWith('/>')
    else if (within && !found.startsWith('<!--'))
      text += found.startsWith('<![') ? decodeCdata(found) : found.startsWith('<') ? '' : decodeXml(found)
  }
  return `<${prefix}t xml:space="preserve">${encodeXml(text)}</${prefix}t>`
}
