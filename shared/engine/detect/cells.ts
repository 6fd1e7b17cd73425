import type { Cells } from '../formats/format.ts'
import { cellsWithEscapes } from './escapes.ts'
import { resolveOverlaps } from './overlap.ts'
import type { ByteHits, RegexSearch } from './regex/search.ts'
import { separator } from './regex/separator.ts'
import { escapeAround, placeOf, type ResolvedText } from './resolved-text.ts'
import type { CellHits, Span } from './span.ts'

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

/** What one group of rules finds in texts that are joined by fences, as byte offsets. */
function findJoined({ bytes, text }: CellGroup, joined: string, ascii: boolean, raw?: Uint8Array): ByteHits[] {
  const found = bytes ? bytes.findInBytes(joined, raw) : []
  if (!text) return found
  const hits = text.find(ascii ? joined : Buffer.from(joined, 'latin1').toString('utf8'), 0, true)
  if (!ascii) for (const { at } of hits) toByteOffsets(joined, at)
  return [...found, ...hits]
}

/** What it finds in cells that read otherwise than they stand, where they stand in `joined`. */
function findInEscapes(group: CellGroup, lines: readonly ResolvedText[]): CellHits[] {
  if (lines.length === 0) return []
  const resolved = lines.map(({ text }) => text).join(separator)
  return findJoined(group, resolved, false).flatMap(({ rule, at }) => {
    const plain: number[] = []
    const escaped: number[] = []
    let line = 0
    let begun = 0
    for (let next = 0; next < at.length; next += 2) {
      while (at[next]! > begun + lines[line]!.text.length) begun += lines[line++]!.text.length + 1
      const place = placeOf(lines[line]!, at[next]! - begun, at[next + 1]! - begun)
      const list = place.escaped ? escaped : plain
      list.push(place.start, place.end)
    }
    return [
      { rule, at: plain },
      { rule, at: escaped, escaped: true as const },
    ]
  })
}

/** Leaves out what begins in the middle of an escape and reads otherwise without the rest of it, as of texts one by one. */
function withoutCut({ rule, at }: ByteHits, lines: readonly ResolvedText[], read: readonly CellHits[]): ByteHits {
  const known = new Set<string>()
  for (const hits of read) {
    if (hits.rule !== rule) continue
    for (let next = 0; next < hits.at.length; next += 2) known.add(`${hits.at[next]} ${hits.at[next + 1]}`)
  }
  if (known.size === 0) return { rule, at }
  const kept = new Int32Array(at.length)
  let fill = 0
  let line = 0
  for (let next = 0; next < at.length; next += 2) {
    const [start, end] = [at[next]!, at[next + 1]!]
    while (line + 1 < lines.length && lines[line + 1]!.base <= start) line++
    const behind = escapeAround(lines[line]!, start)
    if (behind !== undefined && known.has(`${behind} ${end}`)) continue
    kept[fill++] = start
    kept[fill++] = end
  }
  return { rule, at: kept.subarray(0, fill) }
}

/** What the rules find in many cells, by rule, as byte offsets. */
export function findInCells(groups: readonly CellGroup[], cells: Cells): CellHits[] {
  const found: CellHits[] = []
  for (const group of groups) {
    const joined = group.columns ? cells.within(group.columns) : cells.bytes
    const raw = group.columns ? undefined : cells.raw
    const lines = cellsWithEscapes(joined)
    const read = findInEscapes(group, lines)
    for (const hits of findJoined(group, joined, cells.ascii, raw)) found.push(withoutCut(hits, lines, read))
    found.push(...read, ...findInEscapes(group, cells.readings?.(group.columns) ?? []))
  }
  return found.filter(({ at }) => at.length > 0)
}

/**
 * Stretches to replace in order, none overlapping; `owners` has those that are only a part of what was found, or were
 * found in what cells say once their escapes are resolved.
 */
export type CellStretches = { at: Int32Array; rules: Int32Array; owners: Map<number, Span> }

/** UTF-16 units of a stretch of UTF-8 bytes. */
function unitsIn(bytes: string, start: number, end: number): number {
  let units = 0
  for (let at = start; at < end; at++) {
    const code = bytes.charCodeAt(at)
    if (code < 0x80 || code >= 0xc0) units += code < 0xf0 ? 1 : 2
  }
  return units
}

/** Lists of hits that are gone through together: the next place in each, and where the match begins there. */
type Cursor = { hits: readonly CellHits[]; places: readonly Int32Array[]; next: Int32Array; begins: Int32Array }

/** Where nothing begins: behind each text. */
const never = 0x7fff_ffff

/** The list whose next match begins first. */
function nearest(begins: Int32Array): number {
  let best = 0
  for (let list = 1; list < begins.length; list++) if (begins[list]! < begins[best]!) best = list
  return best
}

function advance({ places, next, begins }: Cursor, list: number): void {
  const place = next[list]! + 2
  const at = places[list]!
  next[list] = place
  begins[list] = place < at.length ? at[place]! : never
}

/** Stretches, and how many there are so far. */
type Filling = CellStretches & { count: number }

function put(to: Filling, start: number, end: number, rule: number): void {
  to.at[2 * to.count] = start
  to.at[2 * to.count + 1] = end
  to.rules[to.count++] = rule
}

/** Settles the overlaps of what the next match of a list begins, and goes behind all of it. */
function settleOverlaps(cursor: Cursor, list: number, labels: readonly string[], bytes: string, to: Filling) {
  const { hits, places, next, begins } = cursor
  const group: Span[] = []
  let reach = never
  for (let from = list; begins[from]! < reach; from = nearest(begins)) {
    const { rule, escaped } = hits[from]!
    const at = places[from]!
    const place = next[from]!
    const [start, end] = [at[place]!, at[place + 1]!]
    advance(cursor, from)
    group.push({ start, end, rule, label: labels[rule]!, score: 1, escaped })
    reach = group.length === 1 ? end : Math.max(reach, end)
  }
  const lengthOf = ({ start, end }: Span) => unitsIn(bytes, start, end)
  for (const { start, end, owner } of resolveOverlaps(group, lengthOf)) {
    if (owner.escaped || owner.start !== start || owner.end !== end) to.owners.set(to.count, owner)
    put(to, start, end, owner.rule)
  }
}

/** Goes through all lists. Apart from what comes before and behind it, so that V8 need not compile it anew when it ends. */
function mergeAll(cursor: Cursor, labels: readonly string[], bytes: string, to: Filling): void {
  const { hits, places, next, begins } = cursor
  for (let list = nearest(begins); begins[list]! < never; list = nearest(begins)) {
    const { rule, escaped } = hits[list]!
    const place = next[list]!
    const start = places[list]![place]!
    const end = places[list]![place + 1]!
    advance(cursor, list)
    if (!escaped && begins[nearest(begins)]! >= end) {
      put(to, start, end, rule)
      continue
    }
    next[list] = place
    begins[list] = start
    settleOverlaps(cursor, list, labels, bytes, to)
  }
}

/** Merges what the rules found in cells and settles the overlaps, as `overlap.ts` does for spans. */
export function mergeHits(hits: readonly CellHits[], labels: readonly string[], bytes: string): CellStretches {
  const places = hits.map(({ at }) => (at instanceof Int32Array ? at : Int32Array.from(at)))
  // Of each that overlaps others no more is left than a stretch before each of them, and one behind.
  const most = places.reduce((sum, { length }) => sum + length, 0)
  const filling = {
    at: new Int32Array(2 * most),
    rules: new Int32Array(most),
    owners: new Map<number, Span>(),
    count: 0,
  }
  const begins = Int32Array.from(places, at => at[0] ?? never)
  mergeAll({ hits, places, next: new Int32Array(hits.length), begins }, labels, bytes, filling)
  const { at, rules, owners, count } = filling
  return { at: at.subarray(0, 2 * count), rules: rules.subarray(0, count), owners }
}
