import type { Stretch } from '../detect/overlap.ts'
import type { Span } from '../detect/span.ts'
import type { Edit, Segment } from '../formats/format.ts'
import type { Reason, Replaced } from '../match.ts'
import type { Plan } from '../plan.ts'

/** A stretch that is replaced, what stands there as the file says it, and whether it goes on from the piece before. */
export type Found = Stretch & { value: string; continues: boolean }

/**
 * What found a stretch itself, where the same value was found elsewhere too: of two such spans the one with the higher score
 * decides, but only one of them says why.
 */
export function foundBy(owner: Span, spans: readonly Span[]): Span {
  if (owner.reason?.by !== 'repeat') return owner
  const isSame = (span: Span) => span.start === owner.start && span.end === owner.end && span.rule === owner.rule
  return spans.find(span => isSame(span) && span.reason?.by !== 'repeat') ?? owner
}

/** Why a stretch counts as found: what its detection says of itself, else what kind of rule it is of. */
export function reasonOf({ rule, reason }: Span, rules: Plan['rules']): Reason {
  if (reason) return reason
  const { detection } = rules[rule]!
  if (detection.type === 'AIMODEL') return { by: 'model' }
  if (detection.type === 'LIST') return { by: 'list' }
  return detection.validator ? { by: 'checksum', pattern: detection.validator } : { by: 'regex' }
}

/** Lists what an editing pass replaces, in order, with its places in the text before and after. */
export type Matches = {
  /** Adds what was replaced in a segment, given all edits that were made in it. */
  add(segment: Segment, found: readonly Found[], edits: readonly Edit[]): void
  list(): Replaced[]
}

/** Starts a list of at most so many matches. */
export function createMatches({ rules }: Plan, most: number): Matches {
  const matches: Replaced[] = []
  /** How much longer the text that the next segment continues has become. */
  let grown = 0

  return {
    add(segment, found, edits) {
      if (segment.before === undefined) grown = 0
      const { offset = 0 } = segment.place
      const next = found.values()
      let one = next.next().value
      for (const { start, end, text } of edits) {
        const at = start + offset + grown
        grown += text.length - (end - start)
        // An edit may be of the format's own, such as the apostrophe before what would be a formula.
        if (one && one.start <= start && end <= one.end) {
          const last = matches.at(-1)
          if (one.continues && last) {
            last.end = end + offset
            last.value += one.value
          } else if (!one.continues && matches.length < most) {
            const { rule, label, score } = one.owner
            const replacement = { start: at, end: at + text.length, text }
            const place = { ...segment.place, offset: undefined }
            const told = { rule, label, score, reason: reasonOf(one.owner, rules), place, value: one.value }
            matches.push({ start: start + offset, end: end + offset, ...told, replacement })
          }
          one = next.next().value
        }
      }
    },
    list: () => matches,
  }
}
