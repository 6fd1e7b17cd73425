import type { Mark, Segment } from '../formats/format.ts'
import type { Column } from './entity-model.ts'
import { withoutEscapes } from './escapes.ts'
import type { Finder } from './model-rules.ts'
import { placeIn, placeOf, type ResolvedText } from './resolved-text.ts'
import type { KeptMark, Span } from './span.ts'

/** A text, or a line of it, as those see it who don't see its marks. */
export type ShownText = ResolvedText & { marks: readonly Mark[] }

/** Where the first mark stands that begins at a place or behind it, among marks in order. */
function firstFrom(marks: readonly Mark[], place: number): number {
  let low = 0
  let high = marks.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (marks[middle]!.start < place) low = middle + 1
    else high = middle
  }
  return low
}

/** A stretch of a source as those see it who don't see its marks. */
function shownStretch(source: string, marks: readonly Mark[], base: number, end: number): ShownText {
  const escaped: number[] = []
  const pieces: string[] = []
  let length = 0
  let at = base
  for (let index = firstFrom(marks, base); index < marks.length && marks[index]!.end <= end; index++) {
    const mark = marks[index]!
    pieces.push(source.slice(at, mark.start))
    length += mark.start - at
    escaped.push(length, length, mark.start, mark.end)
    at = mark.end
  }
  pieces.push(source.slice(at, end))
  return { text: pieces.join(''), base, escaped, marks }
}

const isLetter = (text: string, at: number) => /[\p{L}\p{N}]/u.test(text.charAt(at))

/** The lines of a text in which marks stand within a word, as they are seen: models see through other marks themselves. */
function shownLines(source: string, marks: readonly Mark[]): ShownText[] {
  const lines: ShownText[] = []
  let done = 0
  for (let index = 0; index < marks.length; index++) {
    const { start } = marks[index]!
    while (marks[index + 1]?.start === marks[index]!.end) index++
    const { end } = marks[index]!
    if (start < done || !isLetter(source, start - 1) || !isLetter(source, end)) continue
    const lineEnd = source.indexOf('\n', end)
    done = lineEnd < 0 ? source.length : lineEnd
    lines.push(shownStretch(source, marks, source.lastIndexOf('\n', start) + 1, done))
  }
  return lines
}

/**
 * What was found in such a text as a span of the source. Emphasis that begins and ends with a value goes with it; of other
 * marks in the value the other end stays, and so do they.
 */
export function spanInSource(span: Span, shown: ShownText): Span {
  const { marks } = shown
  const place = placeOf(shown, span.start, span.end)
  if (!place.escaped) return { ...span, start: place.start, end: place.end }
  const { start, end } = widened(place, marks)
  const said = shown.text.slice(span.start, span.end)
  const kept: KeptMark[] = []
  for (let index = firstFrom(marks, start); index < marks.length && marks[index]!.end <= end; index++) {
    const { partner, stays, start: from, end: to } = marks[index]!
    if (!stays && partner >= start && partner < end) continue
    kept.push({ start: from - start, end: to - start, isInFront: partner > from })
  }
  return { ...span, start, end, value: span.escaped ? withoutEscapes(said) : said, kept }
}

/** A stretch with the emphasis around it of which it has the other end. */
function widened({ start, end }: { start: number; end: number }, marks: readonly Mark[]) {
  let before = firstFrom(marks, start) - 1
  let after = firstFrom(marks, end)
  const stretch = { start, end }
  const isHere = ({ partner, stays }: Mark) => !stays && partner >= stretch.start && partner < stretch.end
  for (; marks[before]?.end === stretch.start && isHere(marks[before]!); before--) stretch.start = marks[before]!.start
  for (; marks[after]?.start === stretch.end && isHere(marks[after]!); after++) stretch.end = marks[after]!.end
  return stretch
}

/** The markup of a segment, by its place in what stands before it, in it and behind it. */
function marksOf({ marks = [], before = '' }: Segment): readonly Mark[] {
  const base = before.length
  if (base === 0) return marks
  return marks.map(({ start, end, partner, stays }) => ({
    start: start + base,
    end: end + base,
    partner: partner + base,
    stays,
  }))
}

/** The text of a segment with what stands around it, or lines of it for what finds things in language, without its markup, where it has any. */
export function shownIn(segment: Segment, text: string, isProse: boolean): ShownText[] {
  if (segment.marks === undefined || segment.marks.length === 0) return []
  const marks = marksOf(segment)
  return isProse ? shownLines(text, marks) : [shownStretch(text, marks, 0, text.length)]
}

/** What is found in such texts from an offset on in their source. */
export async function findShown(find: Finder, texts: ShownText[], from: number, column?: Column): Promise<Span[]> {
  const found: Span[] = []
  for (const shown of texts) {
    const begin = from === 0 ? 0 : placeIn(shown, from)
    if (begin >= shown.text.length) continue
    const [spans = []] = await find([shown.text], begin, column && [column])
    for (const span of spans) found.push(spanInSource(span, shown))
  }
  return found
}
