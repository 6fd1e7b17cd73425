import type { Place } from '../format.ts'
import { isUsualFont } from '../office/font-names.ts'
import type { SheetNames } from '../office/sheet-names.ts'
import type { SourceRun } from '../text/text-nodes.ts'
import { decodeXml, encodeXml } from '../xml/text.ts'
import { bounds } from './attributes.ts'
import { encodeString } from './escapes.ts'
import { formulaRuns, identifier } from './formulas.ts'
import { numberFormatRuns } from './number-formats.ts'
import { isFormula } from './vocabulary.ts'

const references = /^(?:s:hyperlink@location|[\w:]+@(?:textlink|fmla(?:Link|Range|Group|Txbx|Pict)))$/

/** Whether an attribute, by its element and itself, names a table or a range: no two of a workbook may be called the same. */
export const isRangeName = (key: string): boolean => /^s:(?:table@(?:name|displayName)|definedName@name)$/.test(key)

/** The attribute, with its element, that names a column of a table. */
export const columnName = 's:tableColumn@name'

/** How an attribute that may hold text is written once edited. */
export function attributeRun(
  element: string,
  attribute: string,
  text: string,
  sheets: SheetNames,
): Pick<SourceRun, 'encode' | 'escape'> {
  const key = `${element}@${attribute}`
  if (/^s:(?:sheet@name|\w+@sheet)$/.test(key))
    return { escape: identifier, encode: out => encodeXml(sheets.named(text, out)) }
  if (references.test(key)) return { escape: identifier, encode: out => encodeXml(sheets.reference(text, out)) }
  if (/^mc:P/.test(attribute)) return { escape: identifier, encode: encodeXml }
  if (isRangeName(key)) return { escape: identifier, encode: out => encodeXml(sheets.rangeNamed(text, out)) }
  if (bounds.has(key)) return { encode: out => (Number.isFinite(Number(out)) ? out : '0') }
  if (key === columnName) return { encode: out => encodeString(sheets.columnNamed(text, out)) }
  if (/^(?:w:bookmarkStart@w:name|w:hyperlink@w:anchor)$/.test(key)) return { escape: identifier, encode: encodeXml }
  return { encode: encodeXml }
}

/** The runs of a text outside of any paragraph, in groups that are read as one text each. */
export function looseRuns(
  element: string,
  raw: string,
  start: number,
  sheets: SheetNames,
): { kind: Place['kind']; runs: SourceRun[] }[] {
  if (/^s:(?:odd|even|first)(?:Header|Footer)$/.test(element)) return pageHeader(raw, start)
  if (element === 'c:formatCode') return numberFormatRuns(raw, start).map(runs => ({ kind: 'attribute', runs }))
  if (isFormula(element)) return formulaRuns(raw, start, sheets).map(run => ({ kind: 'attribute', runs: [run] }))
  // Office reports a file as damaged whose version is none: where a rule found something in it, it is the usual one.
  if (element === 'ep:AppVersion')
    return [{ kind: 'meta', runs: [{ text: raw, start, end: start + raw.length, encode: () => '16.0300' }] }]
  return [{ kind: 'body', runs: [{ text: decodeXml(raw), start, end: start + raw.length, encode: encodeXml }] }]
}

/** Codes of a header, and a sign of its own, which is written twice. */
const headerCode = /&amp;(?:&amp;|&quot;.*?&quot;|".*?"|K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|\d{1,3}|[A-JL-Za-z+-])/g

const headerFont = /^(?:&amp;)(?:&quot;|")(.*?)(?:&quot;|")$/

/** What a font of a header is named and how it looks, without what programs call so. */
function* unusualFonts(font: string): Generator<{ text: string; at: number }> {
  const [family = '', ...styles] = font.split(',')
  const style = styles.join(',')
  if (family !== '-' && !isUsualFont(decodeXml(family))) yield { text: family, at: 0 }
  if (!/^(?:-|(?:Regular|Bold|Italic| )+)?$/.test(style)) yield { text: style, at: family.length + 1 }
}

/**
 * A page header: its codes (`&L`, `&"Arial"`, `&12`) are markup, its three sections texts of their own. So are fonts
 * that are not known.
 */
function pageHeader(raw: string, start: number): { kind: Place['kind']; runs: SourceRun[] }[] {
  const sections: SourceRun[][] = [[]]
  const fonts: SourceRun[] = []
  let at = 0
  const add = (to: number) => {
    if (to <= at) return
    const text = decodeXml(raw.slice(at, to)).replaceAll('&&', '&')
    const encode = (out: string) => encodeXml(out.replaceAll('&', '&&'))
    sections.at(-1)!.push({ text, start: start + at, end: start + to, encode })
  }
  for (const code of raw.matchAll(headerCode)) {
    if (code[0] === '&amp;&amp;') continue
    add(code.index)
    at = code.index + code[0].length
    if (/^&amp;[LCR]$/.test(code[0])) sections.push([])
    const font = headerFont.exec(code[0])?.[1]
    if (font === undefined) continue
    const from = start + code.index + code[0].indexOf(font)
    const encode = (out: string) => encodeXml(out.replace(/["&]/g, ''))
    for (const { text, at: offset } of unusualFonts(font))
      fonts.push({ text: decodeXml(text), start: from + offset, end: from + offset + text.length, encode })
  }
  add(raw.length)
  return [
    ...sections.filter(runs => runs.length > 0).map(runs => ({ kind: 'header' as const, runs })),
    ...fonts.map(run => ({ kind: 'attribute' as const, runs: [run] })),
  ]
}
