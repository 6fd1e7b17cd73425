import type { Span } from '../detect/span.ts'
import type { HeldFile } from '../formats/container/file-address.ts'
import type { Edit } from '../formats/format.ts'
import type { Range } from '../match.ts'

/** Spans but for what they have in files; one that holds a file as a whole stays as it is. */
export function outsideFiles(spans: Span[], files: readonly Range[]): Span[] {
  return files.reduce((left, file) => left.flatMap(span => outside(span, file)), spans)
}

function outside(span: Span, { start, end }: Range): Span[] {
  if (span.end <= start || span.start >= end || (span.start <= start && span.end >= end)) return [span]
  if (span.start < start) return [{ ...span, end: start }]
  return span.end > end ? [{ ...span, start: end }] : []
}

/** The edits of a text, and an empty picture in place of each file that none of them takes away. */
export function withoutFiles(edits: Edit[], files: readonly HeldFile[]): Edit[] {
  const left = files.filter(({ start, end }) => !edits.some(edit => edit.start < end && edit.end > start))
  if (left.length === 0) return edits
  const emptied = left.map(({ start, end, empty }) => ({ start, end, text: empty }))
  return [...edits, ...emptied].sort((a, b) => a.start - b.start)
}
