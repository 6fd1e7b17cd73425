import type { Patch } from '../text/text-nodes.ts'
import { scanNamed } from '../xml/names.ts'
import type { Dependents } from './dependents.ts'
import { officeNamespaces } from './namespaces.ts'
import { type CellNames, type Reference, referencesIn } from './references.ts'

/** A value that a chart keeps of a cell: its element, which of the cells it is, and what the chart calls these. */
type Point = { start: number; end: number; index: number; cells: string }

/**
 * Takes the values out of a chart that it keeps of cells which were replaced, or depend on one that was, and which no edit
 * has changed: programs read them from the cells.
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
  for (const { start, end, index, cells } of pointsOf(source)) {
    if (!areas.has(cells)) areas.set(cells, referencesIn(cells, { sheet: 0, row: 0, column: 0 }, names))
    while (edited[next]! < start) next++
    if (edited[next]! < end) continue
    const isOutdated = (areas.get(cells) ?? []).some(area => depending.has(...cellAt(area, index)))
    if (isOutdated) outdated.push({ start, end, text: '' })
  }
  return outdated
}

/** The sheet, row and column of the cell of an area with a number from 0; it has one row or one column. */
function cellAt({ sheet = 0, left, top, bottom }: Reference, index: number): [number, number, number] {
  return top.at === bottom.at ? [sheet, top.at, left.at + index] : [sheet, top.at + index, left.at]
}

function pointsOf(source: string): Point[] {
  const points: Point[] = []
  const open: { name: string; start: number; index: number }[] = []
  let cells = ''
  scanNamed(
    source,
    officeNamespaces,
    {
      open(name, start, _end, _empty, attributes) {
        const index = Number(attributes.find(({ canonical }) => canonical === 'idx')?.value)
        open.push({ name, start, index })
        if (name === 'c:f') cells = ''
      },
      close(name, _start, end) {
        const element = open.pop()!
        if (name === 'c:pt') points.push({ start: element.start, end, index: element.index, cells })
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
