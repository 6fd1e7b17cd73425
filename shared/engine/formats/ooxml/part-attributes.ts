import { decodeUrl } from '../html/values.ts'
import { addressWording } from '../office/wording.ts'
import type { SourceRun } from '../text/text-nodes.ts'
import { isForeign, type NamedAttribute } from '../xml/names.ts'
import { decodeXml, encodeXml } from '../xml/text.ts'
import { attributeWording } from './attributes.ts'
import { decodeString, encodeString } from './escapes.ts'
import { numberFormatRuns } from './number-formats.ts'
import { count, hide, type PartReading } from './part-state.ts'
import { attributeRun, columnName, isRangeName } from './values.ts'

/** Reads an attribute of an element: what it says is text, a word of the format's own, or goes. */
export function readAttribute(reading: PartReading, element: string, attribute: NamedAttribute): void {
  const { canonical, name, value, start, end, valueStart, valueEnd } = attribute
  const { source, context, structure, cleaning } = reading
  const lost = canonical.startsWith('r:') && context.gone.has(value)
  const fate = lost ? 'remove' : reading.actionOf(element, canonical, value)
  if (isForeign(canonical)) reading.readName(name, start + (/\S/.exec(source.slice(start))?.index ?? 0))
  else if (fate !== 'remove') structure.add(name)
  if (fate === 'keep') structure.add(value)
  else if (fate === 'remove') cleaning.push({ start, end, text: '' })
  else if (canonical === 'formatCode') {
    for (const runs of numberFormatRuns(value, valueStart)) hide(reading, 'attribute', runs)
  } else if (fate !== 'text') {
    structure.add(fate.set)
    if (value === fate.set) return
    cleaning.push({ start: valueStart, end: valueEnd, text: fate.set })
    if (fate.set === 'Author') count(reading, 'names of people')
  } else if (/\S/.test(value)) readText(reading, element, attribute)
}

/** Notes an attribute's text, each distinct one once with all the places where it is written. */
function readText(reading: PartReading, element: string, attribute: NamedAttribute) {
  const { canonical, value, start, end, valueStart, valueEnd } = attribute
  const { context, values } = reading
  const isString = element.startsWith('s:') && value.includes('_x')
  const plain = isString ? decodeString(value) : decodeXml(value)
  const url = /^[a-z]+:.*%[0-9a-f]{2}/i.test(plain) ? decodeUrl(plain) : undefined
  const text = url?.text ?? plain
  if (element === 's:sheet') context.sheets.list(text)
  else if (isRangeName(`${element}@${canonical}`)) context.sheets.listRange(text)
  else if (`${element}@${canonical}` === columnName) context.sheets.listColumn(text)
  const writing = attributeRun(element, canonical, text, context.sheets)
  const run: SourceRun = { text, start: valueStart, end: valueEnd, ...writing }
  if (isString && run.encode === encodeXml) run.encode = encodeString
  // Readers refuse addresses of namespaces that are none.
  if (canonical.startsWith('xmlns')) run.escape = encodeURIComponent
  if (url !== undefined) run.encode = out => encodeXml(url.encode(out))
  if (canonical === 'w:displayText') run.also = reading.stack.at(-1)!.also
  // Word reports a file as damaged if this is no date.
  if (canonical === 'w:fullDate') run.also = [[{ start, end, text: '' }]]
  const wording = url === undefined ? attributeWording(element, canonical, text) : addressWording(text)
  const key = `${run.escape === undefined ? 'text' : element}:${wording ?? ''}:${text}`
  const known = values.get(key)
  if (known !== undefined) known.copies!.push(run)
  else {
    const place = { ...context.place, kind: element === 's:sheet' ? ('name' as const) : ('attribute' as const) }
    values.set(key, { segment: { text, place, visible: false, wording }, runs: [run], copies: [] })
  }
}
