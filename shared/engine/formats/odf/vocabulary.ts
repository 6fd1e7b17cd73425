import type { Segment } from '../format.ts'
import { isUsualFont } from '../office/font-names.ts'
import { addressWording, isStandardName, nameWording, spokenWording } from '../office/wording.ts'
import { type Namespaces, prefixOf } from '../xml/names.ts'

const words = (text: string) => new Set(text.trim().split(/\s+/))
const oasis = 'urn:oasis:names:tc:opendocument:xmlns:'

/** The namespaces of OpenDocument and the prefixes under which this code knows them. */
export const odfNamespaces: Namespaces = new Map([
  ...'office style text table draw chart form script config presentation number meta'
    .split(' ')
    .map(name => [`${oasis}${name}:1.0`, name] as const),
  [`${oasis}datastyle:1.0`, 'number'],
  [`${oasis}animation:1.0`, 'anim'],
  [`${oasis}smil-compatible:1.0`, 'smil'],
  [`${oasis}xsl-fo-compatible:1.0`, 'fo'],
  [`${oasis}svg-compatible:1.0`, 'svg'],
  [`${oasis}dr3d:1.0`, 'dr3d'],
  [`${oasis}manifest:1.0`, 'manifest'],
  [`${oasis}of:1.2`, 'of'],
  ['http://www.w3.org/1999/xlink', 'xlink'],
  ['http://purl.org/dc/elements/1.1/', 'dc'],
  ['http://www.w3.org/1998/Math/MathML', 'math'],
  ['urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0', 'loext'],
  ['urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0', 'calcext'],
])

/** Elements whose text, over all inline elements, is read as one. */
export const paragraphs = words('text:p text:h')

/** Elements that stand for characters; `text:s` for as many blanks as it says. */
export const marks: ReadonlyMap<string, string> = new Map([
  ['text:s', ' '],
  ['text:tab', '\t'],
  ['text:line-break', '\n'],
  ['text:soft-page-break', ''],
])

/** Elements left out with all they hold, and what the report calls them. */
export const dropped: Readonly<Record<string, string>> = {
  'text:tracked-changes': 'deleted text',
  'table:tracked-changes': 'deleted text',
  'text:change': 'marks of changes',
  'text:change-start': 'marks of changes',
  'text:change-end': 'marks of changes',
  'office:scripts': 'macros',
  'office:event-listeners': 'macros',
  'presentation:event-listener': 'macros',
  'office:meta': 'properties',
  'office:dde-source': 'external links',
  'text:dde-connection-decls': 'external links',
  'table:dde-links': 'external links',
  'table:table-source': 'external links',
  'table:cell-range-source': 'external links',
  'table:data-pilot-tables': 'pivot tables',
  'table:scenario': 'scenarios',
  'draw:plugin': 'media',
  'draw:applet': 'media',
  'draw:object-ole': 'embedded objects',
  'draw:floating-frame': 'external links',
}

/**
 * Fields that show what the file no longer says of itself. Programs compute them anew, and would show nothing in place of
 * what people read now, so these become the text that they show.
 */
export const propertyFields = words(`
  text:title text:subject text:keywords text:description text:initial-creator text:creator text:creation-date
  text:creation-time text:modification-date text:modification-time text:print-date text:print-time text:printed-by
  text:editing-cycles text:editing-duration text:user-defined text:word-count text:character-count
  text:paragraph-count text:table-count text:image-count text:object-count`)

/** Attributes of fields that hold for programs what a field shows to people, or say how it is computed. */
export const machineValues =
  /^(?:office:(?:(?:date-|time-|boolean-|string-)?value)|text:(?:(?:date|time)-value|formula)|loext:current-date)$/

/** Fields of variables and what declares these; all of one name show the value that one of them holds. */
export const variables = /^text:(variable|user-field)-(?:decl|set|get|input)$/

/** Whether an element for macros holds any: programs write it even if there are none. */
export const holdsMacro = /<(?:[\w.-]+:)?(?:event-listener|module|library(?:-\w+)?)[\s/>]|>[^<>]*[^\s<>][^<>]*<\//

/** Elements inside of a paragraph whose text is no part of it: what describes a picture stands nowhere in its line. */
export const asides = words('text:note-citation text:ruby-text svg:title svg:desc office:binary-data')

/** Elements whose text names a person. */
export const authors = words('dc:creator meta:creator-initials loext:sender-initials meta:initial-creator')

/** Elements of metadata whose text is a time. */
export const times = words('dc:date meta:date-string meta:creation-date')

/** Attributes that are formulas. */
export const formulaAttributes = words('table:formula table:expression text:formula')

/** Attributes of a cell that hold its value or say how it comes about. */
export const valueAttributes =
  /^(?:office:(?:value|date-value|time-value|boolean-value|string-value|currency)|table:formula)$/

/** Items of settings that name people, printers, places or secrets; how wide letters are measured is none of them. */
export const privateSettings =
  /printer(?!IndependentLayout|Metrics)|database|password|redline|rsid|user|url|path|license|imageprefer/i

const fixedPrefixes = words('fo svg number smil anim dr3d xml config math')

const freeNames = words(`
  name display-name display-text title desc value string-value formula expression condition annote label text description help-text
  alternative-text href target-frame-name citation identifier author address publisher note
  url custom1 custom2 custom3 custom4 custom5 prompt display sender current-value data-field
  list-source item command data-source base-cell-address cell-range-address target-cell-address num-prefix num-suffix
  key1 key2 string-value-phonetic key1-phonetic key2-phonetic string-value-if-true string-value-if-false`)

/** Whether an attribute says which table a group of settings is for. */
export const namesTable = (element: string, attribute: string): boolean =>
  element === 'config:config-item-map-entry' && attribute === 'config:name'

/** Whatever their prefix is. */
const freeAttributes = words('number:title script:language chart:minimum chart:maximum')

const fixedNames = words(`
  font-family-generic font-pitch language country script
  number-columns-repeated number-rows-repeated font-adornments char style:num-format num-format
  value-type type version mimetype rel-width rel-height class engine enhanced-path path-stretchpoint-x glue-points text-areas
  modifiers`)

const namesStyle = (element: string, attribute: string): boolean =>
  attribute === 'style:name' ||
  /(?:style|page|page-layout|master-page)-names?$/.test(attribute) ||
  (element.startsWith('style:') && attribute === 'style:display-name')

/** Attributes that people write to be read, and those in which they or programs name things. */
const spoken =
  words(`display-text title desc string-value annote label text description help-text alternative-text citation author
  address publisher note custom1 custom2 custom3 custom4 custom5 prompt display sender current-value item
  num-prefix num-suffix string-value-phonetic string-value-if-true string-value-if-false key1 key2`)
const named = words('table:name draw:name text:name form:name office:name table:database-range-name identifier')

/** Whether an attribute holds one name of a style in the spelling of names, not as it is shown. Fonts are no styles. */
export const spellsStyle = (element: string, attribute: string): boolean =>
  namesStyle(element, attribute) && element !== 'style:font-face' && !/(?:display-name|names)$/.test(attribute)

/** What the text of an attribute is: what nobody writes to be read, and names nothing of theirs, is code. */
export function attributeWording(element: string, attribute: string, text: string): Segment['wording'] {
  const local = attribute.slice(attribute.indexOf(':') + 1)
  if (attribute === 'xlink:href') return addressWording(text)
  if (namesStyle(element, attribute)) return 'code'
  if (spoken.has(local)) return spokenWording(text)
  return named.has(attribute) || named.has(local) || namesTable(element, attribute) ? nameWording(text) : 'code'
}

/** What becomes of an attribute: it stays, or is read as hidden text. */
export function attributeAction(element: string, attribute: string, value: string): 'keep' | 'text' {
  const [prefix = '', local = prefix] = attribute.split(':')
  if (/^xmlns(?::|$)/.test(attribute)) return prefixOf(value, odfNamespaces) === '??' ? 'text' : 'keep'
  const names = /^font-(?:name|family)(?:-asian|-complex)?$/.test(local)
  if (names || (element === 'style:font-face' && local === 'name')) return isUsualFont(value) ? 'keep' : 'text'
  if (freeAttributes.has(attribute) || namesTable(element, attribute)) return 'text'
  // People choose names; those that programs make up are short and end in a number.
  if (local === 'id') return /^[A-Za-z]{0,10}\d{0,12}$/.test(value) && /\d|^$/.test(value) ? 'keep' : 'text'
  if (fixedPrefixes.has(prefix)) return 'keep'
  if (namesStyle(element, attribute))
    return /^(?:[A-Za-z]{1,4}\d{1,6})?$/.test(value) || isStandardName(value) ? 'keep' : 'text'
  if (/-names?$/.test(local)) return /^(?:[A-Za-z]{1,4}\d{1,6})?$/.test(value) ? 'keep' : 'text'
  if (element === 'style:font-face' || element.startsWith('number:') || element.startsWith('manifest:')) return 'keep'
  if (attribute === 'xlink:href' || attribute === 'xlink:title') return 'text'
  if (prefix === 'xlink' || fixedNames.has(local) || (prefix === 'draw' && element === 'draw:equation')) return 'keep'
  if (freeNames.has(local)) return 'text'
  // What a word or a long number means in a vocabulary that nobody knows, nobody knows.
  if ((prefix.startsWith('?') || element.startsWith('?')) && /^[a-z]|\d{6}/.test(value)) return 'text'
  return structural.test(value) ? 'keep' : 'text'
}

const structural =
  /^$|^[-+]?[\d.,]+(?:[a-z%]{1,4})?$|^[a-z][a-z0-9-]*$|^#[0-9a-fA-F]{6}$|^(?:[A-Za-z]{1,4}\d{1,6}(?:_\d+)*\.?)$|^[\d .,%-]+$|^P(?:T|\d)[\dTHMSDY.,]*$/
