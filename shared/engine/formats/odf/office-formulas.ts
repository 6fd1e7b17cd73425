import { longestFormula } from '../ooxml/references.ts'

const cell = String.raw`\$?[A-Z]{1,3}\$?\d{1,7}|\$?[A-Z]{1,3}|\$?\d{1,7}`
const sheet = String.raw`\$?(?:'(?:''|[^'])*'|[^\]['.#$]*)`
const range = new RegExp(`^(?<sheet>${sheet})\\.(?<from>${cell})(?::(?<toSheet>${sheet})\\.(?<to>${cell}))?$`, 'u')

/** What stands in a formula as it is, cells in brackets, and what joins and cuts ranges. */
const token =
  /(?<string>"(?:""|[^"])*")|(?<quoted>'(?:''|[^'])*')|\[(?<cells>(?:'(?:''|[^'])*'|[^\]['])*)\]|(?<cuts>[!~])/gu

/** What may stand for any cell. */
export const anyCell = 'INDIRECT()'

/** Nothing in this file changes those of another. */
const ofOtherFile = /^'(?:''|[^'])*'#/

/** A formula of OpenDocument as Office writes it, as far as it refers to cells: those in brackets, `[$Sheet2.A1:.B3]`, stand bare. */
export function officeFormula(formula: string): string {
  if (formula.length > longestFormula) return anyCell
  const written = formula.replace(/^\s*(?:(?<syntax>\w+):)?=*/, '')
  if (/^\s*msoxl:/.test(formula)) return written
  return written.replace(token, (found, ...match) => {
    const { cells, cuts } = match.at(-1) as Record<string, string | undefined>
    if (cuts !== undefined) return ' '
    return cells === undefined ? found : officeCells(cells)
  })
}

/** The cells of a list of addresses, `$Sheet2.A1:.B3 Sheet3.C1`, as Office writes them in a formula. */
export const officeAddresses = (list: string): string =>
  [...list.matchAll(/(?:'(?:''|[^'])*'|[^\s'])+/gu)].map(([address]) => officeCells(address)).join(',')

function officeCells(cells: string): string {
  if (cells.includes('#REF!')) return '#REF!'
  if (ofOtherFile.test(cells)) return '0'
  const parts = range.exec(cells)?.groups
  if (parts === undefined) return anyCell
  const { from = '', to, sheet = '', toSheet = '' } = parts
  const [first, last] = [sheet, toSheet].map(bareName)
  // Whole columns and rows are ranges.
  const end = to ?? (/[A-Z]/.test(from) && /\d/.test(from) ? undefined : from)
  const name = first === '' ? '' : quoted(last === '' || last === first ? first! : `${first}:${last}`)
  return name + from + (end === undefined ? '' : `:${end}`)
}

const bareName = (written: string): string => {
  const name = written.replace(/^\$/, '')
  return name.startsWith("'") ? name.slice(1, -1).replaceAll("''", "'") : name
}

const quoted = (name: string) => `'${name.replaceAll("'", "''")}'!`
