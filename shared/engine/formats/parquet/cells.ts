import type { ByteCells } from '../cells/utf8-cells.ts'
import type { Leaf } from './columns.ts'
import { eachValue, type Slice } from './rows.ts'

/** The cells of some rows that have a text, row after row, and the way back to where their values stand. */
export type RowCells = Omit<ByteCells, 'visible'> & {
  where(index: number): { slice: Slice; leaf: Leaf; at: number }
  /** Puts the texts of a column's values in their place. */
  becomeTexts(column: number): void
}

/** Makes texts of the values of some rows. `first` is the number of the first row. */
export function cellsOf(slices: readonly Slice[], leaves: readonly Leaf[], rows: number, first: number): RowCells {
  const texts: string[] = []
  const columns: number[] = []
  const values: number[] = []
  const rowOf: number[] = []
  eachValue(slices, leaves, rows, (column, value, row) => {
    const { show } = leaves[column]!
    if (show === undefined) return
    texts.push(show(slices[column]!.values[value]!))
    columns.push(column)
    values.push(value)
    rowOf.push(row)
  })
  const column = (index: number) => leaves[columns[index]!]!.name
  return {
    texts,
    column,
    place: index => ({ kind: 'cell', row: first + rowOf[index]!, column: column(index) }),
    where: index => ({ slice: slices[columns[index]!]!, leaf: leaves[columns[index]!]!, at: values[index]! }),
    becomeTexts(wanted) {
      const slice = slices[wanted]!
      slice.values = slice.values.map(leaves[wanted]!.show!)
    },
  }
}
