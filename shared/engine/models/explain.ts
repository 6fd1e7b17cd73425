import { createDetector } from '../detect/detector.ts'
import { linesWithEscapes } from '../detect/escapes.ts'
import type { LoadList } from '../detect/list-rules.ts'
import { isWeighed } from '../detect/regex/context.ts'
import { placeOf } from '../detect/resolved-text.ts'
import type { Span } from '../detect/span.ts'
import type { Match } from '../match.ts'
import type { ModelDetection, PlannedRule, RegexDetection } from '../plan.ts'
import { loadModel } from './load-model.ts'
import type { Found, ModelSource } from './model.ts'

/** A rule under test: its name and what it looks for. */
export type RuleUnderTest = Pick<PlannedRule, 'name' | 'detection'>

/** What one rule made of one place in the text (UTF-16 offsets, end exclusive). */
export type Explanation = Required<Match> & {
  /** Whether it would be replaced; a near miss would not. */
  counts: boolean
}

/** Smallest score of a near miss of a model that classifies. */
const nearMiss = 0.1

/**
 * Says what each rule finds in a text and why, near misses below the threshold and failed checksums included, sorted
 * by place. Nothing of it is kept. Throws what running the rules throws.
 */
export async function explain(
  text: string,
  rules: readonly RuleUnderTest[],
  sources: readonly ModelSource[],
  signal: AbortSignal,
  lists?: LoadList,
): Promise<Explanation[]> {
  const explanations: Explanation[] = []
  for (const [rule, { name, detection }] of rules.entries()) {
    if (detection.type === 'AIMODEL') {
      for (const found of await asked(text, detection, sources, signal)) explanations.push({ rule, ...found })
      const { anyText = false } = await loadModel(detection, sources)
      for (const line of linesWithEscapes(text, anyText)) {
        for (const found of await asked(line.text, detection, sources, signal)) {
          const place = placeOf(line, found.start, found.end)
          if (place.escaped) explanations.push({ rule, ...found, start: place.start, end: place.end })
        }
      }
      continue
    }
    if (detection.type === 'LIST') {
      for (const found of await listed(text, { name, detection }, lists, signal)) explanations.push({ rule, ...found })
      continue
    }
    for (const found of await matched(text, name, detection, signal)) explanations.push({ rule, ...found })
  }
  return explanations.sort((a, b) => a.start - b.start || a.end - b.end || a.rule - b.rule)
}

/** What the values of a list match. */
async function listed(
  text: string,
  { name, detection }: RuleUnderTest,
  lists: LoadList | undefined,
  signal: AbortSignal,
): Promise<Omit<Explanation, 'rule'>[]> {
  const rule = { ruleId: name, name, detection, replacement: { remove: {} } }
  const detector = await createDetector({ rules: [rule], assetType: 'DOCUMENT' }, { signal, lists })
  const [spans = []] = await detector.detect([{ text, place: { kind: 'body' }, visible: true }])
  return spans.map(({ start, end, label, score }) => ({
    start,
    end,
    label,
    score,
    reason: { by: 'list' },
    counts: true,
  }))
}

/** Matches of a pattern; with a checksum or context words also those that fall short. */
async function matched(
  text: string,
  name: string,
  detection: RegexDetection,
  signal: AbortSignal,
): Promise<Omit<Explanation, 'rule'>[]> {
  const find = async (wanted: RegexDetection) => {
    const rule = { ruleId: name, name, detection: wanted, replacement: { remove: {} } }
    const detector = await createDetector({ rules: [rule], assetType: 'DOCUMENT' }, { signal })
    const [spans = []] = await detector.detect([{ text, place: { kind: 'body' }, visible: true }])
    return spans
  }
  const { validator, ...unproven } = detection
  const unchecked = { ...unproven, confidenceThreshold: 0 }
  const told = (counts: boolean, reason: Explanation['reason']) => (span: Span) => {
    const { start, end, label, reason: weighed } = span
    const score = counts || isWeighed(detection) ? span.score : 0
    return {
      start,
      end,
      label,
      score,
      reason: { ...reason, ...(weighed?.context && { context: weighed.context }) },
      counts,
    }
  }
  const sure = await find(detection)
  if (!validator && !isWeighed(detection)) return sure.map(told(true, { by: 'regex' }))
  const all = await find(unchecked)
  const misses = all.filter(({ start, end }) => !sure.some(span => span.start < end && start < span.end))
  return [
    ...sure.map(told(true, validator ? { by: 'checksum', pattern: validator } : { by: 'regex' })),
    ...misses.map(told(false, validator ? { by: 'regex', pattern: validator } : { by: 'regex' })),
  ]
}

async function asked(
  text: string,
  detection: ModelDetection,
  sources: readonly ModelSource[],
  signal: AbortSignal,
): Promise<Omit<Explanation, 'rule'>[]> {
  const model = await loadModel(detection, sources)
  const { confidenceThreshold: threshold, entities, language } = detection
  const options = { entities, language, signal }
  const [sure = []] = await model.detect([text], { ...options, threshold })
  const [more = []] = await model.detect([text], { ...options, threshold: Math.min(nearMiss, threshold), misses: true })
  const misses = more.filter(miss => !sure.some(found => found.start < miss.end && miss.start < found.end))
  const told =
    (counts: boolean) =>
    ({ evidence: reason, ...found }: Found) => ({ ...found, reason, counts })
  return [...sure.map(told(true)), ...misses.map(told(false))]
}
