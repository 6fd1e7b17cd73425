import { decodeXml } from '../xml/text.ts'
import { errorValue } from './formulas.ts'
import { isFunction } from './functions.ts'

/** One end of a stretch of rows or columns: a number from 1, or, where it moves with the formula, how far away it is. */
type End = { at: number; moves: boolean }

/** Cells that a formula refers to, in one sheet by its place in the workbook, or in any. */
export type Reference = { sheet?: number; left: End; right: End; top: End; bottom: End }

/** What formulas of a workbook call sheets and stretches of cells. */
export type CellNames = {
  /** The place of a sheet in the workbook; nothing for names of none or of several. */
  sheet(name: string): number | undefined
  /** The cells that a name stands for; nothing where that can't be told. */
  named(name: string): readonly Reference[] | undefined
}

export const lastRow = 1_048_576
export const lastColumn = 16_384

/** Names of sheets have 31 characters; of several, the first and the last are named. */
const plain = String.raw`[\p{L}\p{N}_.]{1,31}`
const sheet = `(?:'(?:''|[^']){0,99}'|${plain}(?::${plain})?)!`
const cells = String.raw`(?<column>\$?[A-Z]{1,3})(?<row>\$?\d{1,7})(?::(?<toColumn>\$?[A-Z]{1,3})(?<toRow>\$?\d{1,7}))?`
const columns = String.raw`(?<first>\$?[A-Z]{1,3}):(?<last>\$?[A-Z]{1,3})`
const rows = String.raw`(?<above>\$?\d{1,7}):(?<below>\$?\d{1,7})`
/** Brackets hold columns of tables and words such as `#All`. */
const error = String.raw`(?<error>(?:${sheet})?(?<!\[)${errorValue}(?!\p{L}))`
const reference = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.])(?:${error}|(?<sheet>${sheet})?(?:${cells}|${columns}|${rows})(?![\p{L}\p{N}_.(!]))`,
  'gu',
)

/** Cells and names of other files: nothing in this one changes them. */
const outside =
  /(?:'[^'[]{0,255}\[\d{1,9}\](?:''|[^']){0,255}'|\[\d+\][\p{L}\p{N}_.]*)!(?:\$?[A-Z]{0,3}\$?\d+(?::\$?[A-Z]{0,3}\$?\d+)?|\$?[A-Z]{1,3}:\$?[A-Z]{1,3}|[\p{L}_][\p{L}\p{N}_.]*)/gu

/** Longer formulas, and those with more references, may refer to any cell. Programs have them half as long. */
export const longestFormula = 16_384
const mostReferences = 256

/** Cells that only computing tells: of a function, an unknown one, a spilled array, a range that begins or ends with a function's. */
const computed = /#(?![A-Z])|\b(?:INDIRECT|OFFSET|CELL|GETPIVOTDATA|CUBE\w*)\s*\(|(?<!\]\s{0,9}):|:(?!\s*\[)|\[\d+\]/iu
/** The last argument of these takes the size of the first. */
const resized = /\b(?:SUMIF|AVERAGEIF)\s*\(/i
const called = /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_.]*(?=\s*\()/gu
const name =
  /(?<![\p{L}\p{N}_.])(?!(?:TRUE|FALSE)\b)[\p{L}_\\][\p{L}\p{N}_.\\]*(?![\p{L}\p{N}_.(!])(?:\[(?:[^[\]]|\[(?:'[\s\S]|[^[\]'])*\])*\])?|\[/giu

const numberOf = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

function endOf(written: string | undefined, base: number, otherwise: number): End {
  if (written === undefined) return { at: otherwise, moves: false }
  const fixed = written.startsWith('$')
  const bare = fixed ? written.slice(1) : written
  const at = /\d/.test(bare) ? Number(bare) : numberOf(bare)
  return fixed ? { at, moves: false } : { at: at - base, moves: true }
}

/**
 * The cells that a formula, as it is written in a cell of a sheet, refers to. Nothing where that can't be told: it may refer
 * to any.
 */
export function referencesIn(
  raw: string,
  own: { sheet: number; row: number; column: number },
  names: CellNames,
): Reference[] | undefined {
  const formula = decodeXml(raw)
  if (formula.length > longestFormula) return undefined
  const bare = formula.replace(/"(?:""|[^"])*"/g, '""')
  const code = bare.includes('[') ? bare.replace(outside, ' ') : bare
  const found: Reference[] = []
  const rest = code.replace(reference, (...match) => {
    const groups = match.at(-1) as Record<string, string | undefined>
    if (groups.error === undefined) found.push(referenceOf(groups, own, names))
    return ' '
  })
  if (found.length > mostReferences) return undefined
  if (!/[\p{L}\\[#:]/u.test(rest)) return found
  if (computed.test(rest) || (resized.test(rest) && found.some(isSingle))) return undefined
  for (const [word] of rest.matchAll(called)) if (!isFunction(word)) return undefined
  for (const [word] of rest.matchAll(name)) {
    const meant = names.named(word)
    if (meant === undefined || found.length + meant.length > mostReferences) return undefined
    found.push(...meant)
  }
  return found
}

const isSingle = ({ left, right, top, bottom }: Reference) => left.at === right.at && top.at === bottom.at

function referenceOf(
  groups: Record<string, string | undefined>,
  own: { sheet: number; row: number; column: number },
  names: CellNames,
): Reference {
  const { column, row, toColumn = column, toRow = row, first, last, above, below } = groups
  const called = groups.sheet?.slice(0, -1)
  const bare = called?.startsWith("'") ? called.slice(1, -1).replaceAll("''", "'") : called
  const of = bare === undefined ? own.sheet : names.sheet(bare)
  return {
    ...(of !== undefined && { sheet: of }),
    left: endOf(column ?? first, own.column, 1),
    right: endOf(toColumn ?? last, own.column, lastColumn),
    top: endOf(row ?? above, own.row, 1),
    bottom: endOf(toRow ?? below, own.row, lastRow),
  }
}
