import { createDetector } from '../detect/detector.ts'
import type { ModelDetection, PlannedRule } from '../plan.ts'
import { loadModel } from './index.ts'
import { modelLoader } from './load.ts'
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
      continue
    }
    const planned = { ruleId: String(rule), name, detection, replacement: { remove: {} } }
    const detector = await createDetector(
      { rules: [planned], assetType: 'DOCUMENT' },
      { signal, load: modelLoader(sources) },
    )
    const [spans = []] = await detector.detect([{ text, place: { kind: 'body' }, visible: true }])
    for (const { start, end, label, score } of spans) {
      explanations.push({ rule, start, end, label, score, reason: { by: 'regex' }, counts: true })
    }
  }
  return explanations.sort((a, b) => a.start - b.start || a.end - b.end || a.rule - b.rule)
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
