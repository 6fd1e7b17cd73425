import { createDetector } from '../detect/detector.ts'
import { linesWithEscapes, placeOf } from '../detect/escapes.ts'
import type { Span } from '../detect/span.ts'
import type { ModelDetection, PlannedRule, RegexDetection } from '../plan.ts'
import { loadModel } from './load-model.ts'
import type { Evidence, Found, ModelSource } from './model.ts'

/** A rule under test: its name and what it looks for. */
export type RuleUnderTest = Pick<PlannedRule, 'name' | 'detection'>

/** What one rule made of one place in the text (UTF-16 offsets, end exclusive). */
export type Explanation = {
  /** Index of the rule. */
  rule: number
  start: number
  end: number
  label: string
  score: number
  reason: Omit<Evidence, 'by'> & { by: Evidence['by'] | 'regex' }
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
    for (const found of await matched(text, name, detection, signal)) explanations.push({ rule, ...found })
  }
  return explanations.sort((a, b) => a.start - b.start || a.end - b.end || a.rule - b.rule)
}

/** Matches of a pattern; with a checksum also those that fail it. */
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
  const { validator, ...unchecked } = detection
  const told = (counts: boolean, reason: Explanation['reason']) => (span: Span) => {
    const { start, end, label } = span
    return { start, end, label, score: counts ? span.score : 0, reason, counts }
  }
  const sure = await find(detection)
  if (!validator) return sure.map(told(true, { by: 'regex' }))
  const all = await find(unchecked)
  const misses = all.filter(({ start, end }) => !sure.some(span => span.start < end && start < span.end))
  return [
    ...sure.map(told(true, { by: 'checksum', pattern: validator })),
    ...misses.map(told(false, { by: 'regex', pattern: validator })),
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
