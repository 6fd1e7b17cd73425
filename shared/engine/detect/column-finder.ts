import type { Segment } from '../formats/format.ts'
import { labelColumn, namesColumn } from '../recognisers/columns.ts'
import type { Column } from './entity-model.ts'

/** Tells the column of each of some segments; outside of tables that is the name of a property, key or element. */
export function columnFinder(profiles: ReadonlyMap<string, Column> | undefined, isTable: boolean) {
  return ({ text, place, heading }: Segment, index: number, segments: readonly Segment[]): Column | undefined => {
    const { kind, column } = place
    if (column === undefined || kind === 'name') return undefined
    const own = profiles?.get(column)
    if (kind === 'header') return own && namesColumn(own, text) ? own : undefined
    if (!isTable) return { name: heading ?? column, values: [text] }
    if (kind !== 'cell') return undefined
    const before = segments[index - 1]
    const isBeside = before?.place.kind === 'cell' && before.place.row === place.row && before.place.part === place.part
    return (isBeside ? labelColumn(before.text, text, own) : undefined) ?? own
  }
}
