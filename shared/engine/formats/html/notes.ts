import { aside } from '../../detect/normalise.ts'
import type { HtmlReading } from './parse-state.ts'
import { drawnInline, isInline } from './tags.ts'

/** What stands in a mark behind a word: a number, a sign or a single letter, in brackets perhaps. */
const noteMark = /^\s*(?:<[^>]*>\s*)*[[(]?\s*(?:[\d*†‡§¶#,;]|\p{L}\s*(?:[\])<,;]|$))/u

/** Whether the tag that ends at a place begins a mark above or below the line. */
export function isNote({ html, tag, isShifted, shifted }: HtmlReading, end: number): boolean {
  const isOutside = tag === 'sup' || tag === 'sub' || isShifted || shifted.has(tag)
  return isOutside && (isInline(tag) || drawnInline.has(tag)) && noteMark.test(html.slice(end, end + 200))
}

/** Keeps a mark behind a word or a number from being read as one of its letters, or as that only where it may be one; and sets it aside. */
export function beginNote(reading: HtmlReading, at: number) {
  const { runs, tag } = reading
  const before = runs.at(-1)?.text ?? ''
  if (!/[\p{L}\p{N}]$/u.test(before)) return
  const isApart = tag === 'sup' && /\p{L}$/u.test(before)
  reading.note = { tag, depth: 1, isApart }
  runs.push({ text: isApart ? `${aside} ` : aside, start: at, end: at })
}

/** Ends the mark that was begun last, behind its end tag. */
export function endNote(reading: HtmlReading, at: number) {
  const { html, runs, note } = reading
  const isBeforeWord = note!.isApart && /[\p{L}\p{N}]/u.test(html[at] ?? '')
  reading.note = undefined
  runs.push({ text: isBeforeWord ? ` ${aside}` : aside, start: at, end: at })
}
