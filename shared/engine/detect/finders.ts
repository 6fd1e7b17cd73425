import { pushAll } from '../lists.ts'
import { withoutHyphenation, wrappedParts } from './escapes.ts'
import type { Finder } from './model-rules.ts'
import { escapeAround, placeIn, placeOf, type ResolvedText } from './resolved-text.ts'
import type { Span } from './span.ts'

export const none: Span[] = []

/** Adds what was found to lists that are nobody else's to change; none gets room to grow, as very many are kept. */
export function addFound(lists: Span[][], index: number, spans: Span[]): void {
  if (spans.length > 0) lists[index] = lists[index]!.length === 0 ? spans : lists[index]!.concat(spans)
}

/** What several find, one after the other. */
export function mergeFinders(finders: Finder[]): Finder {
  if (finders.length === 1) return finders[0]!
  return async (texts, from, columns) => {
    const lists: Span[][] = texts.map(() => none)
    for (const find of finders) {
      const found = await find(texts, from, columns)
      found.forEach((spans, index) => void addFound(lists, index, spans))
    }
    return lists
  }
}

/** Leaves out what begins in the middle of an escape, `22ann@example.org` of `%22ann@example.org`, and without the rest of it reads otherwise. */
function withoutCut(spans: Span[], lines: readonly ResolvedText[], read: readonly Span[]): Span[] {
  const keyOf = (rule: number, start: number, end: number) => `${rule} ${start} ${end}`
  let known: Set<string> | undefined
  return spans.filter(({ rule, start, end }) => {
    for (const line of lines) {
      const behind = escapeAround(line, start)
      if (behind === undefined) continue
      known ??= new Set(read.map(span => keyOf(span.rule, span.start, span.end)))
      if (known.has(keyOf(rule, behind, end))) return false
    }
    return true
  })
}

const digitsAlone = /^\p{N}+$/u
const wordAlone = /^\p{L}+$/u

/**
 * Leaves out what was found over the ends of lines where these are more likely to part words: in a column of numbers, and where
 * what stands on the first or last line was found by itself, and the rest is words or was found as well.
 */
function withoutDoubtful(spans: Span[], source: string, found: readonly Span[]): Span[] {
  const known = new Set(found.map(({ rule, start, end }) => `${rule} ${start} ${end}`))
  return spans.filter(({ rule, start, end }) => {
    const parts = wrappedParts(source.slice(start, end))
    const [first = '', last = ''] = [parts[0], parts.at(-1)]
    if (parts.length === 1 || parts.every(part => digitsAlone.test(part) && part.length === first.length)) return false
    const isHead = known.has(`${rule} ${start} ${start + first.length}`)
    const isTail = known.has(`${rule} ${end - last.length} ${end}`)
    if (isHead && isTail) return false
    const rest = isHead ? parts.slice(1) : isTail ? parts.slice(0, -1) : []
    return rest.length === 0 || !rest.every(part => wordAlone.test(part))
  })
}

/** What one finds, and what it finds in texts, or lines, whose escapes are resolved. */
export function alsoInEscapes(find: Finder, saidBy: (text: string) => ResolvedText[]): Finder {
  return async (texts, from, columns) => {
    const lists = await find(texts, from, columns)
    const lines = texts.map(saidBy)
    const resolved = lines.flat()
    if (resolved.length === 0) return lists
    const inLine = async (line: ResolvedText) => {
      const begin = placeIn(line, from)
      return begin < line.text.length ? (await find([line.text], begin))[0]! : []
    }
    // What is found from an offset on must not depend on what stands before it, so such lines are searched one by one.
    const found =
      from > 0
        ? await Promise.all(resolved.map(inLine))
        : await find(
            resolved.map(({ text }) => text),
            0,
            columns && lines.flatMap((list, index) => list.map(() => columns[index])),
          )
    let next = 0
    return lists.map((spans, index) => {
      const more: Span[] = []
      const wrapped: Span[] = []
      for (const line of lines[index]!) {
        const inSource = found[next++]!.map(span => {
          const place = placeOf(line, span.start, span.end)
          // A text in base64 that began before.
          place.start = Math.max(place.start, from)
          return { ...span, ...place, said: place.escaped && line.text.slice(span.start, span.end) }
        })
        // Without an escape too: where one stands before it, the rule may take the same characters otherwise.
        pushAll(line.isWrapped ? wrapped : more, inSource)
      }
      if (wrapped.length > 0) pushAll(more, withoutDoubtful(wrapped, texts[index]!, [...spans, ...more]))
      return more.length === 0 ? spans : [...withoutCut(spans, lines[index]!, more), ...more]
    })
  }
}

/** What one finds in texts with the words joined that line ends hyphenate, in place of the texts as they stand. */
export function acrossHyphens(find: Finder): Finder {
  return async (texts, from, columns) => {
    const joined = texts.map(withoutHyphenation)
    if (joined.every(text => text === undefined)) return find(texts, from, columns)
    const begin = (index: number) => (joined[index] ? placeIn(joined[index], from) : from)
    const read = texts.map((text, index) => joined[index]?.text ?? text)
    const found =
      from > 0
        ? await Promise.all(
            read.map(async (text, index) => (await find([text], begin(index), columns && [columns[index]]))[0]!),
          )
        : await find(read, 0, columns)
    return found.map((spans, index) => {
      const text = joined[index]
      if (!text) return spans
      return spans.map(span => {
        const place = placeOf(text, span.start, span.end)
        return place.escaped
          ? { ...span, ...place, said: text.text.slice(span.start, span.end) }
          : { ...span, ...place }
      })
    })
  }
}
