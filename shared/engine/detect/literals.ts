import type { Segment } from '../formats/format.ts'
import { linesWithEscapes, placeOf } from './escapes.ts'
import type { Span } from './span.ts'

/** A value found somewhere in a file, to be replaced elsewhere in it. */
export type KnownValue = { value: string; rule: number; label: string; score: number; fromModel: boolean }

const shortest = 4

const isWord = (text: string, at: number) => /[\p{L}\p{N}_]/u.test(text.charAt(at))

/** Lower case where that keeps the length, so that offsets stay true. */
function folded(text: string): string {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

/** A tree of characters over all values, walked from each place where a value may begin. */
type Node = { next: Map<number, Node>; known?: KnownValue }

/**
 * Makes the search for known values: in visible text those that a model found, as whole words; in hidden places all of
 * them, in any case and wherever they stand (those of fewer than four characters as whole words).
 */
export function knownValues(values: readonly KnownValue[]): (segment: Segment) => Span[] {
  const root: Node = { next: new Map() }
  for (const known of values) {
    const text = folded(known.value.trim())
    if (text === '') continue
    let node = root
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      let next = node.next.get(code)
      if (!next) {
        next = { next: new Map() }
        node.next.set(code, next)
      }
      node = next
    }
    // The earlier rule has precedence; what a model found also counts in visible text.
    if (!node.known || known.rule < node.known.rule) node.known = known
    if (known.fromModel && !node.known.fromModel) node.known = { ...known }
  }
  const find = (segment: Segment): Span[] => {
    const { text, visible, before = '', after = '' } = segment
    const window = before + text + after
    const lower = folded(window)
    const base = before.length
    const spans: Span[] = []
    for (let start = 0; start < base + text.length; start++) {
      let node = root.next.get(lower.charCodeAt(start))
      let end = start + 1
      let longest: { known: KnownValue; end: number } | undefined
      while (node) {
        const { known } = node
        if (known && accepts(known, window, start, end, visible)) longest = { known, end }
        node = node.next.get(lower.charCodeAt(end))
        end++
      }
      if (!longest || longest.end <= base) continue
      const { rule, label, score } = longest.known
      spans.push({ start: start - base, end: longest.end - base, rule, label, score })
    }
    return spans
  }
  return segment => {
    if (root.next.size === 0) return []
    const spans = find(segment)
    for (const line of linesWithEscapes(segment.text)) {
      for (const span of find({ text: line.text, place: segment.place, visible: segment.visible })) {
        const place = placeOf(line, span.start, span.end)
        if (place.escaped) spans.push({ ...span, ...place })
      }
    }
    return spans
  }
}

function accepts(known: KnownValue, text: string, start: number, end: number, visible: boolean): boolean {
  if (visible && (!known.fromModel || text.slice(start, end) !== known.value)) return false
  if (!visible && end - start >= shortest) return true
  return !(start > 0 && isWord(text, start - 1) && isWord(text, start)) && !(isWord(text, end) && isWord(text, end - 1))
}
