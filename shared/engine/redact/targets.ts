import { escapedLike, withoutEscapes } from '../detect/escapes.ts'
import { resolveOverlaps, type Stretch } from '../detect/overlap.ts'
import type { Span } from '../detect/span.ts'
import type { Edit, Segment } from '../formats/format.ts'
import type { Target } from '../operators/operator.ts'
import type { PlannedRule } from '../plan.ts'
import type { Review } from '../review/decisions.ts'
import { type Found, foundBy } from './matches.ts'

/** What is to be replaced, how the replacement is written where it stands, and whether its value is spelt otherwise there. */
export type PlacedTarget = Target & { write(replacement: string): string; spelt: boolean; found?: Found }

const asItIs = (text: string) => text

const asEscaped = (source: string) => (text: string) => escapedLike(source, text)

/** What another detection has left of one, without the blanks where it was cut: they part two replacements. */
function inked(window: string, owner: Span, [from, to]: [number, number], base: number): [number, number] {
  let [start, end] = [from, to]
  if (start > owner.start) while (start < end && /\s/.test(window[start + base]!)) start++
  if (end < owner.end) while (start < end && /\s/.test(window[end - 1 + base]!)) end--
  return [start, end]
}

/** Whether the targets tell what was found, and what a review makes of what is to be replaced. */
type Asked = { listed: boolean; decided?: ReturnType<Review['see']> }

/**
 * The edits of one segment, still without their texts, and what the text of each is to be made from. A target whose rule is -1 goes on from the piece before, which holds its replacement.
 */
export function targetsOf(
  { before = '', text, after = '' }: Segment,
  spans: Span[],
  rules: readonly PlannedRule[],
  { listed, decided }: Asked,
): { edits: Edit[]; targets: PlacedTarget[] } {
  if (spans.length === 0 && !decided) return { edits: [], targets: [] }
  const window = before === '' && after === '' ? text : before + text + after
  const base = before.length
  const edits: Edit[] = []
  const targets: PlacedTarget[] = []
  const shape = ({ start, end, owner }: Stretch): [number, number] =>
    rules[owner.rule]!.detection.type === 'AIMODEL' ? inked(window, owner, [start, end], base) : [start, end]
  const stretches = resolveOverlaps(spans)
  for (const stretch of decided ? decided(stretches, shape) : stretches) {
    const { owner } = stretch
    const [from, to] = shape(stretch)
    if (from >= text.length || to <= 0 || from === to) continue
    const edit = { start: Math.max(0, from), end: Math.min(text.length, to), text: '' }
    edits.push(edit)
    const said = owner.escaped ? withoutEscapes : asItIs
    const whole = window.slice(owner.start + base, owner.end + base)
    const value = owner.value ?? said(whole)
    const source = from === owner.start && to === owner.end ? whole : window.slice(from + base, to + base)
    const found = listed
      ? {
          ...edit,
          owner: foundBy(owner, spans),
          value: window.slice(edit.start + base, edit.end + base),
          continues: from < 0,
        }
      : undefined
    targets.push({
      found,
      rule: from < 0 ? -1 : owner.rule,
      label: owner.label,
      value,
      text: said(source),
      spelt: owner.value !== undefined,
      write: owner.escaped ? asEscaped(source) : asItIs,
    })
  }
  return { edits, targets }
}
