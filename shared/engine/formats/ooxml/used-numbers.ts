import { decodeXml } from '../xml/text.ts'
import type { Formula } from './slow-rows.ts'

/** Collects, over all sheets, which numbers were replaced and which cells the formulas that stay refer to. */
export type UsedNumbers = {
  /** Notes a number that was replaced; row and column from 1. */
  replaced(page: number, row: number, column: number): void
  /** Notes a formula that stays. */
  formula(page: number, formula: Formula): void
  /** Whether a formula may use a number that was replaced. */
  any(): boolean
}

/** Cells that formulas refer to; without a page where they name a sheet. */
type Area = { page?: number; left: number; right: number; top: number; bottom: number }

const [lastRow, lastColumn] = [1_048_576, 16_384]

/** Names of sheets have 31 characters; of several, the first and the last are named. */
const plain = String.raw`[\p{L}\p{N}_.]{1,31}`
const sheet = `(?<sheet>(?:'(?:''|[^']){0,99}'|${plain}(?::${plain})?)!)?`
const cells = String.raw`\$?(?<column>[A-Z]{1,3})\$?(?<row>\d{1,7})(?::\$?(?<toColumn>[A-Z]{1,3})\$?(?<toRow>\d{1,7}))?`
const columns = String.raw`\$?(?<first>[A-Z]{1,3}):\$?(?<last>[A-Z]{1,3})`
const rows = String.raw`\$?(?<top>\d{1,7}):\$?(?<bottom>\d{1,7})`
const reference = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.])${sheet}(?:${cells}|${columns}|${rows})(?![\p{L}\p{N}_.(!])`,
  'gu',
)
/** What names cells in another way: the column of a table, a name of a range. */
const name = /\[|(?<![\p{L}\p{N}_.])(?!(?:TRUE|FALSE)\b)[\p{L}_][\p{L}\p{N}_.]*(?![\p{L}\p{N}_.(!])/iu

const numberOf = (letters: string) => [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0)

function areaOf(groups: Record<string, string | undefined>, page: number): Area {
  const { column, row, toColumn = column, toRow = row, first, last, top, bottom } = groups
  const [from, to] = [column ?? first, toColumn ?? last]
  const own = groups.sheet === undefined ? { page } : {}
  return {
    ...own,
    left: from === undefined ? 1 : numberOf(from),
    right: to === undefined ? lastColumn : numberOf(to),
    top: Number(row ?? top ?? 1),
    bottom: Number(toRow ?? bottom ?? lastRow),
  }
}

/** Starts with nothing noted. What it keeps does not grow with the number of rows. */
export function usedNumbers(): UsedNumbers {
  /** Of each column of a sheet the first and the last row with a number that was replaced. */
  const numbers = new Map<string, { page: number; column: number; first: number; last: number }>()
  const areas = new Map<string, Area>()
  let isNamed = false
  const refer = (area: Area) => {
    const key = `${area.page} ${area.left} ${area.right}`
    const known = areas.get(key) ?? area
    const [top, bottom] = [Math.min(known.top, area.top), Math.max(known.bottom, area.bottom)]
    areas.set(key, { ...known, top, bottom })
  }
  return {
    replaced(page, row, column) {
      const key = `${page} ${column}`
      const first = numbers.get(key)?.first ?? row
      numbers.set(key, { page, column, first, last: row })
    },
    formula(page, { text, shared }) {
      const code = decodeXml(text).replace(/"(?:""|[^"])*"/g, '""')
      for (const { groups = {} } of code.matchAll(reference)) {
        const area = areaOf(groups, page)
        // It stands for those of other cells, which refer to cells further on.
        refer(shared === undefined ? area : { ...area, left: 1, right: lastColumn, top: 1, bottom: lastRow })
      }
      isNamed ||= name.test(code.replace(reference, ''))
    },
    any() {
      if (isNamed || areas.size * numbers.size > 1e6) return numbers.size > 0
      const uses = ({ page, left, right, top, bottom }: Area) =>
        [...numbers.values()].some(
          ({ page: own, column, first, last }) =>
            (page ?? own) === own && column >= left && column <= right && first <= bottom && last >= top,
        )
      return [...areas.values()].some(uses)
    },
  }
}
