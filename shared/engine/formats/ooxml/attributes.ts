import type { Segment } from '../format.ts'
import { isUsualFont } from '../office/font-names.ts'
import { isStandardName, nameWording, spokenWording } from '../office/wording.ts'
import { prefixOf } from '../xml/names.ts'
import { officeNamespaces } from './namespaces.ts'

/** What becomes of an attribute: it stays, is read as hidden text, goes, or gets a neutral value. */
export type AttributeAction = 'keep' | 'text' | 'remove' | { set: string }

const words = (text: string) => new Set(text.trim().split(/\s+/))

/** Names that hold free text wherever they stand. */
const free = words(`
  name descr title alt tooltip display displayText location anchor instr prompt promptTitle error errorTitle comment
  description href altText altTextSummary displayName tag codeName caption element macro totalsRowLabel dataCaption
  grandTotalCaption w:name w:displayText w:tooltip w:anchor w:instr w:title w:tooltip w:docLocation w:fullDate o:title
  o:href w:customStyle text statusBar macroName calculatedColumn uniqueName w:lastValue w:styleId phldrT matchingName
  customMenu help bmkName tgtFrame w:tgtFrame o:suggestedsigner o:suggestedsigner2 o:suggestedsigneremail
  o:signinginstructions headerRowCellStyle dataCellStyle totalsRowCellStyle defaultTableStyle defaultPivotStyle`)

/** The same of attributes that are something else on other elements. */
const freeOn = words('v:textpath@string p:strVal@val')

/** Numbers that bound what a condition, a filter or an axis is about. */
export const bounds = words(`
  s:cfvo@val s:top10@filterVal s:dynamicFilter@val s:dynamicFilter@maxVal c:min@val c:max@val c:crossesAt@val`)

/** Elements whose `w:val` or `val` is free text. */
const freeValues = words(`
  w:alias w:tag w:name w:aliases w:default w:statusText w:helpText w:tblCaption w:tblDescription w:listItem w:listEntry
  w:attr w:docVar w:lvlText w:style w:pStyle w:rStyle w:tblStyle w:basedOn w:next w:link w:styleLink w:numStyleLink
  w:docPartGallery w:docPartCategory w:docPart w:suff w15:color w15:sectionTitle p:tag s:filter s:customFilter s:sheetName
  w:entryMacro w:exitMacro w:defaultTableStyle w:clickAndTypeStyle dgm:title dgm:desc`)

/** Elements that name styles, and attributes that name styles and themes. */
const styleNames = words(`
  w:name w:aliases w:style w:pStyle w:rStyle w:tblStyle w:basedOn w:next w:link w:styleLink w:numStyleLink
  w:defaultTableStyle w:clickAndTypeStyle`)
const styleAttributes = words(`
  w:style@w:styleId s:cellStyle@name a:theme@name a:clrScheme@name a:fontScheme@name a:fmtScheme@name
  a:tblStyle@styleName p:cSld@name s:tableStyleInfo@name w:lsdException@w:name s:tableStyles@defaultTableStyle
  s:tableStyles@defaultPivotStyle s:table@headerRowCellStyle s:table@dataCellStyle s:table@totalsRowCellStyle
  s:tableColumn@headerRowCellStyle s:tableColumn@dataCellStyle s:tableColumn@totalsRowCellStyle`)

/** Attributes, and elements whose value, people write to be read. */
const spoken = words(`
  descr title alt tooltip altText altTextSummary prompt promptTitle error errorTitle comment description caption display
  displayText statusBar text w:displayText w:tooltip w:title o:title w:alias w:default w:statusText w:helpText
  w:tblCaption w:tblDescription w:listItem w:listEntry w:docVar p:tag s:filter s:customFilter string w:lastValue phldrT
  customMenu help w15:sectionTitle dgm:title dgm:desc o:suggestedsigner o:suggestedsigner2 o:signinginstructions`)

/** Attributes, and elements whose value, that people or programs name. */
const named = words(`
  name displayName anchor location w:name w:anchor codeName tag w:tag totalsRowLabel dataCaption grandTotalCaption
  uniqueName s:sheetName w:docPartCategory w15:color`)

/** Names of languages: with their script, their country and the variants that programs know. */
const language =
  /^(?:x-none|[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?:[-_](?:valencia|tradnl|modern|stroke|pinyin|radstr|\d{4}))?)$/i

/** Attributes that name fixed things, or refer within the package. */
const fixed = words(`
  panose coordsize coordorigin path eqn fmla script type shapetype connecttype
  uniqueId
  tableStyleId progId clrMapOvr w:bidi w:hint
  algorithmName hashValue saltValue w:hash w:salt w:cryptAlgorithmClass w:cryptAlgorithmType o:spt inset
  fillcolor strokecolor color2 from to adj points o:connecttype o:regroupid loTypeId qsTypeId csTypeId
  presId w14:paraId w14:textId paraIdParent numFmtId w15:paraId ShapeID ObjectID Type DrawAspect Requires xm:uid
  personId providerId ContentType PartName Id TargetMode Type xsi:type formatRows iconSet stringRefSyntax xr:uid x14ac:dyDescent`)

/** Attributes that say which cells are meant. */
const addresses = words('ref sqref spans topLeftCell activeCell')
const address = /^(?:\$?[A-Z]{0,3}\$?\d{0,7}(?::\$?[A-Z]{0,3}\$?\d{0,7})?(?: |$))*$/

const fixedOn = words(`
  w:lsdException@w:name
  w:panose1@w:val a:gd@name a:ahXY@name w:compatSetting@w:name
  s:metadataType@name s:futureMetadata@name dgm:forEach@name dgm:layoutNode@name dgm:if@name
  dgm:else@name dgm:choose@name dgm:rule@fact v:shapetype@path a:avLst@name`)

/** What an animation switches to; those that compute a place do so from these names. */
const switched = /^(?:visible|hidden|true|false|on|off|none|solid|bold|normal|italic|[-\d.]{1,5})$/
const computing = /#?ppt_[xywhrc]|\b(?:sin|cos|tan|asin|acos|atan|abs|sqrt|min|max|floor|ceil|rand|exp|ln|pi|e)\b/g

/** Whether a program wrote the value of an animation. */
const isAnimated = (value: string): boolean =>
  switched.test(value) || (value.includes('ppt_') && /^[-+*/(),.\d\s]*$/.test(value.replace(computing, '')))

const fonts =
  /(?:@(?:w:(?:ascii|hAnsi|cs|eastAsia)|typeface)|^(?:w:font@w:name|w:altName@w:val|s:(?:name|rFont)@val|m:mathFont@m:val))$/

/** Whether the value of an attribute is what a relationship is called, otherwise than programs call them. */
export const isOwnReference = (attribute: string, value: string): boolean =>
  /^(?:r:.*|Id)$/.test(attribute) && !/^(?:[a-z]{0,4}id|r|rel)?[\da-f]*$/i.test(value)

/** Attributes that name languages. */
const languages = /^(?:w:(?:themeFontLang|lang)@w:\w+|(?:w:lid|c:lang)@(?:w:)?val|.*@(?:lang|altLang|xml:lang))$/

const gone = words('o:gfxdata w:date w15:restartNumberingAfterBreak queryTableFieldId xr:uid xr3:uid codeName')

/** How programs name shapes; people may name them too. */
const madeUp = /^#?(?:_x0000_[a-z]{1,2}\d+|rId\d+|[a-z]?\d+)?$/i
const usualStyle = /^[a-z\d:;.,#%\s()+*/!-]*$/
const styleFont = /font-family:\s*([^;]*)/g

const isUsualStyle = (style: string) =>
  usualStyle.test(style.replace(styleFont, (whole, font: string) => (isUsualFont(font) ? '' : whole.toUpperCase())))

const number = /^[-+]?[\d.,]{1,12}(?:[eE][-+]?\d+)?(?:pt|in|cm|mm|px|%|em|pc|pi|emu)?$/
const keyword = /^[a-z][A-Za-z0-9]*$/
const guid = /^\{?[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\}?$/
const cells = /^(?:\$?[A-Z]{1,3}\$?\d{1,7}(?::\$?[A-Z]{1,3}\$?\d{1,7})?(?: |$))+$/

/** Whether a value is a number with its unit, a switch, a colour, an identifier or a keyword of the vocabulary. */
export function isStructural(value: string): boolean {
  if (value.length > 60) return cells.test(value)
  return (
    value === '' ||
    number.test(value) ||
    keyword.test(value) ||
    /^(?:#?[0-9A-Fa-f]{6}|[0-9A-F]{4}|[0-9A-F]{8}|[0-9A-F]{32}|#[\w.]+|True|False|NaN)$/.test(value) ||
    guid.test(value) ||
    cells.test(value)
  )
}

const namesStyle = (element: string, attribute: string): boolean =>
  styleAttributes.has(`${element}@${attribute}`) || (attribute === 'w:val' && styleNames.has(element))

/** What the text of an attribute is: what nobody writes to be read, and names nothing of theirs, is code. */
export function attributeWording(element: string, attribute: string, text: string): Segment['wording'] {
  if (namesStyle(element, attribute)) return 'code'
  const isValue = /(?:^|:)val(?:ue)?$/.test(attribute)
  const key = isValue ? element : attribute
  if (spoken.has(key)) return spokenWording(text)
  return named.has(key) ? nameWording(text) : 'code'
}

/** Decides about one attribute by the canonical names of its element and itself. Unknown free text is always read. */
export function attributeAction(element: string, attribute: string, value: string): AttributeAction {
  if (attribute === 'xmlns' || attribute.startsWith('xmlns:'))
    return prefixOf(value, officeNamespaces) === '??' ? 'text' : 'keep'
  if (/^mc:P/.test(attribute)) return 'text'
  if (/^(?:r|mc):/.test(attribute) || attribute === 'xml:space') return 'keep'
  // What holds no letter and no digit tells of nobody: the marks of mathematics and of lists.
  if (!/[\p{L}\p{N}]/u.test(value)) return 'keep'
  if (namesStyle(element, attribute) && isStandardName(value) && !/\d{5}/.test(value)) return 'keep'
  if (languages.test(`${element}@${attribute}`)) return language.test(value) ? 'keep' : 'text'
  if (attribute.startsWith('w:rsid')) return 'remove'
  if (attribute === 'w:author') return { set: 'Author' }
  if (attribute === 'w:initials') return { set: 'A' }
  if (element === 'p:cmAuthor' || element === 'p188:author') {
    if (attribute === 'name') return { set: 'Author' }
    if (attribute === 'initials') return { set: 'A' }
    if (attribute === 'userId' || attribute === 'providerId') return { set: 'None' }
  }
  if (attribute === 'Target' && element === 'rel:Relationship') return /^[a-z]+:/i.test(value) ? 'text' : 'keep'
  if (element === 'tc:person') {
    if (attribute === 'displayName') return { set: 'Author' }
    if (attribute === 'userId' || attribute === 'providerId') return { set: 'None' }
  }
  if (/^(?:dt|dT|created|modified)$/.test(attribute) && /^\d{4}-\d\d-\d\dT/.test(value))
    return { set: '2000-01-01T00:00:00' }
  if (attribute === 'tableType' && value === 'queryTable') return 'remove'
  if (gone.has(attribute)) return attribute === 'codeName' ? 'text' : 'remove'
  if (attribute === 'formatCode') return 'text'
  const full = `${element}@${attribute}`
  if (fonts.test(full)) return isUsualFont(value) ? 'keep' : 'text'
  // It may also be a formula: the name of a range.
  if (bounds.has(full)) return /\d{4}/.test(value) || Number.isNaN(Number(value)) ? 'text' : 'keep'
  if (fixedOn.has(full)) return 'keep'
  if (full === 'p:strVal@val' && isAnimated(value)) return 'keep'
  if (free.has(attribute) || freeOn.has(full)) return 'text'
  if (addresses.has(attribute)) return address.test(value) ? 'keep' : 'text'
  const local = attribute.slice(attribute.indexOf(':') + 1)
  // What a word or a long number means in a vocabulary that nobody knows, nobody knows.
  if (full.includes('?:') && !guid.test(value) && (keyword.test(value) || /\d{6}/.test(value) || !isStructural(value)))
    return 'text'
  if ((local === 'val' || local === 'value') && freeValues.has(element)) return 'text'
  if (attribute === 'uri' || attribute === 'w:uri')
    return guid.test(value) || prefixOf(value, officeNamespaces) !== '??' ? 'keep' : 'text'
  const shape = element.startsWith('v:') || element.startsWith('o:')
  if (/^(?:id|spid|o:spid)$/.test(attribute) || (shape && attribute === 'type'))
    return madeUp.test(value) || guid.test(value) ? 'keep' : 'text'
  if (attribute === 'style') return !shape || isUsualStyle(value) ? 'keep' : 'text'
  if (fixed.has(attribute) || isStructural(value)) return 'keep'
  return 'text'
}
