import { escapedLike } from '../detect/escaped-like.ts'
import { brokenAt, withoutEscapes } from '../detect/escapes.ts'
import { wrapMark } from '../detect/normalise.ts'
import { resolveOverlaps, type Stretch } from '../detect/overlap.ts'
import type { Span } from '../detect/span.ts'
import type { Edit, Segment } from '../formats/format.ts'
import type { Target } from '../operators/operator.ts'
import type { PlannedRule } from '../plan.ts'
import type { Review } from '../review/decisions.ts'
import { amongMarks, touching } from './kept-marks.ts'
import { type Found, foundBy } from './matches.ts'

/** What is to be replaced, how the replacement is written where it stands, and whether its value is spelt otherwise there. */
export type PlacedTarget = Target & { write(replacement: string): string; spelt: boolean; found?: Found }

const asItIs = (text: string) => text

const asEscaped = (source: string) => (text: string) => escapedLike(source, text)

/** What another detection has left of one, without the blanks where it was cut: they part two replacements. */
function inked(window: string, stretch: Stretch, base: number): Stretch {
  const { owner } = stretch
  let { start, end } = stretch
  if (start > owner.start) while (start < end && /\s/.test(window[start + base]!)) start++
  if (end < owner.end) while (start < end && /\s/.test(window[end - 1 + base]!)) end--
  return { start, end, owner }
}

/**
 * What a detection says; where a line end may have hyphenated it, by all appearances if it was found so too, or else as it was found,
 * and so where a column is too narrow for it.
 */
function saidBy(owner: Span, spans: readonly Span[], whole: string): string {
  // What a part of a value says is not the value.
  if (owner.isPart) return owner.escaped || whole.includes(brokenAt) ? withoutEscapes(whole) : whole
  if (owner.said !== undefined && whole.includes(wrapMark)) return owner.said
  const said = owner.escaped || whole.includes(brokenAt) ? withoutEscapes(whole) : whole
  if (!whole.includes(brokenAt) || owner.said === undefined) return said
  const { rule, start, end } = owner
  const isSo = spans.some(span => span.rule === rule && span.start === start && span.end === end && span.said === said)
  return isSo ? said : owner.said
}

/** Whether nothing is left of a detection but the number of a note, which may be no part of it: what has the rest ends in front. */
const isNoteAlone = (window: string, { start, end, owner }: Stretch, base: number): boolean =>
  start > owner.start && /^\ufeff\ufeff[^\ufeff]{1,3}\ufeff{0,2}$/.test(window.slice(start + base, end + base))

/** What is told of an edit, where that is asked for. */
const foundIn = (
  window: string,
  base: number,
  { start, end }: Edit,
  { from, owner }: { from: number; owner: Span },
) => ({
  start,
  end,
  owner,
  value: window.slice(start + base, end + base),
  continues: from < 0,
})

/** Whether the targets tell what was found, and what a review makes of what is to be replaced. */
type Asked = { listed: boolean; decided?: ReturnType<Review['see']> }

/** What is left of a stretch: models take blanks along. */
const shaped = (stretch: Stretch, rules: readonly PlannedRule[], window: string, base: number): Stretch =>
  rules[stretch.owner.rule]!.detection.type === 'AIMODEL' ? inked(window, stretch, base) : stretch

/**
 * The edits of one segment, still without their texts; what the text of each is to be made from is added to `targets`. A
 * target whose rule is -1 goes on from the piece before, which holds its replacement.
 */
export function targetsOf(
  segment: Segment,
  spans: Span[],
  rules: readonly PlannedRule[],
  { listed, decided }: Asked,
  targets: PlacedTarget[],
): Edit[] {
  if (spans.length === 0 && !decided) return []
  const { before = '', text, after = '' } = segment
  const window = before === '' && after === '' ? text : before + text + after
  const base = before.length
  const resolved = resolveOverlaps(spans)
  const stretches = decided ? decided(resolved, stretch => shaped(stretch, rules, window, base)) : resolved
  // Of the length that it has in the end, as a list that grows would have room for many more.
  const edits: Edit[] = new Array(stretches.length)
  let count = 0
  const isTouched = spans.some(({ kept }) => kept) ? touching(spans) : () => false
  for (const stretch of stretches) {
    const { start: from, end: to, owner } = shaped(stretch, rules, window, base)
    if (from >= text.length || to <= 0 || from === to || isNoteAlone(window, stretch, base)) continue
    const edit = { start: Math.max(0, from), end: Math.min(text.length, to), text: '' }
    edits[count++] = edit
    const whole = window.slice(owner.start + base, owner.end + base)
    const isWhole = from === owner.start && to === owner.end
    const source = isWhole ? whole : window.slice(from + base, to + base)
    const isMarked = isWhole && owner.kept !== undefined
    const said = saidBy(owner, spans, whole)
    targets.push({
      found: listed ? foundIn(window, base, edit, { from, owner: foundBy(owner, spans) }) : undefined,
      rule: from < 0 ? -1 : owner.rule,
      label: owner.label,
      value: owner.value ?? said,
      text: isMarked ? owner.value! : isWhole ? said : owner.escaped ? withoutEscapes(source) : source,
      spelt: owner.value !== undefined && !owner.isPart,
      write: isMarked ? amongMarks(source, owner, isTouched) : owner.escaped ? asEscaped(source) : asItIs,
    })
  }
  // Setting a length is slow even where it is the same.
  if (count < edits.length) edits.length = count
  return edits
}
