import type { Patch } from '../text/text-nodes.ts'
import { scanNamed } from '../xml/names.ts'
import type { Dependents } from './dependents.ts'
import { cellsOf } from './formula-runs.ts'
import { officeNamespaces } from './namespaces.ts'
import { type CellNames, type Reference, referencesIn } from './references.ts'

/** A value that a chart keeps of a cell: its element, which of the cells it is, on which level, and what the chart calls these. */
type Point = { start: number; end: number; index: number; level: number; cells: string }

/**
 * Takes the values out of a chart that it keeps of cells which were replaced, or depend on one that was, and which no edit
 * has changed: programs read them from the cells. Where it can't be told of which cell one is, it goes too.
 */
export function withoutOutdatedPoints(
  source: string,
  patches: readonly Patch[],
  names: CellNames,
  depending: Dependents,
): Patch[] {
  const areas = new Map<string, Reference[] | undefined>()
  const outdated: Patch[] = []
  const edited = patches.map(({ start }) => start).sort((a, b) => a - b)
  let next = 0
  for (const { start, end, index, level, cells } of pointsOf(source)) {
    if (!areas.has(cells)) areas.set(cells, referencesIn(cells, { sheet: 0, row: 0, column: 0 }, names))
    while (edited[next]! < start) next++
    if (edited[next]! < end) continue
    const possible = cellsAt(areas.get(cells), index, level)
    const isOutdated = possible === undefined ? depending.hasAny() : possible.some(cell => depending.has(...cell))
    if (isOutdated) outdated.push({ start, end, text: '' })
  }
  return outdated
}

type Cell = [sheet: number, row: number, column: number]

/**
 * The cells of which a point with a number from 0 may be: in areas of one row or one column it is counted through all of
 * them, in another one along its rows or its columns, with the last as the first level. Nothing where that can't be told.
 */
function cellsAt(areas: readonly Reference[] | undefined, index: number, level: number): Cell[] | undefined {
  if (areas?.length === 0) return []
  let at = index
  for (const area of areas ?? []) {
    const { first, last, from, to } = cellsOf(area, 0, 0)
    const [rows, columns] = [to - from + 1, last - first + 1]
    const { sheet } = area
    if (sheet === undefined) return undefined
    if (rows > 1 && columns > 1) {
      if (areas!.length > 1 || level < 0) return undefined
      const cells: Cell[] = []
      if (index < rows && level < columns) cells.push([sheet, from + index, last - level])
      if (index < columns && level < rows) cells.push([sheet, to - level, first + index])
      return cells.length > 0 ? cells : undefined
    }
    if (at < rows * columns) return [[sheet, from + (columns === 1 ? at : 0), first + (columns === 1 ? 0 : at)]]
    at -= rows * columns
  }
  return undefined
}

function pointsOf(source: string): Point[] {
  const points: Point[] = []
  const open: { name: string; start: number; index: number }[] = []
  let cells = ''
  let level = -1
  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, start, _end, _empty, attributes) {
        const index = Number(attributes.find(({ canonical }) => canonical === 'idx')?.value)
        open.push({ name, start, index })
        if (name === 'c:f') {
          cells = ''
          level = -1
        } else if (name === 'c:lvl') level++
      },
      close(name, _start, end) {
        const element = open.pop()!
        if (name === 'c:pt') points.push({ start: element.start, end, index: element.index, level, cells })
        else if (/^c:(?:num|str|multiLvlStr)Ref$/.test(name)) cells = ''
      },
      text(start, end) {
        if (open.at(-1)?.name === 'c:f') cells += source.slice(start, end)
      },
    },
    1024,
  )
  return points.filter(({ cells, index }) => cells !== '' && Number.isInteger(index))
}
