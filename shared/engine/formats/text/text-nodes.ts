import { EngineError } from '../../errors.ts'
import type { Edit, Editor, Segment } from '../format.ts'
import { applyEdits } from '../plain/write.ts'

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
  /** Changes that an edit of this run entails. */
  also?: Patch[]
}

/**
 * A segment and the runs that make up its text, in order. `copies` are further places that hold the very same text,
 * `also` are changes that any edit entails (the number behind a cell's text goes with it).
 */
export type TextNode = { segment: Segment; runs: SourceRun[]; copies?: SourceRun[]; also?: Patch[] }

/** The patches of one text node: each touched run is written anew, every other run keeps its bytes. */
export function patchesOf(node: TextNode, edits: readonly Edit[]): Patch[] {
  if (edits.length === 0) return []
  const { copies, runs, also } = node
  if (copies !== undefined) {
    return [...runs, ...copies].map(run => rewritten(run, '', edits))
  }
  const [first] = runs
  if (runs.length === 1 && first!.encode && !first!.also && !also) return [rewritten(first!, '', edits)]
  const patches: Patch[] = also === undefined ? [] : [...also]
  let from = 0
  let pending = '' // a replacement whose edit began in markup and waits for the first text after it
  for (const run of runs) {
    const to = from + run.text.length
    if (run.encode === undefined) {
      const inside = edits.some(
        edit => edit.start <= from && edit.end >= to && (to > from || edit.start < from) && edit.end > from,
      )
      if (inside) {
        patches.push({ start: run.start, end: run.end, text: '' })
        for (const edit of edits) if (edit.start === from && to > from) pending += edit.text
      }
    } else {
      const local = localEdits(edits, from, to)
      if (local.length > 0 || pending !== '') {
        patches.push(rewritten(run, pending, local))
        if (run.also !== undefined) patches.push(...run.also)
      }
      pending = ''
    }
    from = to
  }
  // Nothing follows that could hold it: it takes the place of the markup that it replaces.
  if (pending !== '') {
    const encode = runs.find(run => run.encode !== undefined)?.encode
    const last = patches.at(-1)
    if (encode !== undefined && last !== undefined) last.text += encode(pending)
  }
  return patches
}

/** The source with its patches; a patch inside a removed stretch goes with it. */
export function splice(source: string, patches: readonly Patch[]): string {
  if (patches.length === 0) return source
  const isBefore = (a: Patch, b: Patch) => a.start - b.start || b.end - a.end
  const isSorted = patches.every((patch, index) => index === 0 || isBefore(patches[index - 1]!, patch) <= 0)
  const sorted = isSorted ? patches : [...patches].sort(isBefore)
  const out: string[] = []
  let at = 0
  for (const patch of sorted) {
    if (patch.start < at) {
      if (patch.end <= at) continue
      throw new EngineError('internal', 'Two changes overlap')
    }
    out.push(source.slice(at, patch.start), patch.text)
    at = patch.end
  }
  out.push(source.slice(at))
  return out.join('')
}

/** Characters of text nodes. */
export const charactersOf = (nodes: readonly TextNode[]): number =>
  nodes.reduce((sum, { segment }) => sum + segment.text.length, 0)

/** Text nodes in groups of about 64 Ki characters, the unit in which rules are run. */
export function* batches<T extends { segment: Segment }>(nodes: Iterable<T>, characters = 65_536): Generator<T[]> {
  let batch: T[] = []
  let size = 0
  for (const node of nodes) {
    batch.push(node)
    size += node.segment.text.length
    if (size < characters) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

/** Asks the editor about all text nodes and returns the patches of their edits. */
export async function editTextNodes(nodes: Iterable<TextNode>, edit: Editor): Promise<Patch[]> {
  const patches: Patch[] = []
  for (const batch of batches(nodes)) {
    const edits = await edit(batch.map(node => node.segment))
    batch.forEach((node, index) => {
      for (const patch of patchesOf(node, edits[index] ?? [])) patches.push(patch)
    })
  }
  return patches
}

function rewritten(run: SourceRun, before: string, edits: readonly Edit[]): Patch {
  const { escape: escaping, encode } = run
  const escaped = escaping === undefined ? edits : edits.map(edit => ({ ...edit, text: escaping(edit.text) }))
  const lead = escaping === undefined || before === '' ? before : escaping(before)
  return { start: run.start, end: run.end, text: encode!(lead + applyEdits(run.text, escaped)) }
}

function localEdits(edits: readonly Edit[], from: number, to: number): Edit[] {
  const local: Edit[] = []
  for (const edit of edits) {
    if (edit.end <= from || edit.start >= to) continue
    // The replacement goes where the match begins; what it covers further on is only taken away.
    const text = edit.start >= from ? edit.text : ''
    local.push({ start: Math.max(edit.start, from) - from, end: Math.min(edit.end, to) - from, text })
  }
  return local
}
