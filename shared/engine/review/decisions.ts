import type { KeyObject } from 'node:crypto'
import { resolveOverlaps, type Stretch } from '../detect/overlap.ts'
import type { Span } from '../detect/span.ts'
import { EngineError } from '../errors.ts'
import type { AssetType, Segment } from '../formats/format.ts'
import type { Box, Covering, PageViews } from '../formats/page-views.ts'
import type { Plan } from '../plan.ts'
import { createReviewIds } from './review-ids.ts'

/** What a decision is about: one finding, all of a value (of one label or of any), or all that are like that. */
export type Concerns =
  | { id: string }
  | { value: string; label?: string }
  | { filter: { label?: string; minScore?: number; maxScore?: number } }

/**
 * Where something is added: at a place of one text, in a box on a page, or wherever a value stands, in tables in one column
 * if one is named.
 */
export type Addition =
  | { textId: string; start: number; end: number }
  | { page: number; box: Box }
  | { value: string; column?: string }

/**
 * What a reviewer decided, its number among all decisions, and the round of proposals that it was decided on, from 0 where nothing
 * is said. Of several about one finding the last counts.
 */
export type Decision = { n?: number; round?: number } & (
  | { action: 'accept' | 'reject'; of: Concerns }
  | { action: 'relabel'; of: Concerns; label: string; ruleId?: string }
  | { action: 'add'; at: Addition; label: string; ruleId?: string }
)

/**
 * The round of proposals that this is, from 0, and the number of the decision that counted before, by the ids of the findings that
 * are proposed with the same value again. On all others nothing of before was decided.
 */
export type Rounds = { now: number; held: ReadonlyMap<string, number> }

/** A finding as decisions look at it. */
type Judged = { id: string; value: string; label: string; score: number }

export type Verdict = Exclude<Decision, { action: 'add' }>

const valueKey = (value: string, label = '') => `${label}\u0000${value}`

/** The decision on a finding, if there is one: the last of this round that concerns it, or else the one that counted before. */
export function decider(decisions: readonly Decision[], rounds?: Rounds): (finding: Judged) => Verdict | undefined {
  const verdicts: Verdict[] = []
  const byId = new Map<string, number>()
  const byValue = new Map<string, number>()
  const filters: number[] = []
  const before = new Map<number | undefined, Verdict>()
  for (const decision of decisions) {
    if (decision.action === 'add') continue
    if (rounds && (decision.round ?? 0) < rounds.now) {
      before.set(decision.n, decision)
      continue
    }
    const n = verdicts.push(decision) - 1
    const { of } = decision
    if ('id' in of) byId.set(of.id, n)
    else if ('value' in of) byValue.set(valueKey(of.value, of.label), n)
    else filters.push(n)
  }
  const fits = (n: number, { label, score }: Judged) => {
    const { of } = verdicts[n]!
    if (!('filter' in of)) return false
    const { label: wanted, minScore = 0, maxScore = 1 } = of.filter
    return (wanted === undefined || wanted === label) && score >= minScore && score <= maxScore
  }
  return finding => {
    const { id, value, label } = finding
    const direct = [byId.get(id), byValue.get(valueKey(value, label)), byValue.get(valueKey(value))]
    const last = Math.max(-1, ...direct.map(n => n ?? -1))
    const verdict = verdicts[filters.findLast(n => n > last && fits(n, finding)) ?? last]
    const held = rounds?.held.get(id)
    return verdict ?? (held === undefined ? undefined : before.get(held))
  }
}

/** What is painted over because a box was drawn where not only text stands. */
export const coverings = (decisions: readonly Decision[] = [], views: PageViews | undefined): Covering[] =>
  decisions.flatMap(decision => {
    if (decision.action !== 'add' || !('box' in decision.at)) return []
    const { page, box } = decision.at
    if (!views || page > views.count) throw new EngineError('internal', 'A box was drawn on a page that there is not')
    return views.cover(page, box) ?? []
  })

const isWord = (text: string, at: number) => /[\p{L}\p{N}_]/u.test(text.charAt(at))

/** Whole occurrences of a value: those that are not inside of a longer word. */
function occurrences(text: string, value: string): number[] {
  const found: number[] = []
  const parted = (at: number) => !(isWord(text, at - 1) && isWord(text, at))
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
    if (parted(at) && parted(at + value.length)) found.push(at)
  return found
}

/** What a review makes of the texts of a file. */
export type Review = {
  /** Told of every text in order: makes what is replaced in it of what was found. `shape` says what is left of a stretch. */
  see(segment: Segment): (stretches: Stretch[], shape: (stretch: Stretch) => Stretch) => Stretch[]
  /** Whether a value is or stands in one that was left as it is by decision. */
  left(value: string): boolean
}

/** Refuses a file in whose texts some place that was to be added was never met: it would be left as it is. */
export function checkMet(decisions: readonly Decision[], met: ReadonlySet<Decision>): void {
  const isMissed = decisions.some(one => one.action === 'add' && 'textId' in one.at && !met.has(one))
  if (isMissed) throw new EngineError('leak_detected', 'A place that the review added is in no text of the file')
}

/** Starts to apply decisions on one asset, or on one chunk of it; `met` gathers those that add a place which is there. */
export function createReview(
  decisions: readonly Decision[],
  { rules }: Plan,
  of: { key: KeyObject; type: AssetType; views?: PageViews; met: Set<Decision>; rounds?: Rounds },
): Review {
  const { key, type, views, met, rounds } = of
  const decide = decider(decisions, rounds)
  const idsOf = createReviewIds(key, rules, type)
  const additions = decisions.filter(decision => decision.action === 'add')
  const ruleOf = (ruleId: string | undefined, otherwise: number) => {
    const rule = rules.findIndex(planned => planned.ruleId === ruleId)
    return rule < 0 ? otherwise : rule
  }
  const left = new Set<string>()
  /** Of what began in the piece before and goes on in this one. */
  let last: Verdict | undefined

  const addedTo = (segment: Segment, textId: () => string): Span[] => {
    const { before = '', text, after = '', place } = segment
    const offset = place.offset ?? 0
    const span = (start: number, end: number, { label, ruleId }: { label: string; ruleId?: string }): Span => {
      return { start, end, rule: ruleOf(ruleId, 0), label, score: 1, reason: { by: 'review' } }
    }
    const isHere = ({ start, end }: Span) => start < text.length && end > 0 && start < end
    return additions
      .flatMap(addition => {
        const { at } = addition
        if ('textId' in at) {
          if (at.textId !== textId()) return []
          const added = span(at.start - offset, at.end - offset, addition)
          if (isHere(added)) met.add(addition)
          return [added]
        }
        if ('box' in at)
          return segment.visible && at.page === place.page && views
            ? views.within(place, at.box).map(({ start, end }) => span(start, end, addition))
            : []
        if (at.column !== undefined && at.column !== place.column) return []
        return occurrences(before + text + after, at.value).map(start =>
          span(start - before.length, start - before.length + at.value.length, addition),
        )
      })
      .filter(isHere)
  }

  return {
    left: value => [...left].some(text => text.includes(value)),
    see(segment) {
      const { before = '', text, after = '', place } = segment
      const ids = idsOf(segment)
      return (stretches, shape) => {
        const window = before + text + after
        const kept: Stretch[] = []
        for (const stretch of stretches) {
          const { start: from, end: to } = shape(stretch)
          const { rule, label, score } = stretch.owner
          if (from < text.length && to > 0 && from < to) {
            const value = window.slice(from + before.length, to + before.length)
            const id = () => ids.finding(from + (place.offset ?? 0), { rule, label, value })
            last = from < 0 ? last : decide({ id: id(), value, label, score })
            if (last?.action === 'reject') {
              left.add(value)
              continue
            }
            if (last?.action === 'relabel') {
              const owner = { ...stretch.owner, label: last.label, rule: ruleOf(last.ruleId, rule) }
              kept.push({ ...stretch, owner })
              continue
            }
          }
          kept.push(stretch)
        }
        const added = addedTo(segment, ids.text)
        if (added.length === 0) return kept
        return resolveOverlaps([...kept.map(({ start, end, owner }) => ({ ...owner, start, end })), ...added])
      }
    },
  }
}
