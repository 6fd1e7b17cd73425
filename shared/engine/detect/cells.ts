import type { Cells } from '../formats/format.ts'
import { resolveOverlaps } from './overlap.ts'
import type { Hits, RegexSearch } from './regex/search.ts'
import type { Span } from './span.ts'

/** Pattern rules for the same columns, those that may read bytes apart from those that need the text. */
export type CellGroup = { columns?: (column: string) => boolean; bytes?: RegexSearch; text?: RegexSearch }

/** Turns ascending offsets in a text into offsets in its UTF-8 form, in place. */
function toByteOffsets(bytes: string, offsets: number[]) {
  let byte = 0
  let unit = 0
  for (let index = 0; index < offsets.length; index++) {
    const wanted = offsets[index]!
    while (unit < wanted) {
      const code = bytes.charCodeAt(byte)
      byte += code < 0x80 ? 1 : code < 0xe0 ? 2 : code < 0xf0 ? 3 : 4
      unit += code < 0xf0 ? 1 : 2
    }
    offsets[index] = byte
  }
}

/** What the rules find in many cells, by rule, as byte offsets. */
export function findInCells(groups: readonly CellGroup[], cells: Cells): Hits[] {
  const found: Hits[] = []
  for (const { columns, bytes, text } of groups) {
    const joined = columns ? cells.within(columns) : cells.bytes
    if (bytes) found.push(...bytes.find(joined, 0, true))
    if (!text) continue
    const hits = text.find(cells.ascii ? joined : Buffer.from(joined, 'latin1').toString('utf8'), 0, true)
    if (!cells.ascii) for (const { at } of hits) toByteOffsets(joined, at)
    found.push(...hits)
  }
  return found.filter(({ at }) => at.length > 0)
}

/** Stretches to replace in order, none overlapping; `owners` has those that are only a part of what was found. */
export type CellStretches = { at: number[]; rules: number[]; owners: Map<number, Span> }

/** UTF-16 units of a stretch of UTF-8 bytes. */
function unitsIn(bytes: string, start: number, end: number): number {
  let units = 0
  for (let at = start; at < end; at++) {
    const code = bytes.charCodeAt(at)
    if (code < 0x80 || code >= 0xc0) units += code < 0xf0 ? 1 : 2
  }
  return units
}

/** Merges what the rules found in cells and settles the overlaps, as `overlap.ts` does for spans. */
export function mergeHits(hits: readonly Hits[], labels: readonly string[], bytes: string): CellStretches {
  const result: CellStretches = { at: [], rules: [], owners: new Map() }
  const next = hits.map(() => 0)
  const lengthOf = ({ start, end }: Span) => unitsIn(bytes, start, end)
  /** The list whose next match begins first, or -1. */
  const first = () => {
    let best = -1
    let start = Number.POSITIVE_INFINITY
    for (let list = 0; list < hits.length; list++) {
      const at = hits[list]!.at[next[list]!]
      if (at !== undefined && at < start) {
        start = at
        best = list
      }
    }
    return best
  }
  const take = (list: number): Span => {
    const { at, rule } = hits[list]!
    const place = next[list]!
    next[list] = place + 2
    return { start: at[place]!, end: at[place + 1]!, rule, label: labels[rule]!, score: 1 }
  }
  for (let list = first(); list >= 0; ) {
    const { at, rule } = hits[list]!
    const start = at[next[list]!]!
    const end = at[next[list]! + 1]!
    next[list] = next[list]! + 2
    const follower = first()
    if (follower < 0 || hits[follower]!.at[next[follower]!]! >= end) {
      result.at.push(start, end)
      result.rules.push(rule)
      list = follower
      continue
    }
    const group: Span[] = [{ start, end, rule, label: labels[rule]!, score: 1 }]
    let reach = end
    for (list = follower; list >= 0 && hits[list]!.at[next[list]!]! < reach; list = first()) {
      const span = take(list)
      group.push(span)
      reach = Math.max(reach, span.end)
    }
    for (const { start: from, end: to, owner } of resolveOverlaps(group, lengthOf)) {
      if (owner.start !== from || owner.end !== to) result.owners.set(result.rules.length, owner)
      result.at.push(from, to)
      result.rules.push(owner.rule)
    }
  }
  return result
}
