import { EngineError } from '../../errors.ts'
import { pushAll } from '../../lists.ts'
import type { BatchEdits, Edit, Editor, Segment } from '../format.ts'
import { applyEdits } from '../plain/write.ts'
import { onlyLine } from './wrapped-codes.ts'

/** Text to put in place of `source.slice(start, end)`. */
export type Patch = { start: number; end: number; text: string }

/**
 * A stretch of a segment's text and the source it was decoded from. A run without `encode` stands for markup (a line
 * break, a tab): an edit that covers it removes it. `text` may be empty for markup that merely interrupts a word.
 * With `escape`, only replacements are escaped, for sources (scripts, formulas) that can't be written anew as a whole.
 */
export type SourceRun = {
  text: string
  start: number
  end: number
  encode?: (text: string) => string
  escape?: (replacement: string) => string
  /** Changes that an edit of this run entails, in lists that it may share with other runs. */
  also?: readonly (readonly Patch[])[]
  /** The same text in parts, of which these edits of it leave more as it was written. */
  parts?: (edits: readonly Edit[]) => SourceRun[]
}

/**
 * A segment and the runs that make up its text, in order. `copies` are further places that hold the very same text,
 * `also` are changes that any edit entails (the number behind a cell's text goes with it).
 */
export type TextNode = { segment: Segment; runs: SourceRun[]; copies?: SourceRun[]; also?: Patch[] }

/** The patches of one text node: each touched run is written anew, every other run keeps its bytes. */
export function patchesOf(node: TextNode, edits: readonly Edit[]): Patch[] {
  const patches: Patch[] = []
  if (edits.length > 0) addPatches(patches, node, edits, new Set())
  return patches
}

/** Lists of changes that were made. */
type Made = Set<readonly Patch[]>

/** Makes the changes that an edit of a run entails, each list once. */
function addEntailed(patches: Patch[], { also }: SourceRun, made: Made): void {
  for (const list of also ?? []) {
    if (made.has(list)) continue
    made.add(list)
    pushAll(patches, list)
  }
}

/** Adds the patches of a node that has edits; `whole` is what its text becomes by them, where that is at hand. */
function addPatches(patches: Patch[], node: TextNode, edits: readonly Edit[], made: Made, whole?: string): void {
  const { segment, copies, runs, also } = node
  if (copies !== undefined) {
    for (const run of [...runs, ...copies]) {
      patches.push(rewritten(run, '', wholly(run, edits)))
      addEntailed(patches, run, made)
    }
    return
  }
  const first = runs[0]!
  if (runs.length === 1 && first.encode && !first.also && !first.parts && !also) {
    const isKnown = whole !== undefined && !first.escape && first.text === segment.text
    patches.push(rewritten(first, '', isKnown ? whole : wholly(first, edits)))
  } else addPatchesOfRuns(patches, node, edits, made)
}

function addPatchesOfRuns(patches: Patch[], { runs, also }: TextNode, edits: readonly Edit[], made: Made): void {
  const before = patches.length
  if (also !== undefined) pushAll(patches, also)
  const editsNear = nearby(edits)
  let from = 0
  let pending = '' // a replacement whose edit began in markup and waits for the first text after it
  for (const run of inParts(runs, edits)) {
    const to = from + run.text.length
    const near = editsNear(from, to)
    if (run.encode === undefined) {
      const inside = near.some(
        edit => edit.start <= from && edit.end >= to && (to > from || edit.start < from) && edit.end > from,
      )
      if (inside) {
        patches.push({ start: run.start, end: run.end, text: '' })
        for (const edit of near) if (edit.start === from && to > from) pending += edit.text
      }
    } else {
      const isTouched = isWithin(near, from, to)
      if (isTouched || pending !== '') {
        patches.push(rewritten(run, pending, isTouched ? edited(run, near, from) : run.text))
        addEntailed(patches, run, made)
      }
      pending = ''
    }
    from = to
  }
  // Nothing follows that could hold it: it takes the place of the markup that it replaces.
  if (pending !== '') {
    const encode = runs.find(run => run.encode !== undefined)?.encode
    const last = patches.length > before ? patches.at(-1) : undefined
    if (encode !== undefined && last !== undefined) last.text += encode(pending)
  }
}

/** Runs of which those that an edit touches are in parts. */
function inParts(runs: readonly SourceRun[], edits: readonly Edit[]): readonly SourceRun[] {
  if (!runs.some(({ parts }) => parts)) return runs
  const editsNear = nearby(edits)
  let from = 0
  return runs.flatMap(run => {
    const to = from + run.text.length
    const near = run.parts ? editsNear(from, to) : []
    const start = from
    const own = () => near.map(edit => ({ ...edit, start: edit.start - start, end: edit.end - start }))
    const parts = isWithin(near, from, to) ? run.parts?.(own()) : undefined
    from = to
    return parts ? parts.map(part => ({ ...part, also: run.also })) : [run]
  })
}

const inOrder = (a: Patch, b: Patch) => a.start - b.start || b.end - a.end

function isSorted(patches: readonly Patch[]): boolean {
  for (let index = 1; index < patches.length; index++)
    if (inOrder(patches[index - 1]!, patches[index]!) > 0) return false
  return true
}

/** The source with its patches; a patch inside a removed stretch goes with it. */
export function splice(source: string, patches: readonly Patch[]): string {
  if (patches.length === 0) return source
  const sorted = isSorted(patches) ? patches : [...patches].sort(inOrder)
  const out: string[] = new Array(patches.length * 2 + 1)
  let count = 0
  let at = 0
  for (const patch of sorted) {
    if (patch.start < at) {
      if (patch.end <= at) continue
      throw new EngineError('internal', 'Two changes overlap')
    }
    out[count++] = source.slice(at, patch.start)
    out[count++] = patch.text
    at = patch.end
  }
  out[count++] = source.slice(at)
  if (count < out.length) out.length = count
  return out.join('')
}

/** Whether a text has more than blanks, which the first character nearly always tells. */
export function hasText(text: string): boolean {
  const code = text.charCodeAt(0)
  return (code > 0x20 && code < 0x7f) || /\S/.test(text)
}

/** Characters of text nodes. */
export function charactersOf(nodes: readonly TextNode[]): number {
  let sum = 0
  for (const { segment } of nodes) sum += segment.text.length
  return sum
}

/** The segments of text nodes. */
export function segmentsOf(nodes: readonly { segment: Segment }[]): Segment[] {
  const segments: Segment[] = new Array(nodes.length)
  for (let index = 0; index < nodes.length; index++) segments[index] = nodes[index]!.segment
  return segments
}

/** Characters of lines of base64 that stay in one group, see {@link batches}. */
const mostOfLines = 1024 * 1024

/** Text nodes in groups of about 64 Ki characters, the unit in which rules are run; none ends within lines of base64. */
export function* batches<T extends { segment: Segment }>(nodes: Iterable<T>, characters = 65_536): Generator<T[]> {
  let batch: T[] = []
  let size = 0
  for (const node of nodes) {
    batch.push(node)
    size += node.segment.text.length
    if (size < characters || (size < mostOfLines && onlyLine.test(node.segment.text))) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** Asks the editor about all text nodes and returns the patches of their edits. */
export async function editTextNodes(nodes: Iterable<TextNode>, edit: Editor): Promise<Patch[]> {
  const patches: Patch[] = []
  const made: Made = new Set()
  for (const batch of batches(nodes)) addPatchesOfBatch(patches, batch, await edit(segmentsOf(batch)), made)
  return patches
}

function addPatchesOfBatch(patches: Patch[], batch: readonly TextNode[], found: BatchEdits, made: Made): void {
  for (let index = 0; index < batch.length; index++) {
    const edits = found[index]
    if (edits !== undefined && edits.length > 0) addPatches(patches, batch[index]!, edits, made, found.texts?.[index])
  }
}

/** For stretches of a segment, asked for in order, those of its edits that overlap or meet each, of edits in order. */
function nearby(edits: readonly Edit[]): (from: number, to: number) => readonly Edit[] {
  let first = 0
  return (from, to) => {
    while (first < edits.length && edits[first]!.end < from) first++
    let end = first
    while (end < edits.length && edits[end]!.start <= to) end++
    return edits.slice(first, end)
  }
}

/** Whether any edit touches a stretch of its segment. */
function isWithin(edits: readonly Edit[], from: number, to: number): boolean {
  for (const { start, end } of edits) if (end > from && start < to) return true
  return false
}

function rewritten({ start, end, escape: escaping, encode }: SourceRun, before: string, text: string): Patch {
  const lead = escaping === undefined || before === '' ? before : escaping(before)
  return { start, end, text: encode!(lead + text) }
}

/** What edits make of a run that is all of its segment. */
function wholly({ text, escape: escaping }: SourceRun, edits: readonly Edit[]): string {
  return applyEdits(text, escaping === undefined ? edits : edits.map(edit => ({ ...edit, text: escaping(edit.text) })))
}

/** What edits of a segment make of a run that begins at `from` in it. */
function edited({ text, escape: escaping }: SourceRun, edits: readonly Edit[], from: number): string {
  const to = from + text.length
  // Joined, as in `applyEdits`.
  const pieces: string[] = new Array(edits.length * 2 + 1)
  let at = 0
  let count = 0
  for (const { start, end, text: replacement } of edits) {
    if (end <= from || start >= to) continue
    // The replacement goes where the match begins; what it covers further on is only taken away.
    const put = start >= from ? replacement : ''
    pieces[count++] = text.slice(at, Math.max(start, from) - from)
    pieces[count++] = escaping === undefined ? put : escaping(put)
    at = Math.min(end, to) - from
  }
  pieces[count++] = text.slice(at)
  if (count < pieces.length) pieces.length = count
  return pieces.join('')
}
