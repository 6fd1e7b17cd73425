import type { SheetNames } from '../office/sheet-names.ts'
import type { SourceRun } from '../text/text-nodes.ts'
import { decodeXml, encodeXml } from '../xml/text.ts'
import { isFunction } from './functions.ts'

/** A replacement in a place where only a name may stand: sheets, bookmarks, references in formulas. */
export function identifier(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.]+/gu, '_').replace(/^_+|_+$/g, '') || '_'
}

/** A stretch of a formula that is text. Where a number is edited, the formula no longer gives what it gave. */
export type FormulaRun = SourceRun & { number: boolean }

/** How formulas are written: in brackets Office has names of columns, OpenDocument cells. */
export type FormulaStyle = 'office' | 'opendocument'

/** An error value, such as `#N/A` and `#DIV/0!`. */
export const errorValue = '#[A-Z_]+[!?]?(?:/[0A]!?)?'
const column = String.raw`\$?[A-Z]{1,3}`
const name = String.raw`[\p{L}_\\][\p{L}\p{N}\p{M}_.\\?]*`
const inName = String.raw`[\p{L}\p{N}\p{M}_.(!\\?]`
const kinds = [
  '(?<string>"(?:""|[^"])*"?)',
  "(?<quoted>'(?:''|[^'])*'?)",
  errorValue,
  String.raw`(?:${column}:${column}|${column}\$?\d{1,7}|\$?\d{1,7}:\$?\d{1,7})(?!${inName})`,
  String.raw`(?<date>\bDATE\(\s*\d{4}\s*,\s*\d{1,2}\s*,\s*\d{1,2}\s*\))`,
  String.raw`(?<number>\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)`,
  `(?<name>${name})`,
]
const patterns: Record<FormulaStyle, RegExp> = {
  office: new RegExp([String.raw`\[(?<column>(?:'[\s\S]|[^[\]'])*)\]`, ...kinds].join('|'), 'gu'),
  opendocument: new RegExp([String.raw`^\s*\w+:=|\[[$.A-Z0-9:#]*\]`, ...kinds].join('|'), 'gu'),
}

/**
 * The texts of a formula, each for itself: strings, numbers, and the names that people give to sheets, tables, columns
 * and ranges. The functions that programs know and the cells that a formula refers to are no text.
 */
export function formulaRuns(
  raw: string,
  start: number,
  sheets: SheetNames,
  style: FormulaStyle = 'office',
): FormulaRun[] {
  const { text, places } = decoded(raw)
  const runs: FormulaRun[] = []
  for (const { index, 0: found, groups = {} } of text.matchAll(patterns[style])) {
    const add = (from: number, to: number, more: Omit<SourceRun, 'start' | 'end'>, number = false) => {
      if (to > from) runs.push({ ...more, start: start + places(from), end: start + places(to), number })
    }
    const end = index + found.length
    const inner = (mark: string) => [index + 1, end - (found.length > 1 && found.endsWith(mark) ? 1 : 0)] as const
    if (groups.string !== undefined) {
      const [from, to] = inner('"')
      const own = text.slice(from, to).replaceAll('""', '"')
      add(from, to, { text: own, encode: out => encodeXml(out.replaceAll('"', '""')) })
    } else if (groups.quoted !== undefined) {
      const [from, to] = inner("'")
      const own = text.slice(from, to).replaceAll("''", "'")
      const encode = (out: string) => encodeXml(sheets.named(own, out).replaceAll("'", "''"))
      add(from, to, { text: own, encode, escape: identifier })
    } else if (groups.column !== undefined) {
      const from = index + (groups.column.startsWith('@') ? 2 : 1)
      if (text[from] === '#') continue
      const own = text.slice(from, end - 1).replace(/'([[\]#'@])/g, '$1')
      const encode = (out: string) => encodeXml(sheets.columnNamed(own, out).replace(/[[\]#'@]/g, "'$&"))
      add(from, end - 1, { text: own, encode })
    } else if (groups.date !== undefined) add(index, end, { text: dateIn(found), encode: writtenDate }, true)
    else if (groups.number !== undefined)
      add(index, end, { text: found, encode: out => (Number.isFinite(Number(out)) ? out : '0') }, true)
    else if (groups.name !== undefined && !isWord(found, text, end))
      add(index, end, { text: found, encode: namer(found, text.slice(end, end + 64), sheets), escape: identifier })
  }
  return runs
}

/** The date that a formula makes of numbers, and how another one is written. */
function dateIn(found: string): string {
  const [year, month, day] = found.match(/\d+/g)!
  return [year, month!.padStart(2, '0'), day!.padStart(2, '0')].join('-')
}
const writtenDate = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? `DATE(${text.split('-').map(Number).join(',')})` : 'DATE(1900,1,1)'

/** How a name outside of quotes is written: as that of a sheet where cells follow, in OpenDocument after a full stop. */
function namer(found: string, after: string, sheets: SheetNames): (out: string) => string {
  const cells = /(?<=.)\.(?:[A-Z]{1,3}\d*)?$/.exec(found)?.[0] ?? ''
  const isSheet = cells !== '' || /^(?::[\p{L}\p{N}_.]+)?!/u.test(after)
  if (!isSheet) return out => encodeXml(sheets.rangeNamed(found, out))
  const sheet = found.slice(0, found.length - cells.length)
  return out =>
    encodeXml(out.endsWith(cells) ? sheets.named(sheet, out.slice(0, out.length - cells.length)) + cells : out)
}

/** Whether a name is one that programs gave. */
function isWord(found: string, text: string, end: number): boolean {
  if (/^(?:TRUE|FALSE)$/i.test(found)) return true
  return /^\s*\(/.test(text.slice(end, end + 8)) && isFunction(found)
}

/** A text without its references to characters, and where each of its characters is written. */
export function decoded(raw: string): { text: string; places(at: number): number } {
  if (!raw.includes('&') && !raw.includes('\r')) return { text: raw, places: at => at }
  const places: number[] = []
  let text = ''
  for (const { index, 0: found } of raw.matchAll(/&[^&;]*;|\r\n?|[\s\S]/g)) {
    const one = decodeXml(found)
    for (let unit = 0; unit < one.length; unit++) places.push(index)
    text += one
  }
  places.push(raw.length)
  return { text, places: at => places[at]! }
}

const joining =
  /&|\b(?:CONCAT\w*|TEXTJOIN|SUBSTITUTE|REPLACEB?|REPT|CHAR|UNICHAR|TEXT\w*|DOLLAR|FIXED|BASE|(?:MID|LEFT|RIGHT)B?|UPPER|LOWER|PROPER|TRIM|CLEAN|LAMBDA|REGEX\w+)\s*\(/i

/** Whether a formula as it is written may make a text that stands in no cell. */
export function makesText(raw: string): boolean {
  return joining.test(decodeXml(raw).replace(/"[^"]*"/g, ''))
}

/**
 * A formula without its functions and references, for a search of what may be told by it. Knows no more of formulas than
 * where strings and names in quotes begin and end.
 */
export function withoutFunctions(formula: string): string {
  return formula
    .split(/("(?:""|[^"])*"|'(?:''|[^'])*')/)
    .map((text, index) =>
      index % 2 === 1
        ? text
        : text
            .replace(/[\p{L}_][\p{L}\p{N}_.]*(?=\s*\()/gu, found => (isFunction(found) ? '' : found))
            .replace(/(?<![\p{L}\p{N}_.])\$?[A-Z]{1,3}\$?\d{1,7}(?![\p{L}\p{N}_.])|\b(?:TRUE|FALSE)\b/gu, ''),
    )
    .join('')
}
