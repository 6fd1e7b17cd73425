import { pushAll } from '../../lists.ts'
import { entailedWithin } from '../text/entailed.ts'
import type { NamedAttribute } from '../xml/names.ts'
import { decodeXml } from '../xml/text.ts'
import { isLiteral } from './entailed.ts'
import { count, type OpenElement, type PartReading } from './part-state.ts'

/** What the report calls fields that become the text that they show. */
export const keptAsText = 'fields of properties (kept as text)'

/**
 * Codes of fields that show what the file no longer says of itself. Programs compute fields anew, and would show nothing or
 * an error in place of what people read now, so these become the text that they show.
 */
const codes =
  /^\s*(?:TITLE|SUBJECT|AUTHOR|KEYWORDS|COMMENTS|LASTSAVEDBY|DOCPROPERTY|DOCVARIABLE|INFO|TEMPLATE|CREATEDATE|SAVEDATE|PRINTDATE|REVNUM|EDITTIME)\b/i

/** Whether an element is a whole field that becomes the text that it shows. */
export const isPropertyField = (name: string, attributes: readonly NamedAttribute[]): boolean =>
  name === 'w:fldSimple' &&
  attributes.some(({ canonical, value }) => canonical === 'w:instr' && codes.test(decodeXml(value)))

/** Notes a mark of a field: where it begins, where its code ends, where it ends. */
export function readFieldMark({ fields, paragraph }: PartReading, attributes: readonly NamedAttribute[]): void {
  const type = attributes.find(({ canonical }) => canonical === 'w:fldCharType')?.value
  const field = fields.at(-1)
  if (type === 'begin') {
    if (field?.isShown === false) field.isNesting = true
    const isInCode = field !== undefined && (field.isInCode || !field.isShown)
    const own = { places: [], isShown: false, becomesText: false, isNesting: false }
    return void fields.push({ ...own, also: field?.also ?? [], isInCode })
  }
  if (field === undefined || field.isShown) return
  field.isShown = true
  // A field in the code of another is a part of that code.
  const code = paragraph?.code.map(({ text }) => text).join('') ?? ''
  field.becomesText = type === 'separate' && !field.isInCode && codes.test(code)
  // What the fields in its code show would become text with it.
  if (type === 'separate' && !field.isNesting && isLiteral(code)) {
    field.also = entailedWithin(field.also, field.places)
    field.places = field.also.at(-1)!
  }
  if (field.becomesText) paragraph!.code = []
}

/** Notes the end of an element that writes a field; a field that ends goes if it is to become text. */
export function closeFieldPart(reading: PartReading, { name, start, ends }: OpenElement, end: number): void {
  const { fields, cleaning } = reading
  fields.at(-1)?.places.push({ start, end, text: '' })
  if (name !== 'w:fldChar' || !ends) return
  const field = fields.pop()
  if (!field?.becomesText) return
  pushAll(cleaning, field.places)
  count(reading, keptAsText)
}
