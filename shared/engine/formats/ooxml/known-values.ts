import type { Edit, Segment } from '../format.ts'

/** Values replaced in cells that also stand in hidden places of the file, with what stands in their place. */
export type KnownInHidden = {
  note(value: string, replacement: string): void
  /** How many were noted so far. */
  size(): number
  /** The edits of a hidden segment together with those that the noted values ask for. */
  complete(segment: Segment, edits: readonly Edit[]): Edit[]
}

const shortest = 4

/** Starts noting. Only values that occur in `hidden` are kept, so that millions of cells take no memory. */
export function knownInHidden(hidden: readonly string[]): KnownInHidden {
  const all = hidden.join('\n').toLowerCase()
  const beginnings = new Set<string>()
  for (let at = 0; at + shortest <= all.length; at++) beginnings.add(all.slice(at, at + shortest))
  const values = new Map<string, string>()
  return {
    note(value, replacement) {
      if (value.length < shortest || beginnings.size === 0) return
      const lower = value.toLowerCase()
      if (beginnings.has(lower.slice(0, shortest)) && !values.has(lower) && all.includes(lower))
        values.set(lower, replacement)
    },
    size: () => values.size,
    complete(segment, edits) {
      if (values.size === 0) return [...edits]
      const lower = segment.text.toLowerCase()
      if (lower.length !== segment.text.length) return [...edits]
      const found: Edit[] = [...edits]
      for (const [value, text] of values) {
        for (let start = lower.indexOf(value); start >= 0; start = lower.indexOf(value, start + value.length))
          found.push({ start, end: start + value.length, text })
      }
      return merged(found)
    },
  }
}

/** Edits in order; of several that overlap, one with the text of the first over all that they cover. */
function merged(edits: Edit[]): Edit[] {
  edits.sort((a, b) => a.start - b.start || b.end - a.end)
  const result: Edit[] = []
  for (const edit of edits) {
    const last = result.at(-1)
    if (last !== undefined && edit.start < last.end) last.end = Math.max(last.end, edit.end)
    else result.push({ ...edit })
  }
  return result
}
